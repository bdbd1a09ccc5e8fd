// Where clients come from: registrations, which anybody may make, and documents, which this server fetches.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import request from 'supertest'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../lib/core/net/addresses.ts'
import type { Network } from '../../../lib/core/net/safe-fetch.ts'
import { createOAuthRecordsRepo } from '../../../lib/db/repos/agent_tokens.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeWorld } from '../../helpers/world.ts'
import { allowAll, connectProgram, createBrowser, createProgram } from './program.ts'
import { createRawClient } from './raw-client.ts'

const documentUrl = 'https://programs.example/reader.json'
const redirect = 'http://127.0.0.1:8765/callback'
const described = { client_id: documentUrl, client_name: 'Documented', redirect_uris: [redirect] }
let address = '93.184.216.34'
let answer: { status?: number; headers?: http.OutgoingHttpHeaders; body: string }
const fetched: string[] = []

const site = http.createServer((_req, res) => {
  const headers = { 'content-type': 'application/json', ...answer.headers }
  res.writeHead(answer.status ?? 200, headers).end(answer.body)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  site.closeAllConnections()
  site.close()
})
const clientNetwork: Network = {
  resolve: async () => [address],
  isPublic: isPublicAddress,
  request: (asked, { address: connected, ...options }, onAnswer) => {
    fetched.push(`${connected} ${asked.host}${asked.pathname}`)
    const { port } = site.address() as AddressInfo
    return http.request({ ...options, path: asked.pathname, host: '127.0.0.1', port }, onAnswer)
  },
}

const void_ = await buildApp({ clientNetwork, trustProxy: 1 })
const { app, owner, deps } = void_
const url = await listen(app)
await makeWorld(void_)
const client = createRawClient(url)

beforeEach(() => {
  address = '93.184.216.34'
  answer = { body: JSON.stringify(described) }
  fetched.length = 0
})

describe('a document', () => {
  test('connects a program under the name of its host, and is fetched for the owner alone', async () => {
    const program = createProgram(url, { metadataUrl: documentUrl })
    const browser = createBrowser(url)
    const sentTo = await program.begin()

    await createBrowser(url).request(sentTo)
    const early = await client.exchange(documentUrl, 'made-up')
    expect([early.status, fetched]).toEqual([400, []])

    await browser.signIn()
    const { path, page } = await browser.open(sentTo)
    await program.finish(await browser.press(path, allowAll))
    const { items } = (await owner.get('/api/agents')).body
    const { items: tokens } = (await owner.get(`/api/agents/${items[0].id}/tokens`)).body

    expect(fetched).toEqual(['93.184.216.34 programs.example/reader.json'])
    expect(sentTo.searchParams.get('client_id')).toBe(documentUrl)
    expect(await page.text()).toContain('programs.example')
    expect(items[0]).toMatchObject({ name: 'Documented', slug: 'documented' })
    expect(tokens[0]).toMatchObject({ client_id: documentUrl })
    expect((await (await program.connect()).listTools()).tools.length).toBeGreaterThan(2)
  })

  test.each([
    ['leads to this machine', () => (address = '127.0.0.1')],
    ['leads to the network beside', () => (address = '192.168.1.1')],
    ['leads to a metadata service', () => (address = '169.254.169.254')],
    ['is elsewhere', () => (answer = { status: 302, headers: { location: 'http://127.0.0.1/' }, body: '' })],
    ['is large', () => (answer = { body: JSON.stringify({ ...described, x: 'x'.repeat(6000) }) })],
    ['is a page', () => (answer = { headers: { 'content-type': 'text/html' }, body: '<p>' })],
    ['is no JSON', () => (answer = { body: '{"client_id":' })],
    ['is a list', () => (answer = { body: JSON.stringify([described]) })],
    [
      'is about another client',
      () =>
        (answer = {
          body: JSON.stringify({ ...described, client_id: 'https://programs.example/other.json' }),
        }),
    ],
  ])('that %s connects nothing, and the page says the same of all', async (how, arrange) => {
    arrange()
    const named = `https://programs.example/${encodeURIComponent(how)}.json`
    const browser = createBrowser(url)
    await browser.signIn()

    const said = await browser.request(client.address(named))

    expect(said.status).toBe(400)
    expect(said.headers.get('location')).toBeNull()
    expect(await said.text()).toContain('The document of the program cannot be used.')
  })

  test.each([
    'https://127.0.0.1/c.json',
    'https://[::1]/c.json',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://programs.example:6379/c.json',
    'http://programs.example/c.json',
    'https://programs.example/',
    'https://user@programs.example/c.json',
  ])('at %s is not asked for', async (named) => {
    const browser = createBrowser(url)
    await browser.signIn()

    const said = await browser.request(client.address(named))

    expect([said.status, said.headers.get('location'), fetched]).toEqual([400, null, []])
  })
})

