// The authorization server from outside: its paths in other spellings, redirect addresses, documents of clients, PKCE, and
// codes and tokens that are used by several at once. A program must never get more than the owner allowed it, once.

import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDocumentUrl } from '../../../../lib/auth/oauth/client-document.ts'
import { allowAll, createBrowser } from '../../../auth/oauth/program.ts'
import { createRawClient, type Tokens } from '../../../auth/oauth/raw-client.ts'
import { ownerToken } from '../../../helpers/owner-token.ts'
import { startVoidProcess } from '../../../helpers/void-process.ts'
import { type Client, createClient } from '../attack-world.ts'
import type { Surface } from '../surface.ts'

type Trial = Parameters<Surface['attack']>[0]

type World = Trial & {
  url: string
  call: Client
  client: ReturnType<typeof createRawClient>
  /** A browser of the owner. */
  browser: ReturnType<typeof createBrowser>
  /** A registered client. */
  id: string
}

export const surface: Surface = {
  name: 'OAuth',
  async attack(trial, { databaseUrl }) {
    const folder = mkdtempSync(join(tmpdir(), 'void-oauth-'))
    const server = await startVoidProcess({
      DATA_DIR: folder,
      OWNER_TOKEN: ownerToken,
      TRUST_PROXY: '1',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    })
    const { url } = server
    try {
      const client = createRawClient(url, fromAnywhere)
      const browser = createBrowser(url, fromAnywhere)
      await browser.signIn()
      const ask = createClient(url)
      const call: Client = (method, path, body) => ask(method, path, body, ownerToken)
      const world = { ...trial, url, call, client, browser, id: await client.newId() }
      await tryPaths(world)
      await tryRedirects(world)
      await tryRegistrations(world)
      await tryDocuments(world)
      await tryExchanges(world)
      await tryRaces(world)
      await tryTokens(world)
    } finally {
      server.kill()
      await server.gone
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

let addresses = 0

/** What is limited by address is limited for others. */
const fromAnywhere: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('x-forwarded-for', nextAddress())
  return fetch(input, { ...init, headers })
}

const nextAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

// Whoever is not the owner begins nothing, however the path is spelled.

const spellings = (path: string): string[] => {
  const letters = [...path.slice(1)]
  const at = (n: number, letter: string) => `/${letters.map((each, i) => (i === n ? letter : each)).join('')}`
  return [
    ...letters.map((letter, n) => at(n, letter.toUpperCase())),
    ...letters.map((letter, n) => at(n, `%${letter.charCodeAt(0).toString(16)}`)),
    ...letters.map((letter, n) => at(n, `%25${letter.charCodeAt(0).toString(16)}`)),
    ...['/', '//', '/.', '/%2e', ';x=1', '%20', '%00', '%2f', '.', '#', '\\', '/..%2fauthorize'].map(
      (end) => path + end,
    ),
    ...['/', '/.', '/x/..', '/%2e', '//', '/%2f', '\\'].map((start) => start + path),
    path.toUpperCase(),
    path.replace('/', '/%6f/../'),
    path.replaceAll('/', '//'),
    path.replaceAll('/', '\\'),
    path.replaceAll('a', '\u0430'),
    path.normalize('NFKD').replace('o', '\uff4f'),
  ]
}

async function tryPaths({ url, client, id, call, tried, fell }: World): Promise<void> {
  const { search } = client.address(id)
  const agent = row(await call('POST', '/api/agents', { name: 'Pretender', slug: 'pretender' }))
  const { token } = row(await call('POST', `/api/agents/${agent.id}/tokens`, { name: 'pretender' }))
  const headers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${token}` },
    { authorization: 'Bearer oauth_x' },
  ]
  for (const path of ['/oauth/authorize', '/oauth/authorize/x', '/connect/x'].flatMap(spellings))
    for (const more of headers)
      for (const method of ['GET', 'POST', 'HEAD']) {
        const answer = await sendAsIs(url, { method, path: path + search, headers: more })
        tried()
        const isBegun = /\/connect\//.test(answer.location) || /_interaction|_session/.test(answer.cookies)
        if (isBegun || answer.status >= 500 || answer.location.includes('code='))
          fell(`${method} ${path} by ${JSON.stringify(more)}: ${answer.status} ${answer.location}`)
      }
}

type Sent = { method: string; path: string; headers: Record<string, string> }

/** A path as no client would write it. */
function sendAsIs(
  url: string,
  { method, path, headers }: Sent,
): Promise<{ status: number; location: string; cookies: string }> {
  const { port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: Buffer.from(path).toString('latin1'),
        headers: { host, 'x-forwarded-for': nextAddress(), ...headers },
      },
      (response) => {
        response.resume().on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            location: String(response.headers.location ?? ''),
            cookies: String(response.headers['set-cookie'] ?? ''),
          }),
        )
      },
    )
    sending.on('error', reject).end()
  })
}

// A code goes to an address of its client, and nowhere else.

const own = 'http://127.0.0.1:8765/callback'

const redirects = [
  ...[
    '/',
    '/more',
    '?x=1',
    '#x',
    '%2f',
    '%00',
    ';x',
    '.',
    '%20',
    '\\',
    '/..',
    '/%2e%2e',
    '@attacker.example',
  ].map((end) => own + end),
  ...[
    'attacker.example',
    '127.0.0.1.attacker.example',
    '127.0.0.1@attacker.example',
    'attacker.example\\@127.0.0.1',
    'attacker.example%2f@127.0.0.1',
    'user@127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '127.0.0.2',
    'localhost',
    'LOCALHOST',
    '127.0.0.1.',
    '127。0。0。1',
    '１２７.0.0.1',
  ].flatMap((host) => ['http', 'https'].map((scheme) => `${scheme}://${host}:8765/callback`)),
  'javascript:alert(1)//127.0.0.1:8765/callback',
  'data:text/html,http://127.0.0.1:8765/callback',
  '//127.0.0.1:8765/callback',
  'HTTP://127.0.0.1:8765/CALLBACK',
  'http:/127.0.0.1:8765/callback',
  'http:127.0.0.1:8765/callback',
  ' http://127.0.0.1:8765/callback',
  'http://127.0.0.1:8765/callback ',
  'http://127.0.0.1:8765/callback\t',
  'http://127.0.0.1:8765/call\nback',
  'http://127.0.0.1:8765//callback',
  'http://127.0.0.1:8765/./callback',
  'http://127.0.0.1:8765/%63allback',
  'file:///callback',
  'void://callback',
  '',
]

async function tryRedirects({ browser, client, id, tried, fell }: World): Promise<void> {
  const isOwn = (location: string) =>
    location === '' || location.startsWith('/connect/') || isOfClient(location)
  for (const redirect_uri of redirects)
    for (const changed of [
      { redirect_uri },
      { redirect_uri, response_type: 'token' },
      { redirect_uri, scope: 'x' },
    ]) {
      const answer = await browser.request(client.address(id, changed))
      tried()
      const location = answer.headers.get('location') ?? ''
      // Another port of this machine is the same program (RFC 8252, 7.3).
      const isSame = URL.canParse(redirect_uri) && isOfClient(redirect_uri)
      if (!isOwn(location) || (location.startsWith('/connect/') && !isSame) || answer.status >= 500)
        fell(`${JSON.stringify(changed)}: ${answer.status} ${location}`)
    }
  for (const [first, second] of [
    [own, 'https://attacker.example/'],
    ['https://attacker.example/', own],
  ] as const) {
    const address = client.address(id, { redirect_uri: first })
    address.searchParams.append('redirect_uri', second)
    const answer = await browser.request(address)
    tried()
    const location = answer.headers.get('location') ?? ''
    if (location !== '' && !isOfClient(location)) fell(`two redirect_uris: ${answer.status} ${location}`)
  }
}

function isOfClient(location: string): boolean {
  if (!URL.canParse(location)) return false
  const { protocol, hostname, pathname, username } = new URL(location)
  return protocol === 'http:' && hostname === '127.0.0.1' && pathname === '/callback' && username === ''
}

async function tryRegistrations({ client, tried, fell }: World): Promise<void> {
  const refused = [
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'blob:https://a.example/x',
      'file:///etc/passwd',
      'http://attacker.example/',
      'http://192.168.0.1/',
      'http://[::2]/',
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/',
      'https://user@a.example/',
      'https://user:x@a.example/',
      'https://a.example/#x',
      'https://a.example/#',
      'ftp://a.example/',
      'about:blank',
      'intent://x',
      'view-source:https://a.example',
      'ms-word:ofe|u|https://a.example',
      'com.example.app:?x',
      'com.example.app:/x?y=z',
      'com.example.app:/x#y',
      'vscode:x y',
      'search-ms:x',
      '',
      ' ',
      '\0',
      'https://',
      'http://localhost@attacker.example/',
      'http://localhost.attacker.example/',
      'https://a.example/'.padEnd(600, 'x'),
    ].map((uri) => ({ redirect_uris: [uri] })),
    { redirect_uris: [] },
    { redirect_uris: Array.from({ length: 11 }, (_, n) => `${own}${n}`) },
    { redirect_uris: own },
    { redirect_uris: [own, 'javascript:1'] },
    { redirect_uris: [own], grant_types: ['client_credentials'] },
    { redirect_uris: [own], grant_types: ['implicit'], response_types: ['token'] },
    { redirect_uris: [own], response_types: ['id_token'] },
    { redirect_uris: { length: 1, 0: own } },
    { redirect_uris: [own], grant_types: Array.from({ length: 200 }, () => 'authorization_code') },
  ]
  for (const metadata of refused) {
    const answer = await client.register(metadata)
    tried()
    if (answer.status < 400 || answer.status >= 500)
      fell(`registered ${JSON.stringify(metadata).slice(0, 100)}: ${answer.status}`)
    await answer.body?.cancel()
  }
  const claims = { client_secret: 'x', client_id: 'mine', token_endpoint_auth_method: 'client_secret_basic' }
  const answer = await client.register({ redirect_uris: [own], ...claims, jwks_uri: 'https://a.example/' })
  tried()
  const { client_id, ...others } = row(await answer.json())
  if (client_id === 'mine' || 'client_secret' in others || 'jwks_uri' in others)
    fell('a client chose what it is')
}

// A document of a client is never asked for at this machine, and no cause of a refusal is told from another.

async function tryDocuments({ browser, client, tried, fell }: World): Promise<void> {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : 0
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    'nobody.invalid',
    'nobody.local',
    'nobody.internal',
    'localhost.',
    '127.0.0.1.',
  ]
  const documents = hosts.flatMap((host) => [
    `https://${host}/client.json`,
    `https://${host}:${port}/client.json`,
    `http://${host}:${port}/client.json`,
    `https://user@${host}/client.json`,
    `https://${host}/client.json?x=1`,
    `https://${host}/client.json#x`,
    `https://${host}/a/../client.json`,
    `HTTPS://${host}/client.json`,
    `https://${host}/`,
  ])
  const said = new Set<string>()
  for (const client_id of documents) {
    const answer = await browser.request(client.address(client_id))
    const text = await answer.text()
    tried()
    if (answer.status !== 400 || answer.headers.get('location')) fell(`${client_id}: ${answer.status}`)
    if (isDocumentUrl(client_id)) said.add(text)
  }
  if (said.size > 1) fell(`${said.size} different answers to documents that cannot be used`)
  if (connections > 0) fell(`${connections} connections to this machine`)
  listener.close()
}

