// Drafts of one turn: in order, whole or not at all, or one by one as far as their needs are met.

import { expect, test } from 'vitest'
import type { ChangesetItem, PendingChange } from '../../lib/contract/changes/pending-change.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn } from '../helpers/one-turn.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)

const payloadsOf = (changes: readonly PendingChange[]) =>
  Object.fromEntries(changes.map(({ id, payload_sha256 }) => [id, payload_sha256]))
const approveAll = (id: string, payloads: Record<string, string>) =>
  owner.post(`/api/changesets/${id}/approve`).send({ payloads })
const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body
const auditCount = async () => {
  const { rows } = await deps.database.query<{ count: number }>('select count(*) as count from audit_log')
  return rows[0]!.count
}

async function draftVoyage() {
  const propose = await beginTurn(void_, world.space.id)
  const project = await propose({ entity_type: 'project', action: 'create', payload: { title: 'Voyage' } })
  const task = await propose({
    entity_type: 'task',
    action: 'create',
    payload: { title: 'Pack', project_id: project.entity_id },
  })
  const parent = await propose({
    entity_type: 'page',
    action: 'create',
    payload: { title: 'Log book', body: 'See [[First day]].' },
  })
  const child = await propose({
    entity_type: 'page',
    action: 'create',
    payload: { title: 'First day', body: 'Back to [[Log book]].', parent_id: parent.entity_id },
  })
  return { propose, project, task, parent, child, id: project.changeset_id }
}

test('drafts of one turn are one changeset, each after what it needs, and are approved as one', async () => {
  const { project, task, parent, child, id } = await draftVoyage()
  const drafts = [project, task, parent, child]

  const { body: before } = await owner.get(`/api/changesets/${id}`)
  const approved = await approveAll(id, payloadsOf(drafts))
  const again = await approveAll(id, payloadsOf(drafts))
  const { body: links } = await owner.get(`/api/pages/${child.entity_id}/links`)

  expect(
    before.items.map((item: ChangesetItem) => [item.id, item.needs.map((need) => need.pending_change_id)]),
  ).toEqual([
    [project.id, []],
    [task.id, [project.id]],
    [parent.id, []],
    [child.id, [parent.id]],
  ])
  expect(approved.body.items.map((item: PendingChange) => item.status)).toEqual(Array(4).fill('approved'))
  expect(again.body).toEqual(approved.body)
  expect((await owner.get(`/api/tasks/${task.entity_id}`)).body.project_id).toBe(project.entity_id)
  expect(links.links).toMatchObject([{ to_id: parent.entity_id }])
  expect(links.backlinks).toMatchObject([{ entity_id: parent.entity_id }])
})

test('one that cannot be applied is named, and nothing of the changeset is', async () => {
  const propose = await beginTurn(void_, world.space.id)
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Weather', body: 'calm' })
  const made = await propose({ entity_type: 'page', action: 'create', payload: { title: 'Storm' } })
  const stale = await propose({
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: { body: 'wild' },
  })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'breezy' })
  const count = await auditCount()

  const answer = await approveAll(made.changeset_id, payloadsOf([made, stale]))

  expect([answer.status, answer.body.error.code]).toEqual([409, 'changeset_failed'])
  expect(answer.body.error.details.failed).toMatchObject({
    pending_change_id: stale.id,
    code: 'stale_version',
    summary: 'Change the text of page ‘Weather’',
  })
  expect((await owner.get(`/api/pages/${made.entity_id}`)).status).toBe(404)
  expect([(await changeOf(made.id)).status, (await changeOf(stale.id)).status]).toEqual([
    'pending',
    'pending',
  ])
  expect(await auditCount()).toBe(count)
})

test('a single draft waits for what it needs, which is named', async () => {
  const { project, task } = await draftVoyage()

  const early = await owner.post(`/api/pending-changes/${task.id}/approve`).send({})
  await owner.post(`/api/pending-changes/${project.id}/approve`).send({})
  const late = await owner.post(`/api/pending-changes/${task.id}/approve`).send({})

  expect(early.body.error).toMatchObject({
    code: 'missing_reference',
    details: {
      needs: { pending_change_id: project.id, status: 'pending', summary: 'Create project ‘Voyage’' },
    },
  })
  expect(late.status).toBe(200)
})

