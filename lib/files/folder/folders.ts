// Folders in step with Spaces, as the owner connects, pauses and leaves them, and the loop that keeps them so. Of all
// servers on a database one is at it at a time; each has to reach the folders by the same paths.

import { v7 as uuid } from 'uuid'
import type { LookFirst } from '../../content/writes/write.ts'
import type { ConnectedFolder, Folder, FolderLogEntry, FolderPreview } from '../../contract/space/folder.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import {
  createFolderEntriesRepo,
  createFoldersRepo,
  type FolderReview,
  type FolderRow,
} from '../../db/repos/folders.ts'
import { createTrustedOriginsRepo } from '../../db/repos/trusted_origins.ts'
import { withLease } from '../../jobs/run-under-lease.ts'
import { startJob } from '../../jobs/start-job.ts'
import { settleIntents } from './apply-to-files.ts'
import { describeFolder } from './describe-folder.ts'
import { resolveFolder } from './disk/allowed-folder.ts'
import type { Disk } from './disk/disk.ts'
import { createHints } from './disk/hints.ts'
import { readMarker, removeMarker } from './disk/marker.ts'
import { createNodeDisk } from './disk/node-disk.ts'
import { type FolderWatch, watchFolders } from './disk/watch-folders.ts'
import { type FolderDeps, type FolderMemory, newMemory, noteAnnounced, type Pass } from './folder-deps.ts'
import { findUnseen } from './look-at-files.ts'
import { previewFolder, unconnected } from './preview-folder.ts'
import { runPass } from './run-pass.ts'

export type FoldersDeps = FolderDeps & {
  /** Only folders below these can be connected. */
  allowed: readonly string[]
  dataFolder: string
  /** Default: a folder of this machine. */
  openDisk?: (path: string) => Disk
  /** Default: the system’s. */
  watch?: typeof watchFolders
  /** Between two scans, in milliseconds; a third more where the system reports changes. Default: 45,000. */
  scanMs?: number
}

export type Folders = {
  /** Connects, or connects anew; with `own` or `review` one that is connected only gets these. Throws as `resolveFolder`, and a 409 for a folder that another server keeps in step. */
  connect(
    space_id: string,
    wish: {
      path: string
      take_over: boolean
      own?: readonly string[] | undefined
      review?: FolderReview | undefined
    },
  ): Promise<Folder>
  preview(space_id: string, path: string): Promise<FolderPreview>
  /** These throw a 404 `AppError` where no folder is connected. */
  find(space_id: string): Promise<Folder>
  /** Of all Spaces. */
  list(): Promise<ConnectedFolder[]>
  /** Null: none is. */
  findConnected(space_id: string): Promise<Folder | null>
  pause(space_id: string): Promise<Folder>
  /** `deletions`: what becomes of the pages whose files are gone, where that is why it was paused. */
  resume(space_id: string, deletions: 'apply' | 'put_back'): Promise<Folder>
  /** Both sides stay as they are. */
  disconnect(space_id: string): Promise<void>
  listLog(space_id: string, beforeSeq: number | null, limit: number): Promise<FolderLogEntry[]>
  /** Takes over what changed in the files of these pages since they were last read, before the pages are changed. */
  lookFirst: LookFirst
  /** A hint: something of this kind was written, or a draft of it was decided on. */
  noteChange(kind: string): void
  /** Compares both sides now, and waits for it. */
  sync(space_id: string): Promise<void>
  start(): () => Promise<void>
}

/** Longer than files have to be quiet. */
const fileHintMs = 550
const pageHintMs = 50
/** Passes in a row, each of which found something to do. */
const maxPasses = 20
const deletionsMs = 600_000
const lease = 'folders'

/** `unsettled`: some files wait until they are quiet. */
type Running = { memory: FolderMemory; watch: FolderWatch | null; busy: boolean; unsettled: boolean }

