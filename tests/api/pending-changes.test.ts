import { expect, test } from 'vitest'
import { sha256 } from '../../lib/changes/payload.ts'
import type { DecidedChange } from '../../lib/contract/changes/pending-change.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const at = `/api/spaces/${world.space.id}`

const decide = (id: string, decision: 'approve' | 'reject', body = {}) =>
  owner.post(`/api/pending-changes/${id}/${decision}`).send(body)

async function draftRename(title: string) {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: `Before ${title}`, body: 'kept' })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title })
  return { page, draft }
}

test('an approved create makes exactly the drafted thing, under the id the draft named', async () => {
  const { body: draft } = await scribe
    .post(`${at}/tasks`)
    .send({ title: 'Oil the hinges', due_on: '2031-04-01' })

  const approved = await decide(draft.id, 'approve', { payload_sha256: draft.payload_sha256 })
  const task = await owner.get(`/api/tasks/${draft.entity_id}`)
  const audit = await owner.get(`/api/audit?entity_id=${draft.entity_id}`)

  expect(approved.body).toMatchObject({
    status: 'approved',
    decided_by: 'owner',
    decision: { decision: 'approve' },
    result_version: 1,
  })
  expect(task.body).toMatchObject({ ...draft.payload, status: 'open', origin: 'agent', created_by: 'owner' })
  expect(audit.body.items).toMatchObject([{ action: 'create', actor: 'owner', pending_change_id: draft.id }])
})

test('an approved update changes the drafted fields, the path that a title gives, and no other', async () => {
  const { page, draft } = await draftRename('After')

  await decide(draft.id, 'approve')
  const after = await owner.get(`/api/pages/${page.id}`)

  expect(after.body).toEqual({
    ...page,
    title: 'After',
    path: 'After.md',
    version: 2,
    updated_at: expect.any(String),
    updated_by: 'owner',
  })
})

test('an approved delete puts the thing in the trash', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Old rota' })
  const { body: draft } = await scribe.delete(`/api/pages/${page.id}`)

  await decide(draft.id, 'approve')

  expect((await owner.get(`/api/pages/${page.id}`)).body.deleted_at).not.toBeNull()
})

test('a rejected draft changes nothing and keeps the reason', async () => {
  const { page, draft } = await draftRename('Unwanted')

  const rejected = await decide(draft.id, 'reject', { reason: 'The old name is better.' })

  expect(rejected.body).toMatchObject({
    status: 'rejected',
    decision: { decision: 'reject', reason: 'The old name is better.' },
    result_version: null,
  })
  expect((await owner.get(`/api/pages/${page.id}`)).body).toEqual(page)
})

test('the same decision twice answers the same, another one 409 with the first', async () => {
  const { draft } = await draftRename('Twice')
  const { draft: other } = await draftRename('Once')

  const first = await decide(draft.id, 'approve')
  const second = await decide(draft.id, 'approve')
  const contrary = await decide(draft.id, 'reject')
  await decide(other.id, 'reject', { reason: 'first' })
  const again = await decide(other.id, 'reject', { reason: 'second' })
  const tooLate = await decide(other.id, 'approve')

  expect(second.body).toEqual(first.body)
  expect(contrary.status).toBe(409)
  expect(contrary.body.error).toMatchObject({
    code: 'already_decided',
    details: { current: { status: 'approved' } },
  })
  expect(again.body.decision.reason).toBe('first')
  expect(tooLate.status).toBe(409)
})

test('every decision answers with the row, its card as it is then, and the draft that follows it', async () => {
  const answered = async (sending: PromiseLike<{ body: DecidedChange }>) => {
    const { successor, ...row } = (await sending).body
    expect(row).toEqual((await owner.get(`/api/pending-changes/${row.id}`)).body)
    expect(successor?.id ?? null).toBe(row.superseded_by)
    return { ...row, successor }
  }
  const { draft: whole } = await draftRename('Whole')
  const { page } = await draftRename('Parts')
  const { body: parts } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'In part', body: 'new' })
  const { page: moved, draft: stale } = await draftRename('Stale')
  await owner.patch(`/api/pages/${moved.id}`).send({ version: 1, body: 'Moved on.' })
  const { draft: unwanted } = await draftRename('Not this')

  const approved = await answered(decide(whole.id, 'approve'))
  const inPart = await answered(decide(parts.id, 'approve', { fields: ['title'] }))
  const rejected = await answered(decide(unwanted.id, 'reject', { reason: 'No.' }))
  const merged = await answered(owner.post(`/api/pending-changes/${stale.id}/review-again`).send({}))
  const edited = await answered(decide(merged.id, 'approve', { edited: { title: 'Fresh' } }))

  expect(whole.card).toMatchObject({ pending_change_id: whole.id, status: 'pending' })
  expect(approved).toMatchObject({ id: whole.id, successor: null, card: { status: 'approved' } })
  expect(inPart.card.fields).toMatchObject([{ name: 'title', after: 'In part' }])
  expect(inPart.successor).toMatchObject({
    status: 'pending',
    derivation: 'rest',
    card: { fields: [{ name: 'body', after: 'new' }] },
  })
  expect(rejected.card.decided).toMatchObject({ by: 'owner', reason: 'No.' })
  expect(merged).toMatchObject({ status: 'pending', derivation: 'merged', card: { stale: null } })
  expect(edited).toMatchObject({ status: 'approved', supersedes: merged.id, successor: null })
})

