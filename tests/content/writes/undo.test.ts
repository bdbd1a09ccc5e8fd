import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { lampBody, makeAgent, makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp({
  callModel: scriptedModel([
    {
      tools: [
        propose({ entity_type: 'project', action: 'create', payload: { title: 'Winter stores' } }),
        propose({ entity_type: 'page', action: 'create', payload: { title: 'Stores list', body: 'Oil.' } }),
      ],
    },
    { text: 'Two drafts.' },
  ]),
})
const { owner } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const at = `/api/spaces/${world.space.id}`

function propose(input: Record<string, unknown>) {
  return { name: 'propose_change', input: { reason: 'You asked for it.', ...input } }
}

const make = async (path: string, fields: Record<string, unknown>) =>
  (await owner.post(`${at}/${path}`).send(fields)).body
const change = async (path: string, id: string, fields: Record<string, unknown>) => {
  const { version } = (await owner.get(`/api/${path}/${id}`)).body
  return (await owner.patch(`/api/${path}/${id}`).send({ version, ...fields })).body
}
const read = async (path: string, id: string) => (await owner.get(`/api/${path}/${id}`)).body
const audit = async (id: string) => (await owner.get(`/api/audit?entity_id=${id}`)).body.items
const latest = async (id: string): Promise<number> => (await audit(id))[0].seq
const undo = (seq: number, body = {}) => owner.post(`/api/audit/${seq}/undo`).send(body)

test('an edit is taken back as a change of its own that names what it takes back', async () => {
  const page = await make('pages', { title: 'Rota', body: 'Mon: Ada\n' })
  await change('pages', page.id, { title: 'Rota 2031', body: 'Mon: Bo\n' })
  const seq = await latest(page.id)

  const undone = await undo(seq)

  expect(undone.status).toBe(200)
  expect(undone.body.row).toMatchObject({ title: 'Rota', body: 'Mon: Ada\n', version: 3 })
  expect((await audit(page.id))[0]).toMatchObject({
    seq: undone.body.seq,
    action: 'update',
    actor: 'owner',
    undoes: seq,
    pending_change_id: null,
    after: { title: 'Rota', body: 'Mon: Ada\n' },
  })
})

test('what is taken back is found again by a search, with its links', async () => {
  const page = await make('pages', { title: 'Ropes', body: 'Hawser of [[The lamp]]\n' })
  await change('pages', page.id, { body: 'Nothing here.\n' })

  await undo(await latest(page.id))

  const found = await owner.get(`/api/search?q=hawser&space_id=${world.space.id}`)
  expect(found.body.items[0]).toMatchObject({ entity_id: page.id })
  expect((await owner.get(`/api/pages/${page.id}/links`)).body.links).toMatchObject([
    { to_id: world.lamp.id },
  ])
})

test('a create, a delete and a restore are taken back too, and so is a move', async () => {
  const parent = await make('pages', { title: 'Log books' })
  const page = await make('pages', { title: 'Log 1931' })
  await change('pages', page.id, { parent_id: parent.id, position: 3 })
  const moved = await latest(page.id)

  expect((await undo(moved)).body.row).toMatchObject({ parent_id: null, position: 0 })
  await owner.delete(`/api/pages/${parent.id}`)
  expect((await undo(await latest(parent.id))).body.row.deleted_at).toBeNull()
  expect((await undo(await latest(parent.id))).body.row.deleted_at).not.toBeNull()
  const { seq } = (await audit(parent.id)).at(-1)
  await owner.post(`/api/pages/${parent.id}/restore`)
  expect((await undo(seq)).body.row.deleted_at).not.toBeNull()
})

test('undoing twice is one undo, and an undo can be undone', async () => {
  const task = await make('tasks', { title: 'Wind the clock' })
  await change('tasks', task.id, { status: 'done' })
  const seq = await latest(task.id)

  const first = await undo(seq)
  const second = await undo(seq)
  const redone = await undo(first.body.seq)
  const again = await undo(seq)

  expect(second.body).toEqual(first.body)
  expect(redone.body.row).toMatchObject({ status: 'done', version: 4 })
  expect(again.body.row).toMatchObject({ status: 'open', version: 5 })
  expect(again.body.seq).not.toBe(first.body.seq)
})

test('of many at once one takes effect', async () => {
  const task = await make('tasks', { title: 'Sound the horn' })
  await change('tasks', task.id, { priority: 'urgent' })
  const seq = await latest(task.id)

  const answers = await Promise.all(Array.from({ length: 12 }, () => undo(seq)))

  expect(new Set(answers.map(({ status, body }) => `${status} ${body.seq}`)).size).toBe(1)
  expect((await audit(task.id)).filter(({ undoes }: { undoes: number }) => undoes === seq)).toHaveLength(1)
})

test('later edits elsewhere in the thing are kept', async () => {
  const page = await make('pages', { title: 'The lamp at night', body: lampBody })
  await change('pages', page.id, { body: lampBody.replace('twelve', 'ten') })
  const seq = await latest(page.id)
  await change('pages', page.id, {
    title: 'The night lamp',
    body: lampBody.replace('twelve', 'ten').replace('nine nights', 'a week'),
  })

  const undone = await undo(seq)

  expect(undone.body.row).toMatchObject({
    title: 'The night lamp',
    body: lampBody.replace('nine nights', 'a week'),
  })
})

test('a later edit of the same place is refused with both sides, and the owner settles it', async () => {
  const page = await make('pages', { title: 'Oil', body: 'One\nTwo\nThree\n' })
  await change('pages', page.id, { title: 'Oil!', body: 'One\n2\nThree\n' })
  const seq = await latest(page.id)
  await change('pages', page.id, { body: 'One\nzwei\nThree\nFour\n' })

  const refused = await undo(seq)

  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({
    code: 'undo_conflict',
    details: {
      seq,
      version: 3,
      fields: [
        { name: 'title', clean: true, merged: 'Oil' },
        {
          name: 'body',
          clean: false,
          base: 'One\n2\nThree\n',
          ours: 'One\nTwo\nThree\n',
          theirs: 'One\nzwei\nThree\nFour\n',
          conflicts: [{ base: '2\n', ours: 'Two\n', theirs: 'zwei\n' }],
        },
      ],
      since: [{ actor: 'owner', action: 'update', fields: ['body'] }],
    },
  })
  expect(await read('pages', page.id)).toMatchObject({ version: 3, title: 'Oil!' })

  const stale = await undo(seq, { settle: { version: 2, fields: { body: 'x' } } })
  expect([stale.status, stale.body.error.code]).toEqual([409, 'undo_conflict'])
  const unsettled = await undo(seq, { settle: { version: 3, fields: {} } })
  expect(unsettled.status).toBe(409)
  const settled = await undo(seq, { settle: { version: 3, fields: { body: 'One\nTwo\nThree\nFour\n' } } })
  expect(settled.body.row).toMatchObject({ title: 'Oil', body: 'One\nTwo\nThree\nFour\n', version: 4 })
})

test('a new thing that was edited since goes to the trash only when the owner says so', async () => {
  const page = await make('pages', { title: 'Draft of a letter', body: 'Dear sir,\n' })
  const seq = await latest(page.id)
  await change('pages', page.id, { body: 'Dear madam,\n' })

  const refused = await undo(seq)
  expect([refused.status, refused.body.error.details.action]).toEqual([409, 'delete'])

  const settled = await undo(seq, { settle: { version: 2 } })
  expect(settled.body.row.deleted_at).not.toBeNull()
})

test('a run of saves is taken back as one', async () => {
  const page = await make('pages', { title: 'Tides', body: 'a\n' })
  await change('pages', page.id, { body: 'b\n' })
  const since = await latest(page.id)
  await change('pages', page.id, { body: 'c\n', title: 'Tide table' })
  await change('pages', page.id, { body: 'd\n' })
  const seq = await latest(page.id)

  const undone = await undo(seq, { since })

  expect(undone.body.row).toMatchObject({ title: 'Tides', body: 'a\n', version: 5 })
  expect((await audit(page.id))[0]).toMatchObject({ undoes: seq, undoes_since: since })
  expect((await undo(seq, { since })).body).toEqual(undone.body)
  expect((await undo(undone.body.seq)).body.row).toMatchObject({ title: 'Tide table', body: 'd\n' })
  const created = (await audit(page.id)).at(-1).seq
  expect((await undo(seq, { since: created })).status).toBe(400)
  expect((await undo(seq, { since: created - 1 })).status).toBe(400)
})

test('an undo that a wider one hid is in effect again once that one is undone', async () => {
  const page = await make('pages', { title: 'Tides', body: 'a\n' })
  await change('pages', page.id, { body: 'b\n' })
  const first = await latest(page.id)
  const { body: narrow } = await undo(first)
  await change('pages', page.id, { title: 'Tide table' })
  const last = await latest(page.id)
  const { body: wide } = await undo(last, { since: first })
  await undo(wide.seq)

  const versions = (await owner.get(`/api/pages/${page.id}/history`)).body.items
  const markOf = (seq: number) => versions.find((one: { seq: number }) => one.seq === seq).undone
  expect(markOf(first)).toMatchObject({ seq: narrow.seq })
  expect(markOf(last)).toBeNull()
  expect((await undo(first)).body.seq).toBe(narrow.seq)
})

test('an approved draft is taken back from its card, and the card says so', async () => {
  const { body: draft } = await scribe
    .patch(`/api/pages/${world.lease.id}`)
    .send({ version: world.lease.version, title: 'The lease' })
  const early = await owner.post(`/api/pending-changes/${draft.id}/undo`)
  await owner.post(`/api/pending-changes/${draft.id}/approve`)

  const undone = await owner.post(`/api/pending-changes/${draft.id}/undo`)

  expect([early.status, early.body.error.code]).toEqual([409, 'not_applied'])
  expect(undone.body).toMatchObject({
    row: { title: world.lease.title },
    draft: { pending_change_id: draft.id, undone: true },
  })
  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)
  expect(body).toMatchObject({ status: 'approved', card: { undone: { seq: undone.body.seq, by: 'owner' } } })
  await undo(undone.body.seq)
  expect((await owner.get(`/api/pending-changes/${draft.id}`)).body.card.undone).toBeNull()
})

