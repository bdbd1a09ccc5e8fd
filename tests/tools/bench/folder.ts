import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { createProse, makePages } from './prose.ts'
import { asOwner, makeDataFolder, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const files = Number(process.env.BENCH_FILES ?? 10_000)
const perFolder = 50
const saves = 20
const savesWithoutEvents = 5
const approvals = 20
const idleSeconds = 180
/** As much as a second of quiet may cost, in milliseconds of computing, once what came is indexed. */
const quietCpuMs = 40

const State = z.object({ state: z.string(), problem: z.string().nullable(), files: z.number() })
const Found = z.object({ items: z.array(z.unknown()) })
const Notes = z.object({
  items: z.array(z.object({ id: z.string(), version: z.number(), path: z.string(), body: z.string() })),
})

type Connected = { server: ChildServer; space: string; folder: string }

/** 10,000 files in step: how long it takes, how soon each side has what the other one got, and what it costs meanwhile. */
export const folder: Measurement = {
  name: 'folder',
  about: `a folder of ${files.toLocaleString('en-US')} files in step with a Space; BENCH_FILES for another number`,
  async run(log) {
    const data = makeDataFolder()
    const notes = makeDataFolder()
    try {
      const path = join(realpathSync(notes.folder), 'notes')
      makeFiles(path)
      const start = (flags: readonly string[] = []) =>
        startVoid(data.folder, undefined, {
          FOLDERS: realpathSync(notes.folder),
          DRAFTS_PER_HOUR: '1000',
          ...(flags.length > 0 && { NODE_OPTIONS: flags.join(' ') }),
        })
      const server = await start()
      const { id } = await post(`${server.url}/api/spaces`, { name: 'Notes' })
      const one: Connected = { server, space: `${server.url}/api/spaces/${id}`, folder: path }
      const connectMs = await connect(one)
      log(`connected in ${Math.round(connectMs / 1000)} s`)
      await untilQuiet(server)
      const found = await saveAndFind(one, saves)
      log(`found ${found.length} saves`)
      const onDisk = await approve(one)
      await untilQuiet(server)
      const idle = await measureIdle(server)
      const connected = (await server.read()).live
      await server.stop()

      const blind = await start([`--import ${fileURLToPath(new URL('./no-watches.js', import.meta.url))}`])
      const without = { server: blind, space: `${blind.url}/api/spaces/${id}`, folder: path }
      await untilInStep(without)
      await untilQuiet(blind)
      const foundBlind = await saveAndFind(without, savesWithoutEvents)
      await fetch(`${without.space}/folder`, { method: 'DELETE', headers: asOwner })
      await blind.stop()

      const growth = await measureGrowth(start, { id, path })
      log(`${Math.round(connected / 1e6)} MB are live while it is connected`)
      const ms = (name: string, value: number, most: number): Figure => ({
        ...{ name, unit: 'ms', value, bound: { kind: 'at most', value: most } },
      })
      return [
        ms('first connect', connectMs, 60_000),
        ms('a save is found, p95', percentile(found, 0.95), 2000),
        ms('a save is found without events, p95', percentile(foundBlind, 0.95), 60_000),
        ms('an approval is on disk, p95', percentile(onDisk, 0.95), 1000),
        { name: 'idle, of a core', unit: '%', value: idle, bound: { kind: 'at most', value: 1 } },
        { name: 'memory that it adds', unit: 'MB', value: growth, bound: { kind: 'at most', value: 20 } },
      ]
    } finally {
      data.remove()
      notes.remove()
    }
  },
}

function makeFiles(path: string): void {
  const made = makePages(200)
  const { words } = createProse(2)
  for (let n = 0; n < files; n++) {
    const folder = join(path, `folder ${Math.floor(n / perFolder)}`)
    if (n % perFolder === 0) mkdirSync(folder, { recursive: true })
    const body = made[n % made.length]!.body.slice(0, 800)
    writeFileSync(join(folder, `note ${n}.md`), `# Note ${n}\n\n${words(20).join(' ')}\n\n${body}\n`)
  }
}

async function connect(one: Connected): Promise<number> {
  const began = performance.now()
  const body = JSON.stringify({ path: one.folder })
  const response = await fetch(`${one.space}/folder`, { method: 'PUT', headers: asOwner, body })
  if (!response.ok) throw new Error(`not connected: ${await response.text()}`)
  await untilInStep(one)
  return performance.now() - began
}

async function untilInStep({ space }: Connected): Promise<void> {
  for (;;) {
    const state = await read(`${space}/folder`, State)
    if (state.state === 'paused') throw new Error(`paused: ${state.problem}`)
    if (state.state === 'in_step' && state.files === files) return
    await wait(250)
  }
}

/** Until what came is indexed and nothing is computed any more. */
async function untilQuiet(server: ChildServer): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const before = await server.readCpuMs()
    await wait(1000)
    quiet = (await server.readCpuMs()) - before < quietCpuMs ? quiet + 1 : 0
  }
}

