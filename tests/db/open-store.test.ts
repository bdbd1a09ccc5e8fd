import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { openOrMakeStore } from '../../lib/db/open-store.ts'

let parent: string

beforeEach(() => {
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
  await second.close()
})

test('a folder that holds other files is left as it is', async () => {
  const folder = join(parent, 'store')
  mkdirSync(folder)
  writeFileSync(join(folder, 'notes.txt'), 'mine')

  await expect(openOrMakeStore({ folder })).rejects.toMatchObject({ code: 'store_unusable' })
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true)
})
