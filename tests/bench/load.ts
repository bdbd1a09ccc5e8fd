import type { Figure, Measurement } from './measurement.ts'
import { readTurn } from './read-turn.ts'
import { percentile } from './statistics.ts'
import { type Contender, withTurnServers } from './turn-servers.ts'

const clients = 32
const turnsPerConversation = 5
const conversations = 8
const warmUpTurns = 10
const turns = turnsPerConversation * conversations - warmUpTurns
/** The last conversations go on for so long that the history has all that it may have. */
const longTurns = 40

/** As many turns as 32 clients get. A client goes on to another Space after a few turns. */
export const load: Measurement = {
  name: 'load',
  about: `${clients} clients at once, a 2-tool turn each, over and over; beside the bare SDK loop, which has no history`,
  run: (log) =>
    withTurnServers({ count: clients * conversations, pages: 6 }, async ({ bare, ours }) => {
      log(
        `${turns} turns a client in conversations of ${turnsPerConversation}, after ${warmUpTurns} to warm up`,
      )
      const baseline = await measure(bare)
      const own = await measure(ours)
      log(`${longTurns} more turns in one conversation, and ${warmUpTurns} measured`)
      const long = await measureLong(ours)
      return [
        figure('turns per second', '1/s', own.rate, baseline.rate, { kind: 'at least', value: 120 }),
        figure('server CPU a turn', 'ms', own.cpu, baseline.cpu, { kind: 'at most', value: 8 }),
        figure('total, p50', 'ms', percentile(own.totals, 0.5), percentile(baseline.totals, 0.5)),
        figure('total, p95', 'ms', percentile(own.totals, 0.95), percentile(baseline.totals, 0.95)),
        figure(`after ${longTurns} turns: turns per second`, '1/s', long.rate, baseline.rate),
        figure(`after ${longTurns} turns: server CPU a turn`, 'ms', long.cpu, baseline.cpu),
      ]
    }),
}

type Load = { rate: number; cpu: number; totals: number[] }

async function measure({ server, paths }: Contender): Promise<Load> {
  await takeTurns(paths, 0, warmUpTurns)
  return await timed(server, () => takeTurns(paths, warmUpTurns, turns))
}

async function measureLong({ server, paths }: Contender): Promise<Load> {
  const last = paths.filter((_, n) => n % conversations === conversations - 1)
  const each = last.flatMap((path) => Array.from({ length: conversations }, () => path))
  await takeTurns(each, 0, longTurns)
  return await timed(server, () => takeTurns(each, 0, warmUpTurns))
}

async function timed(server: Contender['server'], work: () => Promise<number[]>): Promise<Load> {
  const before = await server.read()
  const started = performance.now()
  const totals = await work()
  const elapsed = performance.now() - started
  const after = await server.read()
  const count = totals.length
  return { rate: (count / elapsed) * 1000, cpu: (after.cpuMs - before.cpuMs) / count, totals }
}

/** Each client takes its turns one after the other, from the `from`th on; its conversations are eight of the paths. */
async function takeTurns(paths: readonly string[], from: number, count: number): Promise<number[]> {
  const totals: number[] = []
  const client = async (_: unknown, n: number) => {
    for (let turn = from; turn < from + count; turn += 1) {
      const conversation = Math.floor(turn / turnsPerConversation) % conversations
      const path = paths[n * conversations + conversation]!
      totals.push((await readTurn(path, 'two tools: what is said of kan bin?')).total)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return totals
}

function figure(
  name: string,
  unit: Figure['unit'],
  value: number,
  baseline: number,
  bound?: Figure['bound'],
): Figure {
  return { name, unit, value, baseline, ...(bound ? { bound } : {}) }
}
