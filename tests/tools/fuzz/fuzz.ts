// Sends many requests, made from the server's own description, to a real server, and counts what must not be: errors of
// the server, answers that it does not declare, a loop that stood still, an exit.

import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '../../../lib/api/route.ts'
import { emptyReport, type FuzzReport } from './fuzz-report.ts'
import { makeFuzzWorld, ownerToken, restoreSpace } from './fuzz-world.ts'
import { createIdPool } from './id-pool.ts'
import { createJudge } from './judge-answer.ts'
import { type Caller, type FuzzRequest, makeRequest } from './make-request.ts'
import { operationsOf } from './operations.ts'
import { type Random, randomOf } from './random.ts'
import { type FuzzAnswer, type NoAnswer, send } from './send.ts'
import { toCurl } from './to-curl.ts'
import { startWatchedServer } from './watched-server.ts'

export type FuzzOptions = {
  requests: number
  seed: number
  /** What the answers are held against. */
  routes: readonly Route[]
  /** A database on a Postgres server; left out: PGlite. */
  databaseUrl?: string | undefined
  /** Holds the data of the server, and what is too long to be printed. */
  folder?: string | undefined
  /** Requests at a time; a token has 16. */
  atOnce?: number
  log?: (message: string) => void
}

const pages = ['', '/pages', '/tasks', '/projects', '/refs', '/resources', '/source-docs', '/trash']
const otherPages = [
  '/',
  '/spaces',
  '/inbox',
  '/search',
  '/activity',
  '/settings',
  '/settings/agents',
  '/sign-in',
]
const oddPages = [
  '/s/%00',
  '/s/%E0%A4%A',
  '/assets/x.js',
  '/assets/..%2f..%2fserver.js',
  '/favicon.ico',
  '/s/../..',
  '//',
]

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, routes, log = () => {}, atOnce = 12 } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'void-fuzz-'))
  const inFlight = new Map<number, FuzzRequest>()
  const report = emptyReport(seed)
  const server = await startWatchedServer(options.databaseUrl, folder, (event) => {
    report.add(
      event.sort,
      event.what,
      [...inFlight.values()].map((request, n) => curl(request, `loop-${report.sent}-${n}`)),
    )
  })
  const curl = (request: FuzzRequest, name: string) => toCurl(server.url(), request, folder, name)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const pool = createIdPool()
  const judge = createJudge(routes)

  try {
    const world = await makeFuzzWorld(server.url(), pool)
    const operations = operationsOf(await (await fetch(`${server.url()}/api/openapi.json`)).json())
    const authorize = (caller: Caller, random: Random) =>
      caller === 'nobody'
        ? random.chance(0.5)
          ? null
          : random.pick(['Bearer x', 'Basic eDp5', 'Bearer agent_x', 'Bearer', 'Bearer owner_\u00ff'])
        : `Bearer ${caller === 'owner' ? ownerToken : random.pick(world.tokens[caller])}`
    const targets = [...pages.map((page) => `/s/fuzz${page}`), ...otherPages, ...oddPages]
    let next = 0

    const work = async () => {
      while (next < requests) {
        const n = next
        next += 1
        if (n % 500 === 499) {
          await restoreSpace(server.url(), world)
          log(report.summary())
        }
        const random = randomOf(seed, n)
        const host = new URL(server.url()).host
        const request = makeRequest({ random, operations, pool, pages: targets, authorize, host })
        inFlight.set(n, request)
        const answer = await send(Number(new URL(server.url()).port), request, agent)
        inFlight.delete(n)
        await server.isUp()
        take(n, request, answer)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await server.settle()
    const never = operations
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
      .filter((name) => !report.succeeded.has(name))
    log(`never answered with a success: ${never.join(', ') || 'none'}`)
    return report
  } finally {
    agent.destroy()
    await server.stop()
  }

  function take(n: number, request: FuzzRequest, answer: FuzzAnswer | NoAnswer): void {
    report.count(request, answer)
    if ('none' in answer) {
      if (answer.none === 'late') report.add('unanswered', 'no answer', [curl(request, `late-${n}`)])
      return
    }
    if (answer.status < 300 && answer.isWhole && answer.type === 'application/json') {
      if (request.caller === 'owner' || request.method !== 'GET')
        pool.learn(request.target, parse(answer.body))
    }
    for (const { sort, what } of judge(request, answer)) {
      const cause = server.logOf(answer.requestId)
      report.add(sort, `${request.method} ${request.target.slice(0, 200)}: ${what}${cause}`, [
        curl(request, `${sort}-${n}`),
      ])
    }
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