test('a document of a client whose codes would go over plain HTTP connects nothing', async () => {
  const named = 'https://programs.example/plain.json'
  answer = {
    body: JSON.stringify({ ...described, client_id: named, redirect_uris: ['http://programs.example/cb'] }),
  }
  const browser = createBrowser(url)
  await browser.signIn()

  const said = await browser.request(client.address(named, { redirect_uri: 'http://programs.example/cb' }))

  expect([said.status, said.headers.get('location')]).toEqual([400, null])
  expect(await said.text()).toContain('must be https')
})

describe('a registration', () => {
  test('is answered as RFC 7591 has it, with no secret', async () => {
    const metadata = {
      client_name: 'Raw',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'client_secret_post',
    }

    const answered = await client.register(metadata)

    expect(answered.status).toBe(201)
    expect(await answered.json()).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: 'Raw',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      response_modes: ['query'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
  })

  test('of what is no public client is refused in its form', async () => {
    const noRedirect = await client.register({ client_name: 'x' })
    const custom = await client.register({ redirect_uris: ['evil://x'] })
    const machine = await client.register({ redirect_uris: [redirect], grant_types: ['client_credentials'] })

    expect([noRedirect.status, custom.status, machine.status]).toEqual([400, 400, 400])
    expect(await noRedirect.json()).toMatchObject({ error: 'invalid_redirect_uri' })
    expect(await custom.json()).toMatchObject({ error: 'invalid_redirect_uri', error_description: /https/ })
    expect(await machine.json()).toMatchObject({ error: 'invalid_client_metadata' })
  })

  test('is bounded in size, in how often, and in how many are kept', async () => {
    const from = (n: number) => ({ 'X-Forwarded-For': `192.0.2.${n}` })
    const register = (n: number, body: object = { redirect_uris: [redirect] }) =>
      request(app).post('/oauth/register').set(from(n)).send(body)
    const program = createProgram(url, { name: 'Kept' })
    await connectProgram(url, program)

    const large = await register(1, { redirect_uris: [redirect], client_name: 'x'.repeat(5000) })
    const flood = await Promise.all(Array.from({ length: 25 }, () => register(2)))
    for (let n = 10; n < 20; n += 1) await Promise.all(Array.from({ length: 20 }, () => register(n)))
    // Several at once may leave some too many, until the next.
    await register(20)
    const { rows } = await deps.database.query<{ id: string }>(
      `select id from oauth_records where kind = 'Client'`,
    )

    expect(large.status).toBe(413)
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(5)
    expect(rows.length).toBeLessThanOrEqual(200)
    // One that is connected is not pushed out.
    expect(rows.map(({ id }) => id)).toContain(program.stored.client!.client_id)
    expect((await program.connect()).getServerVersion()?.name).toBe('void')
  })

  test('that was never used is forgotten after a day, and what has expired goes', async () => {
    const program = createProgram(url, { name: 'Lasting' })
    await connectProgram(url, program)
    const unused = await client.newId()
    const records = createOAuthRecordsRepo(deps.database)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

    await records.prune(inDays(2))
    const kept = await records.find('Client', program.stored.client!.client_id, inDays(2))
    const { rows } = await deps.database.query(`select id from oauth_records where kind = 'AccessToken'`)
    const gone = await records.find('Client', unused, inDays(2))
    await records.prune(inDays(40))

    expect([kept !== null, gone, rows]).toEqual([true, null, []])
    expect(await records.find('Client', program.stored.client!.client_id, inDays(40))).toBeNull()
  })
})
