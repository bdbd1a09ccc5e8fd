import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../../core/errors.ts'
import type { VaultFile } from '../../../files/export/export-vault.ts'
import { checkPath } from '../../../files/vault/paths.ts'

/** Makes the folder; throws a 409 `AppError` when there is something in it: an export never mixes with what is there. */
export async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length === 0) return
  throw new AppError(
    'folder_not_empty',
    409,
    `${folder} is not empty. Name a folder that is, or one that does not exist.`,
  )
}

/** Writes files below a folder; returns how many. */
export async function writeFolder(folder: string, files: AsyncIterable<VaultFile>): Promise<number> {
  let count = 0
  for await (const { path: given, bytes } of files) {
    const { path, problem } = checkPath(given)
    if (problem)
      throw new AppError('unsafe_path', 500, `The export names a file that cannot be written: ${problem}.`)
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, bytes)
    count++
  }
  return count
}
