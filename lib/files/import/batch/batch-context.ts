import { createHash } from 'node:crypto'
import { createLinkIndex } from '../../../content/links/link-index.ts'
import type { EntityWrite } from '../../../content/writes/store-entity.ts'
import type { Writer } from '../../../content/writes/write.ts'
import { type EntityRow, textOf } from '../../../contract/entities/kind.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { Actor } from '../../../core/actor.ts'
import { namesOfPath } from '../../../core/text/links/resolve-link.ts'
import type { Tx } from '../../../db/pool.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import { createImportFilesRepo, type ImportedFile, type ImportWrite } from '../../../db/repos/import_files.ts'
import type { KnownFiles } from './known-files.ts'

type WithoutPlace<Write> = Write extends unknown ? Omit<Write, 'space_id'> : never

/** Context for writing the files of one batch: one transaction, one Space, one actor. */
export type BatchContext = {
  known: KnownFiles
  kinds: Kinds
  /** See `Writer.write`. */
  write(write: WithoutPlace<EntityWrite>): Promise<EntityRow>
  /** The current entity; `null` if deleted. */
  current(type: string, id: string): Promise<EntityRow | null>
  /** The first known file at one of the paths. */
  fileAt(paths: readonly string[]): Promise<ImportedFile | null>
  /** Lets links by a path lead to an entity that stays where it is. */
  keepPath(type: string, id: string, path: string): Promise<void>
  /** Keeps the bytes of a note that its text does not give again, and what they were read as; `null`: it does. */
  keepBytes(row: EntityRow, bytes: Uint8Array | null, readAs: string | null): Promise<void>
  /** A conflict: both the file and its entity changed. Offered to the owner after the commit. */
  conflict(conflict: FileConflict): void
  /** Results and conflicts so far. */
  writes: readonly ImportWrite[]
  conflicts: readonly FileConflict[]
}

/** A file's new state for an entity that was edited here since its import at `version`. */
export type FileConflict = {
  path: string
  sha256: string
  entity_type: string
  entity_id: string
  version: number
  fields: Record<string, unknown>
}

type BatchContextOptions = {
  space_id: string
  source: string
  kinds: Kinds
  writer: Writer
  known: KnownFiles
  /** Author of the writes. Default: the import. */
  actor?: Actor | undefined
}

export const textHash = (text: string) => createHash('sha256').update(text).digest('hex')

/** The author of what an import writes. */
export const importer: Actor = { kind: 'system', name: 'import' }

export function createBatchContext(tx: Tx, options: BatchContextOptions): BatchContext {
  const { space_id, kinds, writer, known, actor = importer } = options
  const writes: ImportWrite[] = []
  const conflicts: FileConflict[] = []
  return {
    writes,
    conflicts,
    conflict: (one) => conflicts.push(one),
    known,
    kinds,
    async write(write) {
      const placed: EntityWrite =
        write.action === 'create' ? { origin: 'import', ...write, space_id } : { ...write, space_id }
      const row = await writer.write(tx, placed, { actor })
      const unchanged = write.action === 'update' && row.version === write.version
      if (!unchanged) {
        const { id: entity_id, version } = row
        writes.push({ entity_type: write.type, entity_id, action: write.action, version })
      }
      return row
    },
    current: (type, id) => createEntitiesRepo(tx).find(kinds.get(type), space_id, id),
    async fileAt(paths) {
      const here = paths.map((path) => known.find(path)).find((file) => file !== undefined)
      if (here) return here
      const files = await createImportFilesRepo(tx).listByPath({ space_id, source: options.source }, paths)
      return (
        paths.map((path) => files.find((file) => file.path === path)).find((file) => file !== undefined) ??
        null
      )
    },
    keepBytes: (row, bytes, readAs) =>
      createImportFilesRepo(tx).keepBytes(row, {
        bytes,
        original_of: textHash(textOf(row.body)),
        read_as: readAs,
      }),
    keepPath: (entity_type, entity_id, path) =>
      createLinkIndex(tx).keepNames({ space_id, entity_type, entity_id }, namesOfPath(path)),
  }
}

export type Decision =
  | { action: 'create' }
  | { action: 'update' | 'move' | 'conflict' | 'deleted' | 'unchanged'; file: ImportedFile }

/** Decides on a file by its import history. The owner's edits outweigh the file. */
export function decide(known: KnownFiles, { path, sha256 }: { path: string; sha256: string }): Decision {
  const file = known.find(path)
  if (!file) {
    const from = known.findMovedTo(path)
    return from ? { action: 'move', file: from } : { action: 'create' }
  }

  if (!known.living(file)) return { action: 'deleted', file }
  if (file.sha256 === sha256) return { action: 'unchanged', file }
  return { action: known.isUntouched(file) ? 'update' : 'conflict', file }
}
