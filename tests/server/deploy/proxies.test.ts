// The proxies that deploy/ has examples for, in front of a server: the real programs with the files as they are.

import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { freePort } from '../../helpers/clusters.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { type FakeAnthropic, text as says, startFakeAnthropic } from '../../helpers/fake-anthropic.ts'
import {
  type Change,
  deployed,
  makeCertificate,
  missing,
  startCaddy,
  startNginx,
} from '../../helpers/proxies.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'

const name = 'void.example.com'
const token = 'owner_of-the-proxy-test-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'void-proxies-'))
const archive = join(folder, 'notes.zip')
/** The replies of the model, each held until a test lets it go. */
const held = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
let model: FakeAnthropic
let server: VoidProcess
/** The same below a path. */
let below: VoidProcess
let space: string

beforeAll(async () => {
  model = await startFakeAnthropic(
    held.map(({ promise }) => async () => {
      await promise
      return says('At last.')
    }),
  )
  const start = (data: string, publicUrl: string) =>
    startVoidProcess({
      DATA_DIR: makeDataFolder(join(folder, data)),
      OWNER_TOKEN: token,
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'proxies',
      ROUTER_MODEL: 'none',
    })
  server = await start('data', `https://${name}`)
  below = await start('below', `https://${name}/void`)
  space = await makeSpace(server)
  await makeArchive()
})

async function makeSpace({ url }: VoidProcess): Promise<string> {
  const made = await fetch(`${url}/api/spaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Behind"}',
  })
  return ((await made.json()) as { id: string }).id
}

afterAll(async () => {
  for (const each of [server, below]) each.terminate()
  await Promise.all([server.gone, below.gone])
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

/** 150 MB: two notes and five films. */
async function makeArchive(): Promise<void> {
  const zip = new ZipFile()
  const film = Buffer.alloc(30_000_000, 'film')
  for (const n of [1, 2, 3, 4, 5]) {
    film.writeUInt8(n)
    zip.addBuffer(Buffer.from(film), `film-${n}.bin`, { compress: false })
  }
  for (const n of [1, 2]) zip.addBuffer(Buffer.from(`# Note ${n}\n`), `Note ${n}.md`)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(archive))
}

const portOf = (url: string) => new URL(url).port

/** Starts a proxy; its ports of HTTPS and, of nginx, of HTTP. */
async function startProxy(kind: 'caddy' | 'nginx') {
  const [secure, plain] = [await freePort(), await freePort()]
  const certificate = makeCertificate(name)
  const upstream = ['127.0.0.1:3000', `127.0.0.1:${portOf(server.url)}`] as const
  if (kind === 'caddy') {
    const site = `https://${name}:${secure} {\n\ttls ${certificate.cert} ${certificate.key}`
    await startCaddy(deployed('Caddyfile', [[`${name} {`, site], upstream]), secure)
  } else {
    const changes = [
      upstream,
      [/^ *listen \[::\].*\n/gm, ''],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen 443 ', `listen 127.0.0.1:${secure} `],
      [`/etc/letsencrypt/live/${name}/fullchain.pem`, certificate.cert],
      [`/etc/letsencrypt/live/${name}/privkey.pem`, certificate.key],
      ['/var/log/nginx/void.log', join(folder, 'nginx.log')],
    ] as const
    await startNginx(deployed('nginx.conf', changes), secure)
  }
  return { secure, plain, ca: certificate.text }
}

type Proxy = Awaited<ReturnType<typeof startProxy>>

const common = { host: '127.0.0.1', servername: name }

/** Sends a request as the owner; the response, whose body is yet to come. */
function send(
  { secure, ca }: Proxy,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Readable } = {},
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers: OutgoingHttpHeaders = {
    host: name,
    authorization: `Bearer ${token}`,
    ...(options.headers as object),
  }
  if (!headers.authorization) delete headers.authorization
  const sent = request({ ...common, port: secure, ca, path, ...options, headers }, resolve)
  sent.on('error', reject)
  if (body instanceof Readable) body.pipe(sent)
  else sent.end(body)
  return promise
}