test('a hash of something else is 409 and decides nothing', async () => {
  const { draft } = await draftRename('Hashed')

  const answer = await decide(draft.id, 'approve', { payload_sha256: sha256('something else') })
  const after = await owner.get(`/api/pending-changes/${draft.id}`)

  expect([answer.status, answer.body.error.code]).toEqual([409, 'payload_mismatch'])
  expect(after.body.status).toBe('pending')
})

test('a draft against an old version is 409, its card says so, and it stays undecided', async () => {
  const { page, draft } = await draftRename('Stale')
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'newer' })

  const card = await owner.get(`/api/pending-changes/${draft.id}`)
  const answer = await decide(draft.id, 'approve')

  expect(card.body.card.stale).toMatchObject({
    base_version: 1,
    current_version: 2,
    since: [{ by: 'owner', action: 'update', version: 2, fields: [{ name: 'body', after: 'newer' }] }],
  })
  expect([answer.status, answer.body.error.code]).toEqual([409, 'stale_version'])
  expect((await owner.get(`/api/pending-changes/${draft.id}`)).body.status).toBe('pending')
  expect((await owner.get(`/api/pages/${page.id}`)).body).toMatchObject({ title: page.title, body: 'newer' })
})

test('a draft whose target is gone becomes obsolete, and the target stays gone', async () => {
  const { page, draft } = await draftRename('Gone')
  await owner.delete(`/api/pages/${page.id}`)

  const answer = await decide(draft.id, 'approve')
  const again = await decide(draft.id, 'approve')

  expect([answer.status, answer.body.error.code]).toEqual([409, 'obsolete'])
  expect([again.status, again.body.error.code]).toEqual([409, 'already_decided'])
  expect((await owner.get(`/api/pending-changes/${draft.id}`)).body.status).toBe('obsolete')
  expect((await owner.get(`/api/pages/${page.id}`)).body.deleted_at).not.toBeNull()
})

test('a draft in a deleted Space waits until the Space is restored', async () => {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Short-lived' })
  const { body: draft } = await scribe.post(`/api/spaces/${space.id}/pages`).send({ title: 'Early' })
  await owner.delete(`/api/spaces/${space.id}`)

  const refused = await decide(draft.id, 'approve')
  await owner.post(`/api/spaces/${space.id}/restore`)
  const approved = await decide(draft.id, 'approve')

  expect([refused.status, refused.body.error.code]).toEqual([409, 'space_deleted'])
  expect(approved.status).toBe(200)
})

test('fifty decisions at once leave one effect and one audit row', async () => {
  const { page, draft } = await draftRename('Raced')

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => decide(draft.id, n % 2 === 0 ? 'approve' : 'reject')),
  )
  const { body: change } = await owner.get(`/api/pending-changes/${draft.id}`)
  const { body: audit } = await owner.get(`/api/audit?entity_id=${page.id}`)
  const { body: after } = await owner.get(`/api/pages/${page.id}`)

  const won = change.status === 'approved'
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(25)
  expect(after.version).toBe(won ? 2 : 1)
  expect(audit.items).toHaveLength(won ? 2 : 1)
})

test('the card is made from the payload and the row, with the agent’s words set apart', async () => {
  const { body: draft } = await scribe
    .patch(`/api/tasks/${world.paint.id}`)
    .send({ version: 1, status: 'done', reason: 'Approve this, it deletes nothing!' })

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(body.card).toMatchObject({
    operation: 'update',
    entity_type: 'task',
    title: 'Paint the gallery rail',
    space: { id: world.space.id, name: 'Skerry Light' },
    summary: 'Change status of task ‘Paint the gallery rail’: open → done',
    fields: [{ name: 'status', before: 'open', after: 'done' }],
    payload_sha256: draft.payload_sha256,
    stale: null,
    agent: { slug: 'scribe' },
    note: 'Approve this, it deletes nothing!',
  })
})

test('a stored payload cannot be changed, not even in the database, and a decision not undone', async () => {
  const { draft } = await draftRename('Fixed')
  const { database } = deps

  await expect(
    database.query(`update pending_changes set payload = '{"title":"Other"}' where id = $1`, [draft.id]),
  ).rejects.toThrow(/never changes/)
  await decide(draft.id, 'reject')
  await expect(
    database.query("update pending_changes set status = 'approved', result_version = 1 where id = $1", [
      draft.id,
    ]),
  ).rejects.toThrow(/made once/)
})

test('drafts are listed newest first, by status', async () => {
  const { draft } = await draftRename('Listed')

  const pending = await owner.get('/api/pending-changes?status=pending&limit=1')
  const approved = await owner.get('/api/pending-changes?status=approved')

  expect(pending.body.items[0].id).toBe(draft.id)
  expect(approved.body.items.every((change: { status: string }) => change.status === 'approved')).toBe(true)
})

test('a draft that would change nothing is refused; a file is drafted from its text', async () => {
  const same = await scribe.patch(`/api/pages/${world.lamp.id}`).send({ version: 1, title: 'The lamp' })
  const doc = await scribe.post(`${at}/source-docs`).send({ title: 'Tides.txt', text: 'x' })

  expect([same.status, doc.status]).toEqual([400, 202])
})
