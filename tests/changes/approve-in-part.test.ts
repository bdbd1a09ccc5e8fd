// A draft approved in part, with the owner's own words, and what is left of it.

import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const at = `/api/spaces/${world.space.id}`

const before = 'One\n\nTwo\n\nThree\n'
const after = 'First\n\nTwo\n\nThird\n'

async function draftUpdate(fields: Record<string, unknown>) {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Rota', body: before })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, ...fields })
  return { page, draft }
}

const approve = (id: string, body = {}) => owner.post(`/api/pending-changes/${id}/approve`).send(body)
const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body
const pageOf = async (id: string) => (await owner.get(`/api/pages/${id}`)).body
const auditOf = async (id: string) => (await owner.get(`/api/audit?entity_id=${id}`)).body.items

test('chosen fields are applied and the rest waits as a successor at the new version', async () => {
  const { page, draft } = await draftUpdate({ title: 'Winter rota', body: after })

  const approved = await approve(draft.id, { payload_sha256: draft.payload_sha256, fields: ['title'] })
  const rest = await changeOf(approved.body.superseded_by)

  expect(approved.body).toMatchObject({
    status: 'approved',
    decision: { decision: 'approve', fields: ['title'] },
    result_version: 2,
  })
  expect(await pageOf(page.id)).toMatchObject({ title: 'Winter rota', body: before, version: 2 })
  expect(rest).toMatchObject({
    status: 'pending',
    derivation: 'rest',
    supersedes: draft.id,
    changeset_id: draft.changeset_id,
    agent_id: draft.agent_id,
    base_version: 2,
    payload: { body: after },
    card: { stale: null, supersedes: draft.id, derivation: 'rest' },
  })
  await approve(rest.id)
  expect(await pageOf(page.id)).toMatchObject({ title: 'Winter rota', body: after, version: 3 })
})

test('chosen hunks of a text are applied and the others wait', async () => {
  const { page, draft } = await draftUpdate({ body: after })

  const approved = await approve(draft.id, { hunks: { body: [1] } })
  const rest = await changeOf(approved.body.superseded_by)

  expect((await pageOf(page.id)).body).toBe('One\n\nTwo\n\nThird\n')
  expect(rest.payload).toEqual({ body: after })
  await approve(rest.id)
  expect((await pageOf(page.id)).body).toBe(after)
  expect(await auditOf(page.id)).toMatchObject([
    { pending_change_id: rest.id, before: { body: 'One\n\nTwo\n\nThird\n' } },
    { pending_change_id: draft.id, before: { body: before }, after: { body: 'One\n\nTwo\n\nThird\n' } },
    { action: 'create' },
  ])
})

test('hunks are rejected one by one, and what is kept waits as a successor', async () => {
  const { page, draft } = await draftUpdate({ title: 'Winter rota', body: after })
  const keep = { fields: ['title', 'body'], hunks: { body: [1] } }
  const reject = (body: object) => owner.post(`/api/pending-changes/${draft.id}/reject`).send(body)

  const mismatch = await reject({ keep, payload_sha256: '0'.repeat(64) })
  const nothing = await reject({ keep: { fields: ['title', 'body'] } })
  const unknown = await reject({ keep: { hunks: { body: [7] } } })
  const rejected = await reject({ keep, payload_sha256: draft.payload_sha256, reason: 'Keep the first.' })
  const again = await reject({ keep })
  const other = await reject({ keep: { fields: ['title'] } })
  const rest = await changeOf(rejected.body.superseded_by)

  expect([mismatch.status, nothing.status, unknown.status, other.status]).toEqual([409, 400, 400, 409])
  expect(rejected.body).toMatchObject({
    status: 'rejected',
    decision: { decision: 'reject', reason: 'Keep the first.', hunks: { body: [1] } },
  })
  expect(again.body.superseded_by).toBe(rest.id)
  expect(await pageOf(page.id)).toMatchObject({ title: 'Rota', body: before, version: 1 })
  expect(rest).toMatchObject({
    ...{ status: 'pending', derivation: 'rest', supersedes: draft.id, base_version: 1 },
    payload: { title: 'Winter rota', body: 'One\n\nTwo\n\nThird\n' },
  })
  await approve(rest.id)
  expect(await pageOf(page.id)).toMatchObject({ title: 'Winter rota', body: 'One\n\nTwo\n\nThird\n' })
  const { body: heard } = await scribe.get(`/api/pending-changes/${draft.id}`)
  expect(heard).toMatchObject({ status: 'rejected', superseded_by: rest.id })
})

