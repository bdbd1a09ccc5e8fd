// What becomes of a server that npm started when npm is told to end, or is gone.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { childEnv } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { type FakeAnthropic, startFakeAnthropic } from '../helpers/fake-anthropic.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const home = await mkdtemp(join(tmpdir(), 'void-npm-'))
const token = 'owner_of-the-npm-test-0123456789'
const servers = new Set<number>()

afterAll(async () => {
  for (const pid of servers) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await rm(home, { recursive: true, force: true })
})

/** One that has ended counts as gone, also before the first process of the machine, which inherits it, has asked for its code. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

type Started = { npm: ChildProcess; url: string; pid: number; serverFile: string; printed: () => string }

/** In a process group of its own, as a terminal starts it. */
async function npmStart(env: Record<string, string> = {}): Promise<Started> {
  const folder = makeDataFolder(await mkdtemp(join(home, 'data-')))
  const serverFile = join(folder, 'server.json')
  const npm = spawn('npm', ['start'], {
    cwd: project,
    detached: true,
    env: {
      ...childEnv,
      HOME: home,
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: folder,
      OWNER_TOKEN: token,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (text += chunk))
  await expect.poll(() => text, { timeout: 60_000 }).toContain('listening on')
  const { url, pid } = JSON.parse(readFileSync(serverFile, 'utf8'))
  servers.add(pid)
  return { npm, url, pid, serverFile, printed: () => text }
}

const isGone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 10_000, interval: 50 }).toBe(false)

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to npm stops the server, which leaves nothing',
  async (signal) => {
    const { npm, pid, serverFile, printed } = await npmStart()

    npm.kill(signal)

    await isGone(pid)
    expect(existsSync(serverFile)).toBe(false)
    // A hangup ends npm itself: the server has the short limits of one whose parent is gone, which a busy machine exceeds.
    if (signal !== 'SIGHUP') expect(printed()).not.toMatch(/did not stop cleanly|before shutdown finished/)
  },
)

test('an interrupt of the terminal, which npm passes on, is one and stops the server in order', async () => {
  const { npm, pid, serverFile, printed } = await npmStart()

  process.kill(-npm.pid!, 'SIGINT')

  const [code] = await once(npm, 'exit')
  await isGone(pid)
  expect(code).toBe(0)
  expect(existsSync(serverFile)).toBe(false)
  expect(printed()).not.toMatch(/did not stop cleanly|before shutdown finished/)
})

test('a server whose npm was killed ends within two seconds, also while it answers', async () => {
  const called = Promise.withResolvers<void>()
  const model: FakeAnthropic = await startFakeAnthropic([
    () => {
      called.resolve()
      return new Promise(() => {})
    },
  ])
  const { npm, url, pid, serverFile } = await npmStart({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'npm',
    ROUTER_MODEL: 'none',
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { items } = (await (await fetch(`${url}/api/spaces`, { headers })).json()) as {
    items: [{ id: string }]
  }
  const turn = fetch(`${url}/api/spaces/${items[0].id}/companion/turn`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'Well?' }),
  })
    .then((response) => response.text())
    .catch(() => '')
  await called.promise

  npm.kill('SIGKILL')

  await isGone(pid)
  await turn
  expect(existsSync(serverFile)).toBe(false)
  await model.close()
})
