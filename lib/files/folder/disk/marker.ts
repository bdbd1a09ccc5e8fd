// What says in a folder that it is this folder, mounted and as it was left. Without it nothing is said to be absent.

import { codeOf, type Disk } from './disk.ts'
import { ownFolder } from './safe-write.ts'

export type Marker = { folder_id: string; generation: string; space: string }

const path = `${ownFolder}/folder.json`

/** Null: there is none, or none that can be understood. Rejects if that cannot be found out. */
export async function readMarker(disk: Disk): Promise<Marker | null> {
  try {
    const { bytes } = await disk.read(path)
    const { folder_id, generation, space } = JSON.parse(Buffer.from(bytes).toString()) as Record<
      string,
      unknown
    >
    return typeof folder_id === 'string' && typeof generation === 'string'
      ? { folder_id, generation, space: String(space) }
      : null
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw error
  }
}

export async function writeMarker(disk: Disk, marker: Marker): Promise<void> {
  const temp = `${path}.new`
  await disk.remove(temp)
  await disk.create(temp, Buffer.from(`${JSON.stringify(marker, null, 1)}\n`), 0o644)
  await disk.rename(temp, path)
  await disk.syncFolder(ownFolder)
}

export const removeMarker = (disk: Disk): Promise<void> => disk.remove(path)
