// Links hold when what they lead to gets another name: by whoever renames it, under one undo.

import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { beginTurn } from '../../helpers/one-turn.ts'
import { makeAgent, makeWorld, type World } from '../../helpers/world.ts'

const app = await buildApp()
const { owner, deps } = app
let world: World
let space = ''

beforeEach(async () => {
  world = await makeWorld(app)
  space = world.space.id
})

type Page = { id: string; version: number; title: string; body: string }

const make = async (title: string, body = ''): Promise<Page> => {
  const made = await owner.post(`/api/spaces/${space}/pages`).send({ title, body })
  expect(made.status).toBe(201)
  return made.body
}
const read = async ({ id }: Pick<Page, 'id'>): Promise<Page> => (await owner.get(`/api/pages/${id}`)).body
const rename = async ({ id }: Pick<Page, 'id'>, title: string, more = {}) => {
  const { version } = await read({ id })
  return await owner.patch(`/api/pages/${id}`).send({ title, version, ...more })
}
const backlinks = async ({ id }: Pick<Page, 'id'>): Promise<string[]> =>
  (await owner.get(`/api/pages/${id}/links`)).body.backlinks.map(({ title }: { title: string }) => title)
/** Things without a path are linked by their title alone. */
const makeTask = async (title: string): Promise<Page> =>
  (await owner.post(`/api/spaces/${space}/tasks`).send({ title })).body
const renameTask = async ({ id }: Pick<Page, 'id'>, title: string) => {
  const { version } = (await owner.get(`/api/tasks/${id}`)).body
  await owner.patch(`/api/tasks/${id}`).send({ title, version }).expect(200)
}
const taskBacklinks = async ({ id }: Pick<Page, 'id'>): Promise<string[]> =>
  (await owner.get(`/api/tasks/${id}/links`)).body.backlinks.map(({ title }: { title: string }) => title)
const rowsOf = async ({ id }: Pick<Page, 'id'>) => (await owner.get(`/api/audit?entity_id=${id}`)).body.items

