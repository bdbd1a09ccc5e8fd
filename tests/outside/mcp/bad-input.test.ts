// What comes to /mcp in the wrong size, shape or name: each a clear error, and nothing lost.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { InMemoryServerEventBus } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createEndpoint } from '../../../lib/outside/mcp/endpoint.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { emptyOffer } from './empty-offer.ts'
import { createRawClient } from './raw-client.ts'

let time = new Date()
const void_ = await buildApp({
  now: () => time,
  draftsWaiting: 3,
  draftsWaitingBytes: 100_000,
  draftsPerHour: 4,
  draftBytes: 2000,
})
const { owner, deps } = void_
const url = await listen(void_.app)
const world = await makeWorld(void_)
const spaces = [world.space.id]
let agents = 0
const newClient = async () => {
  agents += 1
  const { token } = await makeAgent(void_, { slug: `agent-${agents}`, spaces })
  return { token, client: createRawClient(url, token, {}) }
}
const { token, client } = await newClient()

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** A request with headers of its own, and a body as it is given. */
function send(headers: Record<string, string>, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/mcp`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode!, body }), reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const contents = async () => ({
  changes: (await deps.database.query('select count(*)::int as n from pending_changes')).rows,
  lamp: (await owner.get(`/api/pages/${world.lamp.id}`)).body,
})

// Whatever was sent, the next call works.
afterEach(async () => {
  const { result } = await (await newClient()).client.callTool('search', { q: 'rapeseed' })
  expect(JSON.stringify(result.content)).toContain('rapeseed')
})

test('arguments of any type and form are an answer that says so, and change nothing', async () => {
  const before = await contents()
  const tools = ['search', 'read', 'list', 'propose_change', 'changes']

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools), fc.jsonValue({ maxDepth: 4 }), async (name, value) => {
      const { client } = await newClient()
      const { status, result, error } = await client.request('tools/call', { name, arguments: value })
      expect(status).toBeLessThan(500)
      expect(error?.code ?? -32602).toBe(-32602)
      expect(error ? error.message : result.content[0].text).not.toBe('')
    }),
    { numRuns: 60 },
  )

  expect(await contents()).toEqual(before)
})

test('parameters that are none, and methods that are not there, are errors of the protocol', async () => {
  const cases: [string, Record<string, unknown>, number][] = [
    ['tools/call', {}, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'x'.repeat(5000) }, -32602],
    ['tools/call', { name: '__proto__' }, -32602],
    ['resources/read', { uri: 7 }, -32602],
    ['resources/read', { uri: `void://${'x'.repeat(5000)}` }, -32602],
    ['resources/read', { uri: 'void://../../etc/passwd' }, -32602],
    ['resources/list', { cursor: 7 }, -32602],
    ['prompts/get', { name: 'constructor' }, -32602],
    ['prompts/get', { name: 'ask', arguments: { question: 7 } }, -32602],
    ['completion/complete', { ref: { type: 'ref/file' }, argument: {} }, -32602],
    ['sampling/createMessage', {}, -32601],
    ['decide', {}, -32601],
  ]
  for (const [method, params, code] of cases) {
    const { status, error } = await client.request(method, params)
    expect([method, error?.code]).toEqual([method, code])
    expect(status).toBeLessThan(500)
    expect(error!.message.length).toBeLessThan(6000)
  }
})

test('what breaks behind the protocol is logged, and tells the client nothing', async () => {
  const logged: unknown[] = []
  const broken = createEndpoint({
    logger: { info: () => {}, error: (about: unknown) => logged.push(about) },
    eventsOf: () => new InMemoryServerEventBus(),
    offerTo: () =>
      emptyOffer(async () => {
        throw new Error('select * from secrets')
      }),
  })
  const void_ = await buildApp({ database: deps.database })
  void_.deps.server.mcp = broken
  const other = createRawClient(await listen(void_.app), token)

  const answers = [
    await other.callTool('search', {}),
    await other.request('resources/list'),
    await other.request('resources/read', { uri: 'void://a/b/c' }),
    await other.request('prompts/get', { name: 'ask' }),
    await other.request('tasks/get', { taskId: '1' }),
    await other.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: { name: 'space', value: '' },
    }),
  ]

  expect(answers.map(({ error }) => error)).toEqual(
    Array(6).fill({ code: -32603, message: 'Internal server error.' }),
  )
  expect(logged).toHaveLength(6)
})

