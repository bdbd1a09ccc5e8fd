// What earlier runs, and the batch so far, made of the files of one batch. Read in a few queries for the whole batch,
// kept current while the batch is written, stored in two.

import type { Queryable } from '../db/pool.ts'
import { createImportFilesRepo, type EntityState, type ImportedFile } from '../db/repos/import_files.ts'
import type { EntityRow } from '../entities/kind.ts'
import { titleOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { folderOf } from './file-name.ts'

export type KnownFilesOptions = {
  space_id: string
  source: string
  kinds: Kinds
  /** Known paths that are no longer in the folder. */
  gone: readonly string[]
}

export type KnownFiles = Awaited<ReturnType<typeof loadKnownFiles>>

type FileKey = { path: string; sha256: string }

export async function loadKnownFiles(tx: Queryable, options: KnownFilesOptions, files: readonly FileKey[]) {
  const repo = createImportFilesRepo(tx)
  const byPath = new Map<string, ImportedFile>()
  const states = new Map<string, EntityState>()
  const changed = new Set<string>()
  const left = new Set<string>()
  const gone = new Set(options.gone)
  await load(files.flatMap(({ path }) => pathsAround(path)))
  const moved = await findMoved()
  await load([...moved.values()].flatMap(({ path }) => pathsAround(path)))

  async function load(paths: string[]): Promise<void> {
    const wanted = [...new Set(paths)].filter((path) => !byPath.has(path))
    if (wanted.length === 0) return

    const found = await repo.listByPath(options, wanted)
    for (const file of found) byPath.set(file.path, file)
    const shared = found.filter(({ path }) => path.endsWith('/')).map(({ entity_id }) => entity_id)
    for (const file of await repo.listByEntity(options, shared)) byPath.set(file.path, file)
    for (const [type, ofType] of Map.groupBy(found, (file) => file.entity_type)) {
      const ids = [...new Set(ofType.map(({ entity_id }) => entity_id))]
      const rows = await repo.listStates(options.kinds.get(type), options.space_id, ids)
      for (const state of rows) states.set(state.id, state)
    }
  }

  // A new file with the bytes of exactly one that is gone has moved. All empty files are alike and never have.
  async function findMoved(): Promise<Map<string, ImportedFile>> {
    const unknown = files.filter(({ path, sha256 }) => !byPath.has(path) && sha256 !== emptySha256)
    if (options.gone.length === 0 || unknown.length === 0) return new Map()

    const hashes = [...new Set(unknown.map(({ sha256 }) => sha256))]
    const candidates = await repo.listByHash(options, options.gone, hashes)
    const pairs = candidates.flatMap((file) => {
      const same = unknown.filter(({ sha256 }) => sha256 === file.sha256)
      const isOnly = candidates.filter(({ sha256 }) => sha256 === file.sha256).length === 1
      return isOnly && same.length === 1 ? [[same[0]!.path, file] as const] : []
    })
    return new Map(pairs)
  }

  return {
    find: (path: string): ImportedFile | undefined => byPath.get(path),

    /** The known file which is now at `path`. */
    findMovedTo: (path: string): ImportedFile | undefined => moved.get(path),

    /** The entity as it stands; absent when deleted. */
    living(file: ImportedFile): EntityState | undefined {
      const state = states.get(file.entity_id)
      return state?.deleted ? undefined : state
    },

    /** Whether the entity is as the import left it. */
    isUntouched: (file: ImportedFile): boolean => states.get(file.entity_id)?.version === file.version,

    /** Whether a folder's page is nothing but that: no file describes the folder. */
    isBare: (folder: ImportedFile): boolean =>
      !byPath.values().some((file) => file.entity_id === folder.entity_id && file.path !== folder.path),

    isGone: (path: string): boolean => gone.has(path),

    /** The entity's title as it is now; `null` when it was emptied from the trash. */
    titleOf: (file: ImportedFile): string | null => states.get(file.entity_id)?.title ?? null,

    /** Remembers what was made of a path (a folder's has no hash), and of every other path of the entity. */
    record(path: string, sha256: string | null, entity_type: string, row: EntityRow): void {
      const { id, version } = row
      states.set(id, { id, title: titleOf(row), version, deleted: row.deleted_at !== null })
      byPath.set(path, { path, entity_type, entity_id: id, sha256, version })
      changed.add(path)
      for (const file of byPath.values()) {
        if (file.entity_id !== id || file.version === version) continue
        file.version = version
        changed.add(file.path)
      }
    },

    /** The file and its entity say the same again. */
    accept(file: ImportedFile, sha256: string): void {
      const version = states.get(file.entity_id)?.version ?? file.version
      byPath.set(file.path, { ...file, sha256, version })
      changed.add(file.path)
    },

    /** A folder whose page is the entity of `file`. */
    share(file: ImportedFile, folder: string): ImportedFile {
      const shared = { ...file, path: folder, sha256: null }
      byPath.set(folder, shared)
      changed.add(folder)
      return shared
    },

    /** The same file or folder under another path. */
    move(file: ImportedFile, path: string): ImportedFile {
      byPath.delete(file.path)
      changed.delete(file.path)
      left.add(file.path)
      const there = { ...file, path }
      byPath.set(path, there)
      changed.add(path)
      return there
    },

    /** Stores what was recorded. */
    async save(): Promise<void> {
      await repo.forget(
        options,
        [...left].filter((path) => !byPath.has(path)),
      )
      await repo.save(
        options,
        [...changed].map((path) => byPath.get(path)!),
      )
    },
  }
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

// The file, the folder it may describe from outside, and the folders above it with the files that may describe them.
function pathsAround(path: string): string[] {
  const paths = [path, folderBeside(path)]
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    paths.push(folder, ...notesBeside(folder))
  }
  return paths
}

/** The folder that `Notes.md` may describe from outside: `Notes/`. */
export const folderBeside = (path: string): string => `${path.replace(/\.[^./]+$/, '')}/`

/** The files that may describe `Notes/` from outside: `Notes.md`, or what else becomes a page. */
export const notesBeside = (folder: string): string[] =>
  ['.md', '.html', '.csv'].map((extension) => folder.slice(0, -1) + extension)
