import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { copyEmptyStore, emptyStores, hashRelease } from '../../lib/db/pglite/copy-empty-store.ts'
import { openDatabase } from '../../lib/db/pool.ts'
import { runScript } from '../helpers/run-script.ts'

const folder = await mkdtemp(join(tmpdir(), 'void-empty-store-'))
let release: string

beforeAll(async () => {
  await runScript('lib/server/cli/make-empty-store.ts', [])
  release = hashRelease()
})
afterAll(() => rm(folder, { recursive: true }))

test('what an installation makes is a store with nothing left to migrate', async () => {
  const store = join(folder, 'first', 'store')

  copyEmptyStore(store)
  const database = await openDatabase({ folder: store })
  const ran = await migrate(database)
  const { rows } = await database.query('select * from spaces')
  await database.close()

  expect(ran).toEqual([])
  expect(rows).toEqual([])
})

test('a store that is there stays as it is', async () => {
  const store = join(folder, 'mine')
  await mkdir(store)
  await writeFile(join(store, 'PG_VERSION'), 'mine')

  copyEmptyStore(store)

  expect(await readFile(join(store, 'PG_VERSION'), 'utf8')).toBe('mine')
})

test('a copy that was cut off is made again, whole', async () => {
  const store = join(folder, 'again')
  await mkdir(`${store}.unfinished`)
  await writeFile(join(`${store}.unfinished`, 'PG_VERSION'), 'cut off')

  copyEmptyStore(store)

  const made = await readFile(join(emptyStores, release, 'PG_VERSION'), 'utf8')
  expect(await readFile(join(store, 'PG_VERSION'), 'utf8')).toBe(made)
  expect(existsSync(`${store}.unfinished`)).toBe(false)
})

test('a store of other migrations is not used', async () => {
  const others = join(folder, 'others')
  await cp(join(emptyStores, release), join(others, '0123456789abcdef'), { recursive: true })
  const store = join(folder, 'other')

  copyEmptyStore(store, others)

  expect(existsSync(store)).toBe(false)
})
