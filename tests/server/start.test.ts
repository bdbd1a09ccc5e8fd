// The server as a process: starting, starting twice, dying and starting again.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../lib/db/pool.ts'
import { childEnv } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { openGate } from '../helpers/gate.ts'
import { makeCrashDatabase } from '../tools/crash/crash-database.ts'

const launcher = new URL('../../server.js', import.meta.url).pathname
const folder = await mkdtemp(join(tmpdir(), 'void-start-'))
const running = new Set<ChildProcess>()

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

type Started = { child: ChildProcess; printed: () => string; url: string }

function launch(env: Record<string, string> = {}, flags: string[] = []) {
  const child = spawn(process.execPath, [...flags, launcher], {
    cwd: folder,
    env: { ...childEnv, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return { child, printed: () => text }
}

async function start(env: Record<string, string> = {}, flags: string[] = []): Promise<Started> {
  const { child, printed } = launch(env, flags)
  await expect.poll(printed, { timeout: 60_000 }).toMatch(/listening on|cannot start/)
  return { child, printed, url: /listening on (\S+)/.exec(printed())?.[1] ?? '' }
}

test('starting from nothing prints a link that signs in, and a second start on the folder says why it cannot', async () => {
  const first = await start()
  const link = /Sign in: (\S+)/.exec(first.printed())?.[1] ?? ''
  const { origin, searchParams } = new URL(link)
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ code: searchParams.get('code') ?? '' }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const home = await fetch(first.url, { headers: { cookie } })

  const second = launch()
  const [code] = await once(second.child, 'exit')

  expect(signedIn.status).toBe(303)
  expect(cookie).not.toBe('')
  expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('Welcome')])
  expect((await stat(join(folder, 'data', 'owner-token'))).mode & 0o777).toBe(0o600)
  expect(code).toBe(1)
  expect(second.printed()).toMatch(
    /cannot start\. Another Void is already running on the data folder .* DATA_DIR/,
  )
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
})

test.runIf(process.platform === 'linux')(
  'it is one process from first to last, and one that gives back the memory that it frees',
  async () => {
    const { child } = await start({}, ['--trace-warnings'])
    const told = await readFile(`/proc/${child.pid}/cmdline`, 'utf8')

    expect(told.split('\0')).toEqual([
      process.execPath,
      '--max-semi-space-size=16',
      '--trace-warnings',
      launcher,
      '',
    ])
    expect(await readFile(`/proc/${child.pid}/environ`, 'utf8')).toContain('MALLOC_TRIM_THRESHOLD_=131072')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('the Welcome Space is written by Void, so a draft made after reading it is not called suspect', async () => {
  const token = (await readFile(join(folder, 'data', 'owner-token'), 'utf8')).trim()
  const { url, child } = await start()
  const owner = request.agent(url).auth(token, { type: 'bearer' })
  const { body: spaces } = await owner.get('/api/spaces')
  await expect
    .poll(async () => (await owner.get('/api/spaces')).body.items[0].version, { timeout: 60_000 })
    .toBe(2)
  const { body: pages } = await owner.get(`/api/spaces/${spaces.items[0].id}/pages?limit=100`)
  const titles: string[] = pages.items.map(({ title }: { title: string }) => title)

  const { body: answer } = await owner
    .post(`/api/spaces/${spaces.items[0].id}/companion/turn`)
    .set('accept', 'application/json')
    .send({ text: 'Rename the page Using curl to Working with curl' })
  const { body: draft } = await owner.get(`/api/pending-changes/${answer.draft_ids[0]}`)
  child.kill('SIGKILL')
  await once(child, 'exit')

  // The test before killed a server that may have been filling it.
  expect(titles.toSorted()).toEqual([...new Set(titles)].toSorted())
  expect(titles.length).toBeGreaterThan(15)
  const { provenance, warnings } = draft.card
  expect(provenance.sources.length).toBeGreaterThan(0)
  expect(provenance.sources.filter(({ untrusted }: { untrusted: boolean }) => untrusted)).toEqual([])
  expect(warnings.map(({ code }: { code: string }) => code)).not.toContain('untrusted_sources')
})

test('after kill -9 it starts at once with everything that was acknowledged', async () => {
  const token = (await readFile(join(folder, 'data', 'owner-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const before = await start()
  const made = await fetch(`${before.url}/api/spaces`, { method: 'POST', headers, body: '{"name":"Kept"}' })
  const { id } = (await made.json()) as { id: string }
  before.child.kill('SIGKILL')
  await once(before.child, 'exit')

  const after = await start()
  const found = await fetch(`${after.url}/api/spaces/${id}`, { headers })

  expect(found.status).toBe(200)
  after.child.kill('SIGTERM')
  expect((await once(after.child, 'exit'))[0]).toBe(0)
})

test('an embedded database that ends takes the server with it, which says so, and the next one has everything', async () => {
  const endOnSignal = `process.on('worker', (worker) => process.on('SIGUSR2', () => worker.terminate()))`
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(endOnSignal)}`]
  const token = (await readFile(join(folder, 'data', 'owner-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const before = await start({}, preload)
  const made = await fetch(`${before.url}/api/spaces`, { method: 'POST', headers, body: '{"name":"Left"}' })
  const { id } = (await made.json()) as { id: string }

  before.child.kill('SIGUSR2')
  const [code] = await once(before.child, 'exit')
  const after = await start()
  const found = await fetch(`${after.url}/api/spaces/${id}`, { headers })
  after.child.kill('SIGKILL')
  await once(after.child, 'exit')

  expect(code).toBe(1)
  expect(before.printed()).toMatch(
    /Void stopped, because its embedded database did\. .* Then start Void again/,
  )
  expect(found.status).toBe(200)
})

test.runIf(inject('postgresTemplate'))(
  'a stop does not wait for a Postgres that does not answer',
  async () => {
    const { url = '', drop } = await makeCrashDatabase()
    const own = new URL(url)
    const gate = await openGate(new URL(own))
    own.port = String(gate.port)
    const { child, printed } = await start({ DATABASE_URL: own.href, DATA_DIR: join(folder, 'away') })

    gate.hold()
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')

    expect(code).toBe(1)
    expect(printed()).toContain('the database may be unavailable')
    await gate.close()
    await drop()
  },
)

test('a store of a version before 0.1.0 that is too old ends the start with what to do', async () => {
  const data = makeDataFolder(join(folder, 'old'))
  const database = await openDatabase({ folder: join(data, 'store') })
  await database.query('delete from migrations')
  await database.query("insert into migrations (name, run_on) values ('128_pages_by_title', now())")
  await database.close()

  const { child, printed } = launch({ DATA_DIR: data })
  const [code] = await once(child, 'exit')

  expect(code).toBe(1)
  expect(printed()).toMatch(
    /^Void cannot start\. This store was created by a version before 0\.1\.0 \(its last migration is 128_pages_by_title\)\. Start it once with .*\n$/,
  )
})

test.each([
  [{ PORT: 'eighty' }, /PORT/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
])('a setting that cannot be used ends the start with its name: %o', async (env, message) => {
  const { child, printed } = launch(env)
  const [code] = await once(child, 'exit')

  expect(code).toBe(1)
  expect(printed()).toMatch(message)
  expect(printed()).not.toMatch(/at .*\.ts:\d+/)
})
