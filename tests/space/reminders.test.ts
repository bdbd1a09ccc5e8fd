import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

let now = new Date('2031-03-05T08:00:00Z')
const void_ = await buildApp({ now: () => now })
const { owner } = void_
const world = await makeWorld(void_)

const add = async (fields: object, space = world.space.id) =>
  (await owner.post(`/api/spaces/${space}/tasks`).send(fields).expect(201)).body
const reminders = async () => {
  const { body } = await owner.get('/api/reminders').expect(200)
  return { ...body, tasks: body.tasks.map(({ title }: { title: string }) => title) }
}

test('a task reminds from its moment on, until it is done, put off, dismissed or deleted', async () => {
  const lamp = await add({ title: 'Trim the lamp', remind_at: '2031-03-05T10:00:00+01:00' })
  const oil = await add({ title: 'Order oil', remind_at: '2031-03-05T09:30:00Z' }, world.other.id)
  expect(lamp.remind_at).toBe('2031-03-05T09:00:00.000Z')
  expect(await reminders()).toEqual({ tasks: [], count: 0, next_at: '2031-03-05T09:00:00.000Z' })

  now = new Date('2031-03-05T09:30:00Z')
  expect(await reminders()).toEqual({ tasks: ['Order oil', 'Trim the lamp'], count: 2, next_at: null })

  await owner.patch(`/api/tasks/${lamp.id}`).send({ version: 1, remind_at: '2031-03-06T09:00:00Z' })
  expect(await reminders()).toEqual({ tasks: ['Order oil'], count: 1, next_at: '2031-03-06T09:00:00.000Z' })
  await owner.patch(`/api/tasks/${oil.id}`).send({ version: 1, status: 'done' })
  expect((await reminders()).count).toBe(0)
  await owner.patch(`/api/tasks/${oil.id}`).send({ version: 2, status: 'open' })
  expect((await reminders()).count).toBe(1)
  await owner.delete(`/api/tasks/${oil.id}`).send({ version: 3 })
  expect((await reminders()).count).toBe(0)
  await owner.patch(`/api/tasks/${lamp.id}`).send({ version: 2, remind_at: null })
  expect(await reminders()).toEqual({ tasks: [], count: 0, next_at: null })
})

test('the reminder of a task that repeats moves with it, and back with an undo', async () => {
  const weekly = { due_on: '2031-03-04', recurrence: 'FREQ=WEEKLY', remind_at: '2031-03-04T07:30:00Z' }
  const task = await add({ title: 'Wind the clock', ...weekly })

  const { body: moved } = await owner.patch(`/api/tasks/${task.id}`).send({ version: 1, status: 'done' })
  expect(moved).toMatchObject({ due_on: '2031-03-11', remind_at: '2031-03-11T07:30:00.000Z', status: 'open' })

  const { body } = await owner.get(`/api/tasks/${task.id}/history`)
  await owner.post(`/api/audit/${body.items[0].seq}/undo`).send({})
  expect((await owner.get(`/api/tasks/${task.id}`)).body).toMatchObject({
    due_on: '2031-03-04',
    remind_at: '2031-03-04T07:30:00.000Z',
  })
})

test.each(['tomorrow', '2031-03-05', '2031-03-05T09:00:00', 12, '2031-13-05T09:00:00Z'])(
  '%j is no moment',
  async (remind_at) => {
    const { body } = await owner
      .post(`/api/spaces/${world.space.id}/tasks`)
      .send({ title: 'Never', remind_at })
      .expect(400)
    expect(JSON.stringify(body)).toContain('remind_at')
  },
)

test('more than are answered are counted, and no agent is told', async () => {
  const before = (await reminders()).count
  for (let n = 1; n <= 22; n += 1) await add({ title: `Reminder ${n}`, remind_at: '2031-03-05T08:00:00Z' })
  const { tasks, count } = await reminders()
  expect([tasks.length, count]).toEqual([20, before + 22])

  const { token } = await makeAgent(void_, { slug: 'reader', spaces: [world.space.id] })
  await void_.as(token).get('/api/reminders').expect(403)
})

test('an agent can draft one, and the card says when in words, where the owner is', async () => {
  await owner.put('/api/time-zone').send({ time_zone: 'Asia/Tokyo' }).expect(200)
  const { token } = await makeAgent(void_, { slug: 'drafts', spaces: [world.space.id] })
  const { body } = await void_
    .as(token)
    .post(`/api/spaces/${world.space.id}/tasks`)
    .send({ title: 'Ask Ann', remind_at: '2031-04-01T09:00:00+02:00' })
    .expect(202)

  const { summary, fields } = body.card
  expect(summary).toContain('(reminder 1 Apr 2031, 16:00)')
  const reminder = fields.find(({ name }: { name: string }) => name === 'remind_at')
  expect(reminder).toMatchObject({ label: 'Reminder', words: { after: '1 Apr 2031, 16:00' } })
})
