import { startChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { readWholeTurn } from './read-turn.ts'
import { makeDataFolder, startVoid } from './spaces.ts'
import { median } from './statistics.ts'
import { type Contender, withTurnServers } from './turn-servers.ts'

const rounds = 5
const vaultFiles = 140

/** From the start of the process to the line that says it listens, and what it holds after a first turn. */
export const start: Measurement = {
  name: 'start',
  about:
    'from the start of the process to listening, beside the bare loop, which has no store; memory after a first turn, with TEST_DATABASE_URL also on Postgres',
  async run(log) {
    log(`each the median of ${rounds} starts`)
    const bare = await repeat(() => startChildServer(new URL('./bare-loop.ts', import.meta.url)))
    const empty = await repeat(onEmptyStore)
    return [
      { ...figure('empty store', empty, bare), bound: atMost(4000) },
      ...(await onFullStores(bare)),
      ...(await measureMemory()),
    ]
  },
}

async function onFullStores(bare: number): Promise<Figure[]> {
  const data = makeDataFolder()
  try {
    await (await startVoid(data.folder)).stop()
    const existing = await repeat(() => startVoid(data.folder))
    const store = await openStore(data.folder)
    await store.importPages(makePages(vaultFiles))
    await store.close()
    const vault = await repeat(() => startVoid(data.folder))
    return [
      { ...figure('existing store', existing, bare), bound: atMost(800) },
      { ...figure(`existing store with a vault of ${vaultFiles} files`, vault, bare), bound: atMost(800) },
    ]
  } finally {
    data.remove()
  }
}

/** After a turn with two tools in a Space of a few pages, and a garbage collection. */
async function measureMemory(): Promise<Figure[]> {
  const { bare, ours, postgres } = await withTurnServers({ count: 1, postgres: true }, async (servers) => {
    const memoryOf = async ({ server, paths, wire }: Contender) => {
      await readWholeTurn(paths[0]!, 'two tools: what is said of kan bin?', wire)
      return (await server.read()).rss / 1e6
    }
    return {
      bare: await memoryOf(servers.bare),
      ours: await memoryOf(servers.ours),
      postgres: servers.postgres && (await memoryOf(servers.postgres)),
    }
  })
  const memory = (name: string, value: number, most: number): Figure => ({
    ...{ name: `${name}: memory after a first turn`, unit: 'MB', value, baseline: bare, bound: atMost(most) },
  })
  return [memory('embedded', ours, 300), ...(postgres === null ? [] : [memory('Postgres', postgres, 150)])]
}

const atMost = (value: number) => ({ kind: 'at most' as const, value })

async function onEmptyStore() {
  const data = makeDataFolder()
  const server = await startVoid(data.folder)
  return {
    ...server,
    async stop() {
      await server.stop()
      data.remove()
    },
  }
}

async function repeat(begin: () => Promise<{ startMs: number; stop(): Promise<void> }>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) {
    const server = await begin()
    times.push(server.startMs)
    await server.stop()
  }
  return median(times)
}

const figure = (name: string, value: number, baseline: number): Figure => ({
  name,
  unit: 'ms',
  value,
  baseline,
})