test('a need that was rejected is told as such, and fails the changeset', async () => {
  const { project, task, parent, child, id } = await draftVoyage()
  await owner.post(`/api/pending-changes/${project.id}/reject`).send({})

  const single = await owner.post(`/api/pending-changes/${task.id}/approve`).send({})
  const whole = await approveAll(id, payloadsOf([task, parent, child]))

  expect(single.body.error.details.needs).toMatchObject({ pending_change_id: project.id, status: 'rejected' })
  expect(whole.body.error.details.failed).toMatchObject({
    pending_change_id: task.id,
    code: 'missing_reference',
  })
})

test('another set of drafts, or another payload, than was looked at is refused', async () => {
  const { propose, project, task, parent, child, id } = await draftVoyage()
  const seen = payloadsOf([project, task, parent, child])
  const added = await propose({ entity_type: 'page', action: 'create', payload: { title: 'Unseen' } })

  const changed = await approveAll(id, seen)
  const forged = await approveAll(id, { ...seen, [added.id]: project.payload_sha256 })
  const stranger = await approveAll(id, { ...seen, [added.id]: added.payload_sha256, [world.lamp.id]: 'x' })
  const none = await approveAll(id, {})

  expect(changed.body.error).toMatchObject({ code: 'changeset_changed', details: { unnamed: [added.id] } })
  expect(forged.body.error.code).toBe('payload_mismatch')
  expect(stranger.body.error).toMatchObject({
    code: 'changeset_changed',
    details: { closed: [world.lamp.id] },
  })
  expect(none.body.error.code).toBe('changeset_changed')
  expect((await changeOf(project.id)).status).toBe('pending')
})

test('a changeset is rejected whole, once', async () => {
  const { project, task, parent, child, id } = await draftVoyage()
  const drafts = [project, task, parent, child]

  const { body } = await owner.post(`/api/changesets/${id}/reject`).send({ reason: 'Not this year.' })
  const again = await owner.post(`/api/changesets/${id}/reject`).send({ reason: 'Never.' })
  const late = await approveAll(id, payloadsOf(drafts))

  expect(body.items).toHaveLength(4)
  expect(again.body).toEqual(body)
  expect(body.items[0].decision).toEqual({ decision: 'reject', reason: 'Not this year.' })
  expect(late.body.error.code).toBe('changeset_changed')
})

test('a revision keeps its place: what needs the old draft is served by the new one', async () => {
  const { propose, project, task, parent, child, id } = await draftVoyage()
  const revised = await propose({
    entity_type: 'project',
    action: 'create',
    supersedes: project.id,
    payload: { title: 'Long voyage' },
  })

  const { body: before } = await owner.get(`/api/changesets/${id}`)
  const approved = await approveAll(id, payloadsOf([revised, task, parent, child]))

  expect(revised).toMatchObject({ entity_id: project.entity_id, changeset_id: id, supersedes: project.id })
  expect(before.items.map((item: ChangesetItem) => item.id).slice(0, 2)).toEqual([revised.id, task.id])
  expect(approved.status).toBe(200)
})

