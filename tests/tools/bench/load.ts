import type { Wire } from './answer.ts'
import type { Figure, Measurement } from './measurement.ts'
import { readWholeTurn } from './read-turn.ts'
import { median, percentile } from './statistics.ts'
import { type Contender, withTurnServers } from './turn-servers.ts'

const clients = 32
const turnsPerConversation = 5
const conversations = 8
/** Spaces that they go through, each with a conversation. */
export const spacesOfClients = clients * conversations
/** Turns of each client: one round to warm up, and three that count, the contenders taking turns. */
const turnsPerRound = 10
const rounds = 4
/** The last conversations go on for so long that the history has all that it may have. */
const longTurns = 40

/** As many turns as 32 clients get. A client goes on to another Space after a few turns. */
export const load: Measurement = {
  name: 'load',
  about: `${clients} clients at once, a 2-tool turn each, over and over; beside the bare SDK loop and two frameworks, which have no history; with TEST_DATABASE_URL also on Postgres`,
  run: (log) =>
    withTurnServers(
      { count: spacesOfClients, pages: 6, frameworks: true, postgres: true },
      async ({ bare, ours, postgres, frameworks }) => {
        log(
          `conversations of ${turnsPerConversation} turns, the median of ${rounds - 1} rounds after one to warm up`,
        )
        const { onPostgres, ...measured } = await measure({
          ...{ bare, ours, ...frameworks },
          ...(postgres && { onPostgres: postgres }),
        })
        log(`${longTurns} more turns in one conversation, and ${turnsPerRound} measured`)
        const long = longFigures(await measureLong(ours), measured.bare!)
        return [
          ...figuresOf(measured),
          ...(onPostgres ? postgresFigures(onPostgres, measured.bare!) : []),
          ...long,
        ]
      },
    ),
}

// What is promised is a part of what the bare loop does in the same run.
type Round = { rate: number; cpu: number; totals: number[]; rss: number }
type Measured = Record<string, Round[]>

const of = (measured: Round[], field: (round: Round) => number) => median(measured.map(field))
const totalAt = (part: number) => (round: Round) => percentile(round.totals, part)
const rateOf = ({ rate }: Round) => rate
const cpuOf = ({ cpu }: Round) => cpu
const atLeast = (value: number) => ({ kind: 'at least' as const, value })
const atMost = (value: number) => ({ kind: 'at most' as const, value })
/** In MB, after a garbage collection. */
const rssOf = ({ rss }: Round) => rss / 1e6

function figuresOf({ bare = [], ours = [], ...frameworks }: Measured): Figure[] {
  const compare = (name: string, unit: Figure['unit'], field: (round: Round) => number): Figure => ({
    name,
    unit,
    value: of(ours, field),
    baseline: of(bare, field),
    others: Object.fromEntries(Object.entries(frameworks).map(([other, taken]) => [other, of(taken, field)])),
  })
  return [
    { ...compare('turns per second', '1/s', rateOf), bound: atLeast(0.15 * of(bare, rateOf)) },
    { ...compare('server CPU a turn', 'ms', cpuOf), bound: atMost(7 * of(bare, cpuOf)) },
    compare('total, p50', 'ms', totalAt(0.5)),
    compare('total, p95', 'ms', totalAt(0.95)),
    { ...compare('total, p99', 'ms', totalAt(0.99)), bound: atMost(1000) },
    compare('memory', 'MB', rssOf),
  ]
}

function postgresFigures(taken: Round[], bare: Round[]): Figure[] {
  const compare = (name: string, unit: Figure['unit'], field: (round: Round) => number): Figure => ({
    ...{ name: `Postgres: ${name}`, unit, value: of(taken, field), baseline: of(bare, field) },
  })
  return [
    { ...compare('turns per second', '1/s', rateOf), bound: atLeast(0.15 * of(bare, rateOf)) },
    { ...compare('server CPU a turn', 'ms', cpuOf), bound: atMost(7 * of(bare, cpuOf)) },
    compare('total, p50', 'ms', totalAt(0.5)),
    { ...compare('total, p99', 'ms', totalAt(0.99)), bound: atMost(1000) },
    compare('memory', 'MB', rssOf),
  ]
}

function longFigures(long: Round, bare: Round[]): Figure[] {
  const after = `after ${longTurns} turns`
  return [
    { name: `${after}: turns per second`, unit: '1/s', value: long.rate, baseline: of(bare, rateOf) },
    { name: `${after}: server CPU a turn`, unit: 'ms', value: long.cpu, baseline: of(bare, cpuOf) },
  ]
}

/** The contenders take turns, round after round. */
async function measure(contenders: Record<string, Contender>): Promise<Measured> {
  const measured: Measured = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const taken = await timed(contender, contender.paths, { from: round * turnsPerRound })
      if (round > 0) measured[name] = [...(measured[name] ?? []), taken]
    }
  }
  return measured
}

async function measureLong(contender: Contender): Promise<Round> {
  const last = contender.paths.filter((_, n) => n % conversations === conversations - 1)
  const each = last.flatMap((path) => Array.from({ length: conversations }, () => path))
  await takeTurns(each, contender.wire, { from: 0, count: longTurns })
  return await timed(contender, each, { from: 0 })
}

type Turns = { from: number; count?: number }

async function timed({ server, wire }: Contender, paths: readonly string[], turns: Turns): Promise<Round> {
  const before = await server.read()
  const started = performance.now()
  const totals = await takeTurns(paths, wire, turns)
  const elapsed = performance.now() - started
  const { cpuMs, rss } = await server.read()
  const count = totals.length
  return { rate: (count / elapsed) * 1000, cpu: (cpuMs - before.cpuMs) / count, totals, rss }
}

/** Each client takes its turns one after the other, from the `from`th on; its conversations are eight of the paths. */
export async function takeTurns(
  paths: readonly string[],
  wire: Wire,
  { from, count = turnsPerRound }: Turns,
): Promise<number[]> {
  const totals: number[] = []
  const client = async (_: unknown, n: number) => {
    for (let turn = from; turn < from + count; turn += 1) {
      const conversation = Math.floor(turn / turnsPerConversation) % conversations
      const path = paths[n * conversations + conversation]!
      totals.push((await readWholeTurn(path, 'two tools: what is said of kan bin?', wire)).total)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return totals
}
