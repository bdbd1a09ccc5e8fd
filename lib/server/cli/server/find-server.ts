import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readOwnerToken } from '../../../auth/owner-token.ts'
import { AppError } from '../../../core/errors.ts'
import type { Config } from '../../config.ts'

const serverFile = z.object({ url: z.url(), pid: z.int() })

type RunningServer = { url: string; ownerToken: string }

/** As `findServer`, for a command that needs one: throws an `AppError` when there is none. */
export function requireServer(config: Config): RunningServer {
  const server = findServer(config)
  if (server) return server
  const message = 'Void is not running on this data folder: start it with `npm start`.'
  throw new AppError('server_unreachable', 503, message)
}

/** The server that has the data folder open, and the owner's token for it; `null` when there is none to ask. */
export function findServer({ dataDir, ownerToken }: Config): RunningServer | null {
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
