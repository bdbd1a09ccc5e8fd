import type { Figure, Measurement } from './measurement.ts'
import { readTurn } from './read-turn.ts'
import { median, percentile } from './statistics.ts'
import { type Contender, withTurnServers } from './turn-servers.ts'

const clients = 32
const turnsPerConversation = 5
const conversations = 8
/** Turns of each client: one round to warm up, and three that count, the contenders taking turns. */
const turnsPerRound = 10
const rounds = 4
/** The last conversations go on for so long that the history has all that it may have. */
const longTurns = 40

/** As many turns as 32 clients get. A client goes on to another Space after a few turns. */
export const load: Measurement = {
  name: 'load',
  about: `${clients} clients at once, a 2-tool turn each, over and over; beside the bare SDK loop, which has no history`,
  run: (log) =>
    withTurnServers({ count: clients * conversations, pages: 6 }, async ({ bare, ours }) => {
      log(
        `conversations of ${turnsPerConversation} turns, the median of ${rounds - 1} rounds after one to warm up`,
      )
      const [baseline = [], own = []] = await measure([bare, ours])
      log(`${longTurns} more turns in one conversation, and ${turnsPerRound} measured`)
      const long = await measureLong(ours)
      const rate = of(baseline, (round) => round.rate)
      const cpu = of(baseline, (round) => round.cpu)
      return [
        figure(
          'turns per second',
          '1/s',
          of(own, (round) => round.rate),
          rate,
          { kind: 'at least', value: 120 },
        ),
        figure(
          'server CPU a turn',
          'ms',
          of(own, (round) => round.cpu),
          cpu,
          { kind: 'at most', value: 8 },
        ),
        figure('total, p50', 'ms', of(own, totalAt(0.5)), of(baseline, totalAt(0.5))),
        figure('total, p95', 'ms', of(own, totalAt(0.95)), of(baseline, totalAt(0.95))),
        figure(`after ${longTurns} turns: turns per second`, '1/s', long.rate, rate),
        figure(`after ${longTurns} turns: server CPU a turn`, 'ms', long.cpu, cpu),
      ]
    }),
}

type Round = { rate: number; cpu: number; totals: number[] }

const of = (measured: Round[], field: (round: Round) => number) => median(measured.map(field))
const totalAt = (part: number) => (round: Round) => percentile(round.totals, part)

async function measure(contenders: Contender[]): Promise<Round[][]> {
  const measured = contenders.map((): Round[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [n, { server, paths }] of contenders.entries()) {
      const taken = await timed(server, () => takeTurns(paths, round * turnsPerRound, turnsPerRound))
      if (round > 0) measured[n]!.push(taken)
    }
  }
  return measured
}

async function measureLong({ server, paths }: Contender): Promise<Round> {
  const last = paths.filter((_, n) => n % conversations === conversations - 1)
  const each = last.flatMap((path) => Array.from({ length: conversations }, () => path))
  await takeTurns(each, 0, longTurns)
  return await timed(server, () => takeTurns(each, 0, turnsPerRound))
}

async function timed(server: Contender['server'], work: () => Promise<number[]>): Promise<Round> {
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
