import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { token, agentId } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const warden = void_.as((await makeAgent(void_, { slug: 'warden' })).token)
const at = `/api/spaces/${world.space.id}`

const draft = async (title: string) => (await scribe.post(`${at}/tasks`).send({ title })).body
const linesOf = async (query: string) => (await owner.get(`/api/inbox/lines${query}`)).body

test('what waits is listed newest first, without the changes themselves', async () => {
  const first = await draft('Trim the wick')
  const second = await draft('Wind the clock')

  const { items } = await linesOf('')

  expect(items.map(({ pending_change_id }: { pending_change_id: string }) => pending_change_id)).toEqual([
    second.id,
    first.id,
  ])
  expect(items[0]).toMatchObject({ summary: 'Create task ‘Wind the clock’', agent: { slug: 'scribe' } })
  expect(items[0]).not.toHaveProperty('fields')
})

test('what was decided is listed by the time of the decision, with who, when and why', async () => {
  const early = await draft('Decided last')
  const late = await draft('Decided first')
  await owner.post(`/api/pending-changes/${late.id}/reject`).send({ reason: 'Not this year' })
  await owner.post(`/api/pending-changes/${early.id}/approve`).send({})

  const { items, next_cursor } = await linesOf('?tab=decided&limit=1')
  const second = await linesOf(`?tab=decided&limit=1&cursor=${next_cursor}`)

  expect(items[0]).toMatchObject({
    pending_change_id: early.id,
    status: 'approved',
    decided: { by: 'owner' },
  })
  expect(second.items[0]).toMatchObject({
    pending_change_id: late.id,
    decided: { by: 'owner', reason: 'Not this year' },
  })
})

test('the list can be narrowed by Space, agent, kind and state', async () => {
  const { body: elsewhere } = await scribe
    .post(`/api/spaces/${world.other.id}/pages`)
    .send({ title: 'Tides' })

  const bySpace = await linesOf(`?space_id=${world.other.id}`)
  const byKind = await linesOf('?entity_type=page')
  const byAgent = await linesOf(`?agent_id=${agentId}&entity_type=page`)
  const byState = await linesOf('?tab=decided&status=rejected')

  for (const { items } of [bySpace, byKind, byAgent]) {
    expect(items).toMatchObject([{ pending_change_id: elsewhere.id }])
  }
  expect(byState.items.every(({ status }: { status: string }) => status === 'rejected')).toBe(true)
})

test('drafts of a deleted Space do not wait for anybody', async () => {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Short-lived' })
  await scribe.post(`/api/spaces/${space.id}/pages`).send({ title: 'Lost' })
  await owner.delete(`/api/spaces/${space.id}`)

  const { items } = await linesOf('')

  expect(items.some(({ title }: { title: string }) => title === 'Lost')).toBe(false)
})

test('a card names what its fields refer to, also what only another draft of the changeset would make', async () => {
  const { body: known } = await scribe
    .post(`${at}/tasks`)
    .send({ title: 'Known project', project_id: world.repairs.id })

  const { body } = await owner.get(`/api/pending-changes/${known.id}`)

  expect(body.card.references).toEqual({ [world.repairs.id]: 'Summer repairs' })
})

test('an approved card still shows what it changed, from what to what', async () => {
  const change = { version: 1, status: 'done' }
  const { body: draft } = await scribe.patch(`/api/tasks/${world.paint.id}`).send(change)
  await owner.post(`/api/pending-changes/${draft.id}/approve`).send({})

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(body.card).toMatchObject({
    summary: 'Change status of task ‘Paint the gallery rail’: open → done',
    fields: [{ name: 'status', before: 'open', after: 'done' }],
  })
})

test('the card of a thing that went into the trash keeps its name', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Fog signals' })
  const { body: other } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: 'Two blasts.' })
  const { body: draft } = await warden.delete(`/api/pages/${page.id}`).send({ version: 1 })
  await owner.post(`/api/pending-changes/${draft.id}/approve`).send({})

  const deleted = await owner.get(`/api/pending-changes/${draft.id}`)
  const stale = await owner.get(`/api/pending-changes/${other.id}`)

  expect(deleted.body.card).toMatchObject({ summary: 'Delete page ‘Fog signals’', status: 'approved' })
  expect(stale.body.card).toMatchObject({
    title: 'Fog signals',
    stale: { base_version: 1, current_version: null },
  })
})