test('ten megabytes of arguments are refused before they are read', async () => {
  const params = { name: 'search', arguments: { q: 'x'.repeat(10_000_000) } }
  const { status, body } = await send({}, JSON.stringify({ ...listTools, method: 'tools/call', params }))

  expect(status).toBe(413)
  expect(JSON.parse(body).error.code).toBe('too_large')
})

test('JSON that is nested without end is an answer, too', async () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const body of [
    nested,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":${nested}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"propose_change","arguments":{"payload":${nested}}}}`,
  ]) {
    const { status, body: answer } = await send({}, body)
    expect(status).toBeLessThan(500)
    expect(answer).toMatch(/"error"|"isError":true/)
    expect(answer.length).toBeLessThan(5000)
  }
})

test.each([
  ['no JSON', '{"jsonrpc":', 400],
  ['nothing', '', 400],
  ['a word', '"tools/list"', 400],
  ['null', 'null', 400],
  ['another version', JSON.stringify({ ...listTools, jsonrpc: '1.0' }), 400],
  ['many messages at once', JSON.stringify(Array(51).fill(listTools)), 400],
])('a body of %s is refused', async (_what, body, expected) => {
  const { status, body: answer } = await send({}, body)

  expect(status).toBe(expected)
  expect(JSON.parse(answer).error.message).not.toBe('')
})

test('a forged Host or Origin is refused, whatever the token', async () => {
  const body = JSON.stringify(listTools)

  for (const host of [
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
  ])
    expect((await send({ host }, body)).status).toBeGreaterThanOrEqual(400)
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', 'file://', 'x'])
    expect((await send({ origin }, body)).status).toBe(403)
})

test('a token that expired is refused, one in the address or a cookie is none', async () => {
  const expires_at = new Date(time.getTime() + 60_000).toISOString()
  const brief = await makeAgent(void_, { slug: 'brief', spaces, expires_at })
  const held = createRawClient(url, brief.token)
  const before = await held.request('tools/list')
  time = new Date(time.getTime() + 61_000)
  const after = await held.request('tools/list')
  const inAddress = await fetch(`${url}/mcp?access_token=${token}&token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `void_session=${token}` },
    body: JSON.stringify(listTools),
  })

  expect([before.status, after.status, inAddress.status]).toEqual([200, 401, 401])
})

test('drafts are limited as over REST, and the answer says which limit and when there is room', async () => {
  const { client } = await newClient()
  let made = 0
  const propose = async (body = 'They cry.') => {
    made += 1
    const payload = { title: `Gulls ${made}`, body }
    const args = { entity_type: 'page', action: 'create', payload, reason: 'Seen.' }
    return (await client.callTool('propose_change', args)).result
  }

  const large = await propose('x'.repeat(3000))
  const drafts = [await propose(), await propose(), await propose()]
  const waiting = await propose()
  for (const { structuredContent } of drafts.slice(0, 2))
    await owner.post(`/api/pending-changes/${structuredContent.draft}/reject`).send({}).expect(200)
  const fourth = await propose()
  const fifth = await propose()

  expect(large.isError).toBe(true)
  expect(large.content[0].text).toContain('2000')
  expect([...drafts, fourth].map(({ isError }) => isError ?? false)).toEqual([false, false, false, false])
  expect(waiting.isError).toBe(true)
  expect(waiting.content[0].text).toMatch(/3/)
  expect(fifth.isError).toBe(true)
  expect(fifth.content[0].text).toContain('within the hour')
})

test('calls are limited as over REST: 600 a minute', async () => {
  const { client } = await newClient()
  const statuses: number[] = []
  for (let at = 0; at < 61; at += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.request('tools/list')))
    statuses.push(...answers.map(({ status }) => status))
  }

  const counts = [200, 429].map((status) => statuses.filter((one) => one === status).length)
  expect([counts, [...new Set(statuses)]]).toEqual([
    [600, 10],
    [200, 429],
  ])
})

test('a batch counts as its messages for every limit, and has twenty at most', async () => {
  const { token } = await newClient()
  const answers = (count: number) =>
    send({ authorization: `Bearer ${token}` }, JSON.stringify(Array.from({ length: count }, () => listTools)))

  expect((await answers(21)).status).toBe(400)
  const statuses = []
  for (let n = 0; n < 30; n += 1) statuses.push((await answers(20)).status)

  expect(statuses).not.toContain(500)
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})
