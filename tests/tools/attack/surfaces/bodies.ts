// Each route's largest bodies, sixteen at once, by everybody who can reach the server. The event loop must not stand still
// for longer than a quarter of a second, and what the server holds must be given up within ten seconds.

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { declaredRoutes } from '../../../helpers/declared-routes.ts'
import { makeFuzzWorld, ownerToken } from '../../fuzz/fuzz-world.ts'
import { createIdPool, type IdPool } from '../../fuzz/id-pool.ts'
import { createJudge } from '../../fuzz/judge-answer.ts'
import type { Caller, FuzzRequest } from '../../fuzz/make-request.ts'
import { type Operation, operationsOf } from '../../fuzz/operations.ts'
import { type Random, randomOf } from '../../fuzz/random.ts'
import { send } from '../../fuzz/send.ts'
import { startWatchedServer } from '../../fuzz/watched-server.ts'
import { type LargeBody, largestBodies } from '../largest-bodies.ts'
import type { Surface } from '../surface.ts'

const atOnce = 16
const maxGapMs = 250
const settledWithinMs = 10_000
/** Caches, compiled code and the embedded database grow by some megabytes, whatever was sent. */
const maxGrowth = 64 * 2 ** 20
/** Larger ones wait for each other, for as long as that takes. */
const heldBytes = 8 * 2 ** 20

/** Who sends, and by what headers. */
type Sender = { caller: Caller; name?: 'session'; headers: (n: number) => [string, string][] }

/** On every nth route. */
export const bodiesTo = ({ everyNth }: { everyNth: number }): Surface => ({
  name: 'large bodies',
  async attack({ tried, fell }, { databaseUrl }) {
    const folder = mkdtempSync(join(tmpdir(), 'void-bodies-'))
    // A stall is told once it is over, by when the next bodies may be under way.
    let [doing, before] = ['the start', '']
    const note = ({ what }: { what: string }) => fell(`${doing}${before && `, or ${before}`}: ${what}`)
    const server = await startWatchedServer(databaseUrl, folder, note, maxGapMs)
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
    const judge = createJudge(declaredRoutes())

    try {
      const pool = createIdPool()
      const { spaceId, tokens } = await makeFuzzWorld(server.url(), pool)
      const senders = sendersOf(tokens, await signIn(server.url()))
      const operations = operationsOf(await (await fetch(`${server.url()}/api/openapi.json`)).json())
      const held = await server.heldBytes()

      for (const [at, operation] of operations.filter(({ body }) => body).entries()) {
        if (at % everyNth !== 0) continue
        for (const [index, sender] of senders.entries()) {
          const random = randomOf(at, index)
          const target = targetOf(operation, { spaceId, pool, random })
          for (const body of draw(operation, sender, random))
            await sendAll({ operation, target, sender, random, body })
        }
      }

      await server.settle()
      const end = performance.now() + settledWithinMs
      let grown = (await server.heldBytes()) - held
      for (; grown > maxGrowth && performance.now() < end; grown = (await server.heldBytes()) - held)
        await delay(500)
      if (grown > maxGrowth) fell(`${Math.round(grown / 2 ** 20)} MB more are held than before`)
    } finally {
      agent.destroy()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }

    async function sendAll({ operation, target, sender, random, body }: Batch): Promise<void> {
      const name = `${operation.method.toUpperCase()} ${operation.path}`
      ;[doing, before] = [`${name} by ${sender.caller}, ${body.shape}`, doing]
      const bytes = Buffer.from(body.make())
      const { port, host } = new URL(server.url())
      await Promise.all(
        Array.from({ length: atOnce }, async (_, n) => {
          const request: FuzzRequest = {
            caller: sender.caller,
            operation: name,
            method: operation.method.toUpperCase(),
            target,
            headers: [
              ['Host', host],
              ['Content-Type', 'application/json'],
              // What is limited by address is limited for others.
              ['X-Forwarded-For', `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`],
              ...sender.headers(n),
            ],
            body: bytes,
            raw: null,
          }
          const answer = await send(Number(port), request, agent)
          tried()
          if ('none' in answer) {
            if (answer.none === 'late' && operation.bounds.bytes <= heldBytes) fell(`${doing}: no answer`)
            return
          }
          for (const { what } of judge(request, answer)) fell(`${doing}: ${what}`)
        }),
      )
      await server.isUp()
    }
  },
})

export const surface = bodiesTo({ everyNth: 1 })

type Batch = { operation: Operation; target: string; sender: Sender; random: Random; body: LargeBody }

/** One of all that there are. Bodies that wait for each other take seconds: they are sent with the token alone. */
function draw(operation: Operation, { name }: Sender, random: Random): LargeBody[] {
  const isHeld = operation.bounds.bytes > heldBytes
  return isHeld && name === 'session' ? [] : [random.pick(largestBodies(operation))]
}

function sendersOf(tokens: Record<'suggest' | 'read', string[]>, cookie: string): Sender[] {
  const bearer = (token: string): [string, string][] => [['Authorization', `Bearer ${token}`]]
  let turn = 0
  const next = (all: string[]) => bearer(all[turn++ % all.length]!)
  return [
    { caller: 'owner', headers: () => bearer(ownerToken) },
    {
      caller: 'owner',
      name: 'session',
      headers: () => [
        ['Cookie', cookie],
        ['Sec-Fetch-Site', 'same-origin'],
      ],
    },
    { caller: 'suggest', headers: () => next(tokens.suggest) },
    { caller: 'read', headers: () => next(tokens.read) },
    { caller: 'nobody', headers: () => [] },
  ]
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: ownerToken }),
  })
  return response.headers.getSetCookie()[0]!.split(';')[0]!
}

/** An address of the Space and of something that is there. */
function targetOf(
  { path }: Operation,
  { spaceId, pool, random }: { spaceId: string; pool: IdPool; random: Random },
): string {
  const parts = path.split('/')
  return parts
    .map((part, at) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1]
      if (!name) return part
      if (name === 'space_id') return spaceId
      return (
        pool.pick(name === 'id' ? parts[at - 1]! : name, random) ?? '01900000-0000-7000-8000-000000000000'
      )
    })
    .join('/')
}