// A code is worth nothing without its verifier, client, address and resource.

async function tryExchanges({ client, id, url, tried, fell }: World): Promise<void> {
  const other = await client.newId()
  const verifier = 'v'.repeat(43)
  const wrong: [string, Record<string, string | undefined>][] = [
    ...[
      '',
      'v',
      'v'.repeat(42),
      'v'.repeat(44),
      'V'.repeat(43),
      `${verifier} `,
      `${verifier}\0`,
      `${'v'.repeat(42)}%76`,
      '*'.repeat(43),
      'v'.repeat(129),
      'x'.repeat(43),
      'undefined',
      'null',
    ].map((code_verifier): [string, Record<string, string>] => ['verifier', { code_verifier }]),
    ['no verifier', { code_verifier: undefined }],
    ['plain', { code_verifier: undefined, code_challenge_method: 'plain' }],
    ['another client', { client_id: other }],
    ['no client', { client_id: undefined }],
    ...[
      'https://attacker.example/',
      `${own}/`,
      `${own}?x`,
      own.replace('8765', '9'),
      own.toUpperCase(),
      '',
    ].map((redirect_uri): [string, Record<string, string>] => ['address', { redirect_uri }]),
    ['no address', { redirect_uri: undefined }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['resource', { resource: `${url}/` }],
    ['grant type', { grant_type: 'client_credentials' }],
    ['grant type', { grant_type: 'password', username: 'owner', password: 'x' }],
    ['grant type', { grant_type: 'refresh_token' }],
    ['grant type', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }],
  ]
  for (const [what, changed] of wrong) {
    const code = await client.code(id)
    const answer = await client.exchange(id, code, changed)
    tried()
    const text = await answer.text()
    if (answer.status < 400 || answer.status >= 500 || text.includes('access_token'))
      fell(`a code with a wrong ${what} ${JSON.stringify(changed)}: ${answer.status} ${text.slice(0, 200)}`)
  }
}

