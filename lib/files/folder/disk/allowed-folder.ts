// Which folders of this machine may be connected.

import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { conflict, invalid } from '../../../core/errors.ts'
import { findHome } from '../../../core/home-folder.ts'
import { systemReason } from '../../../core/system-error.ts'

type Bounds = {
  /** Only what lies below one of these. */
  allowed: readonly string[]
  dataFolder: string
  /** Folders of other Spaces. */
  connected: readonly string[]
}

/**
 * The folder's path without links. Throws a 400 `AppError` for one that is none or lies elsewhere, a 409 for one that is
 * within another connected folder or holds one.
 */
export async function resolveFolder(
  given: string,
  { allowed, dataFolder, connected }: Bounds,
): Promise<string> {
  const named = given === '~' || given.startsWith('~/') ? (findHome() ?? '') + given.slice(1) : given
  if (given.includes('\0')) throw invalid('path: contains a NUL character.')
  if (!isAbsolute(named)) throw invalid('path: must be absolute, such as /home/me/notes.')
  const path = await realOrRefuse(resolve(named))
  const roots = await Promise.all(allowed.map((folder) => realpath(folder).catch(() => resolve(folder))))
  if (!roots.some((root) => isBelow(path, root)))
    throw invalid(
      `path: ${path} is not below a folder that this server allows (FOLDERS: ${allowed.join(', ') || 'none'}).`,
    )
  const own = await realpath(dataFolder).catch(() => resolve(dataFolder))
  if (isWithin(path, own) || isWithin(own, path))
    throw invalid('path: the data folder of Void cannot be connected, nor a folder that holds it.')
  const other = connected.find((folder) => isWithin(path, folder) || isWithin(folder, path))
  if (other !== undefined)
    throw conflict(
      'folder_connected',
      `${other} is connected to another Space; folders cannot lie in one another.`,
    )
  return path
}

async function realOrRefuse(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw invalid(`path: ${path} is not a folder.`)
    return real
  } catch (error) {
    const reason = systemReason(error)
    if (reason === null) throw error
    throw invalid(`path: ${path} cannot be used: ${reason}.`)
  }
}

const isWithin = (path: string, folder: string) => path === folder || isBelow(path, folder)

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path)
  return rest !== '' && rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest)
}
