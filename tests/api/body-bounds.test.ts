// What a body may hold is decided before it is parsed: who may send it, how large it is, how much structure it has.

import { expect, test } from 'vitest'
import { createGuard } from '../../lib/api/guard.ts'
import { bodyBounds, maxBodyDepth, maxBodyKeys } from '../../lib/api/read-json.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { exceededBound } from '../../lib/core/text/bounds.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const routes = listRoutes(kinds, createGuard(deps.server.authentication)).filter(({ body }) => body)
const nowhere = '01900000-0000-7000-8000-000000000000'

const bytesOf = (text: string) => Buffer.from(text)
const count = (text: string, values = 1e6, depth = 1e6) => exceededBound(bytesOf(text), { values, depth })

const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body: string) =>
  owner[method](path.replace(/:\w+/g, nowhere)).type('json').send(body)

test.each(
  routes.filter(
    ({ access, path }) => access !== 'public' && !(access === 'agent' && path.endsWith('revise')),
  ),
)('$method $path refuses more values, keys and depth than it declares', async (route) => {
  const { values } = bodyBounds(route)
  const method = route.method as 'post'

  const wide = await send(method, route.path, `{"x":[${'1,'.repeat(values)}1]}`)
  const keys = await send(method, route.path, `[${'{"a":1},'.repeat(maxBodyKeys)}{"a":1}]`)
  const deep = await send(method, route.path, '{"x":'.repeat(maxBodyDepth + 1))

  for (const { status, body } of [wide, keys, deep])
    expect([status, body.error.code]).toEqual([413, 'too_large'])
})

test.each(['utf-16le', 'utf-32'])('a body in %s is refused', async (charset) => {
  const answer = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .set('content-type', `application/json; charset=${charset}`)
    .send('{"title":"x"}')

  expect(answer.status).toBe(415)
})

test('a body of many wrong items is refused with the first of them, and a small one with all', async () => {
  const items = (count: number) => Array.from({ length: count }, () => ({ path: 1 }))
  const { body: job } = await owner.post(`/api/spaces/${world.space.id}/imports`).send({ source: 'wrong' })

  const many = await owner.post(`/api/imports/${job.id}/files`).send({ files: items(400) })
  const few = await owner.post(`/api/imports/${job.id}/files`).send({ files: items(3) })

  expect([many.status, many.body.error.details.issues.length]).toEqual([400, 1])
  expect([few.status, few.body.error.details.issues.length]).toEqual([400, 6])
})

test.each([
  ['another media type', 'text/plain', '{"title":"x"}', 415],
  ['no JSON', 'application/json', '{"title":', 400],
  ['a value that is no object', 'application/json', '"title"', 400],
  ['a byte order mark', 'application/json; charset=UTF-8', '\uFEFF{"title":"x"}', 201],
])('a body of %s', async (_, type, body, status) => {
  const answer = await owner.post(`/api/spaces/${world.space.id}/pages`).set('content-type', type).send(body)

  expect(answer.status).toBe(status)
})

test('a refused body of an agent is recorded without its bytes', async () => {
  const { token } = await makeAgent(void_, { slug: 'scribe' })

  await void_
    .as(token)
    .post(`/api/spaces/${world.space.id}/pages`)
    .type('json')
    .send(`"${'x'.repeat(3e6)}"`)
  const { body } = await owner.get('/api/activity').query({ limit: 1 })

  expect(body.items[0].arguments).toEqual({
    request: 'POST /api/spaces/:space_id/pages',
    space_id: world.space.id,
  })
})

test('an agent that may not draft is refused before its body is read', async () => {
  const { token } = await makeAgent(void_, { slug: 'reader', tier: 'read' })
  const reader = void_.as(token)

  const answer = await reader.post(`/api/spaces/${world.space.id}/pages`).type('json').send('{"title":')

  expect(answer.status).toBe(403)
})

test('values are counted in arrays and objects at any depth, and nothing in texts counts', () => {
  expect(count('{"a":1,"b":[1,2,{"c":3}]}', 6)).toBeNull()
  expect(count('{"a":1,"b":[1,2,{"c":3}]}', 5)).toBe('values')
  expect(count(`{"a":${JSON.stringify('[{,"\\'.repeat(1000))}}`, 1, 1)).toBeNull()
  expect(exceededBound(bytesOf('{"a":[{"b":1}]}'), { values: 9, depth: 9, keys: 1 })).toBe('keys')
  expect(count('[[[]]]', 9, 2)).toBe('depth')
  expect(count('[[],[],[]]', 9, 2)).toBeNull()
  expect(count('{"unfinished": "\\', 9, 2)).toBeNull()
})
