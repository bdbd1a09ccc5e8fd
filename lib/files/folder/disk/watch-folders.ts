// Hints that something changed in a folder: one watch for each folder in it. They may be lost and come in any order; the
// scan that follows is what counts. Where changes come to light without one, the system does not report them: on the disks of
// other machines, in containers, or because it has no more watches.

import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

export type FolderWatch = {
  /** After a look: watches these folders, as `''` and `a/b/`, and no others. */
  follow(folders: ReadonlySet<string>, found: Found): void
  /** False where the system has no more watches or was found not to report changes: then scans alone find them. */
  isComplete(): boolean
  close(): void
}

type Found = {
  /** States of files that somebody else changed since the look before, in any form that is the same for the same state. */
  changed: readonly string[]
  /** Some changes were not looked at yet, or before they had been reported. */
  unsettled: boolean
}

/** `onHint` must not throw; `path`: of what changed, where the system says so. `watchOne` throws where the system refuses. */
export function watchFolders(
  root: string,
  onHint: (path: string | null) => void,
  watchOne: WatchOne = watch,
): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let isRefused = false
  let isSilent = false
  let hints = 0
  /** Hints before the last look, and before the last one that left nothing open. */
  let seen = 0
  let settled = 0
  /** What is found from now on was changed while these folders were watched. */
  let isSteady = false
  let last: ReadonlySet<string> = new Set()

  return {
    follow(folders, { changed, unsettled }) {
      if (isSteady && !unsettled && changed.some((one) => !last.has(one))) isSilent = hints === settled
      last = new Set(changed)
      if (!unsettled) settled = seen
      seen = hints
      isRefused = false
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue
        watcher.close()
        watchers.delete(folder)
      }
      const before = watchers.size
      for (const folder of folders) if (!watchers.has(folder)) add(folder)
      isSteady = watchers.size === before && !isRefused && (isSteady || !unsettled)
    },
    isComplete: () => !isRefused && !isSilent,
    close() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }

  function note(path: string | null): void {
    hints += 1
    onHint(path)
  }

  function add(folder: string): void {
    if (isRefused) return
    const drop = () => {
      watchers.get(folder)?.close()
      watchers.delete(folder)
      note(null)
    }
    try {
      const watcher = watchOne(join(root, folder), { persistent: false }, (_, name) =>
        note(name ? `${folder}${name}` : null),
      )
      watcher.on('error', drop)
      watchers.set(folder, watcher)
    } catch (error) {
      // A folder that went meanwhile is no sign of a shortage.
      isRefused = Reflect.get(Object(error), 'code') !== 'ENOENT'
    }
  }
}

type WatchOne = (
  path: string,
  options: { persistent: boolean },
  onEvent: (event: string, name: string | null) => void,
) => FSWatcher