test('a draft whose page has changed since, or that makes or deletes something, is not rejected in part', async () => {
  const { page, draft } = await draftUpdate({ body: after })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Rota II' }).expect(200)
  const { body: made } = await scribe
    .post(`${at}/tasks`)
    .send({ title: 'Air the oil room', priority: 'urgent' })
  const part = (id: string, keep: object) => owner.post(`/api/pending-changes/${id}/reject`).send({ keep })

  const stale = await part(draft.id, { hunks: { body: [1] } })
  const create = await part(made.id, { fields: ['title'] })

  expect([stale.status, stale.body.error.code, create.status]).toEqual([409, 'stale_version', 400])
  expect((await changeOf(draft.id)).status).toBe('pending')
})

test('drafts can be listed by what they are about', async () => {
  const { page, draft } = await draftUpdate({ body: after })
  await draftUpdate({ body: after })

  const { body } = await owner.get(`/api/pending-changes?status=pending&entity_id=${page.id}`)

  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([draft.id])
})

test('the card of what was approved in part shows what was applied, and nothing that was not', async () => {
  const { draft } = await draftUpdate({ title: 'Winter rota', body: after })
  const { body: created } = await scribe
    .post(`${at}/tasks`)
    .send({ title: 'Air the oil room', priority: 'urgent' })
  await approve(draft.id, { fields: ['body'], hunks: { body: [0] } })
  await approve(created.id, { fields: ['title'] })

  const updated = (await changeOf(draft.id)).card
  const made = (await changeOf(created.id)).card
  const { body: lines } = await owner.get('/api/inbox/lines?tab=decided&limit=2')

  expect(updated.fields).toMatchObject([{ name: 'body', before, after: 'First\n\nTwo\n\nThree\n' }])
  expect(updated.fields).toHaveLength(1)
  expect(made.fields.map(({ name }: { name: string }) => name)).toEqual(['title'])
  expect(lines.items.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Create task ‘Air the oil room’',
    'Change the text of page ‘Rota’',
  ])
})

test('everything chosen is the whole draft, and leaves nothing behind', async () => {
  const { page, draft } = await draftUpdate({ title: 'All', body: after })

  const { body } = await approve(draft.id, { fields: ['title', 'body'], hunks: { body: [0, 1] } })

  expect(body).toMatchObject({ status: 'approved', superseded_by: null })
  expect(await pageOf(page.id)).toMatchObject({ title: 'All', body: after, version: 2 })
})

test('a create approved in part makes the thing, and the rest of it becomes an update', async () => {
  const { body: draft } = await scribe
    .post(`${at}/tasks`)
    .send({ title: 'Trim the wick', priority: 'urgent', body: 'Every dusk.' })

  const approved = await approve(draft.id, { fields: ['title', 'body'] })
  const rest = await changeOf(approved.body.superseded_by)
  const withoutTitle = await approve(
    (await scribe.post(`${at}/tasks`).send({ title: 'Nameless', priority: 'low' })).body.id,
    { fields: ['priority'] },
  )

  expect((await owner.get(`/api/tasks/${draft.entity_id}`)).body).toMatchObject({
    title: 'Trim the wick',
    priority: 'normal',
  })
  expect(rest).toMatchObject({ action: 'update', base_version: 1, payload: { priority: 'urgent' } })
  expect(withoutTitle.status).toBe(400)
})

test('an edited approval applies the owner’s words, as a draft of its own that takes the place of the agent’s', async () => {
  const { page, draft } = await draftUpdate({ title: 'Winter rota', body: after })

  const { body: approved } = await approve(draft.id, { edited: { title: 'Rota for winter' } })
  const old = await changeOf(draft.id)

  expect(approved).toMatchObject({
    status: 'approved',
    derivation: 'edited',
    supersedes: draft.id,
    payload: { title: 'Rota for winter', body: after },
  })
  expect(approved.payload_sha256).not.toBe(draft.payload_sha256)
  expect(old).toMatchObject({
    status: 'superseded',
    superseded_by: approved.id,
    payload: { title: 'Winter rota', body: after },
  })
  expect(await pageOf(page.id)).toMatchObject({ title: 'Rota for winter', body: after, version: 2 })
  expect((await auditOf(page.id)).map((row: { pending_change_id: string }) => row.pending_change_id)).toEqual(
    [approved.id, null],
  )
})

