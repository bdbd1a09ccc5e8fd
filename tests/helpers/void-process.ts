import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { childEnv, childFlags } from './child-env.ts'

export type VoidProcess = {
  url: string
  pid: number
  /** Tells the modules that were loaded before it. */
  send(message: string): void
  kill(): void
  /** Asks it to stop, as a service manager does. */
  terminate(): void
  /** Resolves when the process is gone, with the code it ended with; none after a kill. */
  gone: Promise<number | null>
}

type ProcessOptions = {
  /** A module that is loaded before the server. */
  preload?: URL
  /** The launcher of another release; left out: this one's. */
  serverScript?: string
  onMessage?: (message: unknown) => void
  /** What it prints, in pieces. */
  onPrint?: (text: string) => void
}

const ownScript = fileURLToPath(new URL('../../server.js', import.meta.url))

/**
 * Runs the real server until it listens. Its environment is only what is given; it takes any number of messages where
 * nothing else is.
 */
export async function startVoidProcess(
  env: Record<string, string>,
  { preload, onMessage, onPrint, serverScript = ownScript }: ProcessOptions = {},
): Promise<VoidProcess> {
  const child = fork(serverScript, {
    cwd: tmpdir(),
    env: { ...childEnv, TMPDIR: tmpdir(), PORT: '0', LOG_LEVEL: 'error', TURNS_PER_MINUTE: '0', ...env },
    execArgv: [...childFlags, ...(preload ? ['--import', preload.href] : [])],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (onMessage) child.on('message', onMessage)
  if (onPrint) child.stdout?.on('data', (chunk) => onPrint(String(chunk)))
  const exited = once(child, 'exit')
  const url = await readUrl(child)
  return {
    url,
    pid: child.pid!,
    send: (message) => child.connected && child.send(message, () => {}),
    kill: () => child.kill('SIGKILL'),
    terminate: () => child.kill('SIGTERM'),
    gone: exited.then(([code]) => code),
  }
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printed}`)))
    child.stdout?.on('data', (chunk) => {
      if (printed.length < 10_000) printed += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url) resolve(url)
    })
  })
}
