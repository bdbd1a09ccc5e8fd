// Folders become pages, created when a child needs them as a parent. The file that describes a folder
// (`Notes/Notes.md`, `Notes/index.md`, `Notes/README.md`, or `Notes.md` beside it) is the folder's page itself; the
// first one wins.

import type { Written } from '../../../content/writes/store-entity.ts'
import type { FileOutcome } from '../../../contract/imports.ts'
import { folderOf, rankAsFolderNote, stemOf } from '../../../core/text/paths.ts'
import type { ImportedFile } from '../../../db/repos/import_files.ts'
import type { Dates } from '../../vault/manifest.ts'
import { asTitle, folderBeside, notesBeside, placeable } from '../../vault/paths.ts'
import type { BatchContext } from './batch-context.ts'

/** A folder described by a file, and the page that was created for it before that file was imported. */
export type DescribedFolder = { folder: string; page: ImportedFile | null }

export type FolderPages = ReturnType<typeof createFolderPages>

/** `dates`: when pages of folders were created and updated, as an export says. */
export function createFolderPages(
  { known, write }: BatchContext,
  dates: ReadonlyMap<string, Dates> = new Map(),
) {
  const made: FileOutcome[] = []

  /**
   * A folder's page, created if necessary: `first` is when the first thing in it was written. If the owner deleted it,
   * the next page above; `null` at the top.
   */
  async function pageOf(folder: string, first?: Written): Promise<string | null> {
    if (folder === '') return null
    const file = known.find(folder) ?? adoptNoteBeside(folder)
    if (file) return known.living(file) ? file.entity_id : await pageOf(folderOf(folder), first)

    const title = asTitle(stemOf(folder))
    const parent_id = await pageOf(folderOf(folder), first)
    const fields = { title, body: '', parent_id }
    const path = placeable(folder)
    const [created_at, updated_at] = dates.get(folder) ?? []
    const written = created_at && updated_at ? { created_at, updated_at } : first
    const row = await write({ action: 'create', type: 'page', fields, path, written })
    known.record(folder, null, 'page', row)
    made.push(folderOutcome(folder, title, row.id))
    return row.id
  }

  function adoptNoteBeside(folder: string): ImportedFile | undefined {
    const note = notesBeside(folder)
      .map((path) => known.find(path))
      .find((file) => file !== undefined)
    if (note?.entity_type !== 'page' || !known.living(note)) return undefined
    return known.share(note, folder)
  }

  return {
    pageOf,

    /** Folder pages created so far. */
    made,

    /** The folder that a new page file becomes the page of, if any. */
    describedBy(path: string): DescribedFolder | null {
      const folder = folderOf(path)
      if (rankAsFolderNote(path) !== null) {
        const page = known.find(folder)
        if (page ? isFree(page) : !notesBeside(folder).some((path) => known.find(path)))
          return { folder, page: page ?? null }
      }
      const beside = known.find(folderBeside(path))
      return beside && isFree(beside) ? { folder: beside.path, page: beside } : null
    },

    follow,
  }

  /** Moves the page of a missing folder to the new location of one of its files. */
  async function follow(from: string, to: string): Promise<void> {
    const file = known.find(from)
    if (to === '' || !file || known.find(to) || !known.isGone(from)) return
    await follow(folderOf(from), folderOf(to))
    const moved = known.move(file, to)
    if (!known.isBare(moved) || !known.living(moved) || !known.isUntouched(moved)) return

    const fields = { title: asTitle(stemOf(to)), parent_id: await pageOf(folderOf(to)) }
    const { entity_id: id, version } = moved
    const path = placeable(to)
    const row = await write({ action: 'update', type: 'page', id, version, fields, path })
    known.record(to, null, 'page', row)
  }

  function isFree(folder: ImportedFile): boolean {
    return known.isBare(folder) && known.living(folder) !== undefined
  }
}

const folderOutcome = (path: string, title: string, entity_id: string): FileOutcome => ({
  path,
  outcome: 'created',
  title,
  entity_type: 'page',
  entity_id,
  reason: null,
  warnings: [],
})
