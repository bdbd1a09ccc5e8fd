import { Agent, request } from 'node:http'
import { z } from 'zod'
import type { ChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { asOwner } from './spaces.ts'
import { withTurnServers } from './turn-servers.ts'

const readers = 1000

/** What it costs to have a thousand tabs open that hear nothing. */
export const idleReaders: Measurement = {
  name: 'readers',
  about: `${readers} idle readers of live events, and of a turn whose model is silent`,
  run: (log) =>
    withTurnServers({ count: 1, pages: 1 }, async ({ ours: { server, paths } }) => {
      log(`${readers} connections, opened by a process that shares the machine`)
      const live = await measure(server, `${server.url}/api/events`)
      const turnId = await beginTurn(paths[0]!)
      const turn = await measure(server, `${server.url}/api/turns/${turnId}/events`)
      return [...figuresOf('live events', live), ...figuresOf('a turn', turn)]
    }),
}

type Measured = { resident: number; live: number; busy: number }

const settleMs = 1500
const watchMs = 3000

async function measure(server: ChildServer, url: string): Promise<Measured> {
  const before = await server.read()
  const agent = new Agent({ keepAlive: false })
  const open = await Promise.all(Array.from({ length: readers }, () => openReader(url, agent)))
  await pause(settleMs)
  const settled = await server.read()
  await pause(watchMs)
  const after = await server.read()
  for (const close of open) close()
  return {
    resident: (settled.rss - before.rss) / 1000 / readers,
    live: (settled.live - before.live) / 1000 / readers,
    busy: (after.cpuMs - settled.cpuMs) / watchMs,
  }
}

/** Reads on and forgets; resolves with what closes it once something has come. */
function openReader(url: string, agent: Agent): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers: asOwner }, (response) => {
      response.on('error', () => {})
      response.once('data', () => resolve(() => outgoing.destroy()))
      response.resume()
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

async function beginTurn(path: string): Promise<string> {
  const body = JSON.stringify({ text: 'hold on please' })
  const response = await fetch(path, { method: 'POST', headers: asOwner, body })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const { value } = await reader.read()
  // The turn goes on without its first reader.
  await reader.cancel()
  return z.string().parse(/"turn_id":"([^"]+)"/.exec(value ?? '')?.[1])
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const figuresOf = (name: string, { resident, live, busy }: Measured): Figure[] => [
  { name: `${name}: memory per reader (resident)`, unit: 'kB', value: resident },
  { name: `${name}: memory per reader (live objects)`, unit: 'kB', value: live },
  { name: `${name}: server CPU, part of one core`, unit: 'x', value: busy },
]
