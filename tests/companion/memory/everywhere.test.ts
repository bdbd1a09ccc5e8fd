// Lines for all Spaces: who may ask for one, from where, and what becomes of lines that are there already.

import { beforeEach, expect, test } from 'vitest'
import { readMemory } from '../../../lib/core/text/memory/memory-lines.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'

let proposed: Record<string, unknown> | null = null
const step = (): ScriptedStep => {
  const payload = proposed
  proposed = null
  if (!payload) return { text: 'Fine.' }
  return {
    tools: [{ name: 'propose_change', input: { entity_type: 'memory', action: 'create', payload } }],
  }
}
const online = await buildApp({ callModel: (request) => scriptedModel([step])(request) })
const offline = await buildApp({ database: online.deps.database })
const { owner } = online

type Place = { id: string; slug: string }
let here: Place
let there: Place

const makeSpace = async (name: string): Promise<Place> =>
  (await owner.post('/api/spaces').send({ name }).expect(201)).body

beforeEach(async () => {
  proposed = null
  here = await makeSpace('Skerry Light')
  there = await makeSpace('Harbour Office')
  const { id, version, body } = await everywhere()
  if (body !== '') await owner.patch(`/api/pages/${id}`).send({ version, body: '' }).expect(200)
})

const everywhere = async () => (await owner.get('/api/memory').expect(200)).body
const memoryOf = async ({ id }: Place) => (await owner.get(`/api/spaces/${id}/memory`).expect(200)).body
const textsOf = ({ body }: { body: string }) => readMemory(body).map(({ text }) => text)

async function say(text: string, { in: space = here, app = offline } = {}) {
  const { text: stream } = await app.owner
    .post(`/api/spaces/${space.id}/companion/turn`)
    .send({ text })
    .expect(200)
  const done = JSON.parse(/event: done\ndata: (.+)/.exec(stream)?.[1] ?? '{"draft_ids":[]}')
  return { stream, draft_ids: done.draft_ids as string[] }
}
const draft = async (id: string) => (await owner.get(`/api/pending-changes/${id}`).expect(200)).body
const approve = async (id: string) =>
  await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)

async function remember(text: string, place = here): Promise<void> {
  const { draft_ids } = await say(text, { in: place })
  await approve(draft_ids[0]!)
}

test.each([
  ['without a model', () => offline],
  ['whatever a model says', () => online],
])('“remember in all Spaces that …” drafts a line of the page of all Spaces, %s', async (_, app) => {
  const said = await say('Remember in all Spaces that I prefer metric units.', { app: app() })
  const drafted = await draft(said.draft_ids[0]!)
  const before = textsOf(await everywhere())
  await approve(said.draft_ids[0]!)

  expect(before).toEqual([])
  expect(drafted).toMatchObject({
    entity_id: (await everywhere()).id,
    reason: 'You said: “I prefer metric units”',
    card: { memory: [{ text: 'I prefer metric units', was: null }], memory_scope: 'all_spaces' },
  })
  expect(readMemory((await everywhere()).body)).toMatchObject([
    {
      text: 'I prefer metric units',
      scope: 'all Spaces',
      href: expect.stringMatching(new RegExp(`^/s/${here.slug}\\?turn=`)),
    },
  ])
  expect(textsOf(await memoryOf(here))).toEqual([])
})

test('its card comes with the turn, and with the thread when that is opened again, in whichever Space the page is', async () => {
  for (const place of [here, there]) {
    const { stream, draft_ids } = await say('In every Space, remember that I row on Mondays', { in: place })
    const { body } = await owner.get(`/api/spaces/${place.id}/companion`).expect(200)

    expect(stream).toContain('"memory_scope":"all_spaces"')
    expect(body.cards).toMatchObject([{ pending_change_id: draft_ids[0] }])
  }
})

test('the page may be created by the first line, in the Space of the turn', async () => {
  const { id, version } = await everywhere()
  await owner.delete(`/api/pages/${id}`).send({ version }).expect(200)
  await remember('Remember in all Spaces that I prefer tea', there)

  expect(await everywhere()).toMatchObject({ title: 'Memory of all Spaces' })
  expect(textsOf(await everywhere())).toEqual(['I prefer tea'])
})

test('a page in a Space that was put into the trash is given to no turn, and the next line makes another one', async () => {
  const { id, version, space_id } = await everywhere()
  await owner.patch(`/api/pages/${id}`).send({ version, body: '- Old line\n' }).expect(200)
  const { body: space } = await owner.get(`/api/spaces/${space_id}`).expect(200)
  await owner.delete(`/api/spaces/${space_id}`).send({ version: space.version }).expect(200)
  const living = await makeSpace('Living')
  await remember('Remember in all Spaces that I prefer tea', living)

  expect(textsOf(await everywhere())).toEqual(['I prefer tea'])
})

test('what is said in one Space is said again in another: the line is confirmed there, not written twice', async () => {
  await remember('Remember in all Spaces that I prefer tea')
  await remember('Remember that I prefer tea', there)

  expect(readMemory((await everywhere()).body)).toMatchObject([
    { text: 'I prefer tea', scope: 'all Spaces', confirmed: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  ])
  expect(textsOf(await memoryOf(there))).toEqual([])
})

test('a statement that contradicts a line of all Spaces changes that line', async () => {
  await remember('Remember in all Spaces that I live in Oslo')
  const { draft_ids } = await say('Remember that I live in Bergen', { in: there })
  const { card } = await draft(draft_ids[0]!)
  await approve(draft_ids[0]!)

  expect(card.memory).toEqual([{ text: 'I live in Bergen', was: 'I live in Oslo' }])
  expect([textsOf(await everywhere()), textsOf(await memoryOf(there))]).toEqual([['I live in Bergen'], []])
})

test('“forget that …” finds a line of all Spaces, and in all Spaces only that', async () => {
  await remember('Remember in all Spaces that I prefer tea')
  await remember('Remember that the boat is called Tern')
  const refused = await say('Forget in all Spaces that the boat is called Tern')
  await remember('Forget that I prefer tea')

  expect(refused.draft_ids).toEqual([])
  expect([textsOf(await everywhere()), textsOf(await memoryOf(here))]).toEqual([
    [],
    ['the boat is called Tern'],
  ])
})

test('a turn drafts one line over both pages', async () => {
  proposed = { quote: 'I row on Mondays' }
  const { draft_ids, stream } = await say(
    'Remember in all Spaces that I prefer tea. By the way, I row on Mondays.',
    { app: online },
  )

  expect(draft_ids).toHaveLength(1)
  expect(stream).toContain('One line of memory is proposed in a turn')
})

test('a model cannot choose all Spaces: what it proposes by itself stays in the Space', async () => {
  proposed = { quote: 'I row on Mondays', line: 'In all Spaces I row on Mondays' }
  const { draft_ids } = await say('I row on Mondays.', { app: online })
  const drafted = draft_ids[0] ? await draft(draft_ids[0]) : null

  expect(drafted?.card.memory_scope).toBeUndefined()
  expect(textsOf(await everywhere())).toEqual([])
})

test('what a Space does not want to be asked is not asked about a line of all Spaces either', async () => {
  await remember('Remember in all Spaces that I live in Oslo')
  await owner.patch(`/api/spaces/${here.id}/memory-settings`).send({ asks: false }).expect(200)
  proposed = { quote: 'I live in Bergen' }

  expect((await say('I live in Bergen.', { app: online })).draft_ids).toEqual([])
})