// Of several at once, one at most; and what was used twice ends what the first use began.

const racers = 8

async function tryRaces(world: World): Promise<void> {
  const { client, browser, call, id, tried, fell } = world
  const successes = async (make: () => Promise<Response>) => {
    const answers = await Promise.all(Array.from({ length: racers }, make))
    tried(racers)
    const bad = answers.find(({ status }) => status >= 500)
    if (bad) fell(`a race was answered ${bad.status}`)
    return answers.filter(({ ok }) => ok)
  }

  for (let n = 0; n < 6; n += 1) {
    const code = await client.code(id)
    const first = await successes(() => client.exchange(id, code))
    if (first.length > 1) fell(`a code was taken ${first.length} times`)
    const { refresh_token } = (await (await client.exchange(id, await client.code(id))).json()) as Tokens
    const renewed = await successes(() => client.refresh(id, refresh_token))
    if (renewed.length > 1) fell(`a refresh token was taken ${renewed.length} times`)
    // Those that came second ended the connection, with the tokens that the first got.
    const tokens = (await renewed[0]?.json()) as Tokens | undefined
    if (tokens && (await client.ask(tokens.access_token)).ok) fell('a token lives on that was renewed twice')

    const before = await connections(call)
    const { path } = await browser.open(client.address(await client.newId()))
    await successes(() => browser.submit(path, allowAll))
    const made = (await connections(call)) - before
    if (made > 1) fell(`one request connected ${made} programs`)

    const given = await client.tokens(id)
    await Promise.all([client.revoke(id, given.refresh_token), client.refresh(id, given.refresh_token)])
    tried()
    const late = await client.refresh(id, given.refresh_token)
    if (late.ok) fell('a token was renewed after it was given back')
  }
}

