// What no client would send by intent: integers beyond the database's, dates that no calendar has, odd methods and
// headers. Each gets an answer, and none is the server's fault.

import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const url = await listen(app)
const authorization = `Bearer ${ownerToken}`

describe('an integer that the database cannot hold', () => {
  const routes = listRoutes(kinds, createGuard(deps.server.authentication))
  const integers = routes.flatMap(({ method, path, query }) =>
    Object.keys(query?.shape ?? {})
      .filter((name) => isInteger(query!.shape[name]))
      .map((name) => ({ method, path, name })),
  )

  test.each(integers)('$method $path?$name is refused or finds nothing', async ({ method, path, name }) => {
    for (const value of ['2147483648', '9007199254740991', '-2147483649']) {
      const filled = path
        .replace(':space_id', world.space.id)
        .replace(':id', path.startsWith('/api/pages/') ? world.lamp.id : world.paint.id)
        .replace(/:\w+/g, world.paint.id)
      const others = name === 'to' ? '&from=1' : name === 'from' ? '&to=1' : ''
      const { status } = await owner[method](`${filled}?${name}=${value}${others}&q=lamp`)

      expect([value, status]).toEqual([value, expect.toBeOneOf([200, 400, 404, 409])])
    }
  })

  test('as a version in a body or in If-Match is refused', async () => {
    const path = `/api/pages/${world.lamp.id}`
    const inBody = await owner.patch(path).send({ version: 2_147_483_648, title: 'x' })
    const inHeader = await owner.patch(path).set('If-Match', '2147483648').send({ title: 'x' })

    expect([inBody.status, inHeader.status]).toEqual([400, 400])
  })
})

test.each(['9999-99-99T99:99:99', '2026-02-30T00:00:00', '0000-01-01T00:00:00'])(
  'an activity cursor at %s is refused',
  async (stamp) => {
    const cursor = encodeURIComponent(`${stamp}.000000Z~change:1`)

    expect((await owner.get(`/api/activity?cursor=${cursor}`)).status).toBe(400)
  },
)

test.each(['//', '//?q=/', '//elsewhere.example/inbox', '//['])('the address %s is no page', async (path) => {
  expect((await owner.get(path)).status).toBe(404)
})

test.each([
  '/api/search?q=a&q=b',
  '/api/spaces?limit=1&limit=200',
  '/api/search?q=a&typing=true&typing=false',
])('%s, which says one thing twice, is refused', async (path) => {
  expect((await owner.get(path)).status).toBe(400)
})

test.each([
  '{"title":"x","__proto__":{"polluted":1}}',
  '{"title":"x","constructor":{"prototype":{"polluted":1}}}',
])('%s is refused and changes no prototype', async (body) => {
  const { status } = await owner.post(`/api/spaces/${world.space.id}/pages`).type('json').send(body)

  expect(status).toBe(400)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test.each([
  '/.git/config',
  '/package.json',
  '/lib/main.ts',
  '/assets/',
  '/assets/..%2fpackage.json',
  '/assets/../server.js',
])('%s is no file of this server', async (path) => {
  const answer = await owner.get(path)

  expect(answer.status).toBe(404)
  expect(answer.text).not.toMatch(/"dependencies"|import .* from/)
})

/** Passes for something that has a length, and throws where that is compared to a number. */
const hollow = { length: { toString: 1 } }

test.each([
  ['post', (): string => '/api/spaces', { name: hollow }],
  ['post', (): string => `/api/spaces/${world.space.id}/pages`, { title: hollow }],
  ['post', (): string => `/api/spaces/${world.space.id}/import`, { source: 'x', files: hollow }],
  ['patch', (): string => `/api/pages/${world.lamp.id}`, { version: 1, title: hollow }],
] as const)('%s with an object whose length cannot be compared is refused', async (method, path, body) => {
  const { status } = await owner[method](path()).send(body)

  expect(status).toBeOneOf([400, 409])
})

test('HEAD of an event stream answers and ends', async () => {
  const answer = await fetch(`${url}/api/events`, {
    method: 'HEAD',
    headers: { authorization },
    signal: AbortSignal.timeout(5000),
  })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
})

test('a request with an expectation that is not known is answered as any other', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    httpRequest(`${url}/api/spaces`, { headers: { authorization, expect: 'the-unexpected' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', reject)
      .end()
  })

  expect(status).toBe(200)
})

function isInteger(schema: unknown): boolean {
  if (!(schema instanceof z.ZodType)) return false
  const { type } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return type === 'integer'
}
