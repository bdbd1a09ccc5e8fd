import type { ChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { asOwner, post } from './spaces.ts'
import { median } from './statistics.ts'
import { withTurnServers } from './turn-servers.ts'

const routines = 200
const rounds = 3
const settleMs = 10_000
const watchMs = 60_000

/** What it costs to have routines that wait for their time, or for an event, on a server where nothing happens. */
export const idleRoutines: Measurement = {
  name: 'routines',
  about: `an idle server with ${routines} routines, half of them after events; beside the same server with none`,
  run: (log) =>
    withTurnServers({ count: 1, pages: 1 }, async ({ ours: { server } }) => {
      const space = await post(`${server.url}/api/spaces`, { name: 'Routines' })
      const none: number[] = []
      const many: number[] = []
      for (let round = 1; round <= rounds; round += 1) {
        none.push(await idleCpu(server))
        const ids = await createRoutines(server, space.id)
        many.push(await idleCpu(server))
        for (const id of ids) await remove(server, id)
        log(`round ${round}: ${none.at(-1)!.toFixed(2)} % without, ${many.at(-1)!.toFixed(2)} % with`)
      }
      const figure: Figure = {
        name: `idle CPU with ${routines} routines, of a core`,
        unit: '%',
        value: median(many),
        baseline: median(none),
        bound: { kind: 'at most', value: 2 },
      }
      return [figure]
    }),
}

/** Of one core, in per cent. */
async function idleCpu(server: ChildServer): Promise<number> {
  await pause(settleMs)
  const before = await server.read()
  await pause(watchMs)
  const after = await server.read()
  return ((after.cpuMs - before.cpuMs) / watchMs) * 100
}

async function createRoutines(server: ChildServer, spaceId: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < routines; n += 1) {
    const when =
      n % 2 === 0
        ? { schedule: `FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=${(n % 28) + 1};BYHOUR=3;BYMINUTE=0` }
        : { event: (['mail', 'page', 'import'] as const)[n % 3] }
    const body = { name: `Routine ${n}`, instruction: 'Look.', when }
    ids.push((await post(`${server.url}/api/spaces/${spaceId}/routines`, body)).id)
  }
  return ids
}

async function remove(server: ChildServer, id: string): Promise<void> {
  const { ok } = await fetch(`${server.url}/api/routines/${id}`, { method: 'DELETE', headers: asOwner })
  if (!ok) throw new Error(`routine ${id} not deleted`)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
