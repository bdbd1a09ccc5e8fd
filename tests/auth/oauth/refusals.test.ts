// What a client must not get away with, at each step from its name to its last renewal.

import request from 'supertest'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { allowAll, createBrowser } from './program.ts'
import { createRawClient, type Tokens } from './raw-client.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const url = await listen(app)
await makeWorld(void_)
const client = createRawClient(url)
const browser = createBrowser(url)
let id: string

beforeAll(async () => {
  await browser.signIn()
  id = await client.newId()
})

const json = async (sending: Promise<Response>) => {
  const answer = await sending
  return { status: answer.status, ...((await answer.json()) as { error?: string }) }
}
const atOnce = async (send: () => Promise<Response>) =>
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await send()
      return { status: answer.status, tokens: (await answer.json()) as Tokens }
    }),
  )

/** Of the tokens that were answered, those that open or renew something. */
const usable = async (answers: { tokens: Tokens }[]): Promise<string[]> => {
  const given = answers.map(({ tokens }) => tokens).filter(({ access_token }) => access_token)
  const opened = await Promise.all(
    given.flatMap(({ access_token, refresh_token }) => [
      client.ask(access_token),
      client.refresh(id, refresh_token),
    ]),
  )
  return opened.filter(({ ok }) => ok).map(({ url }) => url)
}

const records = async (kind: string): Promise<number> =>
  (await deps.database.query('select id from oauth_records where kind = $1', [kind])).rows.length

