import { type ChildServer, startChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { readTurn, type TurnTimes } from './read-turn.ts'
import { makeDataFolder, makeSpaces } from './spaces.ts'
import { percentile } from './statistics.ts'

const warmUps = 100
const rounds = 300
const spaces = 20
const maxTimes = 1.3

/** What it costs a turn to store its steps and events as it goes; beside one that does not, from the same loop. */
export const durability: Measurement = {
  name: 'durability',
  about:
    'a turn with two tools, stored as it goes; beside the same turn with only its question and answer stored',
  async run(log) {
    const running: ChildServer[] = []
    const folders = [makeDataFolder(), makeDataFolder()]
    const keep = (server: ChildServer) => {
      running.push(server)
      return server
    }
    try {
      const model = keep(await startChildServer(new URL('./fake-model.ts', import.meta.url)))
      const script = new URL('./durability-server.ts', import.meta.url)
      const servers = await Promise.all(
        folders.map(({ folder }, n) =>
          startChildServer(script, { MODEL_URL: model.url, DATA_DIR: folder, FORGET: String(n) }).then(keep),
        ),
      )
      const paths = await Promise.all(servers.map(({ url }) => makeSpaces(url, spaces)))
      log(`${warmUps} rounds to warm up, ${rounds} measured`)
      await takeTurns(paths, warmUps)
      const before = await readAll(servers)
      const [durable = [], forgetful = []] = await takeTurns(paths, rounds)
      const after = await readAll(servers)
      const [own = 0, baseline = 0] = after.map(({ cpuMs }, n) => (cpuMs - before[n]!.cpuMs) / rounds)
      return [
        ...figuresOf('first event', 'firstEvent', durable, forgetful),
        ...figuresOf('total', 'total', durable, forgetful).map((figure) => ({
          ...figure,
          bound: { kind: 'at most' as const, value: maxTimes * (figure.baseline ?? 0) },
        })),
        { name: 'server CPU a turn', unit: 'ms', value: own, baseline },
      ]
    } finally {
      for (const server of running.toReversed()) await server.stop()
      for (const { remove } of folders) remove()
    }
  },
}

const readAll = (servers: readonly ChildServer[]) => Promise.all(servers.map((server) => server.read()))

/** The times of each server, a turn of one after a turn of the other. */
async function takeTurns(paths: readonly string[][], count: number): Promise<TurnTimes[][]> {
  const times = paths.map((): TurnTimes[] => [])
  for (let n = 0; n < count; n += 1) {
    for (const [at, own] of paths.entries()) {
      times[at]!.push(await readTurn(own[n % own.length]!, 'two tools: what is said of kan bin?'))
    }
  }
  return times
}

function figuresOf(
  what: string,
  field: keyof TurnTimes,
  durable: readonly TurnTimes[],
  forgetful: readonly TurnTimes[],
): Figure[] {
  const at = (times: readonly TurnTimes[], part: number) =>
    percentile(
      times.map((one) => one[field]),
      part,
    )
  return [0.5, 0.95].map((part) => ({
    name: `${what}, p${part * 100}`,
    unit: 'ms',
    value: at(durable, part),
    baseline: at(forgetful, part),
  }))
}
