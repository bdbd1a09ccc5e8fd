// Codes and tokens: with a wrong part, used by several at once, and for what they are not.

import { allowAll } from '../../../auth/oauth/program.ts'
import type { Tokens } from '../../../auth/oauth/raw-client.ts'
import { ownerToken } from '../../../helpers/owner-token.ts'
import type { Client } from '../attack-world.ts'
import { fromAnywhere, type OAuthWorld, own, row } from './oauth-world.ts'

// A code is worth nothing without its verifier, client, address and resource.

export async function tryExchanges({ client, id, url, tried, fell }: OAuthWorld): Promise<void> {
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

export async function tryRaces(world: OAuthWorld): Promise<void> {
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

export async function tryTokens({ client, id, url, call, tried, fell }: OAuthWorld): Promise<void> {
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
