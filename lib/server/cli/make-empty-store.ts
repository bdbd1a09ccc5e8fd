// Runs after `npm install`: makes the empty store that a first start copies. Void starts without it, only later.

import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../db/migrate.ts'
import { emptyStores, hashRelease } from '../../db/pglite/copy-empty-store.ts'
import { openDatabase } from '../../db/pool.ts'

try {
  const made = join(emptyStores, hashRelease())
  if (!existsSync(made)) await make(made)
} catch (error) {
  console.warn('The empty store could not be made, so the first start takes a few seconds longer.', error)
}

/** Those of other releases go. */
async function make(folder: string): Promise<void> {
  await rm(emptyStores, { recursive: true, force: true })
  await mkdir(emptyStores, { recursive: true })
  const unfinished = `${folder}.unfinished`
  const database = await openDatabase({ folder: unfinished })
  await migrate(database)
  await database.close()
  await rename(unfinished, folder)
}
