import type { ImportResult } from '../../../contract/imports.ts'
import type { TrustLevel } from '../../../contract/trust.ts'
import { AppError } from '../../../core/errors.ts'
import { type FolderListing, listSource, readFiles } from '../../../files/import/read/read-folder.ts'
import type { ImportTarget } from './import-target.ts'
import type { ProgressOptions } from './progress.ts'
import { createProgress } from './progress.ts'
import { summarize } from './summary.ts'

/** What the command was asked for; `source` null: the folder's full path. */
export type ImportCommand = {
  folder: string
  space: string
  name: string
  source: string | null
  preview: boolean
  /** Whether the owner vouches for what is imported. */
  trust: TrustLevel
}

export type RunOptions = {
  command: ImportCommand
  /** Opened once the folder has been read: a wrong name costs nothing. */
  openTarget: () => Promise<ImportTarget>
  output: ProgressOptions['stream']
  signal: AbortSignal
  now: () => number
}

/** The import command from folder to summary. Throws `AppError` for what the user can put right. */
export async function runImport(options: RunOptions): Promise<ImportResult> {
  const { command, output, now } = options
  const listing = await list(command.folder)
  const target = await options.openTarget()

  try {
    if (target.note) output.write(`${target.note}\n`)
    const space = command.preview
      ? await target.findSpace(command.space)
      : await target.enterSpace(command.space, command.name)
    if (!space) throw nothingToCompare(command.space)
    const place = { space_id: space.id, source: command.source ?? listing.root }
    const started = now()
    const { result, kept } = await bringIn(target, place, listing, options)
    const seconds = (now() - started) / 1000
    const { root: folder, hidden } = listing
    output.write(`${summarize({ folder, space, result, kept, hidden, seconds, preview: command.preview })}\n`)
    return result
  } finally {
    await target.close()
  }
}

async function bringIn(
  target: ImportTarget,
  place: { space_id: string; source: string },
  listing: FolderListing,
  { command, output, signal }: RunOptions,
) {
  const present = listing.files.map(({ path }) => path)
  const { archive: root } = listing
  const { gone, lookalike } = await target.survey({ ...place, present })
  if (lookalike) throw alreadyHere(listing.root, lookalike.source, lookalike.count)

  const progress = createProgress({ stream: output, total: present.length })
  const result = await target
    .importFiles({
      ...place,
      files: readFiles(listing.files),
      gone: root ? [] : gone,
      root,
      preview: command.preview,
      trust: command.trust,
      onProgress: (done) => progress.update(done),
      signal,
    })
    .finally(() => progress.finish())
  // Asked again: what has moved is no longer missing.
  const { kept } = await target.survey({ ...place, present })
  return { result, kept: root ? [] : kept }
}

async function list(folder: string): Promise<FolderListing> {
  try {
    return await listSource(folder)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    const why = code === 'ENOENT' ? 'No such file or folder:' : 'Cannot read:'
    throw new AppError('unreadable_folder', 400, `${why} ${folder}`, { cause })
  }
}

// A preview makes nothing, not even the Space.
const nothingToCompare = (slug: string) =>
  new AppError(
    'not_found',
    404,
    `There is no Space ${slug} yet: everything that can be read would come in as new.`,
  )

function alreadyHere(folder: string, source: string, count: number): AppError {
  return new AppError(
    'already_imported',
    409,
    [
      `${folder} has ${count} files in common with what was imported into this Space from ${source}.`,
      `If it is the same folder in a new place, add --source "${source}" to bring that import up to date.`,
      'If it is another folder, give it a name of its own with --source NAME.',
    ].join('\n'),
  )
}
