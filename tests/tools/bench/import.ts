import { openDatabase } from '../../../lib/db/pool.ts'
import type { Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { type MadePage, makePages } from './prose.ts'
import { makeDataFolder } from './spaces.ts'

const files = 2000
const filesPerTransaction = 25

/** Files in, pages out: parsed, linked, audited and searchable. */
export const importing: Measurement = {
  name: 'import',
  about: 'Markdown files into pages; beside bare inserts of the same texts into a table of two columns',
  async run(log) {
    log(`${files} files`)
    const pages = makePages(files)
    const baseline = files / (await insertBare(pages))
    const value = files / (await importAll(pages))
    return [{ name: `${files} files`, unit: '1/s', value, baseline }]
  },
}

async function importAll(pages: readonly MadePage[]): Promise<number> {
  const data = makeDataFolder()
  const store = await openStore(data.folder)
  const started = performance.now()
  await store.importPages(pages)
  const seconds = (performance.now() - started) / 1000
  await store.close()
  data.remove()
  return seconds
}

async function insertBare(pages: readonly MadePage[]): Promise<number> {
  const data = makeDataFolder()
  const database = await openDatabase({ folder: data.folder })
  await database.query('create table notes (title text primary key, body text not null)')
  const started = performance.now()
  for (let from = 0; from < pages.length; from += filesPerTransaction) {
    await database.transaction(async (tx) => {
      for (const { title, body } of pages.slice(from, from + filesPerTransaction)) {
        await tx.query('insert into notes (title, body) values ($1, $2)', [title, body])
      }
    })
  }
  const seconds = (performance.now() - started) / 1000
  await database.close()
  data.remove()
  return seconds
}
