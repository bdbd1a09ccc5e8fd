import type { RetractChange } from '../../changes/propose/own-drafts.ts'
import type { ProposeChange } from '../../changes/propose/propose.ts'
import type { Writer } from '../../content/writes/write.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { SystemActor } from '../../core/actor.ts'
import type { Logger } from '../../core/logger.ts'
import { isNotePath } from '../../core/text/paths.ts'
import type { Database } from '../../db/pool.ts'
import type { FolderRow } from '../../db/repos/folders.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import type { Disk } from './disk/disk.ts'
import type { Held } from './disk/scan.ts'
import { type BackAndForth, newBackAndForth } from './plan/back-and-forth.ts'

export type FolderDeps = {
  database: Database
  kinds: Kinds
  writer: Writer
  threads: TextThreads
  proposeChange: ProposeChange
  retractChange: RetractChange
  logger: Logger
  now: () => Date
}

/**
 * What a running server remembers of a folder, all of which may be forgotten: a file that was missing is then missing from
 * now on. Times are of a clock that only goes on.
 */
export type FolderMemory = {
  /** New states of files, until they have been quiet for a moment. */
  unsettled: Map<string, { fingerprint: string; since: number }>
  /** When the system last said of files that they changed, by path. */
  announced: Map<string, number>
  /** Since when the files of entries have been missing from every scan. */
  missing: Map<string, number>
  /** When every file was last read, whatever its state. Null: not since the start. */
  allRead: number | null
  backAndForth: BackAndForth
  /** A digest of the state in which the last pass found nothing to do. Null: it found something. */
  restsAt: string | null
  /** That of the latest drafts of changes in the folder. */
  changeset: { id: string; since: number; drafts: number } | null
  /** A change has outweighed a deletion that is not known to be drafted. */
  owesDeletions: boolean
  /** How many links of moved pages wait to be looked at. Null: to be counted. */
  movedLinks: number | null
}

export const newMemory = (): FolderMemory => ({
  unsettled: new Map(),
  announced: new Map(),
  missing: new Map(),
  allRead: null,
  backAndForth: newBackAndForth(),
  restsAt: null,
  changeset: null,
  owesDeletions: true,
  movedLinks: null,
})

/** Of more, nothing is known. */
const maxAnnounced = 20_000

export function noteAnnounced({ announced }: FolderMemory, path: string | null, at: number): void {
  if (path === null || !isNotePath(path)) return
  if (announced.has(path) || announced.size < maxAnnounced) announced.set(path, at)
}

/** One look at a folder and its Space, and what was done about it. */
export type Pass = FolderDeps & {
  folder: FolderRow
  disk: Disk
  memory: FolderMemory
  /** Milliseconds of a clock that only goes on. */
  clock: () => number
  /** Notes that this pass could do nothing about. */
  held: Held[]
  /** Paths of files that are read at once, however recently they changed. */
  urgent: ReadonlySet<string>
  /** Paths of writes that could not be settled: nothing can be said of them. */
  unsettledPaths: Set<string>
}

export const folderActor: SystemActor = { kind: 'system', name: 'folder' }
