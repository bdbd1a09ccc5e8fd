// Decisions on texts so large that a thread has to read them, with threads that do not answer: no lock waits for one.

import { expect, test } from 'vitest'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import { buildApp } from '../helpers/build-app.ts'
import { createHeldThreads } from '../helpers/held-threads.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const held = createHeldThreads()
const built = await buildApp({
  threads: held.threads,
  draftsWaiting: 99,
  draftsPerHour: 99,
  draftBytes: 4e6,
  draftsWaitingBytes: 9e6,
})
const { owner, deps } = built
const world = await makeWorld(built)
const { agentId, token } = await makeAgent(built, { slug: 'scribe' })
const scribe = built.as(token)

const large = '[\n'.repeat(30_000) + '](x)\n'.repeat(30_000)

/** A page, and a draft of a large text for it. */
async function makeDraft(title: string) {
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title, body: 'Quiet night.' })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body: large })
  return { page, draft }
}

const statusOf = async (id: string) => {
  const { body } = await owner.get(`/api/pending-changes?limit=100`)
  return body.items.find((one: PendingChange) => one.id === id)?.status
}

test('a decision that is refused with a card holds no lock while the card is made', async () => {
  const { page, draft } = await makeDraft('Refused')
  held.hold()

  const refused = owner
    .post(`/api/pending-changes/${draft.id}/approve`)
    .send({ payload_sha256: '0'.repeat(64) })
    .then((answer) => answer)
  await held.asked()
  const edited = await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Refused, and edited' })
  const rejected = owner.post(`/api/pending-changes/${draft.id}/reject`).then((answer) => answer)
  await expect.poll(() => statusOf(draft.id)).toBe('rejected')
  held.release()

  expect(edited.status).toBe(200)
  const { status, body } = await refused
  expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'payload_mismatch' })
  expect(body.error.details.card.warnings[0].code).toBe('too_complex')
  expect((await rejected).status).toBe(200)
})

test('an approval is stored before its card is made', async () => {
  const { page, draft } = await makeDraft('Approved')
  held.hold()

  const approved = owner.post(`/api/pending-changes/${draft.id}/approve`).then((answer) => answer)
  await held.asked()
  const { body: stored } = await owner.get(`/api/pages/${page.id}`)
  const edited = await owner.patch(`/api/pages/${page.id}`).send({ version: 2, body: 'Short again.' })
  held.release()

  expect(stored.body).toBe(large)
  expect(edited.status).toBe(200)
  expect(await approved).toMatchObject({ status: 200, body: { status: 'approved' } })
})

test('a changeset that cannot be applied says why without a card', async () => {
  const { page, draft } = await makeDraft('Stale')
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Stale, and edited' })
  held.hold()

  const { status, body } = await owner
    .post(`/api/changesets/${draft.changeset_id}/approve`)
    .send({ payloads: { [draft.id]: draft.payload_sha256 } })

  expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'changeset_failed' })
  expect(body.error.message).toContain('Change the text of page ‘Stale, and edited’')
  held.release()
})

test('a draft is of its target as it is once the texts are compared', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Overtaken', body: 'Quiet night.' })
  const capabilities = { read: true, suggest: true, write: false }
  const actor = { kind: 'agent', agent_id: agentId, slug: 'scribe', capabilities, spaces: null } as const
  held.hold()

  const proposed = deps.changes.proposeChange(actor, {
    space_id: world.space.id,
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: { title: 'Overtaken', body: large },
    reason: '',
    turn: null,
    tool_use_id: null,
  })
  await held.asked()
  const edited = await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Overtaken twice' })
  held.release()

  expect(edited.status).toBe(200)
  expect(await proposed).toMatchObject({ base_version: 2, payload: { title: 'Overtaken', body: large } })
})

test('an undo is of its target as it is once the texts are compared', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Undone', body: large })
  const edit = async (version: number, body: string) =>
    await owner.patch(`/api/pages/${page.id}`).send({ version, body })
  await edit(1, 'Short.\n')
  await edit(2, `Long again.\n${large}`)
  const { body: history } = await owner.get(`/api/pages/${page.id}/history`)
  const { seq } = history.items.find(({ version }: { version: number }) => version === 2)
  held.hold()

  const undone = owner
    .post(`/api/audit/${seq}/undo`)
    .send({})
    .then((answer) => answer)
  await held.asked()
  const edited = await edit(3, `And again.\n${large}`)
  held.release()

  expect(edited.status).toBe(200)
  const { status, body } = await undone
  expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'undo_conflict' })
  expect(body.error.details.version).toBe(4)
})
