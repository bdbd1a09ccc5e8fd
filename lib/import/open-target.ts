import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readOwnerToken } from '../auth/owner-token.ts'
import type { Config } from '../config.ts'
import { claimDataFolder } from '../db/data-folder.ts'
import { AppError } from '../errors.ts'
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
    const server = readServer(config)
    if (!server) throw error
    return createServerTarget(server)
  }
}

const serverFile = z.object({ url: z.url(), pid: z.int() })

/** The server that has the data folder open, and the owner's token for it; `null` when there is none to ask. */
export function readServer({ dataDir, ownerToken }: Config): { url: string; ownerToken: string } | null {
  const folder = resolve(dataDir)
  const token = ownerToken ?? readOwnerToken(folder)
  if (!token) return null

  try {
    const { url } = serverFile.parse(JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')))
    return { url, ownerToken: token }
  } catch {
    return null
  }
}
