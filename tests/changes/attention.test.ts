import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)

let drafts = 0
/** Each another one: what was rejected is not drafted again. */
const draft = async (): Promise<string> =>
  (await scribe.post(`/api/spaces/${world.space.id}/tasks`).send({ title: `Task ${drafts++}` })).body.id
const show = (id: string) => owner.post(`/api/pending-changes/${id}/shown`)
const approve = (id: string) => owner.post(`/api/pending-changes/${id}/approve`).send({})
const reject = (id: string) => owner.post(`/api/pending-changes/${id}/reject`).send({})
const attention = async () => (await owner.get('/api/attention')).body
/** As if it had been shown earlier. */
const ago = (id: string, seconds: number) =>
  deps.database.query(
    'update shown_changes set first_shown_at = now() - make_interval(secs => $2) where pending_change_id = $1',
    [id, seconds],
  )

test('with nothing decided there is nothing to say', async () => {
  expect(await attention()).toEqual({
    recent: { decisions: 0, approved: 0, rejected: 0, undone: 0, unseen: 0, median_seconds: null },
    all: { decisions: 0, approved: 0, rejected: 0, undone: 0, unseen: 0, median_seconds: null },
    hasty: 0,
    notice: false,
  })
})

test('time runs from when a draft was first shown; what was approved, rejected and taken back is counted', async () => {
  const ids = [await draft(), await draft(), await draft(), await draft()]
  for (const id of ids.slice(0, 3)) await show(id)
  await ago(ids[0]!, 40)
  await show(ids[0]!)
  await ago(ids[1]!, 20)
  await ago(ids[2]!, 90)
  await approve(ids[0]!)
  await approve(ids[1]!)
  await reject(ids[2]!)
  await approve(ids[3]!)
  const { body: undone } = await owner.post(`/api/pending-changes/${ids[1]}/undo`)

  const { all, hasty } = await attention()

  expect(all).toMatchObject({ decisions: 4, approved: 3, rejected: 1, undone: 1, unseen: 1 })
  expect(Math.round(all.median_seconds)).toBe(40)
  expect(hasty).toBe(1)
  await owner.post(`/api/audit/${undone.seq}/undo`)
  expect((await attention()).all.undone).toBe(0)
})

test('only what waits can be shown, and an agent has no say in it', async () => {
  const id = await draft()
  await reject(id)

  expect((await show(id)).status).toBe(204)
  expect((await scribe.post(`/api/pending-changes/${id}/shown`)).status).toBe(403)
  const { rows } = await deps.database.query('select from shown_changes where pending_change_id = $1', [id])
  expect(rows).toEqual([])
})

test('thirty decisions of which more than 95 in a hundred were hasty bring a notice, and care takes it away', async () => {
  for (let n = 0; n < 29; n += 1) {
    const id = await draft()
    await show(id)
    await approve(id)
  }
  const careful = await draft()
  await show(careful)
  await ago(careful, 30)
  await approve(careful)
  expect(await attention()).toMatchObject({ hasty: 29, notice: true })

  const another = await draft()
  await show(another)
  await ago(another, 12)
  await approve(another)
  expect(await attention()).toMatchObject({ hasty: 28, notice: false, recent: { decisions: 30 } })
})