test('a changeset is taken back whole, or not at all', async () => {
  await owner.post(`${at}/companion/turn`).send({ text: 'Stores, please' })
  const { body } = await owner.get('/api/pending-changes?status=pending')
  const drafts = body.items.toReversed()
  for (const { id } of drafts) await owner.post(`/api/pending-changes/${id}/approve`)
  const [project, page] = drafts
  const changeset = `/api/changesets/${project.changeset_id}/undo`
  await change('projects', project.entity_id, { status: 'on_hold' })

  const refused = await owner.post(changeset)
  expect([refused.status, refused.body.error.details.entity_id]).toEqual([409, project.entity_id])
  expect((await read('pages', page.entity_id)).deleted_at).toBeNull()

  await undo(await latest(project.entity_id))
  const undone = await owner.post(changeset)
  expect(undone.body.items.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual([
    page.entity_id,
    project.entity_id,
  ])
  expect((await read('pages', page.entity_id)).deleted_at).not.toBeNull()
  expect((await read('projects', project.entity_id)).deleted_at).not.toBeNull()
})

test('a change of a Space is taken back like any other', async () => {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Boat house' })
  await owner.patch(`/api/spaces/${space.id}`).send({ version: 1, name: 'Boat shed' })

  const undone = await undo(await latest(space.id))

  expect(undone.body.row).toMatchObject({ name: 'Boat house', slug: space.slug, version: 3 })
  await owner.delete(`/api/spaces/${space.id}`)
  expect((await undo(await latest(space.id))).body.row.deleted_at).toBeNull()
})

test('what cannot be taken back says why', async () => {
  const page = await make('pages', { title: 'Old chart', body: 'x' })
  await change('pages', page.id, { body: 'y' })
  const edited = await latest(page.id)
  await owner.delete(`/api/pages/${page.id}`)

  expect((await undo(edited)).body.error.code).toBe('in_trash')
  expect((await undo(999_999)).status).toBe(404)
  expect((await scribe.post(`/api/audit/${edited}/undo`).send({})).status).toBe(403)
})

test('a move whose way back leads in a circle is refused, and nothing is changed', async () => {
  const upper = await make('pages', { title: 'Upper' })
  const lower = await make('pages', { title: 'Lower', parent_id: upper.id })
  await change('pages', lower.id, { parent_id: null })
  const seq = await latest(lower.id)
  await change('pages', upper.id, { parent_id: lower.id })

  const refused = await undo(seq)

  expect([refused.status, refused.body.error.code]).toEqual([409, 'not_undoable'])
  expect((await read('pages', lower.id)).parent_id).toBeNull()
})
