// A real server on a volume of its own that is filled up. Needs the right to mount one.

import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { ErrorBody } from '../../lib/contract/error.ts'
import type { Database } from '../../lib/db/pool.ts'
import { backUp } from '../../lib/ops/maintenance/nightly-backup.ts'
import { makeZip } from '../files/import/make-files.ts'
import { childEnv } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { startVoidProcess, type VoidProcess } from '../helpers/void-process.ts'

const launcher = new URL('../../server.js', import.meta.url).pathname
const volume = mkdtempSync(join(tmpdir(), 'void-volume-'))
const mounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=240m', 'tmpfs', volume], { stdio: 'ignore' }).status === 0
const token = 'owner_of-the-full-disk-0123456789'
const env = { DATA_DIR: join(volume, 'data'), OWNER_TOKEN: token }
const ballast = join(volume, 'ballast')
const megabyte = 1024 * 1024
let server: VoidProcess | null = null

afterAll(async () => {
  server?.kill()
  await server?.gone
  if (mounted) execFileSync('umount', ['--lazy', volume])
  rmSync(volume, { recursive: true, force: true })
})

const free = () => {
  const { bavail, bsize } = statfsSync(volume)
  return bavail * bsize
}

/**
 * Once the server is at rest: what it writes behind an answer, such as an index, would be cut off in the middle. Filled
 * in small pieces, because it may still write beside this, such as a checkpoint.
 */
async function leave(bytes: number): Promise<void> {
  let before = free()
  for (let same = 0; same < 10; same += 1) {
    await delay(100)
    const now = free()
    if (now !== before) same = 0
    before = now
  }
  writeFileSync(ballast, '')
  for (let excess = free() - bytes; excess > 0; excess = free() - bytes) {
    appendFileSync(ballast, Buffer.alloc(Math.min(excess, megabyte / 4)))
  }
}

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server!.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

async function create(path: string, body: object) {
  const response = await call(path, { method: 'POST', body: JSON.stringify(body) })
  return {
    status: response.status,
    body: (await response.json()) as { id: string; error?: { code: string; message: string } },
  }
}

const text = (bytes: number) => randomBytes(bytes / 2).toString('hex')

async function titlesOf(spaceId: string): Promise<string[]> {
  const { items } = (await (await call(`/api/spaces/${spaceId}/pages?limit=200`)).json()) as {
    items: { title: string }[]
  }
  return items.map(({ title }) => title)
}

test.skipIf(!mounted)(
  'a full disk is said as such, costs nothing that was acknowledged, and is over when there is space',
  async () => {
    makeDataFolder(env.DATA_DIR)
    server = await startVoidProcess(env)
    const { id: spaceId } = (await create('/api/spaces', { name: 'Skerry' })).body
    const stored: string[] = []
    const add = async () => {
      const title = `Page ${stored.length}`
      const made = await create(`/api/spaces/${spaceId}/pages`, { title, body: text(megabyte) })
      if (made.status === 201) stored.push(title)
      return made
    }
    await add()

    await leave(2 * megabyte)
    let refused = await add()
    while (refused.status === 201) refused = await add()
    const health = (await (await call('/health')).json()) as { disk: { state: string; free_bytes: number } }
    const ready = await call('/ready')
    const read = await titlesOf(spaceId)

    expect(refused).toMatchObject({ status: 507, body: { error: { code: 'storage_full' } } })
    expect(refused.body.error?.message).toMatch(/Free space .* then try again/)
    expect(health.disk.state).toBe('full')
    expect(health.disk.free_bytes).toBeLessThanOrEqual(2 * megabyte)
    expect(ready.status).toBe(503)
    expect(ErrorBody.parse(await ready.json()).error.code).toBe('storage_full')
    expect(read).toEqual(expect.arrayContaining(stored))

    rmSync(ballast)
    expect((await add()).status).toBe(201)
    expect((await call('/ready')).status).toBe(200)
    expect((await titlesOf(spaceId)).toSorted()).toEqual(stored.toSorted())
  },
  60_000,
)

test.skipIf(!mounted)(
  'a start on a full disk prints what to do and ends, and the next one finds everything',
  async () => {
    const { id } = (await create('/api/spaces', { name: 'Reef' })).body
    server!.kill()
    await server!.gone

    await leave(2 * megabyte)
    const refused = spawnSync(process.execPath, [launcher], {
      cwd: tmpdir(),
      env: { ...childEnv, PORT: '0', ...env },
      encoding: 'utf8',
      timeout: 20_000,
    })
    rmSync(ballast)
    server = await startVoidProcess(env)

    expect(refused.status).toBe(1)
    expect(refused.stderr).toMatch(/^Void cannot start\. The disk is full\. .* then try again\.\n$/)
    expect((await call(`/api/spaces/${id}`)).status).toBe(200)
  },
  60_000,
)

/** 25 MB are unpacked and stored, maybe beside other tests. */
const patience = { timeout: 45_000 }

test.skipIf(!mounted)(
  'an import that fills the disk says so, and goes on when there is space',
  async () => {
    const { id: space } = (await create('/api/spaces', { name: 'Harbour' })).body
    const { id: job } = (await create(`/api/spaces/${space}/imports`, { source: 'disk', root: null })).body
    const state = async () => (await (await call(`/api/imports/${job}`)).json()) as { state: string }
    const inner = await makeZip({ 'Tide.md': 'The tide turns.', 'noise.bin': randomBytes(25 * megabyte) })
    const archive = await makeZip({ 'inner.zip': inner })
    const files = [{ path: 'outer.zip', base64: Buffer.from(archive).toString('base64') }]

    await leave(megabyte)
    const refused = await create(`/api/imports/${job}/files`, {
      files: [{ path: 'a.bin', base64: text(4 * megabyte) }],
    })
    expect(refused).toMatchObject({ status: 507, body: { error: { code: 'storage_full' } } })
    rmSync(ballast)
    await create(`/api/imports/${job}/files`, { files })
    await leave(30 * megabyte)
    await create(`/api/imports/${job}/start`, {})
    await expect
      .poll(state, patience)
      .toMatchObject({ state: 'failed', problem: expect.stringMatching(/^The disk is full/) })

    rmSync(ballast)
    await create(`/api/imports/${job}/start`, {})
    await expect.poll(state, patience).toMatchObject({ state: 'done', counts: { created: 2 } })
  },
  120_000,
)

test.skipIf(!mounted)(
  'a backup that finds no room leaves nothing behind, and the next one is whole',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'void-data-'))
    writeFileSync(join(folder, 'store'), randomBytes(megabyte))
    const target = join(volume, 'backups')
    const pool = {
      connect: async () => ({ query: async () => {}, release() {} }),
    } as unknown as Database['pool']
    const back = () => backUp({ database: { engine: 'pglite', pool }, folder, target, now: new Date() })

    await leave(megabyte + megabyte / 2)
    await expect(back()).rejects.toThrow(/space/)
    expect(readdirSync(target)).toEqual([])
    rmSync(ballast)
    const file = await back()

    expect(readdirSync(target)).toEqual([basename(file)])
    rmSync(folder, { recursive: true })
  },
)
