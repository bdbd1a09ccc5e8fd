import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { machineCalendar } from '../../../lib/core/schedule/calendar.ts'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'
import {
  backUp,
  createNightlyBackup,
  isDue,
  listBackups,
  pruneBackups,
} from '../../../lib/ops/maintenance/nightly-backup.ts'
import { createTelemetry } from '../../../lib/ops/telemetry/telemetry.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { childEnv } from '../../helpers/child-env.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'void-nightly-'))
afterAll(() => rmSync(base, { recursive: true }))

/** A database whose store is not in the folder. */
const elsewhere = {
  engine: 'pglite',
  pool: { connect: async () => ({ query: async () => {}, release() {} }) },
} as unknown as Database

function makeFolder(name: string): string {
  const folder = join(base, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'owner-token'), 'void_owner_secret\n')
  return folder
}

test('a backup of a running store, taken while it is written to, is restored whole', async () => {
  const data = claimDataFolder(makeDataFolder(join(base, 'data')))
  const database = await openDatabase({ folder: data.store })
  await database.query('create table ledger (id integer primary key, half integer)')
  writeFileSync(join(data.path, 'owner-token'), 'void_owner_secret\n')
  mkdirSync(join(data.path, 'imports'))
  for (const name of ['by-hand.tar.gz', 'half.tar.gz.part', 'old.dump'])
    writeFileSync(join(data.path, name), 'a backup')
  let written = 0
  let done = false
  const writing = (async () => {
    // Two rows a transaction: a torn copy would hold an odd number, or not open at all.
    while (!done || written < 20) {
      await database.transaction(async (tx) => {
        await tx.query('insert into ledger values ($1, 1), ($2, 2)', [written * 2, written * 2 + 1])
      })
      written += 1
    }
  })()

  const target = join(data.path, 'backups')
  const file = await backUp({ database, folder: data.path, target, now: new Date('2026-03-01T03:00:00Z') })
  done = true
  await writing
  await database.close()
  data.release()
  const restored = join(base, 'restored')
  const { status, stdout, stderr } = spawnSync('deploy/restore.sh', [file], {
    encoding: 'utf8',
    env: {
      ...childEnv,
      NODE: process.execPath,
      DATA_DIR: restored,
      ENV_FILE: join(base, 'none.env'),
    },
  })

  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('Restored')])
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(readdirSync(restored).toSorted()).toEqual(expect.arrayContaining(['owner-token', 'store']))
  expect(readdirSync(restored)).not.toContain('backups')
  expect(readdirSync(restored)).not.toContain('imports')
  expect(readdirSync(restored).filter((name) => /\.(gz|part|dump)$/.test(name))).toEqual([])
  const again = claimDataFolder(restored)
  const reopened = await openDatabase({ folder: again.store })
  const { rows } = await reopened.query<{ count: number; halves: number }>(
    'select count(*)::integer as count, count(distinct half)::integer as halves from ledger',
  )
  await reopened.close()
  again.release()
  expect(rows[0]!.count % 2).toBe(0)
  expect(rows[0]!.count).toBeLessThanOrEqual(written * 2)
}, 60_000)

test('only the newest backups stay, and nothing else is touched', async () => {
  const target = join(base, 'many')
  mkdirSync(target)
  for (const day of ['01', '02', '03', '04'])
    writeFileSync(join(target, `void-202603${day}T030000Z.tar.gz`), '')
  writeFileSync(join(target, 'mine.tar.gz'), '')

  await pruneBackups(target, 2)

  expect(await listBackups(target)).toEqual(['void-20260303T030000Z.tar.gz', 'void-20260304T030000Z.tar.gz'])
  expect(readdirSync(target)).toContain('mine.tar.gz')
})

test('a backup is due once a night', async () => {
  const target = join(base, 'due')
  const local = (text: string) => new Date(text)
  const at = (text: string) => machineCalendar(() => local(text))
  expect(await isDue(target, at('2026-03-01T12:00:00'))).toBe(true)
  mkdirSync(target)
  const taken = local('2026-03-01T03:10:00')
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
  writeFileSync(join(target, `void-${taken}.tar.gz`), '')

  expect(await isDue(target, at('2026-03-01T23:00:00'))).toBe(false)
  expect(await isDue(target, at('2026-03-02T02:59:00'))).toBe(false)
  expect(await isDue(target, at('2026-03-02T03:00:00'))).toBe(true)
})

