// Where a file or a folder is on this machine: behind its links, and wherever else a mount shows it.

import { readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The path without links; `null` for what is not there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** All paths of these files and folders, as far as they exist: their own first. */
export function pathsOf(paths: readonly string[], mounts: readonly Mount[]): string[] {
  const real = paths.map(realPath).filter((path) => path !== null)
  return [...new Set(real.flatMap((path) => [path, ...elsewhere(path, mounts)]))]
}

/** A part of a file system, `root`, and the folder where it is shown. */
export type Mount = { device: string; root: string; folder: string }

/** In the order in which they were made. Without Linux none. */
export function readMounts(): Mount[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(parseMount)
  } catch {
    return []
  }
}

/** A line as in https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html. */
function parseMount(line: string): Mount[] {
  const [, , device, root, folder] = line.split(' ')
  return device && root && folder
    ? [{ device, root: unescapeOctal(root), folder: unescapeOctal(folder) }]
    : []
}

const unescapeOctal = (path: string) =>
  path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

function elsewhere(path: string, mounts: readonly Mount[]): string[] {
  const own = mounts.filter(({ folder }) => isWithin(path, folder)).reduce(deeper, null)
  if (!own) return []
  const place = join(own.root, relative(own.folder, path))
  return mounts
    .filter((mount) => mount !== own && mount.device === own.device && isWithin(place, mount.root))
    .map(({ root, folder }) => join(folder, relative(root, place)))
    .filter((other) => realPath(other) !== null)
}

/** Of two on one folder, the later one is seen. */
const deeper = (best: Mount | null, mount: Mount): Mount =>
  best === null || mount.folder.length >= best.folder.length ? mount : best
