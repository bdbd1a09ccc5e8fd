// Sources whose answers about signing in are hostile: what they name is not asked, and nobody is sent there.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger, scrubberOf } from '../../../lib/core/logger.ts'
import { createSafeFetch, type Resolve } from '../../../lib/core/net/safe-fetch.ts'
import { createBrowser } from '../../auth/oauth/program.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeWorld } from '../../helpers/world.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** What is answered at each path; left out: 404. */
let answers: Record<string, (req: IncomingMessage, body: string) => Answer> = {}
let asked: string[] = []
let bodies: Record<string, string> = {}

const fake = createServer(async (req: IncomingMessage, res: ServerResponse) => {
  const path = (req.url ?? '').split('?')[0]!
  let body = ''
  for await (const chunk of req) body += chunk
  asked.push(path)
  bodies[path] = body
  const { status = 200, headers = {}, body: answer = '' } = answers[path]?.(req, body) ?? { status: 404 }
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
})
await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
const { port } = fake.address() as { port: number }
const origin = `http://127.0.0.1:${port}`
const inner = createServer((req, res) => {
  asked.push(`inner ${req.url}`)
  res.end('{}')
})
await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))

let clock = Date.now()
const logger = createLogger('silent')
const here = await buildApp({
  logger,
  now: () => new Date(clock),
  resolveHost: async (host) => {
    const known: Record<string, string[]> = {
      'public.example': ['93.184.216.34'],
      'inside.example': ['10.0.0.7'],
      'both.example': ['93.184.216.34', '169.254.169.254'],
    }
    return known[host] ?? []
  },
})
const hereUrl = await listen(here.app)
const world = await makeWorld(here)
const browser = createBrowser(hereUrl)
await browser.signIn()
afterAll(async () => {
  await here.deps.connections.close()
  for (const server of [fake, inner]) {
    server.closeAllConnections()
    server.close()
  }
})

const fetchFor = (chosen: string, resolve: Resolve) => createSafeFetch({ chosen, network: { resolve } })

const metadata = (more: object = {}) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  revocation_endpoint: `${origin}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  ...more,
})

const refuse = (more = '') => ({
  status: 401,
  headers: { 'www-authenticate': `Bearer resource_metadata="${origin}/resource"${more}` },
})

beforeEach(() => {
  asked = []
  bodies = {}
  answers = {
    '/mcp': () => refuse(),
    '/resource': () => ({ body: { resource: `${origin}/mcp`, authorization_servers: [origin] } }),
    '/.well-known/oauth-authorization-server': () => ({ body: metadata() }),
    '/register': () => ({ status: 201, body: { client_id: 'void-1', redirect_uris: [] } }),
    '/token': () => ({ body: { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 } }),
    '/revoke': () => ({}),
  }
})

let count = 0
async function add(more: object = {}) {
  const { body } = await here.owner
    .post(`/api/spaces/${world.space.id}/sources`)
    .send({ name: `Hostile ${++count}`, transport: 'http', url: `${origin}/mcp`, ...more })
    .expect(201)
  return body.id as string
}

const begin = async (
  id: string,
): Promise<{ status: number; body: { url?: string; error?: { message: string } } }> => {
  const answer = await browser.request(`/api/sources/${id}/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return { status: answer.status, body: (await answer.json()) as object }
}

async function goThrough(id: string) {
  const { body } = await begin(id)
  const state = new URL(body.url!).searchParams.get('state')
  await browser.request(`/sources/callback?code=code-1&state=${state}`)
  return (await here.owner.get(`/api/sources/${id}`)).body
}

