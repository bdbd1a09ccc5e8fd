import type { Figure, Measurement } from './measurement.ts'
import { readTurn, type TurnTimes } from './read-turn.ts'
import { median, percentile } from './statistics.ts'
import { type Contender, type TurnServers, withTurnServers } from './turn-servers.ts'

const warmUps = 100
const rounds = 200
const spaces = 40

/** One turn at a time, Void's and the bare loop's taking turns, so that both feel the same machine. */
export const oneTurn: Measurement = {
  name: 'turn',
  about:
    'one turn at a time, whole server, everything stored; beside the bare SDK loop on Express; over Chat Completions beside the Messages API; with TEST_DATABASE_URL also on Postgres',
  run: (log) =>
    withTurnServers({ count: spaces, postgres: true, chat: true }, async (servers) => {
      log(`${warmUps} rounds to warm up, ${rounds} measured, for each kind of turn`)
      return [...(await measureKind(servers, 'two tools')), ...(await measureKind(servers, 'plain'))]
    }),
}

async function measureKind({ bare, ours, chat, postgres }: TurnServers, kind: string): Promise<Figure[]> {
  const contenders = [bare, ours, chat, postgres].filter((contender) => contender !== null)
  await takeTurns(contenders, kind, warmUps)
  const before = await readAll(contenders)
  const times = await takeTurns(contenders, kind, rounds)
  const after = await readAll(contenders)
  const taken = new Map(
    contenders.map((contender, i) => {
      const cpu = (after[i]!.cpuMs - before[i]!.cpuMs) / rounds
      return [contender, { times: times[i]!, cpu }]
    }),
  )
  const of = (contender: Contender | null) => contender && taken.get(contender)
  const [baseline, embedded, overChat, onPostgres] = [bare, ours, chat, postgres].map(of)
  return [
    ...figuresOf(kind, embedded!, baseline!),
    ...(overChat ? wireFigures(kind, overChat, embedded!) : []),
    ...(onPostgres ? figuresOf(`Postgres, ${kind}`, onPostgres, baseline!) : []),
  ]
}

/** The same turn over Chat Completions, beside the Messages API; what is promised is promised of the median. */
function wireFigures(kind: string, chat: Taken, messages: Taken): Figure[] {
  const bound = atMost(1.15 * median(messages.times.map(({ total }) => total)))
  const name = `Chat Completions, ${kind}`
  const [middle, ...rest] = timesOf(name, 'total', 'total', messages.times, chat.times)
  const cpu = {
    name: `${name}: server CPU a turn`,
    unit: 'ms' as const,
    value: chat.cpu,
    baseline: messages.cpu,
  }
  return [{ ...middle!, bound }, ...rest, cpu]
}

type Taken = { times: TurnTimes[]; cpu: number }

/** What is promised is promised of the median: that everything is stored costs at most six times the bare loop. */
function figuresOf(kind: string, own: Taken, bare: Taken): Figure[] {
  const middle = (field: keyof TurnTimes) => median(bare.times.map((times) => times[field]))
  const promised = (figures: Figure[], value: number) =>
    figures.map((figure, i) => (i === 0 ? { ...figure, bound: atMost(value) } : figure))
  return [
    ...timesOf(kind, 'first event', 'firstEvent', bare.times, own.times),
    ...promised(timesOf(kind, 'first text', 'firstText', bare.times, own.times), 6 * middle('firstText')),
    ...promised(timesOf(kind, 'total', 'total', bare.times, own.times), 6 * middle('total')),
    { name: `${kind}: server CPU a turn`, unit: 'ms', value: own.cpu, baseline: bare.cpu },
  ]
}

const atMost = (value: number) => ({ kind: 'at most' as const, value })

/** The times of each contender, a turn of one after a turn of the other. */
async function takeTurns(contenders: Contender[], kind: string, count: number): Promise<TurnTimes[][]> {
  const times = contenders.map((): TurnTimes[] => [])
  for (let n = 0; n < count; n += 1) {
    for (const [i, { paths }] of contenders.entries()) {
      times[i]!.push(await readTurn(paths[n % paths.length]!, `${kind}: what is said of kan bin?`))
    }
  }
  return times
}

const readAll = (contenders: Contender[]) => Promise.all(contenders.map(({ server }) => server.read()))

function timesOf(
  kind: string,
  what: string,
  field: keyof TurnTimes,
  bare: TurnTimes[],
  ours: TurnTimes[],
): Figure[] {
  return [0.5, 0.95].map((part) => ({
    name: `${kind}: ${what}, p${part * 100}`,
    unit: 'ms',
    value: percentile(
      ours.map((times) => times[field]),
      part,
    ),
    baseline: percentile(
      bare.map((times) => times[field]),
      part,
    ),
  }))
}
