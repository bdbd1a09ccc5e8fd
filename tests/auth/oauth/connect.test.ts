// A program is connected with the real client of MCP: refused, sent to the owner, let in, renewed, and shut out again.

import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { allowAll, connectProgram, createBrowser, createProgram } from './program.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const url = await listen(app)
const world = await makeWorld(void_)

type Listed = { id: string; agent_id: string; client_id: string; name: string; last_used_at: string | null }
const agentNamed = async (name: string) => {
  const { items } = (await owner.get('/api/agents')).body
  return items.find((agent: { name: string }) => agent.name === name)
}
const connections = async (agentId: string): Promise<Listed[]> =>
  (await owner.get(`/api/agents/${agentId}/tokens`)).body.items

test('a program is connected, works, renews its token, and is shut out when the owner disconnects it', async () => {
  const program = createProgram(url)
  const browser = createBrowser(url)

  // It is sent to the owner, who is not signed in, signs in and is back.
  const address = await program.begin()
  const bounced = await browser.request(address)
  const signIn = bounced.headers.get('location')!
  await browser.signIn()
  const { path, page } = await browser.open(address)
  const text = await page.text()
  const callback = await browser.press(path, {
    decision: 'allow',
    tier: 'suggest',
    reach: 'some',
    space: world.space.id,
    lifetime: 'month',
  })
  await program.finish(callback)
  const client = await program.connect()

  // It searches, and proposes what waits for the owner.
  const found = await client.callTool({ name: 'search', arguments: { q: 'rapeseed oil' } })
  const proposed = await client.callTool({
    name: 'propose_change',
    arguments: {
      entity_type: 'page',
      action: 'update',
      entity_id: world.lamp.id,
      payload: { title: 'The lamp of Skerry' },
      reason: 'It is clearer.',
    },
  })
  const { draft } = proposed.structuredContent as { draft: string }
  const { body: change } = await owner.get(`/api/pending-changes/${draft}`)
  const agent = await agentNamed('Lamp reader')
  const [connection] = await connections(agent.id)

  expect(signIn).toBe(`/sign-in?next=${encodeURIComponent(address.pathname + address.search)}`)
  expect(text).toContain('“Lamp reader”')
  expect(text).toContain('Not verified')
  expect(text).toContain('127.0.0.1:8765')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).not.toMatch(/<script/)
  expect([callback.origin, callback.pathname]).toEqual(['http://127.0.0.1:8765', '/callback'])
  expect(Object.fromEntries(callback.searchParams)).toEqual({
    code: expect.any(String),
    state: 'state-of-the-program',
    iss: url,
  })
  expect(program.stored.tokens).toMatchObject({
    access_token: expect.stringMatching(/^oauth_/),
    refresh_token: expect.any(String),
    expires_in: 3600,
    scope: 'read suggest',
  })
  expect(JSON.stringify(found.content)).toContain('rapeseed')
  expect(change).toMatchObject({ status: 'pending', agent_id: agent.id })
  expect(agent).toMatchObject({ slug: 'lamp-reader', kind: 'external' })
  expect(connection).toMatchObject({
    name: 'Lamp reader',
    client_id: program.stored.client!.client_id,
    spaces: [world.space.id],
    tier: 'suggest',
    last_used_at: expect.any(String),
  })

  // Its token runs out, and it gets another by itself; the owner is not asked.
  const before = program.stored.tokens!
  await deps.database.query(`update oauth_records set expires_at = now() where kind = 'AccessToken'`)
  const again = await client.callTool({ name: 'list', arguments: { kind: 'page' } })
  expect(again.isError).toBeFalsy()
  expect(program.stored.tokens!.access_token).not.toBe(before.access_token)
  expect(program.stored.tokens!.refresh_token).not.toBe(before.refresh_token)

  // The owner disconnects it: neither token nor renewal is taken.
  await owner.delete(`/api/agents/${agent.id}/tokens/${connection!.id}`).expect(200)
  await expect(client.callTool({ name: 'list', arguments: { kind: 'page' } })).rejects.toThrow()
  const asked = await program.begin()
  expect(asked.pathname).toBe('/oauth/authorize')
  const { rows } = await deps.database.query('select kind from oauth_records where grant_id is not null')
  expect(rows).toEqual([])
})

