import { AppError } from '../../../core/errors.ts'
import { claimDataFolder } from '../../../db/data-folder.ts'
import type { Config } from '../../config.ts'
import { findServer } from '../server/find-server.ts'
import type { ImportTarget } from './import-target.ts'
import { openLocalTarget } from './local-target.ts'
import { createServerTarget } from './server-target.ts'

/**
 * The database of the configuration, or the server that has it open. Throws `AppError` `data_folder_in_use` when
 * another process has the data folder and is no server that can be asked.
 */
export async function openTarget(config: Config): Promise<ImportTarget> {
  try {
    return await openLocalTarget(
      config,
      claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null }),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    const server = findServer(config)
    if (!server) throw error
    return createServerTarget(server)
  }
}
