import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A place on disk for what is unpacked on the way in. */
export type ScratchFile = { file: string; remove(): Promise<void> }

/** Nothing is at `file` yet. `remove` deletes it with its folder. */
export async function createScratchFile(scratch: string): Promise<ScratchFile> {
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratch, 'unpacked-'))
  return { file: join(folder, 'file'), remove: () => rm(folder, { recursive: true, force: true }) }
}

const maxAgeMs = 24 * 60 * 60 * 1000

/** Removes what a killed process left. Young ones stay: another server may be reading them. */
export async function removeOldScratchFiles(scratch: string, now: Date): Promise<void> {
  for (const name of await readdir(scratch).catch(() => [])) {
    const path = join(scratch, name)
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true })
  }
}