describe('an authorization server', () => {
  test.each([
    ['of another network', 'http://10.0.0.7', /not an https address/],
    ['at an address of the cloud', 'https://169.254.169.254', /not a public address/],
    ['at such an address in another spelling', 'https://[::ffff:a9fe:a9fe]', /not a public address/],
    ['whose name points inside', 'https://inside.example', /not a public address/],
    ['whose name points both ways', 'https://both.example', /not a public address/],
    ['without TLS', 'http://public.example', /not an https address/],
    ['that is no web address', 'file:///etc/passwd', /not valid|not an https|nobody|could not/i],
  ])('%s is not asked', async (_, server, why) => {
    answers['/resource'] = () => ({
      body: { resource: `${origin}/mcp`, authorization_servers: [server] },
    })
    delete answers['/.well-known/oauth-authorization-server']

    const { status, body } = await begin(await add())

    expect(status).toBe(502)
    expect(body.error?.message).toMatch(why)
  })

  test('that says it is another one is not believed', async () => {
    answers['/.well-known/oauth-authorization-server'] = () => ({
      body: metadata({ issuer: 'https://public.example' }),
    })
    expect((await begin(await add())).status).toBe(502)
  })

  test.each([
    [
      'another resource',
      { '/resource': () => ({ body: { resource: 'https://public.example/mcp' } }) },
      /another server/,
    ],
    ['no PKCE', { code_challenge_methods_supported: undefined }, /PKCE/],
    ['PKCE without a hash', { code_challenge_methods_supported: ['plain'] }, /PKCE/],
    ['a page that is script', { authorization_endpoint: 'javascript:alert(1)' }, /not valid/],
    ['a page of data', { authorization_endpoint: 'data:text/html,hello' }, /not valid/],
    ['a page without TLS', { authorization_endpoint: 'http://public.example/authorize' }, /no https address/],
    ['no codes', { response_types_supported: ['token'] }, /gives no codes/],
    ['a very long address', { token_endpoint: `${origin}/${'x'.repeat(3000)}` }, /not valid/],
    ['metadata without end', { padding: 'x'.repeat(200_000) }, /more than 100000 bytes/],
    ['no registration', { registration_endpoint: undefined }, /client ID/],
  ])('with %s leads nowhere', async (_, more, why) => {
    if ('/resource' in more) Object.assign(answers, more)
    else answers['/.well-known/oauth-authorization-server'] = () => ({ body: metadata(more) })

    const { status, body } = await begin(await add())

    expect(status).toBe(502)
    expect(body.error?.message).toMatch(why)
    expect(asked).not.toContain('/token')
  })

  test.each([
    ['is no JSON', { body: '<html>' }],
    ['is empty', { body: '' }],
    ['redirects inside', { status: 302, headers: { location: `${origin}/mcp` } }],
    ['fails', { status: 500 }],
  ])('whose metadata %s leads nowhere', async (_, answer) => {
    answers['/.well-known/oauth-authorization-server'] = () => answer
    answers['/.well-known/openid-configuration'] = () => answer
    expect((await begin(await add())).status).toBe(502)
  })

  test('whose token endpoint is elsewhere gets no code', async () => {
    const { port: innerPort } = inner.address() as { port: number }
    for (const token_endpoint of ['http://10.0.0.7/token', 'https://inside.example/token']) {
      answers['/.well-known/oauth-authorization-server'] = () => ({ body: metadata({ token_endpoint }) })
      const source = await goThrough(await add())
      expect(source).toMatchObject({ status: 'sign_in', signed_in: null })
    }
    expect(innerPort).toBeGreaterThan(0)
    expect(asked.filter((path) => path.startsWith('inner'))).toEqual([])
  })

  test.each([
    ['no token', {}],
    ['a token of another kind', { access_token: 'a', token_type: 'mac' }],
    ['a token that breaks a header', { access_token: 'a\r\nx: y', token_type: 'Bearer' }],
    ['a token without end', { access_token: 'x'.repeat(50_000), token_type: 'Bearer' }],
    ['an error', { error: 'invalid_grant', error_description: '<b>Call 555-1234</b>' }],
  ])('that gives %s signs nobody in', async (_, body) => {
    answers['/token'] = () => ({ body })

    const source = await goThrough(await add())

    expect(source).toMatchObject({ status: 'sign_in', signed_in: null })
    expect(source.last_error).toMatch(/^Signing in failed/)
    expect(source.last_error).not.toContain('555')
  })
})