test('the owner may allow less than was asked for: one Space, to read, for a day', async () => {
  const program = createProgram(url, { name: 'Modest reader' })
  await connectProgram(url, program, {
    decision: 'allow',
    tier: 'read',
    reach: 'some',
    space: [world.space.id],
    lifetime: 'day',
  })
  const client = await program.connect()

  const elsewhere = await client.callTool({
    name: 'search',
    arguments: { q: 'oil', space: 'harbour-office' },
  })
  const agent = await agentNamed('Modest reader')
  const [connection] = (await owner.get(`/api/agents/${agent.id}/tokens`)).body.items

  expect(program.stored.tokens).toMatchObject({ scope: 'read' })
  expect(elsewhere.isError).toBe(true)
  expect(connection).toMatchObject({ tier: 'read', spaces: [world.space.id] })
  const days = (new Date(connection.expires_at).getTime() - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(0.99)
  expect(days).toBeLessThan(1.01)
})

const proposal = {
  name: 'propose_change',
  arguments: {
    space: 'skerry-light',
    entity_type: 'task',
    action: 'create',
    payload: { title: 'Oil the lamp' },
    reason: 'Dry.',
  },
}

test('a program that was let in to read asks the owner for more when it wants to draft', async () => {
  const program = createProgram(url, { name: 'Growing' })
  const browser = createBrowser(url)
  await browser.signIn()
  await connectProgram(url, program, { ...allowAll, tier: 'read' })
  const client = await program.connect()

  const found = await client.callTool({ name: 'search', arguments: { q: 'oil', space: 'skerry-light' } })
  await expect(client.callTool(proposal)).rejects.toThrow()
  const asked = program.sentTo()
  const { path, page } = await browser.open(asked)
  await program.finish(await browser.press(path, allowAll))
  const grown = await program.connect()
  const drafted = await grown.callTool(proposal)

  expect(found.isError).toBeFalsy()
  expect(asked.searchParams.get('scope')).toBe('read suggest')
  expect(await page.text()).toContain('value="suggest"')
  expect(drafted.structuredContent).toMatchObject({ status: 'pending' })
})

test('the refusal says which scope is missing; a token that could get no more is answered by the tool', async () => {
  const program = createProgram(url, { name: 'Reading' })
  await connectProgram(url, program, { ...allowAll, tier: 'read' })
  const { access_token } = program.stored.tokens!
  const post = (token: string, params: object = proposal) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
  const refused = await post(access_token)
  const lookedUp = await post(access_token, { name: 'changes', arguments: { space: 'skerry-light' } })
  const agent = await agentNamed('Reading')
  const calls = await deps.database.query(`select status from tool_calls where agent_id = $1`, [agent.id])
  await owner
    .patch(`/api/agents/${agent.id}`)
    .send({ capabilities: { suggest: false } })
    .expect(200)
  const limited = await post(access_token)
  const { token } = await makeAgent(void_, { slug: 'pasted', tier: 'read', spaces: [world.space.id] })
  const pasted = await post(token)

  expect(refused.status).toBe(403)
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", ` +
      'scope="read suggest"',
  )
  expect(calls.rows.at(-1)).toEqual({ status: 'error' })
  for (const answer of [lookedUp, limited, pasted]) {
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Denied')
  }
})

test('a program that is an app of the system gets its code there, and the page says so', async () => {
  const redirectUrl = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const program = createProgram(url, { name: 'Cursor', redirectUrl })
  const browser = createBrowser(url)
  await browser.signIn()

  const { path, page } = await browser.open(await program.begin())
  const callback = await browser.press(path, allowAll)
  await program.finish(callback)
  const client = await program.connect()

  expect(await page.text()).toContain(
    'a program on this computer (<code>cursor://anysphere.cursor-mcp</code>',
  )
  expect(callback.href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/)
  expect((await client.listTools()).tools).not.toHaveLength(0)
})

test('a program that is an app under a name in reverse is connected in the same way', async () => {
  const program = createProgram(url, { name: 'Editor', redirectUrl: 'com.example.editor:/oauth/callback' })
  const browser = createBrowser(url)
  await browser.signIn()

  const { path, page } = await browser.open(await program.begin())
  const callback = await browser.press(path, allowAll)
  await program.finish(callback)

  expect(await page.text()).toContain('a program on this computer (<code>com.example.editor:')
  expect(callback.href).toMatch(/^com\.example\.editor:\/oauth\/callback\?code=/)
  expect((await (await program.connect()).listTools()).tools).not.toHaveLength(0)
})

test('a program that asks to read alone is not offered to draft', async () => {
  const program = createProgram(url, { name: 'Reader alone' })
  const browser = createBrowser(url)
  await browser.signIn()
  const address = await program.begin()
  address.searchParams.set('scope', 'read')

  const { path, page } = await browser.open(address)
  await program.finish(await browser.press(path, allowAll))

  expect(await page.text()).not.toContain('value="suggest"')
  expect(program.stored.tokens).toMatchObject({ scope: 'read' })
  const agent = await agentNamed('Reader alone')
  expect((await connections(agent.id))[0]).toMatchObject({ tier: 'read' })
})

test('an owner who declines sends the program back with that, and nothing is left', async () => {
  const program = createProgram(url, { name: 'Unwanted' })
  const browser = createBrowser(url)
  await browser.signIn()

  const { path } = await browser.open(await program.begin())
  const callback = await browser.press(path, { decision: 'deny' })

  expect(callback.searchParams.get('error')).toBe('access_denied')
  expect(callback.searchParams.get('iss')).toBe(url)
  expect(await agentNamed('Unwanted')).toBeUndefined()
  await expect(program.finish(callback)).rejects.toThrow()
})

test('a program that was connected before is the same agent again', async () => {
  const program = createProgram(url, { name: 'Twice' })
  await connectProgram(url, program)
  delete program.stored.tokens
  await connectProgram(url, program)

  const agent = await agentNamed('Twice')
  expect(await connections(agent.id)).toHaveLength(2)
})

test.each(['Void', 'Y\u043eu', 'the Owner', 'Companion', '\u200b', ''])(
  'a program that calls itself %j is no agent of that name',
  async (name) => {
    const program = createProgram(url, { name })
    await connectProgram(url, program)

    const { items } = (await owner.get('/api/agents')).body
    expect(items[0]).toMatchObject({ name: 'Connected program', kind: 'external' })
  },
)
