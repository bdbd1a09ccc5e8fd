import { Writable } from 'node:stream'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { ErrorBody } from '../../lib/contract/error.ts'
import { createLogger } from '../../lib/core/logger.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'

const log: string[] = []
const logger = createLogger(
  'trace',
  new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  }),
)
const void_ = await buildApp({ logger })
const { app, owner, deps } = void_
const agent = void_.as((await makeAgent(void_, { slug: 'scribe' })).token)
const routes = listRoutes(kinds, createGuard(deps.server.authentication))
const nobody = '01900000-0000-7000-8000-000000000000'

const shape = ErrorBody.strict()

test.each(
  routes
    // A PUT makes what it names.
    .filter(({ method, path }) => path.includes(':') && method !== 'put')
    .map((route) => [route.method, route.path] as const),
)(
  '%s %s answers 404 in the one error shape for an unknown id and for what is no id',
  async (method, path) => {
    for (const id of [nobody, 'not-an-id', "1'; drop table pages; --", '\0']) {
      // The owner has no drafts of their own to take back or revise.
      const asked = /\/(retract|revise)$/.test(path) ? agent : owner
      const query = path.endsWith('/history/diff') ? '?from=1&to=2' : ''
      const answer = await asked[method](path.replace(/:\w+/g, encodeURIComponent(id)) + query)
        .set('If-Match', '1')
        .send(method === 'get' ? undefined : bodyFor(path))

      expect([id, answer.status]).toEqual([id, 404])
      expect(shape.safeParse(answer.body).success).toBe(true)
      expect(answer.headers['x-request-id']).toBe(answer.body.error.request_id)
    }
  },
)

function bodyFor(path: string): Record<string, unknown> {
  if (path.endsWith('/turn') || path === '/api/turns/:turn_id') return { text: 'hello' }
  if (path === '/api/changesets/:id/approve') return { payloads: { [nobody]: 'x' } }
  if (path.endsWith('/sources')) return { name: 'x', transport: 'http', url: 'http://x.example' }
  if (path.endsWith('/daily-note')) return { day: '2026-11-24', time: '10:00' }
  if (path.endsWith('/mail-accounts')) {
    return { address: 'a@b.example', host: 'b.example', port: 993, security: 'tls', password: 'x' }
  }
  if (path.endsWith('/missing-folders')) return { path: 'x', action: 'keep' }
  if (path.endsWith('/routines')) return { name: 'x', instruction: 'x', when: { event: 'mail' } }
  if (path === '/api/glances/:id') return { verdict: 'noise' }
  if (path.endsWith('/use-proposed')) return { tools: [{ name: 'x', sha256: '0'.repeat(64) }] }
  if (path.endsWith('/tools/:tool')) return { policy: 'off' }
  if (path === '/api/pages/:id/properties') return { version: 1, edits: [{ remove: { name: 'x' } }] }
  if (path.endsWith('/memory/purge')) return { text: 'x' }
  if (path.endsWith('/text-links')) return { text: '[[a]]' }
  if (path.endsWith('/read-as')) return { version: 1, encoding: 'koi8-r' }
  if (path === '/api/messages/:id') return { body: 'x' }
  if (path.endsWith('/commands/:id/approve')) return { version: 1 }
  if (path.endsWith('/tokens')) return { name: 'x' }
  if (path.endsWith('/source-docs')) return { title: 'x' }
  if (path.endsWith('/import')) return { source: 'x', files: [] }
  if (path.endsWith('/imports')) return { source: 'x' }
  if (path.endsWith('/trust')) return { kind: 'import', key: 'x', trust: 'own' }
  if (path.endsWith('/imports/:id/files')) return { files: [] }
  if (path.endsWith('/survey')) return { source: 'x', present: [] }
  return /(pages|tasks|projects|refs|resources|views)$/.test(path) ? { title: 'x' } : {}
}

