// What earlier runs, and the batch so far, made of the files of one batch: updated in memory while the batch is written,
// and stored in two statements.

import type { EntityState, ImportedFile, ImportFilesRepo } from '../../db/repos/import_files.ts'
import { type EntityRow, titleOf } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'

export type KnownFilesOptions = {
  space_id: string
  source: string
  kinds: Kinds
  /** Known paths that are no longer in the folder. */
  gone: readonly string[]
}

export type FoundFiles = {
  byPath: Map<string, ImportedFile>
  /** The entities of these files, by id. */
  states: Map<string, EntityState>
  /** The known file that is now at a new path, by that path. */
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

  /** The known file which is now at `path`. */
  findMovedTo(path: string): ImportedFile | undefined {
    return this.#found.moved.get(path)
  }

  /** The current entity of a file; absent when deleted. */
  living(file: ImportedFile): EntityState | undefined {
    const state = this.#stateOf(file)
    return state?.deleted ? undefined : state
  }

  /** Whether the entity is as the import left it. */
  isUntouched(file: ImportedFile): boolean {
    return this.#stateOf(file)?.version === file.version
  }

  /** Whether a folder's page is nothing but that: no file describes the folder. */
  isBare(folder: ImportedFile): boolean {
    const files = this.#found.byPath.values()
    return !files.some((file) => file.entity_id === folder.entity_id && file.path !== folder.path)
  }

  isGone(path: string): boolean {
    return this.#gone.has(path)
  }

  /** The entity's current title; `null` when it was permanently deleted. */
  titleOf(file: ImportedFile): string | null {
    return this.#stateOf(file)?.title ?? null
  }

  /** Records what was made of a path (a folder's has no hash), and of every other path of the entity. */
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

  /** Stores what was recorded. */
  async save(): Promise<void> {
    const { byPath } = this.#found
    const left = [...this.#left].filter((path) => !byPath.has(path))
    const changed = [...this.#changed].map((path) => byPath.get(path)!)
    await this.#repo.forget(this.#options, left)
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
