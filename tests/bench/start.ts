import { startChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { makeDataFolder, startVoid } from './spaces.ts'
import { median } from './statistics.ts'

const rounds = 5
const vaultFiles = 140

/** From the start of the process to the line that says it listens. */
export const start: Measurement = {
  name: 'start',
  about: 'from the start of the process to listening; beside the bare loop, which has no store',
  async run(log) {
    log(`each the median of ${rounds} starts`)
    const bare = await repeat(() => startChildServer(new URL('./bare-loop.ts', import.meta.url)))
    const empty = await repeat(onEmptyStore)
    return [figure('empty store', empty, bare), ...(await onFullStores(bare))]
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
    const bound = { kind: 'at most' as const, value: 1500 }
    return [
      { ...figure('existing store', existing, bare), bound },
      { ...figure(`existing store with a vault of ${vaultFiles} files`, vault, bare), bound },
    ]
  } finally {
    data.remove()
  }
}

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