describe('a rename', () => {
  test('turns the links to it, each text with a version and an audit row of its own', async () => {
    const target = await make('Winter plan')
    const one = await make('One', 'See [[Winter plan]] and [[winter plan|it]].')
    const two = await make('Two', '![[Winter plan#Oil]] [x](Winter%20plan.md)')
    const other = await make('Three', '[[Winter planning]]')
    const renamed = await rename(target, 'Plan for winter')

    expect(renamed.status).toBe(200)
    expect(await read(one)).toMatchObject({
      version: 2,
      body: 'See [[Plan for winter]] and [[Plan for winter|it]].',
    })
    expect(await read(two)).toMatchObject({ body: '![[Plan for winter#Oil]] [x](Plan%20for%20winter.md)' })
    expect(await read(other)).toMatchObject({ version: 1 })
    expect(await backlinks(target)).toEqual(['One', 'Two'])
    expect((await rowsOf(one)).slice(0, 1)).toMatchObject([{ action: 'update', actor: 'owner', version: 2 }])
  })

  test('is undone with all of its links by one undo, and edits made meanwhile stay', async () => {
    const target = await make('Winter plan')
    const one = await make('One', 'See [[Winter plan]].')
    await rename(target, 'Plan for winter')
    const edited = await read(one)
    await owner.patch(`/api/pages/${one.id}`).send({ version: edited.version, body: `${edited.body} More.` })
    const [{ seq }] = await rowsOf(target)
    const undone = await owner.post(`/api/audit/${seq}/undo`).send({})

    expect(undone.status).toBe(200)
    expect(await read(target)).toMatchObject({ title: 'Winter plan' })
    expect(await read(one)).toMatchObject({ body: 'See [[Winter plan]]. More.' })
    expect(await backlinks(target)).toEqual(['One'])
  })

  test('is undone without the links that had the new name before', async () => {
    const target = await make('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    const two = await make('Two', '[[Plan for winter]]')
    await rename(target, 'Plan for winter')
    const [{ seq }] = await rowsOf(target)
    await owner.post(`/api/audit/${seq}/undo`).send({})

    expect(await read(one)).toMatchObject({ body: '[[Winter plan]]' })
    expect(await read(two)).toMatchObject({ version: 1, body: '[[Plan for winter]]' })
  })

  test('turns the links in its own text, and answers with the newest version', async () => {
    const target = await make('Winter plan', 'This is [[Winter plan]].')
    const { body } = await rename(target, 'Summer plan')

    expect(body).toEqual(await read(target))
    expect(body).toMatchObject({ title: 'Summer plan', body: 'This is [[Summer plan]].', version: 3 })
  })

  test('follows in tasks, too', async () => {
    const target = await make('Winter plan')
    const task = await owner
      .post(`/api/spaces/${space}/tasks`)
      .send({ title: 'Oil', body: '[[Winter plan]]' })
    await rename(target, 'Summer plan')

    expect((await owner.get(`/api/tasks/${task.body.id}`)).body.body).toBe('[[Summer plan]]')
  })

  test('that changes only capital letters rewrites nothing', async () => {
    const target = await make('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    await rename(target, 'WINTER PLAN')

    expect(await read(one)).toMatchObject({ version: 1 })
    expect(await backlinks(target)).toEqual(['One'])
  })

  test('of a stale version changes nothing at all', async () => {
    const target = await make('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    await rename(target, 'Winter plan 2')
    const refused = await owner.patch(`/api/pages/${target.id}`).send({ version: 1, title: 'Third' })

    expect(refused.status).toBe(409)
    expect(await read(one)).toMatchObject({ body: '[[Winter plan 2]]' })
  })

  test('does not touch another Space', async () => {
    const target = await make('Winter plan')
    const there = await owner
      .post(`/api/spaces/${world.other.id}/pages`)
      .send({ title: 'There', body: '[[Winter plan]]' })
    await rename(target, 'Summer plan')

    expect(await read(there.body)).toMatchObject({ version: 1, body: '[[Winter plan]]' })
  })
})

test.each([
  ['something else has that title', 'Plans', '[[Plans (2)]]'],
  ['the title cannot stand in a link', 'Plan [new]', '[[Plan -new-]]'],
])('a page is linked by the name of its file where %s', async (_, title, link) => {
  await make('Plans')
  const target = await make('Winter plan')
  const one = await make('One', '[[Winter plan]]')
  await rename(target, title)

  expect(await read(one)).toMatchObject({ body: link })
  expect(await backlinks(target)).toEqual(['One'])
})

describe('where links cannot be turned, the old name still leads there', () => {
  test('because something else has the new name', async () => {
    await makeTask('Plans')
    const target = await makeTask('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    await renameTask(target, 'Plans')

    expect(await read(one)).toMatchObject({ version: 1 })
    expect(await taskBacklinks(target)).toEqual(['One'])
  })

  test('because the new name cannot stand in a link', async () => {
    const target = await makeTask('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    await renameTask(target, 'Plan [new]')

    expect(await read(one)).toMatchObject({ version: 1 })
    expect(await taskBacklinks(target)).toEqual(['One'])
  })

  test('until anything else is named so', async () => {
    const target = await makeTask('Winter plan')
    await make('One', '[[Winter plan]]')
    await renameTask(target, 'Plan [new]')
    const next = await makeTask('Winter plan')

    expect(await taskBacklinks(next)).toEqual(['One'])
    expect(await taskBacklinks(target)).toEqual([])
  })

  test('because the text would grow beyond its limit', async () => {
    const target = await make('P')
    const one = await make('One', `[[P]] ${'word '.repeat(199_990)}`.slice(0, 999_990))
    const renamed = await rename(target, 'A far longer name than that')

    expect(renamed.status).toBe(200)
    expect((await backlinks(target)).length + (await read(one)).version).toBeGreaterThan(1)
    expect(await backlinks(target)).toEqual(['One'])
  })
})

describe('the old name as an alias', () => {
  test.each([
    ['', '---\naliases:\n  - "Winter plan"\n---\n'],
    ['---\nstatus: old # kept\n---\nText', '---\nstatus: old # kept\naliases:\n  - Winter plan\n---\nText'],
    ['---\naliases: [WP]\n---\nText', '---\naliases: [ WP, Winter plan ]\n---\nText'],
    ['---\naliases: WP\n---\nText', '---\naliases:\n  - WP\n  - Winter plan\n---\nText'],
    ['---\na: [\n---\nText', '---\na: [\n---\nText'],
  ])('is added to %j', async (body, expected) => {
    const target = await make('Winter plan', body)
    const renamed = await rename(target, 'Summer plan', { keep_alias: true })

    expect(renamed.body).toMatchObject({ title: 'Summer plan', body: expected })
  })

  test('does not keep links from being turned', async () => {
    const target = await make('Winter plan')
    const one = await make('One', '[[Winter plan]]')
    await rename(target, 'Summer plan', { keep_alias: true })

    expect(await read(one)).toMatchObject({ body: '[[Summer plan]]' })
  })

  test('leads there as well as the new name', async () => {
    const target = await make('Winter plan')
    await rename(target, 'Summer plan', { keep_alias: true })
    await make('Later', '[[Winter plan]] [[Summer plan]]')

    expect(await backlinks(target)).toEqual(['Later'])
  })
})

test('a draft that renames says how many texts it rewrites, and its approval and undo do it', async () => {
  const target = await make('Winter plan')
  const one = await make('One', '[[Winter plan]]')
  await make('Two', '[[Winter plan]] [[Winter plan]]')
  const { token } = await makeAgent(app, { slug: 'renamer', spaces: [space] })
  const drafted = await app
    .as(token)
    .patch(`/api/pages/${target.id}`)
    .send({ version: 1, title: 'Summer plan' })
  const { id } = drafted.body
  const { card } = (await owner.get(`/api/pending-changes/${id}`)).body

  expect(card.warnings).toContainEqual(
    expect.objectContaining({
      code: 'rewrites_links',
      message: '3 links to it in 2 texts will be rewritten.',
    }),
  )
  const approved = await owner
    .post(`/api/pending-changes/${id}/approve`)
    .send({ payload_sha256: card.payload_sha256 })
  expect(approved.status).toBe(200)
  expect(await read(one)).toMatchObject({ body: '[[Summer plan]]' })
  await owner.post(`/api/pending-changes/${id}/undo`).send({})

  expect(await read(one)).toMatchObject({ body: '[[Winter plan]]' })
  expect(await deps.repos.links.listUnresolved(space)).toEqual([])
})

test('a changeset that renames a page and edits one that links to it is approved and undone as a whole', async () => {
  const target = await make('Winter plan')
  const one = await make('One', 'See [[Winter plan]].')
  const draft = await beginTurn(app, space)
  const renamed = await draft({
    entity_type: 'page',
    action: 'update',
    entity_id: target.id,
    payload: { title: 'Summer plan' },
  })
  const edited = await draft({
    entity_type: 'page',
    action: 'update',
    entity_id: one.id,
    payload: { body: 'See [[Winter plan]] first.' },
  })
  const payloads = Object.fromEntries([renamed, edited].map(({ id, payload_sha256 }) => [id, payload_sha256]))
  const path = `/api/changesets/${renamed.changeset_id}`
  const approved = await owner.post(`${path}/approve`).send({ payloads })

  expect(approved.status).toBe(200)
  expect(await read(one)).toMatchObject({ body: 'See [[Summer plan]] first.' })
  await owner.post(`${path}/undo`).send({})

  expect(await read(one)).toMatchObject({ body: 'See [[Winter plan]].' })
  expect(await read(target)).toMatchObject({ title: 'Winter plan' })
})

test('a changeset of renames of pages that link to each other is approved and undone as a whole', async () => {
  const one = await make('Winter plan', 'Before [[Summer plan]].')
  const two = await make('Summer plan', 'After [[Winter plan]].')
  const draft = await beginTurn(app, space)
  const renames = []
  for (const [{ id }, title] of [
    [one, 'Cold plan'],
    [two, 'Warm plan'],
  ] as const)
    renames.push(await draft({ entity_type: 'page', action: 'update', entity_id: id, payload: { title } }))
  const payloads = Object.fromEntries(renames.map(({ id, payload_sha256 }) => [id, payload_sha256]))
  const path = `/api/changesets/${renames[0]!.changeset_id}`
  const approved = await owner.post(`${path}/approve`).send({ payloads })

  expect(approved.status).toBe(200)
  expect(await read(one)).toMatchObject({ title: 'Cold plan', body: 'Before [[Warm plan]].' })
  expect(await read(two)).toMatchObject({ title: 'Warm plan', body: 'After [[Cold plan]].' })
  await owner.post(`${path}/undo`).send({})

  expect(await read(one)).toMatchObject({ title: 'Winter plan', body: 'Before [[Summer plan]].' })
  expect(await read(two)).toMatchObject({ title: 'Summer plan', body: 'After [[Winter plan]].' })
})
