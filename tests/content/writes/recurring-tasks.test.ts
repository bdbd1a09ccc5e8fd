// Marking a task done that repeats moves it to its next due date, in one change.

import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent } from '../../helpers/world.ts'

const void_ = await buildApp({ now: () => new Date('2026-11-24T12:00:00Z') })
const { owner } = void_
const { id: space } = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body

const make = async (fields: Record<string, unknown> = {}) => {
  const task = { title: 'Trim the wick', due_on: '2026-11-24', recurrence: 'freq=weekly;byday=tu', ...fields }
  return (await owner.post(`/api/spaces/${space}/tasks`).send(task)).body
}
const finish = async ({ id, version }: { id: string; version: number }) =>
  (await owner.patch(`/api/tasks/${id}`).send({ status: 'done', version })).body

describe('a task that repeats', () => {
  test('has its rule in one form, and none that is not known', async () => {
    expect((await make()).recurrence).toBe('FREQ=WEEKLY;BYDAY=TU')
    const wrong = { title: 'x', recurrence: 'FREQ=SECONDLY' }
    expect((await owner.post(`/api/spaces/${space}/tasks`).send(wrong)).status).toBe(400)
  })

  test('is moved when it is marked done, with one version and one audit row, and one undo', async () => {
    const task = await make()

    const done = await finish(task)

    expect(done).toMatchObject({ status: 'open', due_on: '2026-12-01', version: 2 })
    const history = (await owner.get(`/api/tasks/${task.id}/history`)).body.items
    expect(history).toHaveLength(2)
    const { status } = await owner.post(`/api/audit/${history[0].seq}/undo`)
    expect(status).toBeLessThan(300)
    expect((await owner.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      ...{ status: 'open', due_on: '2026-11-24', recurrence: 'FREQ=WEEKLY;BYDAY=TU' },
    })
  })

  test('is closed when it is cancelled, or once it repeats no more', async () => {
    const [one, other] = [await make(), await make()]

    const cancelled = (await owner.patch(`/api/tasks/${one.id}`).send({ status: 'cancelled', version: 1 }))
      .body
    const over = (
      await owner.patch(`/api/tasks/${other.id}`).send({ status: 'done', recurrence: null, version: 1 })
    ).body

    expect(cancelled).toMatchObject({ status: 'cancelled', due_on: '2026-11-24' })
    expect(over).toMatchObject({ status: 'done', due_on: '2026-11-24' })
  })

  test('is moved once by two who mark it done at the same time', async () => {
    const task = await make()

    const answers = await Promise.all(
      [1, 2].map(() => owner.patch(`/api/tasks/${task.id}`).send({ status: 'done', version: 1 })),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await owner.get(`/api/tasks/${task.id}`)).body.due_on).toBe('2026-12-01')
  })
})

test('a draft that marks it done says where it moves to, and approved it does', async () => {
  const task = await make()
  const { token } = await makeAgent(void_, { slug: 'scribe' })
  const draft = (await void_.as(token).patch(`/api/tasks/${task.id}`).send({ status: 'done', version: 1 }))
    .body

  const { card } = (await owner.get(`/api/pending-changes/${draft.id}`)).body
  const { status } = await owner.post(`/api/pending-changes/${draft.id}/approve`).send({})

  expect(card.warnings.map(({ message }: { message: string }) => message)).toContain(
    'It repeats every Tuesday: marked done, it moves to its next due date and stays open.',
  )
  expect(status).toBe(200)
  expect((await owner.get(`/api/tasks/${task.id}`)).body).toMatchObject({
    status: 'open',
    due_on: '2026-12-01',
  })
})

describe('the day of a task that repeats and has no due date', () => {
  const zone = process.env.TZ
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  test.each([
    ['America/New_York', '2026-11-25T01:00:00Z', '2026-11-25'],
    ['Asia/Tokyo', '2026-11-24T23:00:00Z', '2026-11-26'],
    ['UTC', '2026-11-24T23:00:00Z', '2026-11-25'],
  ])('is the one of the server: in %s at %s the next is %s', async (name, now, next) => {
    process.env.TZ = name
    const { owner } = await buildApp({ now: () => new Date(now) })
    const { id: space } = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
    const task = { title: 'Trim the wick', recurrence: 'FREQ=DAILY' }
    const { id } = (await owner.post(`/api/spaces/${space}/tasks`).send(task)).body

    const done = (await owner.patch(`/api/tasks/${id}`).send({ status: 'done', version: 1 })).body

    expect(done.due_on).toBe(next)
  })

  test('is the one that whoever marks it done names', async () => {
    const task = await make({ due_on: null, recurrence: 'FREQ=DAILY' })

    const done = (
      await owner.patch(`/api/tasks/${task.id}`).send({ status: 'done', version: 1, today: '2026-11-25' })
    ).body

    expect(done.due_on).toBe('2026-11-26')
  })

  test('is the one of the server where the day that is named is none on earth', async () => {
    const task = await make({ due_on: null, recurrence: 'FREQ=DAILY' })

    const here = (await owner.patch(`/api/tasks/${task.id}`).send({ status: 'done', version: 1 })).body
    const wrong = (
      await owner.post(`/api/spaces/${space}/tasks`).send({ title: 'Wind', recurrence: 'FREQ=DAILY' })
    ).body

    const answer = await owner
      .patch(`/api/tasks/${wrong.id}`)
      .send({ status: 'done', version: 1, today: '2059-05-05' })

    expect(answer.status).toBe(200)
    expect(answer.body.due_on).toBe(here.due_on)
  })
})