describe('a request to connect', () => {
  test('by a client that nobody knows, or to an address that is not its own, leads nowhere', async () => {
    const begun = await records('Interaction')
    for (const address of [
      client.address('unknown'),
      client.address('00000000-0000-7000-8000-000000000000'),
      client.address(id, { redirect_uri: 'https://attacker.example/callback' }),
      client.address(id, { redirect_uri: 'http://127.0.0.1:8765/callback/more' }),
      client.address(id, { redirect_uri: 'http://127.0.0.1:8765/callback?x=1' }),
      client.address(id, { redirect_uri: 'http://localhost:8765/callback' }),
      client.address(id, { redirect_uri: undefined }),
      client.address(id, { client_id: undefined }),
    ]) {
      const answer = await browser.request(address)

      expect(answer.status).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.text()).toContain('Not connected')
    }
    expect(await records('Interaction')).toBe(begun)
  })

  test.each([
    '/oauth/Authorize',
    '/oauth/AUTHORIZE',
    '/oauth/%61uthorize',
    '/oauth//authorize',
    '/oauth/authorize/',
    '/OAuth/authorize',
  ])('at %s begins nothing for anybody but the owner', async (path) => {
    const begun = await records('Interaction')
    const address = String(client.address(id)).replace('/oauth/authorize', path)

    const answer = await fetch(address, { redirect: 'manual' })

    expect([200, 302, 303, 404]).toContain(answer.status)
    expect(answer.headers.get('location') ?? '').not.toContain('/connect/')
    expect(await records('Interaction')).toBe(begun)
  })

  test('to another port of the same program on this machine is its own', async () => {
    const answer = await browser.request(client.address(id, { redirect_uri: 'http://127.0.0.1:9/callback' }))

    expect(answer.headers.get('location')).toMatch(/^\/connect\//)
  })

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with PKCE in plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method, which is plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'invalid_request'],
    ['for an ID token', { response_type: 'code id_token' }, 'invalid_request'],
    ['for nothing', { response_type: 'none' }, 'unsupported_response_type'],
    ['to be answered by a form', { response_mode: 'form_post' }, 'invalid_request'],
    ['without the owner', { prompt: 'none' }, 'consent_required'],
  ])('%s is sent back', async (_how, changed, error) => {
    const answer = await browser.request(client.address(id, changed))
    const location = answer.headers.get('location')

    if (location === null) expect(await answer.text()).not.toContain('/connect/')
    else {
      const { origin, searchParams, hash } = new URL(location)
      const said = new URLSearchParams(hash.slice(1))
      expect(origin).toBe('http://127.0.0.1:8765')
      expect(searchParams.get('error') ?? said.get('error')).toBe(error)
      expect(searchParams.get('iss') ?? said.get('iss')).toBe(url)
    }
  })

  test('by somebody who is not the owner begins nothing', async () => {
    const begun = await records('Interaction')
    const { token } = await makeAgent(void_, { slug: 'pretender' })
    const address = client.address(id)

    const anybody = await createBrowser(url).request(address)
    const agent = await fetch(address, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
    // The cookie of the owner is not sent with a link on another site: the address is asked for again, from here.
    const fromElsewhere = await request(app)
      .get(address.pathname + address.search)
      .set({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' })

    expect([anybody.status, agent.status, fromElsewhere.status]).toEqual([303, 303, 200])
    expect(anybody.headers.get('location')).toMatch(/^\/sign-in\?next=%2Foauth%2Fauthorize/)
    expect(fromElsewhere.text).toContain('http-equiv="refresh"')
    expect(await records('Interaction')).toBe(begun)
  })
})

describe('the page that asks', () => {
  test('takes its answer from the owner, at the browser that was asked, and from this site', async () => {
    const { path } = await browser.open(client.address(id))
    const { token } = await makeAgent(void_, { slug: 'clicker' })
    const other = createBrowser(url)
    await other.signIn()

    const foreign = await browser.submit(path, allowAll, { 'sec-fetch-site': 'cross-site' })
    const forgedOrigin = await browser.submit(path, allowAll, { origin: 'https://attacker.example' })
    const noOrigin = await browser.submit(path, allowAll, {})
    const stranger = await createBrowser(url).submit(path, allowAll)
    const agent = await browser.submit(path, allowAll, { authorization: `Bearer ${token}` })
    const elsewhere = await other.submit(path, allowAll)
    const elsewhereSeen = await other.request(path)

    expect([foreign, forgedOrigin, noOrigin, stranger, agent].map(({ status }) => status)).toEqual([
      403, 403, 403, 401, 403,
    ])
    expect([elsewhere.status, elsewhereSeen.status]).toEqual([410, 410])
    expect(await browser.press(path, allowAll)).toBeInstanceOf(URL)
  })

  test('asks again when nothing was chosen, and refuses what is no answer', async () => {
    const { path } = await browser.open(client.address(id))

    const nothing = await browser.submit(path, { decision: 'allow', tier: 'read', reach: 'some' })
    const nonsense = await browser.submit(path, { decision: 'perhaps' })
    const noSpace = await browser.submit(path, { ...allowAll, reach: 'some', space: 'everything' })
    const unknownSpace = await browser.submit(path, {
      ...allowAll,
      reach: 'some',
      space: '01900000-0000-7000-8000-000000000000',
    })

    expect(nothing.status).toBe(400)
    expect(await nothing.text()).toContain('Select at least one Space')
    expect([nonsense.status, noSpace.status, unknownSpace.status]).toEqual([400, 400, 404])
    expect(await browser.press(path, { decision: 'deny' })).toBeInstanceOf(URL)
  })

  test('shows what a program says of itself as a quotation', async () => {
    const name = '<b>Void</b>”\u202e says: allow\u0000 this'
    const metadata = { client_name: name, redirect_uris: ['http://127.0.0.1:8765/callback'] }
    const { client_id } = (await (await client.register(metadata)).json()) as { client_id: string }

    const { page } = await browser.open(client.address(client_id))
    const text = await page.text()

    expect(text).not.toContain('<b>Void')
    expect(text).not.toContain('\u202e')
    expect(text).toMatch(/“&#60;b&#62;Void&#60;\/b&#62;&#34;[^”]* says: allow this”/)
  })
})

describe('a code', () => {
  test.each([
    ['with another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['without a verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['with another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['that nobody made', { code: 'made-up' }, 'invalid_grant'],
    ['with another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('%s is not taken', async (_how, changed, error) => {
    const code = await client.code(id)

    expect(await json(client.exchange(id, code, changed))).toMatchObject({ status: 400, error })
  })

  test('of another client is not taken, and one that is too old neither', async () => {
    const [code, old] = [await client.code(id), await client.code(id)]
    await deps.database.query(
      `update oauth_records set expires_at = now() where kind = 'AuthorizationCode' and created_at =
       (select max(created_at) from oauth_records where kind = 'AuthorizationCode')`,
    )

    expect(await json(client.exchange(await client.newId(), code))).toMatchObject({ error: 'invalid_grant' })
    expect(await json(client.exchange('unknown', code))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    })
    expect(await json(client.exchange(id, old))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('that is used twice ends what the first use began', async () => {
    const code = await client.code(id)
    const tokens = (await (await client.exchange(id, code)).json()) as Tokens
    const before = await client.ask(tokens.access_token)

    const again = await json(client.exchange(id, code))

    expect(before.status).toBe(200)
    expect(again).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await client.ask(tokens.access_token)).status).toBe(401)
    expect(await json(client.refresh(id, tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' })
  })

  test('that is used twice at once ends what it began', async () => {
    const code = await client.code(id)

    const answers = await atOnce(() => client.exchange(id, code))

    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
    expect(await usable(answers)).toEqual([])
  })
})

test('a body that anybody may send is small', async () => {
  const body = new URLSearchParams({ client_id: id, code: 'x'.repeat(5000) })
  const stream = new Blob([body.toString()]).stream()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const large = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const endless = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers,
    body: stream,
    duplex: 'half',
  } as object)

  expect([large.status, endless.status]).toEqual([413, 413])
})

test('no page of another site reads what the server answers', async () => {
  const origin = { origin: 'https://attacker.example' }
  const preflight = { ...origin, 'access-control-request-method': 'POST' }

  const answers = [
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: origin,
      body: new URLSearchParams({ client_id: id }),
    }),
    await fetch(`${url}/oauth/revoke`, {
      method: 'POST',
      headers: origin,
      body: new URLSearchParams({ client_id: id }),
    }),
    await fetch(`${url}/oauth/token`, { method: 'OPTIONS', headers: preflight }),
    await fetch(`${url}/oauth/register`, { method: 'OPTIONS', headers: preflight }),
    await fetch(`${url}/.well-known/oauth-authorization-server`, { headers: origin }),
    await fetch(`${url}/oauth/jwks`, { headers: origin }),
  ]

  expect(
    answers.flatMap(({ headers }) =>
      [...headers.keys()].filter((name) => name.startsWith('access-control-')),
    ),
  ).toEqual([])
})

describe('a renewal', () => {
  test('gives a new token each time; an old one used again ends the connection', async () => {
    const first = await client.tokens(id)
    const second = (await (await client.refresh(id, first.refresh_token)).json()) as Tokens

    const reused = await json(client.refresh(id, first.refresh_token))
    const after = await json(client.refresh(id, second.refresh_token))

    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(reused).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(after).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await client.ask(second.access_token)).status).toBe(401)
  })

  test('with one token by several at once ends the connection', async () => {
    const { refresh_token } = await client.tokens(id)

    const answers = await atOnce(() => client.refresh(id, refresh_token))

    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
    expect(await usable(answers)).toEqual([])
  })

  test('is for its client, its scopes and its resource', async () => {
    const { refresh_token } = await client.tokens(id)
    const code = await client.code(id, {}, { ...allowAll, tier: 'read' })
    const reader = (await (await client.exchange(id, code)).json()) as Tokens

    expect(await json(client.refresh(await client.newId(), refresh_token))).toMatchObject({
      error: 'invalid_grant',
    })
    expect(await json(client.refresh(id, reader.refresh_token, { scope: 'read suggest' }))).toMatchObject({
      error: 'invalid_scope',
    })
    const narrowed = await json(client.refresh(id, refresh_token, { scope: 'read' }))
    expect(narrowed).toMatchObject({ status: 200, scope: 'read' })
  })
})

describe('an access token', () => {
  let tokens: Tokens
  beforeAll(async () => {
    tokens = await client.tokens(id)
  })

  test('is taken at the resource it is for and nowhere else', async () => {
    const bearer = { Authorization: `Bearer ${tokens.access_token}` }

    expect((await client.ask(tokens.access_token)).status).toBe(200)
    expect((await request(app).get('/api/spaces').set(bearer)).status).toBe(401)
    expect((await request(app).get('/api/agents').set(bearer)).status).toBe(401)
    expect((await client.ask(tokens.refresh_token)).status).toBe(401)
    // The same server by another of its names is another resource.
    const elsewhere = await request(app)
      .post('/mcp')
      .set({ ...bearer, Host: 'localhost' })
      .send({})
    expect(elsewhere.status).toBe(401)
  })

  test('that is none is refused with where to get one', async () => {
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="read suggest"`

    const [none, wrong, origin, asOwner] = [
      await client.ask(null),
      await client.ask('oauth_made-up'),
      await client.ask(tokens.access_token, { origin: 'https://attacker.example' }),
      await client.ask(ownerToken),
    ]

    expect([none, wrong, origin, asOwner].map(({ status }) => status)).toEqual([401, 401, 403, 403])
    expect(none.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`)
    expect(wrong.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata}`)
    expect(origin.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`)
    expect((await request(app).get('/api/spaces')).headers['www-authenticate']).toBe('Bearer')
  })

  test('is stored as its hash, and so is every secret', async () => {
    const { rows } = await deps.database.query<{ text: string }>(
      'select row_to_json(record)::text as text from oauth_records record',
    )
    const stored = rows.map(({ text }) => text).join('\n')

    expect(rows.length).toBeGreaterThan(3)
    expect(stored).not.toContain(tokens.access_token)
    expect(stored).not.toContain(tokens.refresh_token)
  })

  test('can be given back by its client, and by no other; its connection ends', async () => {
    const other = await client.newId()

    expect((await client.revoke(other, tokens.access_token)).status).toBe(200)
    expect((await client.ask(tokens.access_token)).status).toBe(200)
    expect((await client.revoke(id, tokens.refresh_token)).status).toBe(200)
    expect((await client.ask(tokens.access_token)).status).toBe(401)
    const { items } = (await owner.get('/api/agents?limit=200')).body
    const { id: agentId } = items.find(({ slug }: { slug: string }) => slug === 'raw')
    const listed = (await owner.get(`/api/agents/${agentId}/tokens`)).body.items
    expect(listed[0].revoked_at).not.toBeNull()
  })

  test('ends with its agent’s connection, however long it was to last', async () => {
    const { access_token, refresh_token } = await client.tokens(id)
    await deps.database.query(
      'update agent_tokens set expires_at = now() where revoked_at is null and grant_id is not null',
    )

    expect((await client.ask(access_token)).status).toBe(401)
    expect(await json(client.refresh(id, refresh_token))).toMatchObject({ error: 'invalid_grant' })
  })
})