async function json<Answer>(response: Promise<IncomingMessage>): Promise<Answer> {
  return JSON.parse(await text(await response))
}

const post = (proxy: Proxy, path: string, body: unknown) =>
  send(proxy, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: JSON.stringify(body),
  })

describe.each(['nginx', 'caddy'] as const)('behind %s', (kind) => {
  let proxy: Proxy

  beforeAll(async () => {
    if (!missing[kind]) proxy = await startProxy(kind)
  })

  test.skipIf(missing[kind])(`pages and data come as over HTTPS${missing[kind]}`, async () => {
    const page = await send(proxy, '/sign-in')
    const style = /href="([^"]+\.css)"/.exec(await text(page))?.[1] ?? ''
    const sheet = await send(proxy, style, { headers: { 'accept-encoding': 'gzip' } })
    const session = connect(`https://${name}:${proxy.secure}`, {
      ca: proxy.ca,
      lookup: (_host: string, _options: unknown, done: (...found: unknown[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }]),
    } as object)
    await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject))

    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(sheet.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(await buffer(sheet)).toString()).toContain('@layer')
    expect(session.alpnProtocol).toBe('h2')
    session.close()
    const signIn = await send(proxy, '/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: '' },
      body: JSON.stringify({ token }),
    })
    expect(String(signIn.headers['set-cookie'])).toMatch(/; Secure/)
    expect((await send(proxy, '/api/spaces', { headers: { host: name } })).statusCode).toBe(200)
  })

  test.skipIf(missing[kind])(`streams come as they are written${missing[kind]}`, async () => {
    const events = await send(proxy, '/api/events', { headers: { 'accept-encoding': 'gzip' } })
    let heard = ''
    events.on('data', (chunk) => (heard += chunk))
    const reply = held[kind === 'nginx' ? 0 : 1]!
    const turn = await post(proxy, `/api/spaces/${space}/companion/turn`, { text: 'Are you there?' })
    let answer = ''
    turn.on('data', (chunk) => (answer += chunk))

    // The model has not said a word yet.
    await expect.poll(() => answer).toMatch(/^event: /m)
    await post(proxy, `/api/spaces/${space}/pages`, { title: `Live through ${kind}` })
    await expect.poll(() => heard).toMatch(/event: /)
    expect(answer).not.toContain('At last.')
    reply.resolve()
    await expect.poll(() => answer).toContain('event: done')

    for (const { headers } of [events, turn]) {
      expect(headers['content-type']).toMatch(/^text\/event-stream/)
      expect(headers['content-encoding']).toBeUndefined()
    }
    events.destroy()
  })

  test.skipIf(missing[kind])(`150 MB come through to an import${missing[kind]}`, async () => {
    type Job = { id: string; state: string; counts: Record<string, number> }
    const job = await json<Job>(
      post(proxy, `/api/spaces/${space}/imports`, { source: `films of ${kind}`, root: 'notes.zip' }),
    )
    const uploaded = await send(proxy, `/api/imports/${job.id}/file?path=notes.zip`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': statSync(archive).size },
      body: createReadStream(archive),
    })
    expect(statSync(archive).size).toBeGreaterThan(150_000_000)
    expect([uploaded.statusCode, await text(uploaded)]).toEqual([200, expect.any(String)])
    // One import says it for both.
    if (kind === 'caddy') return
    await post(proxy, `/api/imports/${job.id}/start`, {})
    const state = async () => (await json<Job>(send(proxy, `/api/imports/${job.id}`))).state

    await expect.poll(state, { timeout: 50_000, interval: 250 }).toBe('done')
    const { items } = await json<{ items: { title: string }[] }>(
      send(proxy, `/api/spaces/${space}/source-docs?limit=100`),
    )
    expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(['film-1.bin', 'film-5.bin']))
  })
})

