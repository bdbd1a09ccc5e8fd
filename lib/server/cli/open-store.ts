import { AppError } from '../../core/errors.ts'
import { claimDataFolder } from '../../db/data-folder.ts'
import { openOrMakeStore } from '../../db/open-store.ts'
import type { Database } from '../../db/pool.ts'
import type { Config } from '../config.ts'
import { findServer } from './call-server.ts'

/** The configured database, opened by this process. */
export type Store = {
  database: Database
  /** Path of the data folder. */
  folder: string
  /** Closes the database and releases the folder. */
  close(): Promise<void>
}

/** Throws an `AppError` `data_folder_in_use` while another process has the embedded store open. */
async function openStore(config: Config): Promise<Store> {
  const folder = claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null })
  const database = await openOrMakeStore({
    url: config.databaseUrl ?? undefined,
    folder: folder.store,
    onWait: console.error,
  })
  return {
    database,
    folder: folder.path,
    async close() {
      await database.close()
      folder.release()
    },
  }
}

/** Runs `work` on the store, then closes it. Throws as `openStore` and `work` do. */
export async function withStore<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(config)
  try {
    return await work(store.database)
  } finally {
    await store.close()
  }
}

type Ways<Result> = {
  onStore: (store: Store) => Promise<Result>
  onServer: (server: NonNullable<ReturnType<typeof findServer>>) => Result
}

/**
 * By the store itself, or by the server that has it open. Throws an `AppError` `data_folder_in_use` when another process
 * has the data folder and is no server that can be asked.
 */
export async function onStoreOrServer<Result>(
  config: Config,
  { onStore, onServer }: Ways<Result>,
): Promise<Result> {
  try {
    return await onStore(await openStore(config))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    const server = findServer(config)
    if (!server) throw error
    return onServer(server)
  }
}
