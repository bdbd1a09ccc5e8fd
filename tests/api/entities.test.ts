import { describe, expect, test } from 'vitest'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { buildApp } from '../helpers/build-app.ts'
import { lampBody, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

const samples: Record<string, Record<string, unknown>> = {
  page: { title: 'Fog signals', body: 'Two blasts a minute.' },
  task: { title: 'Order wicks', status: 'in_progress', due_on: '2031-02-28' },
  project: { title: 'New stairs', status: 'on_hold' },
  ref: { title: 'Notices to mariners', url: 'https://example.org/notices', published_on: '2030-01-02' },
  resource: { title: 'Sextant', kind: 'tool', url: null },
  page_view: { title: 'High lights', body: 'views: []' },
  source_doc: { title: 'Log book.txt', mime: 'text/plain', text: 'Wind NW 7.', metadata: { page: 3 } },
}

describe.each(kinds.all.map((kind) => [kind.type, kind] as const))('a %s', (type, kind) => {
  test('is made, read, changed, deleted and restored, each step with its version, actor and audit row', async () => {
    const made = await owner.post(`${at}/${kind.path}`).send(samples[type])
    const { id } = made.body
    const read = await owner.get(`/api/${kind.path}/${id}`)
    const changed = await owner.patch(`/api/${kind.path}/${id}`).send({ version: 1, title: 'Renamed' })
    const deleted = await owner.delete(`/api/${kind.path}/${id}`).send({ version: 2 })
    const restored = await owner.post(`/api/${kind.path}/${id}/restore`)
    const audit = await owner.get(`/api/audit?entity_id=${id}`)

    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...samples[type],
      version: 1,
      created_by: 'owner',
      space_id: world.space.id,
    })
    expect(read.body).toEqual(made.body)
    expect(changed.body).toMatchObject({ title: 'Renamed', version: 2 })
    expect(deleted.body).toMatchObject({ version: 3, deleted_at: expect.any(String) })
    expect(restored.body).toMatchObject({ version: 4, deleted_at: null })
    expect(audit.body.items.map((row: { action: string }) => row.action)).toEqual([
      'restore',
      'delete',
      'update',
      'create',
    ])
    expect(audit.body.items[2]).toMatchObject({ actor: 'owner', before: { title: samples[type]?.title } })
  })

  test('is listed page by page, newest first, and leaves the list for the trash when deleted', async () => {
    const titles = ['one', 'two', 'three']
    const ids: string[] = []
    for (const title of titles) {
      const { body } = await owner
        .post(`/api/spaces/${world.other.id}/${kind.path}`)
        .send({ ...samples[type], title })
      ids.unshift(body.id)
    }
    await owner.delete(`/api/${kind.path}/${ids[1]}`)

    const first = await owner.get(`/api/spaces/${world.other.id}/${kind.path}?limit=1`)
    const second = await owner.get(
      `/api/spaces/${world.other.id}/${kind.path}?limit=1&cursor=${first.body.next_cursor}`,
    )
    const trash = await owner.get(`/api/spaces/${world.other.id}/${kind.path}?deleted=true`)

    expect(first.body.items.map((row: { id: string }) => row.id)).toEqual([ids[0]])
    expect(second.body).toMatchObject({ items: [{ id: ids[2] }], next_cursor: null })
    expect(trash.body.items.map((row: { id: string }) => row.id)).toEqual([ids[1]])
  })

  test.each([
    ['an unknown field', { title: 'x', colour: 'red' }, 'colour'],
    ['a title of the wrong type', { title: 7 }, 'title'],
    ['an empty title', { title: '  ' }, 'title'],
    ['no title', {}, 'title'],
  ])('is refused with %s, and the error names the field', async (_, body, field) => {
    const { status, body: answer } = await owner.post(`${at}/${kind.path}`).send(body)

    expect(status).toBe(400)
    expect(answer.error).toMatchObject({ code: 'invalid', message: expect.stringContaining(field) })
  })
})

test('a list is filtered by status where the kind has one, and an unknown status is refused', async () => {
  await owner.post(`${at}/tasks`).send({ title: 'Done already', status: 'done' })

  const done = await owner.get(`${at}/tasks?status=done`)
  const unknown = await owner.get(`${at}/tasks?status=sleeping`)

  expect(done.body.items.map((row: { title: string }) => row.title)).toEqual(['Done already'])
  expect(unknown.status).toBe(400)
})

test('a change without a version is 428, with an old one 409 with the current row, and nothing is lost', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Tide table', body: 'High at six.' })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'High at seven.' })

  const missing = await owner.patch(`/api/pages/${page.id}`).send({ body: 'Lost?' })
  const stale = await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'Lost?' })
  const matched = await owner.patch(`/api/pages/${page.id}`).set('If-Match', '"2"').send({ title: 'Tides' })
  const staleDelete = await owner.delete(`/api/pages/${page.id}`).set('If-Match', '1')

  expect(missing.status).toBe(428)
  expect(stale.status).toBe(409)
  expect(stale.body.error).toMatchObject({
    code: 'stale_version',
    details: { current: { version: 2, body: 'High at seven.' } },
  })
  expect(matched.body).toMatchObject({ version: 3, body: 'High at seven.' })
  expect(staleDelete.status).toBe(409)
})

