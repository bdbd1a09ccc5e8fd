import { statfs } from 'node:fs/promises'
import { storageFull } from '../core/errors.ts'

/** `full`: too little is left to take requests that store something. */
export type DiskSpace = { state: 'ok' | 'full'; free_bytes: number }

/** Below this a server is not ready. */
const minFreeBytes = 64 * 1024 * 1024
/** Postgres writes its log in files of 16 MiB and cannot go on without the next; some more for the rest. */
const minStartBytes = 20 * 1024 * 1024

/** What is free for this process on the volume of a folder; `null` where the system does not say. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  const stats = await statfs(folder).catch(() => null)
  if (!stats) return null
  const free_bytes = stats.bavail * stats.bsize
  return { state: free_bytes < minFreeBytes ? 'full' : 'ok', free_bytes }
}

/** More than this is not filled within `checkEveryMs`. */
const plentyBytes = 1024 ** 3
const checkEveryMs = 1000

/** `refuseFullDisk` for the folder, which asks the system once a second while there is plenty. */
export function createRoomCheck(folder: string): () => Promise<void> {
  let checkAt = 0
  return async () => {
    if (performance.now() < checkAt) return
    const free = await refuseFullDisk(folder)
    if (free === null || free > plentyBytes) checkAt = performance.now() + checkEveryMs
  }
}

/**
 * Throws a 507 `AppError` when an embedded store in the folder could be opened but not go on, or could not once so many
 * bytes more are written beside it. Resolves to what is free; `null` where the system does not say.
 */
export async function refuseFullDisk(folder: string, bytes = 0): Promise<number | null> {
  const space = await readDiskSpace(folder)
  if (space && space.free_bytes - bytes < minStartBytes) throw storageFull()
  return space?.free_bytes ?? null
}
