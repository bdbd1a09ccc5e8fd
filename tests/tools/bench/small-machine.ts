import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Health } from '../../../lib/contract/health.ts'
import type { Measurement } from './measurement.ts'
import { makePages } from './prose.ts'
import { asOwner, makeDataFolder, ownerToken } from './spaces.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))
const pollMs = 15
const maxMegabytes = 700

/** What the first minutes on a machine with 1 GB take of its memory. */
export const smallMachine: Measurement = {
  name: 'small-machine',
  about:
    'resident memory of all processes together: first start, first page and index, import of 2,000 notes',
  async run() {
    const peaks = await measurePeaks(2000)
    const bound = { kind: 'at most' as const, value: maxMegabytes }
    return Object.entries(peaks).map(([name, value]) => ({ name, unit: 'MB' as const, value, bound }))
  },
}

/**
 * Starts a server on an empty folder, as `npm start` does, and imports notes with the command for it. The peaks in MB of the
 * resident memory of the server, the processes that it starts, and the command. Only on Linux, which says what that is.
 */
export async function measurePeaks(notes: number) {
  const data = makeDataFolder()
  const folder = makeNotes(notes)
  const env = { PATH: process.env.PATH, DATA_DIR: data.folder, OWNER_TOKEN: ownerToken }
  const begin = (...args: string[]) =>
    spawn(process.execPath, args, {
      cwd: project,
      env: { ...env, PORT: '0', LOG_LEVEL: 'error' },
      stdio: 'ignore',
    })
  const server = begin('server.js')
  const running = [server]
  const watch = watchMemory(running)

  try {
    const serverFile = join(data.folder, 'server.json')
    await until(server, () => read(serverFile).endsWith('}'))
    const start = watch.takePeak()
    const { url } = JSON.parse(readFileSync(serverFile, 'utf8'))
    await openFirstPage(url)
    await until(server, () => isIndexed(url))
    const firstPage = watch.takePeak()
    const command = begin('lib/server/cli/import.ts', folder, '--space', 'notes')
    running.push(command)
    const [code] = await once(command, 'exit')
    if (code !== 0) throw new Error(`the import ended with ${code}`)
    await until(server, () => isIndexed(url))
    return { start, 'first page and index': firstPage, import: watch.takePeak() }
  } finally {
    watch.end()
    const ended = once(server, 'exit')
    server.kill()
    await ended
    data.remove()
    rmSync(folder, { recursive: true })
  }
}

function makeNotes(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'void-notes-'))
  for (const { title, body } of makePages(count)) writeFileSync(join(folder, `${title}.md`), body)
  return folder
}

/** Makes the server bundle the browser's files. */
async function openFirstPage(url: string): Promise<void> {
  const page = await (await fetch(`${url}/capture`)).text()
  const [script] = /\/assets\/[^"]+\.js/.exec(page)!
  await (await fetch(url + script)).arrayBuffer()
  await (await fetch(`${url}/service-worker.js`)).text()
}

/** The Welcome Space is filled behind the start, and indexed behind that. */
async function isIndexed(url: string): Promise<boolean> {
  const spaces = await fetch(`${url}/api/spaces`, { headers: asOwner })
  const { items } = z.object({ items: z.array(z.unknown()) }).parse(await spaces.json())
  const { search } = Health.parse(await (await fetch(`${url}/health`)).json())
  return items.length > 0 && search.indexing === null
}

async function until(server: ChildProcess, holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    await wait(pollMs)
  }
}

function watchMemory(of: readonly ChildProcess[]) {
  let peak = 0
  const timer = setInterval(() => {
    const kilobytes = of.flatMap(({ pid }) => family(pid!)).reduce((sum, pid) => sum + residentOf(pid), 0)
    peak = Math.max(peak, Math.round(kilobytes / 1024))
  }, pollMs)
  return {
    /** The highest since the last time. */
    takePeak() {
      const taken = peak
      peak = 0
      return taken
    },
    end: () => clearInterval(timer),
  }
}

/** A process and all that it started. */
function family(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  return [pid, ...children.flatMap((child) => family(Number(child)))]
}

const residentOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)

/** Nothing of a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
