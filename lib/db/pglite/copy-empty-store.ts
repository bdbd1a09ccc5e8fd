// The migrated empty store that an installation keeps, so that the first start on a data folder copies it: making one
// takes initdb and every migration. Where none was made of this release's migrations, a store is made from nothing.

import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Holds the empty store, under the hash of what it was made of. */
export const emptyStores = fileURLToPath(new URL('../../../node_modules/.cache/void-store/', import.meta.url))

const require = createRequire(import.meta.url)

/**
 * Puts the empty store where no store is yet. Whole or not at all: a copy that was cut off is made again. It holds up its
 * thread: 1,400 files take half a second so, and two when each is waited for.
 */
export function copyEmptyStore(store: string, from = emptyStores): void {
  if (existsSync(store)) return
  const made = join(from, hashRelease())
  if (!existsSync(made)) return
  const unfinished = `${store}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(dirname(store), { recursive: true, mode: 0o700 })
  cpSync(made, unfinished, { recursive: true })
  renameSync(unfinished, store)
}

/** Of the engine and of every migration. */
export function hashRelease(): string {
  const hash = createHash('sha256')
  const migrations = new URL('../migrations/', import.meta.url)
  for (const name of readdirSync(migrations).sort()) {
    hash.update(`${name}\0`).update(readFileSync(new URL(name, migrations)))
  }
  for (const engine of ['pglite', 'pglite-pgvector']) {
    const code = require.resolve(`@electric-sql/${engine}`)
    hash.update(readFileSync(join(dirname(code), '../package.json')))
  }
  return hash.digest('hex').slice(0, 32)
}
