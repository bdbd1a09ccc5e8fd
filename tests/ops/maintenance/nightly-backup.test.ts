import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import {
  backUp,
  isDue,
  listBackups,
  pruneBackups,
  startNightlyBackup,
} from '../../../lib/ops/maintenance/nightly-backup.ts'
import { childEnv } from '../../helpers/child-env.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { testDb } from '../../helpers/test-db.ts'

const base = mkdtempSync(join(tmpdir(), 'void-nightly-'))
afterAll(() => rmSync(base, { recursive: true }))

test('a backup of a running store, taken while it is written to, is restored whole', async () => {
  const data = claimDataFolder(makeDataFolder(join(base, 'data')))
  const database = await openDatabase({ folder: data.store })
  await database.query('create table ledger (id integer primary key, half integer)')
  writeFileSync(join(data.path, 'owner-token'), 'void_owner_secret\n')
  mkdirSync(join(data.path, 'imports'))
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
  expect(await isDue(target, local('2026-03-01T12:00:00'))).toBe(true)
  mkdirSync(target)
  const taken = local('2026-03-01T03:10:00')
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
  writeFileSync(join(target, `void-${taken}.tar.gz`), '')

  expect(await isDue(target, local('2026-03-01T23:00:00'))).toBe(false)
  expect(await isDue(target, local('2026-03-02T02:59:00'))).toBe(false)
  expect(await isDue(target, local('2026-03-02T03:00:00'))).toBe(true)
})

test('a backup that fails is logged, and the server goes on', async () => {
  const database = await testDb()
  const problems: unknown[] = []
  const logger = createLogger('silent')
  logger.error = (about: unknown) => problems.push(about)
  writeFileSync(join(base, 'a-file'), '')
  const stop = startNightlyBackup({
    database,
    folder: base,
    target: join(base, 'a-file', 'below'),
    keep: 1,
    logger,
    now: () => new Date(),
  })
  await stop()

  expect(problems).toHaveLength(1)
  expect((await database.query<{ one: number }>('select 1 as one')).rows[0]!.one).toBe(1)
})
