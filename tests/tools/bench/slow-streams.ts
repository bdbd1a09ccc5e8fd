import { setTimeout as delay } from 'node:timers/promises'
import type { Figure, Measurement } from './measurement.ts'
import { readTurn } from './read-turn.ts'
import { percentile } from './statistics.ts'
import { type Contender, withTurnServers } from './turn-servers.ts'

const streams = 200
/** At one every 20 ms: twelve seconds, of which all streams are open for most. */
const deltas = 600
const warmUps = 100
const joiners = 100
const joinEveryMs = 50
/** The streams begin one after the other, as people do. */
const rampMs = 3000
/** What a delta may take more than in the bare loop. */
const moreMs = 5

/** Many people reading along while a model speaks slowly, and somebody who asks in the middle of it. */
export const slowStreams: Measurement = {
  name: 'streams',
  about: `${streams} streams with a delta every 20 ms; beside the bare SDK loop on Express`,
  run: (log) =>
    withTurnServers({ count: streams + joiners, pages: 1 }, async ({ bare, ours }) => {
      log(`${streams} streams of ${deltas} deltas, and ${joiners} short turns that join them`)
      const baseline = await measure(bare)
      const own = await measure(ours)
      const most = (value: number) => ({ bound: { kind: 'at most' as const, value } })
      return [
        { ...compare('delta latency, p50', 'ms', own, baseline, (m) => percentile(m.latencies, 0.5)) },
        {
          ...compare('delta latency, p99', 'ms', own, baseline, (m) => percentile(m.latencies, 0.99)),
          ...most(percentile(baseline.latencies, 0.99) + moreMs),
        },
        {
          ...compare('a turn that joins: first text, p50', 'ms', own, baseline, (m) =>
            percentile(m.joins, 0.5),
          ),
        },
        {
          ...compare('a turn that joins: first text, p99', 'ms', own, baseline, (m) =>
            percentile(m.joins, 0.99),
          ),
          ...most(250),
        },
        {
          ...compare('memory per open stream (resident)', 'kB', own, baseline, (m) => m.resident),
          ...most(500),
        },
        compare('memory per open stream (live objects)', 'kB', own, baseline, (m) => m.live),
        {
          ...compare('server CPU, part of one core', 'x', own, baseline, (m) => m.busy),
          ...most(baseline.busy),
        },
      ]
    }),
}

type Measured = { latencies: number[]; joins: number[]; resident: number; live: number; busy: number }

async function measure({ server, paths }: Contender): Promise<Measured> {
  const slow = paths.slice(0, streams)
  const quick = paths.slice(streams)
  for (let n = 0; n < warmUps; n += 1) await readTurn(quick[n % quick.length]!, 'plain: hello')
  const before = await server.read()

  const latencies: number[] = []
  let watching = false
  const reading = slow.map(async (path, n) => {
    await delay((n * rampMs) / streams)
    await readTurn(path, `slow ${deltas} please`, (ms) => watching && latencies.push(ms))
  })
  await delay(rampMs + 1000)
  // Before anybody joins: what turns that come and go leave behind is not the open streams'.
  const open = await server.read()
  // The reading collected garbage, which held up what came meanwhile.
  await delay(500)
  watching = true
  const started = performance.now()
  const joins = await join(quick)
  const elapsed = performance.now() - started
  watching = false
  const atEnd = await server.read()
  await Promise.all(reading)

  return {
    latencies,
    joins,
    resident: (open.rss - before.rss) / 1000 / streams,
    live: (open.live - before.live) / 1000 / streams,
    busy: (atEnd.cpuMs - open.cpuMs) / elapsed,
  }
}

async function join(paths: readonly string[]): Promise<number[]> {
  const asked = Array.from({ length: joiners }, async (_, n) => {
    await delay(n * joinEveryMs)
    return (await readTurn(paths[n % paths.length]!, 'plain: hello')).firstText
  })
  return await Promise.all(asked)
}

function compare(
  name: string,
  unit: Figure['unit'],
  own: Measured,
  baseline: Measured,
  of: (measured: Measured) => number,
): Figure {
  return { name, unit, value: of(own), baseline: of(baseline) }
}
