import { Agent, request } from 'node:http'
import { z } from 'zod'
import type { ChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { createProse, type MadePage, makePages } from './prose.ts'
import { asOwner, makeDataFolder, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const pages = 1000
const clients = 50
const warmUps = 20
const rounds = 200
/** Calls of each client, when all ask at once. */
const callsAtOnce = 10
const listeners = 400
/** Streams that one token may hold, with room for a request beside them. */
const listenersPerToken = 10
const settleMs = 1500

/** What a call costs through MCP: the same server, the same tokens, the same questions. */
export const mcp: Measurement = {
  name: 'mcp',
  about: `tools/list and search through /mcp, beside the same over REST; ${clients} clients at once; ${listeners} idle listeners`,
  async run(log) {
    const made = makePages(pages)
    const data = makeDataFolder()
    try {
      const store = await openStore(data.folder)
      const spaceId = await store.importPages(made)
      await store.deps.search.maintain()
      await store.close()
      const server = await startVoid(data.folder)
      try {
        log(`${clients} agents with a token each, over a Space with ${pages} pages`)
        const tokens = await makeTokens(server.url, spaceId)
        const calls = callsOf(server.url, spaceId, questionsFrom(made))
        return [
          ...(await oneByOne(calls, tokens)),
          ...(await allAtOnce(calls, tokens)),
          await idle(server, tokens),
        ]
      } finally {
        await server.stop()
      }
    } finally {
      data.remove()
    }
  },
}

async function makeTokens(url: string, spaceId: string): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 1; n <= clients; n += 1) {
    const { id } = await post(`${url}/api/agents`, { name: `Bench ${n}`, slug: `bench-${n}` })
    const response = await fetch(`${url}/api/agents/${id}/tokens`, {
      method: 'POST',
      headers: asOwner,
      body: JSON.stringify({ name: 'bench', spaces: [spaceId], tier: 'read' }),
    })
    tokens.push(z.object({ token: z.string() }).parse(await response.json()).token)
  }
  return tokens
}

function questionsFrom(made: readonly MadePage[]): (at: number) => string {
  const prose = createProse(99)
  const questions = Array.from({ length: 500 }, () => {
    const words = made[prose.below(made.length)]!.body.match(/\w+/g) ?? []
    const from = prose.below(Math.max(1, words.length - 6))
    return words.slice(from, from + 3 + prose.below(4)).join(' ')
  })
  return (at) => questions[at % questions.length]!
}

/** One call, `at` which of them; how long it took, in milliseconds. Rejects unless the answer holds what was asked for. */
type Call = (token: string, at: number) => Promise<number>
type Calls = Record<'list' | 'search', { throughMcp: Call; overRest: Call }>

function callsOf(url: string, spaceId: string, question: (at: number) => string): Calls {
  const spaces = `${url}/api/spaces`
  const search = (at: number) => `${url}/api/search?space_id=${spaceId}&q=${encodeURIComponent(question(at))}`
  return {
    // REST has no list of tools: its smallest list, of one Space, stands beside it.
    list: {
      throughMcp: (token) => timed(() => rpc(url, token, 'tools/list', {}), '"propose_change"'),
      overRest: (token) => timed(() => fetch(spaces, { headers: bearer(token) }), '"items"'),
    },
    search: {
      throughMcp: (token, at) => {
        const params = { name: 'search', arguments: { q: question(at) } }
        return timed(() => rpc(url, token, 'tools/call', params), '"passages"')
      },
      overRest: (token, at) => timed(() => fetch(search(at), { headers: bearer(token) }), '"title"'),
    },
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function timed(send: () => Promise<Response>, expected: string): Promise<number> {
  const started = performance.now()
  const text = await (await send()).text()
  const elapsed = performance.now() - started
  if (!text.includes(expected)) throw new Error(`Not the answer: ${text.slice(0, 300)}`)
  return elapsed
}

function rpc(url: string, token: string, method: string, params: object): Promise<Response> {
  const { headers, body } = message(token, method, params)
  return fetch(`${url}/mcp`, { method: 'POST', headers, body })
}

/** A request of revision 2026-07-28. */
function message(token: string, method: string, params: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name: unknown = Reflect.get(params, 'name')
  return {
    headers: {
      ...bearer(token),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  }
}

/** By turns, so that whatever else the machine does falls on both. */
async function oneByOne(calls: Calls, tokens: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, { throughMcp, overRest }] of Object.entries(calls)) {
    const [mcpTimes, restTimes]: [number[], number[]] = [[], []]
    for (let at = 0; at < warmUps + rounds; at += 1) {
      const token = tokens[at % tokens.length]!
      restTimes.push(await overRest(token, at))
      mcpTimes.push(await throughMcp(token, at))
    }
    figures.push(...compared(name, mcpTimes.slice(warmUps), restTimes.slice(warmUps)))
  }
  return figures
}

async function allAtOnce({ search }: Calls, tokens: readonly string[]): Promise<Figure[]> {
  const crowd = async (call: Call): Promise<number[]> => {
    const times = await Promise.all(
      tokens.map(async (token, client) => {
        const own: number[] = []
        for (let at = 0; at < callsAtOnce; at += 1) own.push(await call(token, client * callsAtOnce + at))
        return own
      }),
    )
    return times.flat()
  }
  const restTimes = await crowd(search.overRest)
  const mcpTimes = await crowd(search.throughMcp)
  return compared(`search, ${clients} clients at once`, mcpTimes, restTimes)
}

function compared(name: string, mcpTimes: readonly number[], restTimes: readonly number[]): Figure[] {
  const [value, baseline] = [percentile(mcpTimes, 0.95), percentile(restTimes, 0.95)]
  return [
    { name: `${name}, p95`, unit: 'ms', value, baseline },
    {
      name: `${name}, p95, times REST`,
      unit: 'x',
      value: value / baseline,
      bound: { kind: 'at most', value: 1.5 },
    },
  ]
}

/** What a client costs that listens and is told nothing. */
async function idle(server: ChildServer, tokens: readonly string[]): Promise<Figure> {
  const agent = new Agent({ keepAlive: false })
  const before = await server.read()
  const open = await Promise.all(
    Array.from({ length: listeners }, (_, n) =>
      listen(server.url, tokens[Math.floor(n / listenersPerToken)]!, agent),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const settled = await server.read()
  for (const close of open) close()
  const kilobytes = (settled.live - before.live) / 1000 / listeners
  return { name: 'memory per idle listener (live objects)', unit: 'kB', value: kilobytes }
}

/** Resolves with what closes it, once it was acknowledged. */
function listen(url: string, token: string, agent: Agent): Promise<() => void> {
  const params = { notifications: { resourcesListChanged: true } }
  const { headers, body } = message(token, 'subscriptions/listen', params)
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/mcp`, { method: 'POST', agent, headers }, (response) => {
      response.on('error', () => {})
      if (response.statusCode !== 200) reject(new Error(`A listener was refused: ${response.statusCode}`))
      response.once('data', () => resolve(() => outgoing.destroy()))
      response.resume()
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