test('two drafts of one turn for one thing become one, and so do an edit and the create before it', async () => {
  const propose = await beginTurn(void_, world.space.id)
  const first = await propose({
    entity_type: 'task',
    action: 'update',
    entity_id: world.paint.id,
    payload: { priority: 'urgent' },
  })
  const second = await propose({
    entity_type: 'task',
    action: 'update',
    entity_id: world.paint.id,
    payload: { due_on: '2031-05-01' },
  })
  const made = await propose({
    entity_type: 'page',
    action: 'create',
    payload: { title: 'Tides', body: 'High at 6.' },
  })
  const edited = await propose({
    entity_type: 'page',
    action: 'update',
    entity_id: made.entity_id,
    edits: [{ old_text: 'at 6', new_text: 'at 7' }],
  })

  expect(second).toMatchObject({
    supersedes: first.id,
    derivation: 'revised',
    payload: { priority: 'urgent', due_on: '2031-05-01' },
  })
  expect(edited).toMatchObject({
    action: 'create',
    entity_id: made.entity_id,
    supersedes: made.id,
    payload: { title: 'Tides', body: 'High at 7.' },
  })
  expect(await changeOf(first.id)).toMatchObject({ status: 'superseded', superseded_by: second.id })
  const whole = await approveAll(second.changeset_id, payloadsOf([second, edited]))
  expect(whole.status).toBe(200)
})

test('an agent sees a changeset of its own and no other, and decides on none', async () => {
  const { token } = await makeAgent(void_, { slug: 'pilot' })
  const pilot = void_.as(token)
  const { id, project } = await draftVoyage()
  const { body: own } = await pilot.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Chart' })

  const [mine, foreign, approve, reject, preview] = await Promise.all([
    pilot.get(`/api/changesets/${own.changeset_id}`),
    pilot.get(`/api/changesets/${id}`),
    pilot.post(`/api/changesets/${id}/approve`).send({ payloads: payloadsOf([project]) }),
    pilot.post(`/api/changesets/${id}/reject`).send({}),
    pilot.get(`/api/changesets/${id}/preview`),
  ])

  expect(mine.body.items).toMatchObject([{ id: own.id }])
  expect([foreign, approve, reject, preview].map(({ status }) => status)).toEqual([404, 403, 403, 403])
})

test('drafts that are named are approved without the others, all of them or none', async () => {
  const { project, task, parent, child, id } = await draftVoyage()
  const approveSome = (drafts: PendingChange[]) =>
    owner.post(`/api/changesets/${id}/approve`).send({ payloads: payloadsOf(drafts), partial: true })

  const lacking = await approveSome([task, parent])
  const wrong = await owner
    .post(`/api/changesets/${id}/approve`)
    .send({ payloads: { [project.id]: 'another' }, partial: true })
  const some = await approveSome([task, project])
  const again = await approveSome([task, project])
  const decided = await approveSome([parent, project])

  expect(lacking.body.error.details.failed).toMatchObject({
    pending_change_id: task.id,
    code: 'missing_reference',
  })
  expect(wrong.body.error.code).toBe('payload_mismatch')
  expect((await owner.get(`/api/pages/${parent.entity_id}`)).status).toBe(404)
  expect(some.body.items.map((item: PendingChange) => item.id)).toEqual([project.id, task.id])
  expect(again.body.items).toHaveLength(2)
  expect(decided.body.error).toMatchObject({ code: 'changeset_changed', details: { closed: [project.id] } })
  expect([(await changeOf(parent.id)).status, (await changeOf(child.id)).status]).toEqual([
    'pending',
    'pending',
  ])
})

test('drafts that are named are undone without what was approved of the changeset before', async () => {
  const { project, task, parent, child, id } = await draftVoyage()
  const approveSome = (drafts: PendingChange[]) =>
    owner.post(`/api/changesets/${id}/approve`).send({ payloads: payloadsOf(drafts), partial: true })
  await approveSome([project, task])
  await approveSome([parent, child])

  const undone = await owner.post(`/api/changesets/${id}/undo`).send({ drafts: [parent.id, child.id] })
  const none = await owner.post(`/api/changesets/${id}/undo`).send({ drafts: [world.lamp.id] })

  const ids = undone.body.items.map(({ entity_id }: { entity_id: string }) => entity_id)
  expect(new Set(ids)).toEqual(new Set([parent.entity_id, child.entity_id]))
  expect((await owner.get(`/api/pages/${parent.entity_id}`)).body.deleted_at).not.toBeNull()
  expect((await owner.get(`/api/projects/${project.entity_id}`)).body.deleted_at).toBeNull()
  expect(none.body.error.code).toBe('not_applied')
})
