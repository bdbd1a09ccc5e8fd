import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, unless it is there, and the missing ones above it. Node's own `recursive` never ends where the folder above
 * is there and holds no others, such as /proc. Throws the error of the operating system.
 */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const code = Reflect.get(Object(error), 'code')
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const above = dirname(path)
    if (code !== 'ENOENT' || statSync(above, { throwIfNoEntry: false })) throw error
    makeFolder(above, mode)
    makeFolder(path, mode)
  }
}