test.each([
  ['an unknown route', 'get', '/api/nothing', undefined, 404, 'not_found'],
  ['an unknown method', 'post', '/api/audit', {}, 404, 'not_found'],
  ['broken JSON', 'post', '/api/spaces', '{"name":', 400, 'invalid_json'],
  ['JSON that is no object', 'post', '/api/spaces', '[1]', 400, 'invalid'],
  [
    'a broken path',
    'get',
    '/api/pages/%E0%A4%A',
    undefined,
    expect.toBeOneOf([400, 404]),
    expect.any(String),
  ],
  ['an unknown field', 'post', '/api/spaces', { name: 'x', admin: true }, 400, 'invalid'],
  ['a limit that is none', 'get', '/api/spaces?limit=0', undefined, 400, 'invalid'],
  ['a cursor that is none', 'get', '/api/spaces?cursor=x', undefined, 400, 'invalid'],
] as const)('%s gets the one error shape', async (_, method, path, body, status, code) => {
  const sending = owner[method](path)
  const answer = await (typeof body === 'string' ? sending.type('json').send(body) : sending.send(body))

  expect(answer.status).toEqual(status)
  expect(shape.safeParse(answer.body).success).toBe(true)
  expect(answer.body.error.code).toEqual(code)
})

test('a body over the limit is 413, one that is not JSON 415', async () => {
  const huge = await owner.post('/api/spaces').send({ name: 'x', description: 'y'.repeat(5_000_000) })
  const form = await owner.post('/api/spaces').type('form').send({ name: 'x' })

  expect([huge.status, huge.body.error.code]).toEqual([413, 'too_large'])
  expect([form.status, form.body.error.code]).toEqual([415, 'unsupported_media_type'])
})

test('a 500 tells nothing but its request id, which the log line carries with the cause', async () => {
  const broken = await buildApp({ logger })
  broken.deps.changes.decisions.approve = async () => {
    throw new Error('the secret is hunter2')
  }

  const answer = await broken.owner.post(`/api/pending-changes/${nobody}/approve`).send({})

  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  const { request_id } = answer.body.error
  expect(log.some((line) => line.includes(request_id) && line.includes('hunter2'))).toBe(true)
})

test('an unreachable database is 503 with the one error shape, and /health says so', async () => {
  const down = await buildApp()
  const refused = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  down.deps.database.pool.query = refused
  down.deps.database.pool.connect = refused

  const list = await down.owner.get('/api/spaces')
  const ready = await request(down.app).get('/ready')
  const health = await request(down.app).get('/health')

  expect([list.status, list.body.error.code]).toEqual([503, 'database_unavailable'])
  expect(ready.status).toBe(503)
  expect(health.body).toMatchObject({ status: 'degraded', database: { reachable: false } })
})

test('no credential reaches the log', async () => {
  await owner.get('/api/spaces?token=in-the-query')
  await request(app).get(`/sign-in?token=${ownerToken}`)
  await request(app).post('/api/session').send({ token: ownerToken })

  expect(log.join('')).not.toContain(ownerToken)
  expect(log.join('')).not.toContain('in-the-query')
})

test('an error repeats no secret in use', async () => {
  await owner.put('/api/secrets/unguessable').send({ value: 'heron-4711-marsh' }).expect(204)

  const plain = await owner.get('/api/heron-4711-marsh').expect(404)
  const encoded = await owner.get(`/api/${Buffer.from('heron-4711-marsh').toString('base64url')}`).expect(404)

  expect(plain.body.error.message).toBe('Route not found: GET /api/….')
  expect(encoded.body.error.message).toBe('Route not found: GET /api/….')
  expect(log.join('')).not.toContain('heron-4711')
})

test('a message made of several sentences ends with one full stop', async () => {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Sentences' })
  const task = { title: 'Trim the wick', due_on: '2026-12-04', recurrence: 'FREQ=DAILY;BYWEEKNO=3' }

  const { body } = await owner.post(`/api/spaces/${space.id}/tasks`).send(task).expect(400)

  expect(body.error.message).toBe(
    'The body is not valid: recurrence: BYWEEKNO is not supported in a recurrence rule.',
  )
})
