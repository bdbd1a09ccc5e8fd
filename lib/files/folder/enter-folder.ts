// Whether a folder is the one that was connected, as it was left. A folder that is not there is no empty folder.

import { randomUUID } from 'node:crypto'
import { createFolderEntriesRepo, createFoldersRepo } from '../../db/repos/folders.ts'
import { codeOf } from './disk/disk.ts'
import { type Marker, readMarker, writeMarker } from './disk/marker.ts'
import { makeOwnFolders } from './disk/safe-write.ts'
import type { Pass } from './folder-deps.ts'

/** A second time within an hour, two servers are at work on one folder. */
const misfitMs = 3_600_000

const unreachable = 'The folder cannot be reached.'

/** Why nothing may be done now, as a sentence; null: go on. `pause`: until the owner resumes it. */
export type Refusal = { problem: string; pause: boolean } | null

export async function enterFolder(pass: Pass): Promise<Refusal> {
  const { database, disk, folder, now } = pass
  const repo = createFoldersRepo(database)
  const found = await look(pass)
  if ('problem' in found) return found
  const { marker, root } = found
  if (folder.generation === null) return await beginFolder(pass, root)
  if (marker === null)
    return {
      problem: 'The folder’s marker (.void/folder.json) is missing: its disk may not be mounted.',
      pause: false,
    }
  if (marker.folder_id !== folder.id)
    return { problem: 'Another Space or another server has been connected to this folder.', pause: true }
  const fits = marker.generation === folder.generation || marker.generation === folder.next_generation
  if (!fits) {
    const before = folder.misfit_at === null ? Number.NaN : Date.parse(folder.misfit_at)
    if (now().getTime() - before < misfitMs)
      return { problem: 'Two servers seem to be at work on this folder.', pause: true }
  }
  if (!fits || root !== folder.root) await joinAnew(pass, root)
  if (!fits || folder.next_generation !== null) await nextGeneration(pass)
  // Only now: a crash before it would make one misfit two.
  if (!fits) await repo.update(folder.id, { misfit_at: now().toISOString() })
  await makeOwnFolders(disk)
  return null
}

async function look({
  disk,
}: Pass): Promise<{ problem: string; pause: boolean } | { marker: Marker | null; root: string }> {
  try {
    const stat = await disk.stat('')
    if (stat?.kind !== 'folder') return { problem: unreachable, pause: false }
    return { marker: await readMarker(disk), root: `${stat.dev}:${stat.ino}` }
  } catch (error) {
    return { problem: `The folder cannot be read (${codeOf(error) || 'unknown error'}).`, pause: false }
  }
}

/** The first look at a folder that was just connected. */
async function beginFolder(pass: Pass, root: string): Promise<null> {
  await makeOwnFolders(pass.disk)
  await joinAnew(pass, root)
  await nextGeneration(pass)
  return null
}

/** What is known of the notes no longer counts: what is on one side alone comes to the other, and nothing goes. */
async function joinAnew({ database, folder, memory }: Pass, root: string): Promise<void> {
  await database.transaction(async (tx) => {
    await createFolderEntriesRepo(tx, folder.id).removeAll()
    await createFoldersRepo(tx).update(folder.id, { root })
  })
  folder.root = root
  memory.missing.clear()
}

/** Before anything is changed: a backup of either side that was made before does not fit the other one any more. */
export async function nextGeneration({ database, disk, folder }: Pass): Promise<void> {
  const repo = createFoldersRepo(database)
  const generation = randomUUID()
  await repo.update(folder.id, { next_generation: generation })
  await writeMarker(disk, { folder_id: folder.id, generation, space: folder.space_id })
  await repo.update(folder.id, { generation, next_generation: null })
  Object.assign(folder, { generation, next_generation: null })
}