describe('a sign-in', () => {
  const serve = (isTaken: (token: string) => boolean) => {
    answers['/mcp'] = ({ headers }, body) => {
      if (!isTaken(headers.authorization ?? '')) return refuse()
      const { id, method } = JSON.parse(body || '{}')
      if (id === undefined) return { status: 202 }
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'fake', version: '1' },
            }
          : { tools: [] }
      return { body: { jsonrpc: '2.0', id, result } }
    }
  }

  test('that ends and cannot be renewed needs signing in again, also when nobody asks', async () => {
    serve((header) => header === 'Bearer token-1')
    const id = await add()

    const signedIn = await goThrough(id)
    clock += 2 * 60 * 60_000
    const later = (await here.owner.get(`/api/sources/${id}`)).body
    const tested = (await here.owner.post(`/api/sources/${id}/test`)).body

    expect(signedIn).toMatchObject({ status: 'ok', last_error: null })
    expect(later).toMatchObject({ status: 'sign_in' })
    expect(tested).toMatchObject({ ok: false, error: expect.stringMatching(/Sign-in required/) })
  })

  test('whose token is refused at once is renewed once and no more', async () => {
    serve(() => false)
    answers['/token'] = () => ({
      body: { access_token: `t${asked.length}`, token_type: 'Bearer', refresh_token: 'again' },
    })

    const source = await goThrough(await add())

    expect(source.status).not.toBe('ok')
    expect(asked.filter((path) => path === '/token').length).toBeLessThanOrEqual(3)
  })

  test('outlives an authorization server that is down', async () => {
    serve((header) => header.startsWith('Bearer token-'))
    const tokens = { token_type: 'Bearer', expires_in: 3600, refresh_token: 'renew-1' }
    answers['/token'] = () => ({ body: { ...tokens, access_token: 'token-1' } })
    const id = await add()
    await goThrough(id)
    clock += 2 * 60 * 60_000
    answers['/token'] = () => ({ status: 503, body: 'down' })
    const down = (await here.owner.post(`/api/sources/${id}/test`)).body
    const during = (await here.owner.get(`/api/sources/${id}`)).body
    answers['/token'] = () => ({ body: { ...tokens, access_token: 'token-2' } })
    const up = (await here.owner.post(`/api/sources/${id}/test`)).body

    expect(down).toMatchObject({ ok: false, error: expect.stringMatching(/did not renew/) })
    expect(during).toMatchObject({ status: 'failed', signed_in: { issuer: origin } })
    expect(up).toMatchObject({ ok: true })
  })

  test('with a client of the owner’s uses its secret, which is looked up each time', async () => {
    serve((header) => header === 'Bearer token-1')
    await here.owner.put('/api/secrets/client').send({ value: 'hush-1' })
    const id = await add({ oauth_client_id: 'mine', oauth_client_secret: 'secret:client' })

    const source = await goThrough(id)
    await here.owner.put('/api/secrets/client').send({ value: 'hush-2' })
    const codeBody = bodies['/token']
    await here.owner.delete(`/api/sources/${id}/sign-in`).expect(200)

    expect(source).toMatchObject({
      status: 'ok',
      oauth_client_id: 'mine',
      oauth_client_secret: 'secret:client',
    })
    expect(asked).not.toContain('/register')
    expect(codeBody).toContain('code-1')
    expect(bodies['/revoke']).toContain('token-1')
    expect(await here.deps.secrets.ofSources.read(id, 'sign-in')).toBeNull()
  })

  test('of the owner’s client never shows a secret that is no reference', async () => {
    const id = await add({ oauth_client_id: 'mine', oauth_client_secret: 'hush' })
    const shown = (await here.owner.get(`/api/sources/${id}`)).body
    await here.owner
      .patch(`/api/sources/${id}`)
      .send({ oauth_client_secret: shown.oauth_client_secret, name: `N${count}` })
    const { rows } = await here.deps.database.query('select oauth_client_secret from sources where id = $1', [
      id,
    ])

    expect(shown.oauth_client_secret).toBe('(hidden)')
    expect(rows[0]).toEqual({ oauth_client_secret: 'hush' })
  })

  test('makes all that its server was given a secret in use', async () => {
    const [access_token, refresh_token, secret] = [
      'heron-access-4711',
      'heron-refresh-4712',
      'heron-client-4713',
    ]
    serve((header) => header === `Bearer ${access_token}`)
    answers['/token'] = () => ({ body: { access_token, refresh_token, token_type: 'Bearer' } })

    await goThrough(await add({ oauth_client_id: 'mine', oauth_client_secret: secret }))

    const verifier = new URLSearchParams(bodies['/token']).get('code_verifier')
    for (const given of [access_token, refresh_token, secret, verifier, 'code-1'])
      expect(scrubberOf(logger).scrub(`It says ${given}.`)).toBe('It says ….')
  })

  test('is forgotten even when its server does not answer', async () => {
    serve((header) => header === 'Bearer token-1')
    answers['/revoke'] = () => ({ status: 500 })
    const id = await add()
    await goThrough(id)

    const out = await here.owner.delete(`/api/sources/${id}/sign-in`)

    expect(out.body).toMatchObject({ signed_in: null })
  })
})

describe('an address that a source named', () => {
  const resolve = async (host: string) =>
    ({ 'mcp.corp': ['10.1.0.1'], 'sso.corp': ['10.1.0.2'], 'rebind.example': ['127.0.0.1'] })[host] ?? []

  test.each([
    ['https://mcp.corp/mcp', 'https://user:word@sso.corp/a', /user name/],
    ['https://mcp.corp/mcp', 'https://127.0.0.1/a', /not a public address/],
    ['https://mcp.corp/mcp', 'https://169.254.169.254/a', /not a public address/],
    ['https://mcp.corp/mcp', 'http://sso.corp/a', /not an https address/],
    ['https://93.184.216.34/mcp', 'https://sso.corp/a', /not a public address/],
    ['https://93.184.216.34/mcp', 'https://rebind.example/a', /not a public address/],
    ['https://93.184.216.34/mcp', `${origin}/a`, /not a public address/],
    ['https://93.184.216.34/mcp', 'https://localhost/a', /not a public address/],
    ['https://93.184.216.34/mcp', 'https://0.0.0.0/a', /not a public address/],
    ['https://93.184.216.34/mcp', 'https://2130706433/a', /not a public address/],
  ])('from %s to %s is asked within its own network only', async (source, address, why) => {
    await expect(fetchFor(source, resolve)(address)).rejects.toThrow(why)
    expect(asked).toEqual([])
  })

  test('is asked at the address that was checked, whatever its name says a moment later', async () => {
    let lookups = 0
    const rebind = async () => {
      lookups += 1
      return ['127.0.0.1']
    }
    answers['/a'] = () => ({ body: { fine: true } })

    const answer = await fetchFor(`http://moving.test:${port}/mcp`, rebind)(`http://moving.test:${port}/a`)

    expect(await answer.json()).toEqual({ fine: true })
    expect(lookups).toBe(1)
  })
})