test.skipIf(missing.nginx)(`nginx sends plain HTTP to HTTPS, and logs no query${missing.nginx}`, async () => {
  const { plain } = await startProxy('nginx')
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  httpRequest(
    { host: '127.0.0.1', port: plain, path: '/sign-in?code=x', headers: { host: name } },
    resolve,
  ).end()

  const { statusCode, headers } = await promise

  expect([statusCode, headers.location]).toEqual([301, `https://${name}/sign-in?code=x`])
  // Of the HTTPS before it.
  const log = readFileSync(join(folder, 'nginx.log'), 'utf8')
  expect(log).toMatch(/"POST \/api\/imports\/\S+\/file" 200/)
  expect(log).not.toContain('notes.zip')
})

describe.each([
  ['goes on with requests', []],
  ['is removed', [[/(location \/void\/ \{\n[^}]*?proxy_pass [^;]+)/g, '$1/']]],
] as [string, Change[]][])('below a path that %s', (how, changes) => {
  let proxy: Proxy

  beforeAll(async () => {
    if (missing.nginx) return
    const certificate = makeCertificate(name)
    const secure = await freePort()
    const upstream = ['127.0.0.1:3000', `127.0.0.1:${portOf(below.url)}`] as const
    const site = [
      'server {',
      `listen 127.0.0.1:${secure} ssl http2;`,
      `ssl_certificate ${certificate.cert};`,
      `ssl_certificate_key ${certificate.key};`,
      deployed('nginx-path.conf', [...changes, upstream]),
      '}',
    ]
    await startNginx(site.join('\n'), secure)
    proxy = { secure, plain: secure, ca: certificate.text }
  })

  test.skipIf(missing.nginx)(`pages, files and the cookie are below it${missing.nginx}`, async () => {
    const start = await send(proxy, '/void')
    const page = await send(proxy, '/void/sign-in')
    const style = /href="([^"]+\.css)"/.exec(await text(page))?.[1] ?? ''
    const sheet = await send(proxy, style)
    const body = new URLSearchParams({ token, next: '/inbox' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: '' }
    const entered = await send(proxy, '/void/sign-in', { method: 'POST', headers, body })
    const cookie = String(entered.headers['set-cookie'])
    const inbox = await send(proxy, '/void/inbox', {
      headers: { authorization: '', cookie: cookie.split(';')[0]! },
    })
    const outside = await send(proxy, '/inbox')

    expect([start.statusCode, start.headers.location]).toEqual([301, `https://${name}:${proxy.secure}/void/`])
    expect(style).toMatch(/^\/void\/assets\//)
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect([entered.statusCode, entered.headers.location]).toEqual([303, '/void/inbox'])
    expect(cookie).toMatch(/^__Secure-void_session=.*Path=\/void\/?;.*Secure/)
    expect(inbox.statusCode).toBe(200)
    expect(outside.statusCode).toBe(404)
  })

  test.skipIf(missing.nginx)(`programs find it in front of the path${missing.nginx}`, async () => {
    const refused = await send(proxy, '/void/mcp', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json' },
      body: '{}',
    })
    const address = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '')?.[1] ?? ''
    const resource = await json<{ resource: string; authorization_servers: string[] }>(
      send(proxy, new URL(address).pathname),
    )
    const issuer = new URL(resource.authorization_servers[0]!)
    const server = await json(send(proxy, `/.well-known/oauth-authorization-server${issuer.pathname}`))

    expect(resource.resource).toBe(`https://${name}/void/mcp`)
    expect(server).toMatchObject({ issuer: issuer.href, token_endpoint: `${issuer.href}/oauth/token` })
  })

  test.skipIf(missing.nginx)(`streams come as they are written${missing.nginx}`, async () => {
    const space = await makeSpace(below)
    const reply = held[how === 'is removed' ? 3 : 2]!
    const turn = await post(proxy, `/void/api/spaces/${space}/companion/turn`, { text: 'Are you there?' })
    let answer = ''
    turn.on('data', (chunk) => (answer += chunk))

    await expect.poll(() => answer).toMatch(/^event: /m)
    expect(answer).not.toContain('At last.')
    reply.resolve()
    await expect.poll(() => answer).toContain('event: done')
  })
})

async function buffer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks)
}
