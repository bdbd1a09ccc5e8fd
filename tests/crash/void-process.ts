import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

export type VoidProcess = {
  url: string
  /** Lets it be killed when it reaches this point. */
  arm(point: string): void
  kill(): void
  /** Resolves when the process is gone. */
  gone: Promise<void>
}

const server = fileURLToPath(new URL('../../server.js', import.meta.url))
const killAt = new URL('./kill-at.ts', import.meta.url).href

/** Runs the real server until it listens. Its environment is only what is given. */
export async function startVoidProcess(env: Record<string, string>): Promise<VoidProcess> {
  const child = fork(server, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), PORT: '0', LOG_LEVEL: 'error', ...env },
    execArgv: ['--import', killAt],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const url = await readUrl(child)
  return {
    url,
    arm: (point) => child.connected && child.send(point, () => {}),
    kill: () => child.kill('SIGKILL'),
    gone: exited.then(() => {}),
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