const connections = async (call: Client): Promise<number> =>
  (row(await call('GET', '/api/agents?limit=200')).items as unknown[]).length

// A token is for the resource alone, as it was issued.

async function tryTokens({ client, id, url, call, tried, fell }: World): Promise<void> {
  const { access_token, refresh_token } = await client.tokens(id)
  const space = row(await call('POST', '/api/spaces', { name: 'Harbour' }))
  const refused = async (what: string, asking: Promise<Response>) => {
    const answer = await asking
    tried()
    await answer.body?.cancel()
    if (answer.ok || answer.status >= 500) fell(`${what}: ${answer.status}`)
  }
  for (const token of [
    refresh_token,
    access_token.toUpperCase(),
    access_token.slice(0, -1),
    `${access_token}x`,
    `${access_token}.`,
    access_token.replace('oauth_', 'agent_'),
    access_token.replace('oauth_', ''),
    `oauth_${access_token}`,
    '',
    'oauth_',
    ownerToken,
  ])
    await refused(`token ${token.slice(0, 12)}…`, client.ask(token))
  await refused('no token', client.ask(null))
  for (const path of [
    '/api/spaces',
    `/api/spaces/${space.id}/pages`,
    '/api/agents',
    '/api/secrets',
    '/api/audit',
    '/metrics',
    '/api/sessions',
  ])
    for (const headers of [
      { authorization: `Bearer ${access_token}` },
      { authorization: `bearer  ${access_token}` },
    ] as const)
      await refused(path, fromAnywhere(url + path, { headers }))
  await refused('in the query', fromAnywhere(`${url}/mcp?access_token=${access_token}`, { method: 'POST' }))
  for (const scope of ['read suggest owner', 'write', '*', 'openid', 'offline_access'])
    await refused(`scope ${scope}`, client.refresh(id, (await client.tokens(id)).refresh_token, { scope }))
  await refused('refreshed by another', client.refresh(await client.newId(), refresh_token))
  const pages = await fromAnywhere(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      origin: 'https://attacker.example',
      'content-type': 'application/json',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  })
  tried()
  if (pages.ok) fell('a page of another site used a token')
}

const row = (value: unknown): Record<string, unknown> => Object(value)