/** From a save in the folder until a search finds it. */
async function saveAndFind({ space, folder }: Connected, count: number): Promise<number[]> {
  const times: number[] = []
  const search = new URL('/api/search', space)
  search.searchParams.set('space_id', space.slice(space.lastIndexOf('/') + 1))
  for (let n = 0; n < count; n++) {
    const word = `xylo${String.fromCharCode(97 + n)}${Date.now().toString(36)}`
    const file = join(
      folder,
      `folder ${n % Math.ceil(files / perFolder)}`,
      `note ${(n % Math.ceil(files / perFolder)) * perFolder}.md`,
    )
    search.searchParams.set('q', word)
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${word}\n`)
    const began = performance.now()
    while ((await read(search.href, Found)).items.length === 0) await wait(25)
    times.push(performance.now() - began)
    await wait(500)
  }
  return times
}

/** From the approval of an agent’s draft until it is in the file. */
async function approve({ server, space, folder }: Connected): Promise<number[]> {
  const agent = await post(`${server.url}/api/agents`, { name: 'Bench', slug: 'bench' })
  const made = await fetch(`${server.url}/api/agents/${agent.id}/tokens`, {
    method: 'POST',
    headers: asOwner,
    body: JSON.stringify({ name: 'bench', spaces: null, tier: 'suggest' }),
  })
  const { token } = z.object({ token: z.string() }).parse(await made.json())
  const asAgent = { ...asOwner, authorization: `Bearer ${token}` }
  const { items } = await read(`${space}/pages?limit=200`, Notes)
  const notes = items.filter(({ path }) => path.endsWith('.md')).slice(0, approvals)
  const times: number[] = []
  for (const { id, version, path, body } of notes) {
    const change = JSON.stringify({ version, body: `${body}\napproved\n`, reason: 'Better' })
    const drafted = await fetch(`${server.url}/api/pages/${id}`, {
      method: 'PATCH',
      headers: asAgent,
      body: change,
    })
    const draft = z.object({ id: z.string() }).parse(await drafted.json())
    const began = performance.now()
    await post(`${server.url}/api/pending-changes/${draft.id}/approve`, {})
    while (!(await readFile(join(folder, path), 'utf8').catch(unlessMoved)).endsWith('approved\n'))
      await wait(5)
    times.push(performance.now() - began)
    await wait(300)
  }
  return times
}

/** A write moves the old file aside before the new one is linked. */
function unlessMoved(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return ''
}

/** Per cent of one core. */
async function measureIdle(server: ChildServer): Promise<number> {
  const before = await server.readCpuMs()
  await wait(idleSeconds * 1000)
  return ((await server.readCpuMs()) - before) / (idleSeconds * 10)
}

/** What is live with the folder connected, over what is live on the same store without it. */
async function measureGrowth(
  start: () => Promise<ChildServer>,
  { id, path }: { id: string; path: string },
): Promise<number> {
  const liveAfter = async (isConnected: boolean) => {
    const server = await start()
    const one = { server, space: `${server.url}/api/spaces/${id}`, folder: path }
    if (isConnected) await connect(one)
    await untilQuiet(server)
    const { live } = await server.read()
    await server.stop()
    return live / 1e6
  }
  const without = await liveAfter(false)
  return (await liveAfter(true)) - without
}

async function read<Shape extends z.ZodType>(url: string, shape: Shape): Promise<z.infer<Shape>> {
  const response = await fetch(url, { headers: asOwner })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return shape.parse(await response.json())
}
