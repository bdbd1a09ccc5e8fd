// The migrated empty store that an installation keeps, so that the first start on a data folder copies it: making one
// takes initdb and every migration. Where none was made of this release's migrations, a store is made from nothing.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Holds the empty store, under the hash of what it was made of. */
export const emptyStores = fileURLToPath(new URL('../../node_modules/.cache/void-store/', import.meta.url))

const require = createRequire(import.meta.url)

/** Puts the empty store where no store is yet. Whole or not at all: a copy that was cut off is made again. */
export async function copyEmptyStore(store: string, from = emptyStores): Promise<void> {
  if (existsSync(store)) return
  const made = join(from, await hashRelease())
  if (!existsSync(made)) return
  const unfinished = `${store}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(store), { recursive: true, mode: 0o700 })
  await cp(made, unfinished, { recursive: true })
  await rename(unfinished, store)
}

/** Of the engine and of every migration. */
export async function hashRelease(): Promise<string> {
  const hash = createHash('sha256')
  const migrations = new URL('./migrations/', import.meta.url)
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(`${name}\0`).update(await readFile(new URL(name, migrations)))
  }
  for (const engine of ['pglite', 'pglite-pgvector']) {
    const code = require.resolve(`@electric-sql/${engine}`)
    hash.update(await readFile(join(dirname(code), '../package.json')))
  }
  return hash.digest('hex').slice(0, 32)
}
