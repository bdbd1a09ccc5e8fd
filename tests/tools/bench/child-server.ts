import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** CPU in milliseconds since the start of the process; memory in bytes, after a garbage collection. */
export type ProbeReading = { cpuMs: number; rss: number; live: number }

export type ChildServer = {
  url: string
  /** From the start of the process to the line that says it listens, in milliseconds. */
  startMs: number
  read(): Promise<ProbeReading>
  /** CPU alone, without the garbage collection. */
  readCpuMs(): Promise<number>
  stop(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
}

const probe = fileURLToPath(new URL('./probe.js', import.meta.url))

/**
 * Runs a server in a process of its own until it prints its address. Its environment is only what is given, and its
 * working folder is the temporary one, so that no `.env` of this machine reaches it.
 */
export async function startChildServer(
  script: URL,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<ChildServer> {
  const started = performance.now()
  const child = fork(fileURLToPath(script), {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), ...env },
    execArgv: [...flags, '--expose-gc', '--import', probe, ...extraFlags()],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await readUrl(child)

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async function ask(what: 'read' | 'cpu'): Promise<ProbeReading> {
    child.send(what)
    const [reading] = await once(child, 'message')
    return reading
  }

  return {
    url,
    startMs: performance.now() - started,
    read: () => ask('read'),
    readCpuMs: async () => (await ask('cpu')).cpuMs,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Such as `BENCH_NODE_FLAGS=--cpu-prof`, to see where the time goes. */
function extraFlags(): string[] {
  return (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)
}

async function readUrl(child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printed}`)))
    child.stdout?.on('data', (chunk) => {
      if (printed.length > 10_000) return
      printed += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url) resolve(url)
    })
  })
}
