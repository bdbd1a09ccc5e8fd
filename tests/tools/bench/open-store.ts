import type { Deps } from '../../../lib/api/deps.ts'
import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import type { MadePage } from './prose.ts'
import { makeDataFolder } from './spaces.ts'

export type OpenStore = {
  deps: Deps
  /** Makes a Space and imports the pages as Markdown files, in folders of 25; returns the Space's id. */
  importPages(pages: readonly MadePage[]): Promise<string>
  close(): Promise<void>
}

/** Void without its server, on the store of a data folder: for filling it, and for what needs no HTTP. */
export async function openStore(dataDir: string): Promise<OpenStore> {
  const database = await openDatabase({ folder: `${dataDir}/store` })
  await migrate(database)
  const deps = assemble(loadConfig({ DATA_DIR: dataDir }, ''), {
    database,
    ownerToken: 'bench',
    keyring: createTemporaryKeyring(),
    logger: createLogger('silent'),
  })

  return {
    deps,
    async importPages(pages) {
      const { id } = await createSpace(database, { kind: 'owner' }, { name: 'Imported' })
      const {
        content: { writer, importFolder },
      } = deps
      const result = await importFiles({
        database,
        writer,
        importFolder,
        space_id: id,
        source: 'bench',
        files: toFiles(pages),
      })
      const { skipped } = result.counts
      if (skipped > 0) throw new Error(`The import left out ${skipped} files`)
      return id
    },
    close: () => database.close(),
  }
}

/** Runs `work` on a store of its own, which is gone afterwards. */
export async function withStore<Result>(work: (store: OpenStore) => Promise<Result>): Promise<Result> {
  const data = makeDataFolder()
  try {
    const store = await openStore(data.folder)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  } finally {
    data.remove()
  }
}

function* toFiles(pages: readonly MadePage[]) {
  for (const [n, { title, body }] of pages.entries()) {
    yield { path: `Part ${Math.floor(n / 25) + 1}/${title}.md`, bytes: Buffer.from(body) }
  }
}
