// Signals to a server as service managers start it: a session of its own without a terminal, and the first process of a
// container. (tests/server/npm.test.ts: below npm.)

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { childEnv, childFlags } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { startFakePostgres } from '../helpers/fake-postgres.ts'

const launcher = fileURLToPath(new URL('../../server.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'void-signals-'))
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const running = new Set<number>()

afterAll(() => {
  for (const pid of running) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const inNamespace = ['--pid', '--fork', '--kill-child', '--mount-proc']
/** A namespace of processes takes rights that a container of CI may lack. */
const hasNamespaces = spawnSync('unshare', [...inNamespace, 'true']).status === 0

const ways = [
  { name: 'a service without a terminal', prefix: [], can: true },
  { name: 'the first process of a container', prefix: ['unshare', ...inNamespace], can: hasNamespaces },
]

function launch(prefix: readonly string[], env: Record<string, string>) {
  const [program, ...args] = [...prefix, process.execPath, ...childFlags, launcher]
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...childEnv, PORT: '0', LOG_LEVEL: 'warn', ...env },
    // A session of its own.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return { child, printed: () => text, ended: once(child, 'exit') }
}

/** The server, which may be below the program that started it. */
async function serverOf({ pid }: ChildProcess, prefix: readonly string[]): Promise<number> {
  if (prefix.length === 0) return pid!
  const find = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .find((one) => {
        try {
          // The parent is the second field behind the name.
          return readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1] === String(pid)
        } catch {
          return false
        }
      })
  await expect.poll(find).toBeGreaterThan(0)
  const server = find()!
  running.add(server)
  return server
}

describe.each(ways)('$name', ({ prefix, can }) => {
  test.runIf(can).each(signals)('%s ends it cleanly, and nothing is left', async (signal) => {
    const data = makeDataFolder(mkdtempSync(join(folder, 'data-')))
    const { child, printed, ended } = launch(prefix, { DATA_DIR: data })
    await expect.poll(printed, { timeout: 60_000 }).toContain('listening on')
    const pid = await serverOf(child, prefix)
    const isWritten = existsSync(join(data, 'server.json'))

    process.kill(pid, signal)

    expect(await ended).toEqual([0, null])
    running.delete(pid)
    expect(isWritten).toBe(true)
    expect(existsSync(join(data, 'server.json'))).toBe(false)
    expect(printed()).not.toMatch(/did not stop cleanly|before shutdown finished/)
  })

  test.runIf(can).each(signals)('%s ends it while it starts, too', async (signal) => {
    const { port } = await startFakePostgres(() => ({ code: '57P03', message: 'starting up' }))
    const { child, printed, ended } = launch(prefix, {
      DATA_DIR: join(folder, `starting-${signal}`),
      DATABASE_URL: `postgres://void@127.0.0.1:${port}/notes`,
    })
    await expect.poll(printed, { timeout: 60_000 }).toContain('Waiting for Postgres')
    const pid = await serverOf(child, prefix)

    process.kill(pid, signal)

    const late = wait(5000, 'still there', { ref: false })
    expect(await Promise.race([ended, late])).toEqual([0, null])
    running.delete(pid)
  })
})
