// Hints that something changed in a folder: one watch for each folder in it. They may be lost and come in any order; the
// scan that follows is what counts.

import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

export type FolderWatch = {
  /** Watches these folders, as `''` and `a/b/`, and no others. */
  follow(folders: ReadonlySet<string>): void
  /** False where the system has no more watches: then scans alone find changes. */
  isComplete(): boolean
  close(): void
}

/** `onHint` must not throw. */
export function watchFolders(root: string, onHint: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let failed = false

  return {
    follow(folders) {
      failed = false
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue
        watcher.close()
        watchers.delete(folder)
      }
      for (const folder of folders) if (!watchers.has(folder)) add(folder)
    },
    isComplete: () => !failed,
    close() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }

  function add(folder: string): void {
    if (failed) return
    const drop = () => {
      watchers.get(folder)?.close()
      watchers.delete(folder)
      onHint()
    }
    try {
      const watcher = watch(join(root, folder), { persistent: false }, onHint)
      watcher.on('error', drop)
      watchers.set(folder, watcher)
    } catch (error) {
      // A folder that went meanwhile is no sign of a shortage.
      failed = Reflect.get(Object(error), 'code') !== 'ENOENT'
    }
  }
}
