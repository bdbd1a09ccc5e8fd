// Lists across Spaces; labels, flag, status and title of conversations; their words at the end of a turn.

import { beforeAll, describe, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters({ namingQuietMs: 3_600_000 })
const { owner, turn } = letters
const world = await makeWorld(letters)
const at = `/api/spaces/${world.space.id}/conversations`

async function begin(text: string): Promise<string> {
  const { body } = await owner.post(at).send({}).expect(201)
  await turn(world.space.id, [], { text, conversation_id: body.id })
  return body.id
}

describe('GET /api/tasks and its kin', () => {
  beforeAll(async () => {
    await owner.post(`/api/spaces/${world.other.id}/tasks`).send({ title: 'Count the boats' }).expect(201)
  })
  const titles = async (query = '', by = owner) =>
    (await by.get(`/api/tasks${query}`).expect(200)).body.items.map(({ title }: { title: string }) => title)

  test('list across the Spaces, the newest first', async () => {
    expect(await titles()).toEqual(['Count the boats', 'Paint the gallery rail'])
  })

  test('take space_id as a filter', async () => {
    expect(await titles(`?space_id=${world.space.id}`)).toEqual(['Paint the gallery rail'])
    await owner.get(`/api/tasks?space_id=${crypto.randomUUID()}`).expect(404)
  })

  test('show a token the Spaces that it may see, and no others', async () => {
    const { token } = await makeAgent(letters, { slug: 'lister', spaces: [world.space.id] })
    const agent = letters.as(token)

    expect(await titles('', agent)).toEqual(['Paint the gallery rail'])
    await agent.get(`/api/tasks?space_id=${world.other.id}`).expect(404)
    await agent.get('/api/tasks?deleted=true').expect(403)
  })

  test('go on where a page ended, over Spaces', async () => {
    const { body: first } = await owner.get('/api/tasks?limit=1')
    const { body: second } = await owner.get(`/api/tasks?limit=1&cursor=${first.next_cursor}`)

    expect([first, second].map(({ items }) => items[0].title)).toEqual([
      'Count the boats',
      'Paint the gallery rail',
    ])
    expect(second.next_cursor).toBeNull()
  })

  test('leave out a Space in the trash', async () => {
    const { body: gone } = await owner.post('/api/spaces').send({ name: 'Boat shed' })
    await owner.post(`/api/spaces/${gone.id}/tasks`).send({ title: 'Sweep' }).expect(201)
    await owner.delete(`/api/spaces/${gone.id}`).send({ version: gone.version }).expect(200)

    expect(await titles()).not.toContain('Sweep')
  })

  test.each(['pages', 'tasks', 'projects', 'refs', 'resources', 'source-docs'])(
    'are there for %s',
    async (kind) => {
      const { body } = await owner.get(`/api/${kind}`).expect(200)

      expect(body).toMatchObject({ items: expect.any(Array), next_cursor: null })
    },
  )
})

describe('a conversation', () => {
  test('has labels, a flag and a status, by which it is filtered', async () => {
    const marked = await begin('Which boats are due?')
    const plain = await begin('Draft a letter to the harbour master.')
    const ids = async (query: string) =>
      (await owner.get(`${at}?${query}`).expect(200)).body.items.map(({ id }: { id: string }) => id)

    const { body } = await owner
      .patch(`${at}/${marked}`)
      .send({ labels: ['boats', 'Boats', ' May '], flagged: true })
      .expect(200)

    expect(body).toMatchObject({ labels: ['boats', 'May'], flagged: true, status: 'active' })
    expect(await ids('label=boats')).toEqual([marked])
    expect(await ids('flagged=true')).toEqual([marked])
    expect(await ids('label=BOATS')).toEqual([marked])
    expect(await ids('label=bo')).toEqual([])
    expect(await ids('')).toEqual(expect.arrayContaining([marked, plain]))
    await owner.patch(`${at}/${marked}`).send({ archived: true }).expect(200)
    expect(await ids('status=archived&flagged=true')).toEqual([marked])
    const { body: cleared } = await owner.patch(`${at}/${marked}`).send({ labels: [], flagged: false })
    expect(cleared).toMatchObject({ labels: [], flagged: false })
  })

  test.each([
    [{ labels: Array.from({ length: 11 }, (_, n) => `l${n}`) }],
    [{ labels: ['x'.repeat(51)] }],
    [{ labels: [''] }],
    [{ labels: 'boats' }],
    [{ flagged: 'yes' }],
  ])('refuses %j', async (change) => {
    const id = await begin('Is there fog?')

    expect((await owner.patch(`${at}/${id}`).send(change)).status).toBe(400)
  })

  test('hands its title back to the companion with title: null', async () => {
    const id = await begin('How long is the pier?')
    await owner.patch(`${at}/${id}`).send({ title: 'Mine' }).expect(200)

    const { body } = await owner.patch(`${at}/${id}`).send({ title: null }).expect(200)

    expect(body.title).toBe('How long is the pier?')
  })

  test('has title and summary in words as soon as its turn has ended', async () => {
    const id = await begin('Who owns the dinghy?')

    expect((await owner.get(`${at}/${id}`)).body).toMatchObject({
      title: 'Who owns the dinghy?',
      summary: 'Who owns the dinghy? · Done.',
    })
  })
})

test('the model’s better words follow after a restart, and where the owner hands the title back', async () => {
  const small: CallModel = async (request) =>
    scriptedModel([{ text: '{"title":"The dinghy","summary":"Its owner"}' }])(request)
  const id = await begin('Who mends the dinghy?')
  await letters.deps.database.query(
    "update conversations set last_activity_at = now() - interval '5 minutes' where id = $1",
    [id],
  )
  const { deps } = await buildApp({
    database: letters.deps.database,
    callModel: small,
    smallModel: small,
    namingQuietMs: 0,
  })
  const read = async () => (await owner.get(`${at}/${id}`)).body

  await deps.content.naming.resume()
  await expect.poll(async () => (await read()).title).toBe('The dinghy')
  expect((await read()).summary).toBe('Its owner')

  await deps.content.conversations.update(world.space.id, id, { title: 'Mine' })
  await deps.content.naming.resume()
  await deps.content.conversations.update(world.space.id, id, { title: null })
  await expect.poll(async () => (await read()).title).toBe('The dinghy')
})
