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
  about: 'one turn at a time, whole server, everything stored; beside the bare SDK loop on Express',
  run: (log) =>
    withTurnServers({ count: spaces }, async (servers) => {
      log(`${warmUps} rounds to warm up, ${rounds} measured, for each kind of turn`)
      return [...(await measureKind(servers, 'two tools')), ...(await measureKind(servers, 'plain'))]
    }),
}

async function measureKind({ bare, ours }: TurnServers, kind: string): Promise<Figure[]> {
  await takeTurns([bare, ours], kind, warmUps)
  const before = await readAll([bare, ours])
  const [bareTimes = [], ourTimes = []] = await takeTurns([bare, ours], kind, rounds)
  const after = await readAll([bare, ours])
  const [bareCpu = 0, ourCpu = 0] = after.map(({ cpuMs }, i) => (cpuMs - before[i]!.cpuMs) / rounds)

  const total = median(bareTimes.map((times) => times.total))
  return [
    ...timesOf(kind, 'first event', 'firstEvent', bareTimes, ourTimes),
    ...timesOf(kind, 'first text', 'firstText', bareTimes, ourTimes),
    ...timesOf(kind, 'total', 'total', bareTimes, ourTimes).map((figure, i) =>
      kind === 'two tools' && i === 0 ? { ...figure, bound: atMost(1.5 * total + 10) } : figure,
    ),
    { name: `${kind}: server CPU a turn`, unit: 'ms', value: ourCpu, baseline: bareCpu },
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