export function createFolders(deps: FoldersDeps): Folders {
  const { database, logger, now, openDisk = createNodeDisk, watch = watchFolders, scanMs = 45_000 } = deps
  const running = new Map<string, Running>()
  const hints = createHints()
  const hint = hints.give
  let watching = false
  const describe = (row: FolderRow) => describeFolder(database, row, running.get(row.id))

  return {
    async connect(space_id, { path, take_over, own: patterns, review }) {
      const found = await resolve(space_id, path)
      const marker = await readMarker(openDisk(found))
      const own = await createFoldersRepo(database).find(space_id)
      if (marker && marker.folder_id !== own?.id && !take_over)
        throw conflict(
          'folder_connected',
          'Another Space or another server has been connected to this folder. Disconnect it there, or connect with "take_over".',
        )
      const isThere = own?.path === found
      if (patterns || !isThere) await setOwnPaths(space_id, patterns ?? [])
      if (isThere && review) await createFoldersRepo(database).update(own.id, { review })
      if (isThere && (patterns || review) && !take_over) {
        hint(0)
        return await statusOf(space_id)
      }
      await withLease(database, lease, async () => {
        await createFoldersRepo(database).save({
          ...{ id: uuid(), space_id, path: found },
          review: review ?? (isThere ? own.review : 'off'),
        })
        // That of before it was connected anew names another connection.
        if (marker && marker.folder_id === own?.id) await removeMarker(openDisk(found))
      })
      hint(0)
      return await statusOf(space_id)
    },

    async preview(space_id, path) {
      const found = await resolve(space_id, path)
      const folder = { ...unconnected, id: uuid(), space_id, path: found }
      return await previewFolder(passOf(folder, newMemory()))
    },

    find: statusOf,

    async list() {
      const rows = await createFoldersRepo(database).list()
      return await Promise.all(
        rows.map(async (row) => ({ space_id: row.space_id, ...(await describe(row)) })),
      )
    },

    async findConnected(space_id) {
      const folder = await createFoldersRepo(database).find(space_id)
      return folder && (await describe(folder))
    },

    async pause(space_id) {
      const { id } = await findRow(space_id)
      await createFoldersRepo(database).update(id, { paused: true, problem: 'You paused it.' })
      return await statusOf(space_id)
    },

    async resume(space_id, deletions) {
      const { id } = await findRow(space_id)
      await withLease(database, lease, async () => {
        // As at first: what is on one side alone comes to the other.
        if (deletions === 'put_back') await createFolderEntriesRepo(database, id).removeAll()
        const until = deletions === 'apply' ? new Date(now().getTime() + deletionsMs).toISOString() : null
        await createFoldersRepo(database).update(id, {
          paused: false,
          problem: null,
          deletions_until: until,
        })
      })
      hint(0)
      return await statusOf(space_id)
    },

    async disconnect(space_id) {
      const folder = await findRow(space_id)
      await withLease(database, lease, async () => {
        const pass = passOf(folder, newMemory())
        try {
          await settleIntents(pass)
          if ((await readMarker(pass.disk))?.folder_id === folder.id) await removeMarker(pass.disk)
        } catch (error) {
          logger.info({ err: error }, 'folder left without its marker removed')
        }
        await createFoldersRepo(database).remove(space_id)
        await setOwnPaths(space_id, [])
      })
      forget(folder.id)
    },

    async listLog(space_id, beforeSeq, limit) {
      const { id } = await findRow(space_id)
      return await createFolderLogRepo(database, id).list(beforeSeq, limit)
    },

    async lookFirst(space_id, page_ids) {
      const folder = await createFoldersRepo(database).find(space_id)
      if (!folder || folder.paused || folder.problem !== null) return
      const urgent = new Set(await findUnseen(passOf(folder, newMemory()), page_ids))
      if (urgent.size === 0) return
      await withLease(database, lease, () => keepInStep(folder.id, new AbortController().signal, urgent))
    },

    noteChange(kind) {
      if (watching && kind === 'page' && running.size > 0) hint(pageHintMs)
    },

    async sync(space_id) {
      const folder = await findRow(space_id)
      await withLease(database, lease, () => keepInStep(folder.id, new AbortController().signal))
    },

    start() {
      watching = true
      const stop = startJob(
        { database, logger },
        {
          name: lease,
          get everyMs() {
            return [...running.values()].every(({ watch }) => watch?.isComplete()) ? (scanMs * 4) / 3 : scanMs
          },
          onStart: hints.start,
          isDue: async () => (await createFoldersRepo(database).list()).length > 0 || running.size > 0,
          run: keepAllInStep,
        },
      )
      return async () => {
        watching = false
        hints.stop()
        await stop()
        for (const id of [...running.keys()]) forget(id)
      }
    },
  }

  async function findRow(space_id: string): Promise<FolderRow> {
    const folder = await createFoldersRepo(database).find(space_id)
    if (!folder) throw notFound('folder of the Space', space_id)
    return folder
  }

  async function statusOf(space_id: string): Promise<Folder> {
    return await describe(await findRow(space_id))
  }

  async function setOwnPaths(space_id: string, patterns: readonly string[]): Promise<void> {
    await database.transaction((tx) => createTrustedOriginsRepo(tx).setOwnPaths(space_id, patterns))
  }

  async function resolve(space_id: string, path: string): Promise<string> {
    const others = (await createFoldersRepo(database).list()).filter((folder) => folder.space_id !== space_id)
    const { allowed, dataFolder } = deps
    return await resolveFolder(path, { allowed, dataFolder, connected: others.map((folder) => folder.path) })
  }

  function passOf(folder: FolderRow, memory: FolderMemory, urgent: ReadonlySet<string> = new Set()): Pass {
    const disk = openDisk(folder.path)
    const clock = () => performance.now()
    return { ...deps, folder, disk, memory, clock, held: [], urgent, unsettledPaths: new Set() }
  }

  async function keepAllInStep(signal: AbortSignal): Promise<void> {
    const folders = await createFoldersRepo(database).list()
    const known = new Set(folders.map(({ id }) => id))
    for (const id of [...running.keys()]) if (!known.has(id)) forget(id)
    for (const { id } of folders) {
      if (signal.aborted) return
      await keepInStep(id, signal).catch((error: unknown) => {
        // One folder keeps no other one from its turn.
        logger.warn({ err: error, folder: id }, 'folder not in step')
      })
    }
  }

  async function keepInStep(id: string, signal: AbortSignal, urgent?: ReadonlySet<string>): Promise<void> {
    const one = running.get(id) ?? { memory: newMemory(), watch: null, busy: false, unsettled: false }
    running.set(id, one)
    try {
      for (let passes = 0; passes < maxPasses && !signal.aborted; passes++) {
        const folder = (await createFoldersRepo(database).list()).find((folder) => folder.id === id)
        if (!folder || folder.paused) return
        const { applied, unsettled, changed, folders } = await runPass(passOf(folder, one.memory, urgent))
        if (watching && folders.size > 0) {
          one.watch ??= watch(folder.path, (path) => {
            noteAnnounced(one.memory, path, performance.now())
            hint(fileHintMs)
          })
          one.watch.follow(folders, { changed, unsettled: unsettled || urgent !== undefined })
          const watched = one.watch.isComplete()
          if (watched !== folder.watched) await createFoldersRepo(database).update(id, { watched })
        }
        one.unsettled = unsettled
        if (unsettled) hint(fileHintMs)
        if (applied === 0) return
        one.busy = true
      }
      hint(0)
    } finally {
      one.busy = false
    }
  }

  function forget(id: string): void {
    running.get(id)?.watch?.close()
    running.delete(id)
  }
}