test('the same terms again answer the same, other terms are 409 with the first', async () => {
  const partial = await draftUpdate({ title: 'Partial', body: after })
  const edited = await draftUpdate({ title: 'Edited' })

  const first = await approve(partial.draft.id, { fields: ['body'], hunks: { body: [0] } })
  const again = await approve(partial.draft.id, { hunks: { body: [0, 0] }, fields: ['body', 'body'] })
  const other = await approve(partial.draft.id, { fields: ['body'], hunks: { body: [1] } })
  const firstEdit = await approve(edited.draft.id, { edited: { title: 'Mine' } })
  const againEdit = await approve(edited.draft.id, { edited: { title: 'Mine' } })
  const otherEdit = await approve(edited.draft.id, { edited: { title: 'Not mine' } })
  const whole = await approve(edited.draft.id)

  expect(again.body).toEqual(first.body)
  expect(againEdit.body).toEqual(firstEdit.body)
  expect(other.body.error).toMatchObject({
    code: 'already_decided',
    details: { current: { decision: { fields: ['body'], hunks: { body: [0] } } } },
  })
  expect([otherEdit.status, whole.status]).toEqual([409, 409])
  expect((await pageOf(edited.page.id)).version).toBe(2)
})

test('what the draft does not have cannot be chosen, and nothing chosen is no approval', async () => {
  const { page, draft } = await draftUpdate({ title: 'Picky', body: after })
  const { body: removal } = await scribe.delete(`/api/tasks/${world.paint.id}`)

  const answers = await Promise.all([
    approve(draft.id, { fields: ['status'] }),
    approve(draft.id, { hunks: { body: [2] } }),
    approve(draft.id, { hunks: { title: [0] } }),
    approve(draft.id, { fields: [] }),
    approve(draft.id, { fields: ['body'], hunks: { body: [] } }),
    approve(draft.id, { fields: ['title'], edited: { title: 'Both' } }),
    approve(draft.id, { edited: { colour: 'red' } }),
    approve(draft.id, { edited: { title: '' } }),
    approve(draft.id, { choices: { 0: 'draft' } }),
    approve(removal.id, { fields: ['title'] }),
  ])

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
  expect((await changeOf(draft.id)).status).toBe('pending')
  expect((await pageOf(page.id)).version).toBe(1)
})

test('another hash is 409 with the card as it is now, even after the decision', async () => {
  const { draft } = await draftUpdate({ title: 'Hashed' })

  const refused = await approve(draft.id, { payload_sha256: 'f'.repeat(64) })
  await approve(draft.id)
  const late = await approve(draft.id, { payload_sha256: 'f'.repeat(64) })

  expect(refused.body.error).toMatchObject({
    code: 'payload_mismatch',
    details: {
      card: { pending_change_id: draft.id, payload_sha256: draft.payload_sha256, status: 'pending' },
    },
  })
  expect(late.body.error.code).toBe('payload_mismatch')
})

test('what is left of a renamed page keeps the links to itself that the rename turned', async () => {
  const body = 'One\n\nSee [[Lamp]].\n'
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Lamp', body })
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'Great lamp', body: 'First\n\nSee [[Lamp]] and [[Lamp#Oil|its oil]].\n' })

  const approved = await approve(draft.id, { fields: ['title'] })
  const turned = await pageOf(page.id)
  await approve(approved.body.superseded_by)

  expect(turned).toMatchObject({ title: 'Great lamp', body: 'One\n\nSee [[Great lamp]].\n' })
  expect((await pageOf(page.id)).body).toBe('First\n\nSee [[Great lamp]] and [[Great lamp#Oil|its oil]].\n')
})

test('nothing is left of a draft whose text is what the rename made of it', async () => {
  const body = 'See [[Wick]].\n'
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Wick', body })
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'Great wick', body: 'See [[Great wick]].\n' })

  const approved = await approve(draft.id, { fields: ['title'] })

  expect(approved.body).toMatchObject({ status: 'approved', superseded_by: null })
  expect((await pageOf(page.id)).body).toBe('See [[Great wick]].\n')
})

test('what is left of a draft stands in the Inbox where the draft stood', async () => {
  const { draft } = await draftUpdate({ title: 'Night rota', body: after })
  await draftUpdate({ title: 'Newer rota' })
  const ids = async () => {
    const { body } = await owner.get('/api/inbox/lines')
    return body.items.map((line: { pending_change_id: string }) => line.pending_change_id)
  }
  const place = (await ids()).indexOf(draft.id)

  const { body: approved } = await approve(draft.id, { fields: ['title'] })
  const { body: kept } = await approve(approved.superseded_by, { hunks: { body: [0] } })

  expect(place).toBe(1)
  expect((await ids()).indexOf(kept.superseded_by)).toBe(place)
  expect((await changeOf(kept.superseded_by)).created_at).toBe(draft.created_at)
})
