// The real server in a process of its own. When it exits, another one starts on the same data.

import { z } from 'zod'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { ownerToken } from './fuzz-world.ts'

const watchLoop = new URL('./watch-loop.ts', import.meta.url)
/** A message of watch-loop.ts that was asked for. */
export const heldMemory = z.object({ heldBytes: z.number() })
const loopGap = z.object({ gapMs: z.number(), busyMs: z.number() })

/** What a message of watch-loop.ts says of a loop that stood still while its thread computed for so long; `null`: nothing. */
export function stallIn(message: unknown, minBusyMs: number): string | null {
  const gap = loopGap.safeParse(message).data
  return gap && gap.busyMs > minBusyMs ? `the loop stood still for ${Math.round(gap.gapMs)} ms` : null
}

/** A gap counts as the server's when its thread computed for this share of the shortest that counts. */
const busyEnough = 0.9
const maxExits = 20
const maxLogLines = 4000

type ServerEvent = { sort: 'stall' | 'exit'; what: string }

export async function startWatchedServer(
  databaseUrl: string | undefined,
  folder: string,
  onEvent: (event: ServerEvent) => void,
  minGapMs = 1000,
) {
  const log = new Map<string, string>()
  let exits = 0
  let stopping = false
  let tellHeld: (bytes: number) => void = () => {}
  let starting: Promise<VoidProcess> = start()
  let current = await starting

  return {
    url: () => current.url,
    /** Resolves when a server that has exited is there again. */
    isUp: async () => {
      current = await starting
    },
    /** What the log says of a request that failed: a line, or nothing. */
    logOf: (requestId: string) => (log.has(requestId) ? `\n  ${log.get(requestId)}` : ''),
    /** Waits for what may still have to be told: a loop that stands still at the end. */
    settle: async () => {
      await (await fetch(`${current.url}/health`)).text()
    },
    /** Bytes that the server holds once its garbage was collected. */
    heldBytes: () =>
      new Promise<number>((resolve) => {
        tellHeld = resolve
        current.send('memory')
      }),
    async stop() {
      stopping = true
      current = await starting
      current.kill()
      await current.gone
    },
  }

  async function start(): Promise<VoidProcess> {
    const server = await startVoidProcess(
      {
        DATA_DIR: folder,
        OWNER_TOKEN: ownerToken,
        ROUTER_MODEL: 'none',
        TRUST_PROXY: '1',
        DRAFTS_PER_HOUR: '100000',
        DRAFTS_WAITING: '100000',
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      },
      { preload: watchLoop, onMessage: take, onPrint: noteLog() },
    )
    server.send(String(minGapMs))
    void server.gone.then((code) => {
      if (stopping) return
      exits += 1
      onEvent({ sort: 'exit', what: `the server ended with ${code ?? 'a signal'}` })
      if (exits < maxExits) starting = start()
    })
    return server
  }

  function take(message: unknown): void {
    const held = heldMemory.safeParse(message).data
    if (held) tellHeld(held.heldBytes)
    const stall = stallIn(message, busyEnough * minGapMs)
    if (stall) onEvent({ sort: 'stall', what: stall })
  }

  function noteLog(): (text: string) => void {
    let rest = ''
    return (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const id = /"request_id":"([^"]+)"/.exec(line)?.[1]
        if (id && line.includes('"err"') && log.size < maxLogLines) log.set(id, line.slice(0, 3000))
      }
    }
  }
}
