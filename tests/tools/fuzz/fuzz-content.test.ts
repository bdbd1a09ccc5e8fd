// Short runs of the fuzzers of writers and of drafts. `npm run fuzz -- writers` and `npm run fuzz -- drafts` do more.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../lib/db/pool.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeCrashDatabase } from '../crash/crash-database.ts'
import { fuzzDrafts } from './fuzz-drafts.ts'
import { fuzzWriters } from './fuzz-writers.ts'

test('four writers on two servers leave no wrong link, no stray passage and a sound audit chain', async () => {
  const first = await testDb()
  const url = Reflect.get(first.pool.options, 'connectionString')
  const second = first.engine === 'pglite' ? first : await openDatabase({ url: String(url) })
  const folder = await mkdtemp(join(tmpdir(), 'void-fuzz-'))

  const report = await fuzzWriters({ databases: [first, second], folder, seed: 1, ms: 60_000, count: 250 })
  if (second !== first) await second.close()
  await rm(folder, { recursive: true })

  const { writes, refused, ...found } = report
  expect(found).toEqual({
    wrongLinks: 0,
    chunksWithoutPage: 0,
    pagesWithoutChunk: 0,
    isChainSound: true,
    problems: [],
  })
  expect(writes).toBeGreaterThanOrEqual(250)
}, 240_000)

test('drafts in random order, with kills of the server, become what the model says', async () => {
  const { url, drop } = await makeCrashDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'void-fuzz-'))

  const report = await fuzzDrafts({
    databaseUrl: url,
    folder: makeDataFolder(folder),
    seed: 1,
    count: 25,
    ms: 120_000,
  }).finally(drop)
  await rm(folder, { recursive: true })

  expect(report.deviations).toEqual([])
  expect(report.kills).toBeGreaterThan(0)
}, 240_000)
