// A real server while what it reads from outside misbehaves: it is asked for its health all the time, and says itself when
// its loop stood still.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startVoidProcess } from '../../helpers/void-process.ts'
import { heldMemory, stallIn } from '../fuzz/watched-server.ts'
import { type Client, createClient, ownerToken } from './attack-world.ts'

export type WatchedVoid = {
  call: Client
  /**
   * Runs `work` under watch. Returns what was wrong meanwhile: a loop that stood still, an answer that did not come,
   * memory that was not given back.
   */
  during(work: () => Promise<void>): Promise<string[]>
  stop(): Promise<void>
}

const maxStallMs = 250
/** On a machine that is busy with others too, a loop is late without having computed. */
const minBusyMs = 200
const maxAnswerMs = 2000
/** Of the process at its peak, garbage included: what floods it once must not take the machine's memory. */
const maxGrowthMb = 150
/**
 * Of what is held once garbage was collected, since the first watch began: what stays for good. A thread that starts with the
 * first work of its kind takes 20 to 60.
 */
const maxHeldMb = 100
const everyMs = 100
const megabyte = 1024 * 1024

type WatchOptions = {
  databaseUrl: string | undefined
  env?: Record<string, string>
  /** Fills the data folder before the start. Default: the server does it all. */
  prepareFolder?: ((folder: string) => void) | undefined
}

export async function watchVoid({
  databaseUrl,
  env = {},
  prepareFolder = () => {},
}: WatchOptions): Promise<WatchedVoid> {
  const folder = mkdtempSync(join(tmpdir(), 'void-attack-'))
  prepareFolder(folder)
  let stalls: string[] = []
  let tellHeld: (mb: number) => void = () => {}
  const server = await startVoidProcess(
    {
      DATA_DIR: folder,
      OWNER_TOKEN: ownerToken,
      LOG_LEVEL: 'silent',
      ...env,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
    {
      preload: new URL('../fuzz/watch-loop.ts', import.meta.url),
      onMessage(message) {
        const held = heldMemory.safeParse(message).data
        if (held) tellHeld(held.heldBytes / megabyte)
        const stall = stallIn(message, minBusyMs)
        if (stall) stalls.push(stall)
      },
    },
  )
  server.send(String(maxStallMs))
  const call = createClient(server.url)
  let heldAtFirst: number | null = null
  const heldMb = async () => {
    const told = new Promise<number>((resolve) => {
      tellHeld = resolve
    })
    server.send('memory')
    const mb = await told
    // Collecting garbage is no stall of the server's own.
    await (await fetch(`${server.url}/health`)).text()
    return mb
  }

  return {
    call,
    async during(work) {
      heldAtFirst ??= await heldMb()
      const before = rssMb(server.pid)
      stalls = []
      const over = new AbortController()
      const asking = askHealth(server.url, over.signal)
      let peakMb = 0
      const look = setInterval(() => {
        peakMb = Math.max(peakMb, rssMb(server.pid))
      }, 50)
      const failures: string[] = []
      await work().catch((error: unknown) => failures.push(String(error).slice(0, 300)))
      over.abort()
      clearInterval(look)
      failures.push(...(await asking))
      failures.push(...stalls)
      const growth = Math.round(peakMb - before)
      if (growth > maxGrowthMb) failures.push(`memory grew by ${growth} MB`)
      const held = Math.round((await heldMb()) - heldAtFirst)
      if (held > maxHeldMb) failures.push(`${held} MB more are held`)
      return failures
    },
    async stop() {
      server.kill()
      await server.gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function askHealth(url: string, signal: AbortSignal): Promise<string[]> {
  const failures: string[] = []
  while (!signal.aborted) {
    const began = performance.now()
    const answered = await fetch(`${url}/health`, { signal: AbortSignal.timeout(maxAnswerMs) }).then(
      async (response) => response.ok && (await response.text()) !== '',
      () => false,
    )
    if (!answered) failures.push(`no health within ${Math.round(performance.now() - began)} ms`)
    await wait(everyMs)
  }
  return failures
}

/** Of the process and its threads. */
function rssMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * 4096) / megabyte
}
