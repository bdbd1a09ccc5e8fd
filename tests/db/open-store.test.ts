import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { openOrMakeStore } from '../../lib/db/open-store.ts'

let parent: string

beforeEach(() => {
  // As `claimDataFolder` sets it.
  process.umask(0o077)
  parent = mkdtempSync(join(tmpdir(), 'void-store-'))
})
afterEach(() => rm(parent, { recursive: true }))

test('a store is made whole, also where an earlier try was interrupted, and is opened again as it is', async () => {
  const folder = join(parent, 'store')
  mkdirSync(`${folder}.new/base`, { recursive: true })
  writeFileSync(`${folder}.new/PG_VERSION`, 'half')

  const first = await openOrMakeStore({ folder })
  expect(await migrate(first)).toEqual([])
  await first.query('create table kept (value int)')
  await first.close()
  expect(existsSync(`${folder}.new`)).toBe(false)

  const second = await openOrMakeStore({ folder })
  await second.query('select * from kept')
  await second.query('create table later (value int)')
  await second.close()
  expect(openToOthers(folder)).toEqual([])
})

test('a folder that holds other files is left as it is', async () => {
  const folder = join(parent, 'store')
  mkdirSync(folder)
  writeFileSync(join(folder, 'notes.txt'), 'mine')

  await expect(openOrMakeStore({ folder })).rejects.toMatchObject({ code: 'store_unusable' })
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true)
})

/** What other accounts may read, write or enter, by its own mode. */
const openToOthers = (folder: string): string[] =>
  ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    (name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0,
  )
