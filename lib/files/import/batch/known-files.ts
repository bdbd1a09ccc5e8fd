// The import history of a batch's files, including the batch so far: updated in memory during the batch, and stored in
// two statements.

import { type EntityRow, titleOf } from '../../../contract/entities/kind.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import { folderOf } from '../../../core/text/paths.ts'
import type { Queryable } from '../../../db/pool.ts'
import {
  createImportFilesRepo,
  type EntityState,
  type ImportedFile,
  type ImportFilesRepo,
} from '../../../db/repos/import_files.ts'
import { folderBeside, notesBeside } from '../../vault/paths.ts'

export type KnownFilesOptions = {
  space_id: string
  source: string
  kinds: Kinds
  /** Known paths that are missing from the folder. */
  gone: readonly string[]
}

type FoundFiles = {
  byPath: Map<string, ImportedFile>
  /** The entities of these files, by id. */
  states: Map<string, EntityState>
  /** The known file that has moved to a new path, by that path. */
  moved: ReadonlyMap<string, ImportedFile>
}

export class KnownFiles {
  readonly #repo: ImportFilesRepo
  readonly #options: KnownFilesOptions
  readonly #found: FoundFiles
  readonly #gone: ReadonlySet<string>
  readonly #changed = new Set<string>()
  readonly #left = new Set<string>()

  constructor(repo: ImportFilesRepo, options: KnownFilesOptions, found: FoundFiles) {
    this.#repo = repo
    this.#options = options
    this.#found = found
    this.#gone = new Set(options.gone)
  }

  find(path: string): ImportedFile | undefined {
    return this.#found.byPath.get(path)
  }

  /** The known file that has moved to `path`. */
  findMovedTo(path: string): ImportedFile | undefined {
    return this.#found.moved.get(path)
  }

  /** A file's current entity; absent if deleted. */
  living(file: ImportedFile): EntityState | undefined {
    const state = this.#stateOf(file)
    return state?.deleted ? undefined : state
  }

  /** True if the entity is unchanged since its import. */
  isUntouched(file: ImportedFile): boolean {
    return this.#stateOf(file)?.version === file.version
  }

  /** True if a folder's page is only that: no file describes the folder. */
  isBare(folder: ImportedFile): boolean {
    const files = this.#found.byPath.values()
    return !files.some((file) => file.entity_id === folder.entity_id && file.path !== folder.path)
  }

  isGone(path: string): boolean {
    return this.#gone.has(path)
  }

  /** The entity's current title; `null` if permanently deleted. */
  titleOf(file: ImportedFile): string | null {
    return this.#stateOf(file)?.title ?? null
  }

  /** Records a path's entity (a folder's has no hash), and the entity's other paths. */
  record(path: string, sha256: string | null, entity_type: string, row: EntityRow): void {
    const { id, version } = row
    this.#found.states.set(id, { id, title: titleOf(row), version, deleted: row.deleted_at !== null })
    this.#set({ path, entity_type, entity_id: id, sha256, version })
    for (const file of this.#found.byPath.values()) {
      if (file.entity_id !== id || file.version === version) continue
      file.version = version
      this.#changed.add(file.path)
    }
  }

  /** Records that a file and its entity agree again. */
  accept(file: ImportedFile, sha256: string): void {
    this.#set({ ...file, sha256, version: this.#stateOf(file)?.version ?? file.version })
  }

  /** Records that a folder's page is the entity of `file`. */
  share(file: ImportedFile, folder: string): ImportedFile {
    return this.#set({ ...file, path: folder, sha256: null })
  }

  /** Records the same file or folder under another path. */
  move(file: ImportedFile, path: string): ImportedFile {
    this.#found.byPath.delete(file.path)
    this.#changed.delete(file.path)
    this.#left.add(file.path)
    return this.#set({ ...file, path })
  }

  /** Stores the records. */
  async save(): Promise<void> {
    const { byPath } = this.#found
    const absent = [...this.#left].filter((path) => !byPath.has(path))
    const changed = [...this.#changed].map((path) => byPath.get(path)!)
    await this.#repo.forget(this.#options, absent)
    await this.#repo.save(this.#options, changed)
  }

  #stateOf(file: ImportedFile): EntityState | undefined {
    return this.#found.states.get(file.entity_id)
  }

  #set(file: ImportedFile): ImportedFile {
    this.#found.byPath.set(file.path, file)
    this.#changed.add(file.path)
    return file
  }
}

type FileKey = { path: string; sha256: string }

type KnownStates = Omit<FoundFiles, 'moved'>

/** The import history of these files and of their folders: a few queries for a whole batch. */
export async function loadKnownFiles(
  tx: Queryable,
  options: KnownFilesOptions,
  files: readonly FileKey[],
): Promise<KnownFiles> {
  const repo = createImportFilesRepo(tx)
  const found: KnownStates = { byPath: new Map(), states: new Map() }
  await loadAround(repo, options, found, files)
  const moved = await findMoved(
    repo,
    options,
    files.filter(({ path }) => !found.byPath.has(path)),
  )
  await loadAround(repo, options, found, [...moved.values()])
  return new KnownFiles(repo, options, { ...found, moved })
}

async function loadAround(
  repo: ImportFilesRepo,
  options: KnownFilesOptions,
  { byPath, states }: KnownStates,
  around: readonly { path: string }[],
): Promise<void> {
  const paths = new Set(around.flatMap(({ path }) => pathsAround(path)))
  const missing = [...paths].filter((path) => !byPath.has(path))
  if (missing.length === 0) return

  const files = await repo.listByPath(options, missing)
  for (const file of files) byPath.set(file.path, file)
  const shared = files.filter(({ path }) => path.endsWith('/')).map(({ entity_id }) => entity_id)
  for (const file of await repo.listByEntity(options, shared)) byPath.set(file.path, file)
  for (const [type, ofType] of Map.groupBy(files, (file) => file.entity_type)) {
    const ids = [...new Set(ofType.map(({ entity_id }) => entity_id))]
    const rows = await repo.listStates(options.kinds.get(type), options.space_id, ids)
    for (const state of rows) states.set(state.id, state)
  }
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

// A new file with the bytes of exactly one missing file was moved. Empty files are all alike and never match.
async function findMoved(
  repo: ImportFilesRepo,
  options: KnownFilesOptions,
  newFiles: readonly FileKey[],
): Promise<Map<string, ImportedFile>> {
  const unknown = newFiles.filter(({ sha256 }) => sha256 !== emptySha256)
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

// The file, the folder it may describe from outside, and the folders above it with the files that may describe them.
function pathsAround(path: string): string[] {
  const paths = [path, folderBeside(path)].filter(Boolean)
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    paths.push(folder, ...notesBeside(folder))
  }
  return paths
}
