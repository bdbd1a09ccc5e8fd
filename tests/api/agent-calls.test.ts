// Everything that an agent asks for with a token of its own stands in the record of calls.

import { beforeEach, describe, expect, test } from 'vitest'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { token, agentId } = await makeAgent(void_, { slug: 'scribe', spaces: [world.space.id] })
const scribe = void_.as(token)
const at = `/api/spaces/${world.space.id}`

type Stored = { name: string; arguments: Record<string, unknown>; [column: string]: unknown }
const calls = async (): Promise<Stored[]> =>
  (await deps.database.query<Stored>('select * from tool_calls order by id')).rows

beforeEach(async () => {
  await deps.database.query('delete from tool_calls')
})

test('a search, a list, a read and a draft are recorded as the tools that do the same', async () => {
  await scribe.get('/api/search').query({ q: 'rapeseed oil', space_id: world.space.id })
  await scribe.get(`${at}/tasks`)
  await scribe.get(`/api/pages/${world.lamp.id}`)
  await scribe.get(`/api/pages/${world.lamp.id}/links`)
  await scribe.post(`${at}/tasks`).send({ title: 'Trim the wick', reason: 'It smokes.' })
  await scribe.patch(`/api/tasks/${world.paint.id}`).send({ version: 1, status: 'done' })

  const stored = await calls()
  expect(stored.map(({ name, result }) => [name, result])).toEqual([
    ['search', expect.stringMatching(/^\d entr/)],
    ['list', '1 entry'],
    ['read', '“The lamp”, version 1'],
    ['read', 'sent'],
    ['propose_change', 'a draft, pending'],
    ['propose_change', 'a draft, pending'],
  ])
  for (const call of stored) {
    expect(call).toMatchObject({ agent_id: agentId, space_id: world.space.id, status: 'done', turn_id: null })
    expect(call.duration_ms).toBeGreaterThanOrEqual(0)
  }
  expect(stored[0]?.arguments).toEqual({
    request: 'GET /api/search',
    q: 'rapeseed oil',
    space_id: world.space.id,
  })
  expect(stored[2]).toMatchObject({ entity_type: 'page', entity_id: world.lamp.id })
  expect(stored[3]).toMatchObject({ entity_type: 'page', entity_id: world.lamp.id })
  expect(stored[5]).toMatchObject({ entity_type: 'task', entity_id: world.paint.id })
})

test('a body nested without end is refused like any other that is wrong, and recorded', async () => {
  const depth = 50_000
  const response = await scribe
    .post(`${at}/pages`)
    .type('json')
    .send(`{"title": "Deep", "body": ${'['.repeat(depth)}${']'.repeat(depth)}}`)

  expect(response.status).toBe(413)
  expect(await calls()).toMatchObject([{ name: 'propose_change', status: 'error' }])
})

test('what is of no one Space has none; what the owner does is no call of an agent', async () => {
  await scribe.get('/api/spaces')
  await owner.get('/api/spaces')
  await owner.get(`/api/pages/${world.lamp.id}`)

  expect(await calls()).toMatchObject([{ name: 'list', space_id: null, entity_id: null }])
})

test('what fails and what is refused is recorded too, with why', async () => {
  const nowhere = '0190a1b2-0000-7000-8000-00000000000f'
  await scribe.get(`/api/pages/${nowhere}`)
  await scribe.get(`/api/spaces/${world.other.id}/pages`)
  await scribe.patch(`/api/tasks/${world.paint.id}`).send({ version: 'one' })
  await scribe.post(`/api/pending-changes/${nowhere}/approve`).send({})
  await scribe.get('/api/audit')

  const stored = await calls()
  expect(stored.map(({ name, status }) => [name, status])).toEqual([
    ['read', 'error'],
    ['list', 'error'],
    ['propose_change', 'error'],
    ['POST /api/pending-changes/:id/approve', 'error'],
    ['GET /api/audit', 'error'],
  ])
  expect(stored[0]).toMatchObject({
    space_id: null,
    entity_id: nowhere,
    result: expect.stringContaining(nowhere),
  })
  expect(stored[1]).toMatchObject({ space_id: world.other.id })
  expect(stored[4]).toMatchObject({ result: 'Only the owner may do this.' })
})

test('arguments are cut, and hold no credential', async () => {
  await scribe.post(`${at}/pages`).send({ title: 'Long', body: 'word '.repeat(100_000) })

  const [call] = await calls()
  const text = JSON.stringify(call?.arguments)
  expect(text.length).toBeLessThan(2000)
  expect(text).toContain('500000 characters')
  expect(JSON.stringify(call)).not.toContain(token)
})

describe('every route that an agent may call', () => {
  const routes = listRoutes(kinds, createGuard(deps.server.authentication)).filter(
    ({ access }) => access === 'agent',
  )

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const path = route.path
        .replace(':space_id', world.space.id)
        .replace(/:\w+/, route.path.startsWith('/api/tasks') ? world.paint.id : world.lamp.id)
      await scribe[route.method](path).send(route.body ? {} : undefined)

      expect(await calls()).toHaveLength(1)
    },
  )
})

test('the activity shows them, by whom and for what', async () => {
  await scribe.get(`/api/pages/${world.lamp.id}`)
  await scribe.get('/api/spaces')

  const { body } = await owner.get('/api/activity').query({ source: 'call' })

  expect(body.items).toMatchObject([
    { actor: 'agent:scribe', action: 'list', space_id: null, title: '', turn_id: null },
    { actor: 'agent:scribe', action: 'read', entity_id: world.lamp.id, title: 'The lamp', turn_id: null },
  ])
})
