// Void below a path, behind a proxy that leaves the path in requests and behind one that removes it.

import type { RequestListener } from 'node:http'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { pageBelow } from '../../../lib/api/base-path.ts'
import { createGuard } from '../../../lib/api/guard.ts'
import { listRoutes } from '../../../lib/api/routes/list-routes.ts'
import { ownSegments } from '../../../lib/core/net/public-url.ts'
import { addBase, removeBase } from '../../../lib/core/text/links/base-path.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { allowAll, createBrowser, createProgram } from '../../auth/oauth/program.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeWorld } from '../../helpers/world.ts'

const built = await buildApp({
  publicUrl: 'https://example.org/void',
  allowedHosts: ['example.org'],
  trustProxy: 1,
})
const { app, deps } = built
const world = await makeWorld(built)
const { session } = await deps.server.authentication.openSession(ownerToken)
const signedIn = `__Secure-void_session=${session}`
const outside = { Host: 'example.org', 'X-Forwarded-Proto': 'https' }

const addressesIn = (html: string) =>
  [...html.matchAll(/<[a-z][^<>]*>/g)].flatMap(([tag]) =>
    [...tag.matchAll(/ (?:href|src|action|data-base)="([^"]*)"/g)].map(([, address]) => address!),
  )

describe.each([
  ['leaves the path in requests', '/void'],
  ['removes the path', ''],
])('a proxy that %s', (_what, prefix) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(app)
      .get(prefix + path)
      .set({ ...outside, ...headers })

  test.each([
    '/sign-in',
    '/capture',
    `/s/${world.space.slug}`,
    `/s/${world.space.slug}/pages/${world.lamp.id}`,
    '/inbox',
    '/settings/agents',
    '/today',
    '/nowhere',
  ])('gets pages whose addresses are all below it: %s', async (path) => {
    const { text } = await get(path, { Cookie: signedIn })

    const own = addressesIn(text).filter((address) => address.startsWith('/'))
    expect(own.length).toBeGreaterThan(3)
    expect(own.filter((address) => !/^\/void\/(?!void\b)/.test(address))).toEqual([])
    expect(text).toContain('data-base="/void/"')
  })

  test('gets the files that pages name', async () => {
    const { text } = await get('/sign-in')
    const style = addressesIn(text).find((address) => address.endsWith('.css'))!

    const sheet = await request(app)
      .get(prefix === '' ? style.slice('/void'.length) : style)
      .set(outside)

    expect([sheet.status, sheet.type]).toEqual([200, 'text/css'])
  })

  test('signs a browser in and out by redirections and a cookie below it', async () => {
    const entered = await request(app)
      .post(`${prefix}/sign-in`)
      .type('form')
      .set(outside)
      .send({ token: ownerToken, next: '/inbox' })
    const bounced = await get('/inbox?tab=decided')
    const start = await get('/', { Cookie: signedIn })
    const foreign = await get('/inbox', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' })
    const own = String(entered.headers['set-cookie']).split(';')[0]!
    const left = await request(app)
      .post(`${prefix}/sign-out`)
      .set({ ...outside, Cookie: own, 'Sec-Fetch-Site': 'same-origin' })

    expect([entered.status, entered.headers.location]).toEqual([303, '/void/inbox'])
    expect(String(entered.headers['set-cookie'])).toMatch(
      /^__Secure-void_session=[^;]+; Max-Age=\d+; Path=\/void\/?; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(bounced.headers.location).toBe('/void/sign-in?next=%2Finbox%3Ftab%3Ddecided')
    expect(start.headers.location).toMatch(/^\/void\/s\//)
    expect(foreign.text).toContain('url=/void/inbox"')
    expect([left.status, left.headers.location]).toEqual([303, '/void/sign-in'])
    // The storage of the host is also that of others.
    expect(left.headers['clear-site-data']).toBe('"cache"')
  })

  test('installs as an app of its own', async () => {
    const manifest = JSON.parse((await get('/manifest.webmanifest').buffer().parse(asText)).body)
    const worker = (await get('/service-worker.js').buffer().parse(asText)).body

    expect(manifest).toMatchObject({ id: '/void/', start_url: '/void/', scope: '/void/' })
    expect(JSON.stringify(manifest)).not.toMatch(/"\/(?!void\/)/)
    expect(worker).toContain('"/void/capture"')
    expect(worker).not.toMatch(/["']\/(?:assets|capture|sign-out)/)
  })

  test('tells programs where they are let in', async () => {
    const server = await get('/.well-known/oauth-authorization-server')
    const refused = await request(app).post(`${prefix}/mcp`).set(outside).send({ jsonrpc: '2.0' })
    const openapi = await get('/api/openapi.json')

    expect(server.body).toMatchObject({
      issuer: 'https://example.org/void',
      token_endpoint: 'https://example.org/void/oauth/token',
    })
    expect(refused.headers['www-authenticate']).toContain(
      'resource_metadata="https://example.org/.well-known/oauth-protected-resource/void/mcp"',
    )
    expect(openapi.body.servers).toEqual([{ url: '/void/' }])
  })
})

test.each([
  ['/.well-known/oauth-authorization-server/void', 200],
  ['/.well-known/oauth-protected-resource/void/mcp', 200],
  ['/.well-known/oauth-protected-resource/void', 200],
  ['/.well-known/oauth-authorization-server/other', 404],
  ['/.well-known/oauth-authorization-server/voidless', 404],
])('documents in front of the path: %s is %i', async (path, status) => {
  const { body, ...answer } = await request(app).get(path).set(outside)

  expect(answer.status).toBe(status)
  if (status === 200) expect(JSON.stringify(body)).toContain('https://example.org/void')
})

test('links in what programs and files are given are below it', async () => {
  const asked = await built.owner
    .post(`/api/spaces/${world.space.id}/companion/turn`)
    .set({ ...outside, accept: 'application/json' })
    .send({ text: 'Create a task: Oil the gears' })

  expect(asked.body.open_in_browser).toMatch(/^https:\/\/example\.org\/void\/inbox\/[\da-f-]{36}$/)
})

test.each([
  ['leaves the path in requests', (path: string) => path],
  ['removes the path', (path: string) => path.replace(/^\/void\b/, '')],
])('a program is connected by OAuth with the real client, behind a proxy that %s', async (_what, pass) => {
  let serve: RequestListener = () => {}
  const origin = await listen((req, res) => {
    req.url = pass(req.url!)
    serve(req, res)
  })
  const publicUrl = `${origin}/void`
  serve = (await buildApp({ publicUrl, database: deps.database })).app
  const program = createProgram(publicUrl)
  const browser = createBrowser(publicUrl)

  await browser.signIn()
  const { path, page } = await browser.open(await program.begin())
  const callback = await browser.press(path, allowAll)
  await program.finish(callback)
  const client = await program.connect()
  const found = await client.callTool({ name: 'search', arguments: { q: 'lamp', space: world.space.slug } })

  expect(path).toMatch(/^\/void\/connect\//)
  expect(page.status).toBe(200)
  expect(callback.searchParams.get('iss')).toBe(publicUrl)
  expect(found).not.toMatchObject({ isError: true })
  for (const { path } of browser.jar.values()) expect(path).toMatch(/^\/void/)
})

describe('PUBLIC_URL', () => {
  test('names no path that Void has itself', () => {
    const routes = listRoutes(deps.kinds, createGuard(deps.server.authentication))
    const segments = new Set(routes.map(({ path }) => path.split('/')[1]!))

    expect([...segments].filter((segment) => !ownSegments.has(segment))).toEqual([])
  })

  test.each(['https://example.org/api', 'https://example.org/s/void', 'https://example.org/sign-in/'])(
    '%s is refused',
    (publicUrl) => {
      expect(() => loadConfig({ PUBLIC_URL: publicUrl }, '')).toThrow(/is one of Void’s own/)
    },
  )

  test.each([
    'https://example.org/void?x=1',
    'https://example.org/void#x',
    'https://me@example.org/void',
    'https://example.org/a%20b',
    'https://example.org//void',
  ])('%s is refused', (publicUrl) => {
    expect(() => loadConfig({ PUBLIC_URL: publicUrl }, '')).toThrow(/must be an address such as/)
  })

  test.each(['https://example.org/void/', 'https://example.org/void', 'https://example.org/a/b.c~d'])(
    '%s is taken',
    (publicUrl) => {
      expect(loadConfig({ PUBLIC_URL: publicUrl }, '').publicUrl).toBe(publicUrl.replace(/\/$/, ''))
    },
  )
})

test('what only reads like an address stays as it is', () => {
  const page =
    '<p>say &#34; href=&#34;/x&#34;</p><a href="/x" title=" href=&#34;/y&#34;">/z</a><a href="//cdn"></a><script>{" href=\\"/a\\""}</script>'

  expect(pageBelow('/void', page)).toBe(page.replace('<a href="/x"', '<a href="/void/x"'))
  expect(pageBelow('', page)).toBe(page)
})

test.each([
  ['/void', '/void/inbox?x', '/inbox?x'],
  ['/void', '/void', '/'],
  ['/void', '/void?x', '/?x'],
  ['/void', '/voidless', null],
  ['/void', '/inbox', null],
  ['', '/inbox', '/inbox'],
])('below %j, %s is %j', (base, path, inner) => {
  expect(removeBase(base, path)).toBe(inner)
  if (inner !== null && path.startsWith(`${base}/`)) expect(addBase(base, inner)).toBe(path)
})

/** Superagent reads the types of these as bytes. */
function asText(res: request.Response, done: (error: Error | null, text: string) => void): void {
  let text = ''
  res.on('data', (chunk) => (text += chunk)).on('end', () => done(null, text))
}