test('of many changes at one version exactly one is made', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Race', body: 'start' })

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: `by ${n}` }),
    ),
  )
  const audit = await owner.get(`/api/audit?entity_id=${page.id}`)

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  expect(audit.body.items).toHaveLength(2)
})

test('a change that changes nothing makes no new version', async () => {
  const { body } = await owner.patch(`/api/pages/${world.lamp.id}`).send({ version: 1, body: lampBody })

  expect(body.version).toBe(1)
})

test('a reference must name something of the same Space', async () => {
  const { body: foreign } = await owner
    .post(`/api/spaces/${world.other.id}/projects`)
    .send({ title: 'Elsewhere' })

  const answer = await owner.post(`${at}/tasks`).send({ title: 'Misfiled', project_id: foreign.id })

  expect(answer.status).toBe(409)
  expect(answer.body.error.code).toBe('missing_reference')
})

test('a page cannot be moved below itself', async () => {
  const { body: top } = await owner.post(`${at}/pages`).send({ title: 'Top' })
  const { body: below } = await owner.post(`${at}/pages`).send({ title: 'Below', parent_id: top.id })

  const answer = await owner.patch(`/api/pages/${top.id}`).send({ version: 1, parent_id: below.id })

  expect(answer.status).toBe(400)
})

test('NUL and lone surrogates are cleaned from every text', async () => {
  const { body } = await owner.post(`${at}/pages`).send({ title: 'A\u0000B\ud800', body: 'x\u0000y\udc00z' })

  expect(body).toMatchObject({ title: 'AB\ufffd', body: 'xy\ufffdz' })
})

test('links are resolved by title, and wait for a page that is not there yet', async () => {
  const { body: from } = await owner
    .post(`${at}/pages`)
    .send({ title: 'Rounds', body: '[[The lamp]] then [[Boathouse#Key|the key]]' })
  const before = await owner.get(`/api/pages/${from.id}/links`)
  const { body: boathouse } = await owner.post(`${at}/pages`).send({ title: 'Boathouse' })

  const after = await owner.get(`/api/pages/${from.id}/links`)
  const backlinks = await owner.get(`/api/pages/${boathouse.id}/links`)

  expect(before.body.links).toMatchObject([
    { name: 'the lamp', to_id: world.lamp.id },
    { name: 'boathouse', to_id: null, heading: 'Key', label: 'the key' },
  ])
  expect(after.body.links[1]).toMatchObject({ to_id: boathouse.id })
  expect(backlinks.body.backlinks).toEqual([{ entity_type: 'page', entity_id: from.id, title: 'Rounds' }])
})

test('a deleted page answers to its name no longer, and does again when it is restored', async () => {
  const { body: target } = await owner.post(`${at}/pages`).send({ title: 'Signal mast' })
  const { body: from } = await owner
    .post(`${at}/pages`)
    .send({ title: 'Flags', body: 'Hoist at the [[Signal mast]].' })
  const linkOf = async () => (await owner.get(`/api/pages/${from.id}/links`)).body.links[0].to_id

  const linked = await linkOf()
  await owner.delete(`/api/pages/${target.id}`)
  const unlinked = await linkOf()
  await owner.post(`/api/pages/${target.id}/restore`)

  expect(linked).toBe(target.id)
  expect(unlinked).toBeNull()
  expect(await linkOf()).toBe(target.id)
})

test('the text of a source document never changes', async () => {
  const { body: doc } = await owner.post(`${at}/source-docs`).send(samples.source_doc)

  const answer = await owner.patch(`/api/source-docs/${doc.id}`).send({ version: 1, text: 'Calm.' })

  expect(answer.status).toBe(400)
  await expect(
    void_.deps.database.query("update source_docs set text = 'Calm.' where id = $1", [doc.id]),
  ).rejects.toThrow(/never changes/)
})

test('a DELETE that names no version goes on after an edit that came between', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Contested' })
  const { entities } = void_.deps.repos
  const find = entities.findWithinSpaces
  entities.findWithinSpaces = async (...args) => {
    const row = await find(...args)
    entities.findWithinSpaces = find
    await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Edited in between' })
    return row
  }

  const deleted = await owner.delete(`/api/pages/${page.id}`)
  const late = await owner.delete(`/api/pages/${page.id}`).send({ version: 1 })

  expect(deleted.status).toBe(200)
  expect(deleted.body).toMatchObject({ title: 'Edited in between', version: 3 })
  expect(late.status).toBe(404)
})