test('the night is the owner’s', async () => {
  const target = join(base, 'due-there')
  mkdirSync(target)
  writeFileSync(join(target, 'void-20260301T180500Z.tar.gz'), '')
  const tokyo = (text: string) => ({ now: () => new Date(text), zone: () => 'Asia/Tokyo' })

  // Three in the night there is 18:00 UTC.
  expect(await isDue(target, tokyo('2026-03-02T17:59:00Z'))).toBe(false)
  expect(await isDue(target, tokyo('2026-03-02T18:00:00Z'))).toBe(true)
})

test('a backup that fails is logged and stands in the state until one succeeds', async () => {
  const problems: unknown[] = []
  const logger = createLogger('silent')
  logger.error = (about: unknown) => problems.push(about)
  const target = join(base, 'a-file', 'below')
  writeFileSync(join(base, 'a-file'), '')
  const backup = createNightlyBackup({
    database: elsewhere,
    folder: makeFolder('failing'),
    target,
    keep: 1,
    logger,
    calendar: machineCalendar(() => new Date('2026-03-01T12:00:00Z')),
  })
  const none = await backup.state()
  await backup.start()()
  const failed = await backup.state()
  const telemetry = createTelemetry()
  const { app } = await buildApp({ backup, telemetry })
  const { body } = await request(app).get('/ready')
  const failing = await telemetry.metrics.register.metrics()
  rmSync(join(base, 'a-file'))
  await backup.start()()
  const well = await telemetry.metrics.register.metrics()

  expect(problems).toHaveLength(1)
  expect(failing).toMatch(/^void_backup_failed 1$/m)
  expect(failing).not.toMatch(/^void_backup_last_success_timestamp_seconds /m)
  expect(well).toMatch(/^void_backup_failed 0$/m)
  expect(well).toMatch(/^void_backup_last_success_timestamp_seconds 1772366400$/m)
  expect(none).toEqual({ last_at: null, failed_at: null })
  expect(failed).toEqual({ last_at: null, failed_at: '2026-03-01T12:00:00.000Z' })
  expect(body).toEqual({ ready: true, details: { backup: failed } })
  expect(await backup.state()).toEqual({ last_at: '2026-03-01T12:00:00.000Z', failed_at: null })
})

test('what a killed backup left is removed, and nothing else', async () => {
  const target = join(base, 'leftovers')
  mkdirSync(join(target, '.copy-AbC123', 'store'), { recursive: true })
  writeFileSync(join(target, 'void-20260301T030000Z.tar.gz.part'), '')
  writeFileSync(join(target, 'void-20260301T040000Z.tar.gz'), '')
  writeFileSync(join(target, 'mine.part'), '')
  const folder = makeFolder('left')
  const now = () => new Date('2026-03-01T04:00:00Z')

  await createNightlyBackup({
    database: elsewhere,
    folder,
    target,
    keep: 1,
    logger: createLogger('silent'),
    calendar: machineCalendar(now),
  }).start()()

  expect(readdirSync(target).toSorted()).toEqual(['mine.part', 'void-20260301T040000Z.tar.gz'])
})

test.each([['backups'], ['backups/nightly'], ['kept/by/night']])(
  '%s below the data folder works, and no backup contains another',
  async (at) => {
    const folder = makeFolder(`below-${at.replaceAll('/', '-')}`)
    const target = join(folder, at)

    await backUp({ database: elsewhere, folder, target, now: new Date('2026-03-01T03:00:00Z') })
    const file = await backUp({ database: elsewhere, folder, target, now: new Date('2026-03-02T03:00:00Z') })

    const { stdout } = spawnSync('tar', ['--list', '--file', file], { encoding: 'utf8' })
    expect(stdout).toContain('owner-token')
    expect(stdout).not.toContain(at.split('/')[0])
  },
)

test('a data folder that is reached by another name is not backed up with its backups', async () => {
  const folder = makeFolder('real')
  symlinkSync(folder, join(base, 'linked'))
  const target = join(base, 'linked', 'backups')

  await backUp({ database: elsewhere, folder, target, now: new Date('2026-03-01T03:00:00Z') })
  const file = await backUp({ database: elsewhere, folder, target, now: new Date('2026-03-02T03:00:00Z') })

  expect(spawnSync('tar', ['--list', '--file', file], { encoding: 'utf8' }).stdout).not.toContain('backups')
})

test.each(['.', 'store', 'store/backups', 'imports/x', 'sources', 'restoring.1', 'lock-2/x'])(
  'BACKUP_DIR as %s in the data folder is refused at the start',
  async (at) => {
    const folder = makeFolder('refusing')
    const options = {
      database: elsewhere,
      folder,
      target: join(folder, at),
      keep: 1,
      logger: createLogger('silent'),
    }

    expect(() => createNightlyBackup({ ...options, calendar: machineCalendar(() => new Date()) })).toThrow(
      'BACKUP_DIR',
    )
  },
)
