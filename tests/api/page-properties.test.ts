import { describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

const makePage = async (body: string) =>
  (await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Generator', body })).body

test('a page answers with the properties of its front matter', async () => {
  const { id } = await makePage('---\nstatus: in service\ntags: [[[The lamp]], hum]\n---\nIt hums.')

  const { body } = await owner.get(`/api/pages/${id}/properties`)

  expect(body.items).toEqual([
    { name: 'status', values: ['in service'], type: 'text', value: 'in service' },
    {
      ...{ name: 'tags', values: ['[[The lamp]]', 'hum'] },
      ...{ type: 'list', value: ['[[The lamp]]', 'hum'] },
    },
  ])
})

test('a page without front matter has none', async () => {
  const { body } = await owner.get(`/api/pages/${world.lamp.id}/properties`)

  expect(body.items).toEqual([])
})

test('a page in the trash, and one of another Space, is not found', async () => {
  const { id, version } = await makePage('---\na: 1\n---\n')
  const { token } = await makeAgent(void_, { slug: 'harbour', spaces: [world.other.id] })
  const elsewhere = await void_.as(token).get(`/api/pages/${id}/properties`)
  await owner.delete(`/api/pages/${id}`).send({ version })

  const deleted = await owner.get(`/api/pages/${id}/properties`)

  expect([elsewhere.status, deleted.status]).toEqual([404, 404])
})

test('what would lose something when it is changed has no type', async () => {
  const { id } = await makePage(
    `---\nplace: {a: 1}\nkeepers: [{name: Anna}, Bo]\nlong: ${'x'.repeat(1001)}\n---\n`,
  )

  const { body } = await owner.get(`/api/pages/${id}/properties`)

  expect(body.items.map(({ type, value }: { type: null; value: null }) => [type, value])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ])
})

describe('a change of properties', () => {
  const change = (id: string, version: number, ...edits: object[]) =>
    owner.patch(`/api/pages/${id}/properties`).send({ version, edits })

  test('is one version with an audit row, and undone by one undo', async () => {
    const { id } = await makePage('---\n# note\nrating: 7 # good\n---\nIt hums.')

    const changed = await change(
      id,
      1,
      { set: { name: 'rating', value: 8 } },
      { rename: { name: 'rating', to: 'score' } },
      { add: { name: 'on', value: '2026-03-01' } },
    )
    const { items } = (await owner.get(`/api/audit?entity_id=${id}`)).body

    expect(changed.body).toMatchObject({
      version: 2,
      body: '---\n# note\nscore: 8 # good\non: 2026-03-01\n---\nIt hums.',
    })
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['update', 'create'])
    await owner.post(`/api/audit/${items[0].seq}/undo`).send({})
    expect((await owner.get(`/api/pages/${id}`)).body.body).toBe(
      '---\n# note\nrating: 7 # good\n---\nIt hums.',
    )
  })

  test('of an older version is refused, and so is one without a version, or by an agent', async () => {
    const { id } = await makePage('---\na: 1\n---\n')
    await owner.patch(`/api/pages/${id}`).send({ version: 1, body: 'Another text.' })
    const { token } = await makeAgent(void_, { slug: 'clerk' })
    const edits = [{ set: { name: 'a', value: 2 } }]

    const stale = await change(id, 1, ...edits)
    const unversioned = await owner.patch(`/api/pages/${id}/properties`).send({ edits })
    const agent = await void_.as(token).patch(`/api/pages/${id}/properties`).send({ version: 2, edits })

    expect([stale.status, stale.body.error.details.current.version]).toEqual([409, 2])
    expect([unversioned.status, agent.status]).toEqual([428, 403])
  })

  test.each([
    ['of what is not there', { set: { name: 'b', value: 1 } }],
    ['to a name that is taken', { add: { name: 'A', value: 1 } }],
    ['to a value that is too long', { set: { name: 'a', value: 'x'.repeat(1001) } }],
    ['to a value that is nested', { set: { name: 'a', value: { b: 1 } } }],
    ['of two things at once', { set: { name: 'a', value: 1 }, remove: { name: 'a' } }],
  ])('%s is refused, and nothing of it is stored', async (_, edit) => {
    const { id } = await makePage('---\na: 1\n---\n')

    const refused = await change(id, 1, { set: { name: 'a', value: 5 } }, edit)

    expect(refused.status).toBe(400)
    expect((await owner.get(`/api/pages/${id}`)).body).toMatchObject({ version: 1, body: '---\na: 1\n---\n' })
  })
})
