import type { FileOutcome, ImportResult, Survey } from '../../contract/imports.ts'
import type { TrustLevel } from '../../contract/trust.ts'
import { AppError } from '../../core/errors.ts'
import type { ImportRun } from '../../files/import/job/import-jobs.ts'
import { type FolderListing, listSource, readFiles } from '../../files/import/read/read-folder.ts'
import { UsageError } from './run-command.ts'

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

type RunOptions = {
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
      files: readFiles([...listing.settings, ...listing.files]),
      present,
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
    throw new UsageError(`${why} ${folder}`, { cause })
  }
}

// A preview makes nothing, not even the Space.
const nothingToCompare = (slug: string) =>
  new AppError('not_found', 404, `There is no Space ${slug} yet: all readable files would be new.`)

function alreadyHere(folder: string, source: string, count: number): AppError {
  return new AppError(
    'already_imported',
    409,
    [
      `${folder} has ${count} files in common with an earlier import into this Space from ${source}.`,
      `If it is the same folder in a new location, add --source "${source}" to update that import.`,
      'If it is another folder, give it its own name with --source NAME.',
    ].join('\n'),
  )
}

export type TargetSpace = { id: string; slug: string; name: string; created: boolean }

/** Where the import command brings its files: a database that it opened itself, or a server that runs on it. */
export type ImportTarget = {
  /** What to tell the user about where the files go; `null` for the usual. */
  note: string | null
  /** The Space with this slug, made if there is none. */
  enterSpace(slug: string, name: string): Promise<TargetSpace>
  /** The Space with this slug; `null` when there is none. */
  findSpace(slug: string): Promise<TargetSpace | null>
  survey(place: { space_id: string; source: string; present: readonly string[] }): Promise<Survey>
  importFiles(run: ImportRun): Promise<ImportResult>
  close(): Promise<void>
}

export type ProgressOptions = {
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  total: number
}

export type Progress = { update(done: number): void; finish(): void }

const barWidth = 24

const steps = 10

/** Tells how far an import is: a bar that is redrawn on a terminal, a plain line every tenth of the way elsewhere. */
export function createProgress({ stream, total }: ProgressOptions): Progress {
  return stream.isTTY ? bar(stream, total) : lines(stream, total)
}

function bar(stream: ProgressOptions['stream'], total: number): Progress {
  return {
    update(done) {
      const share = total === 0 ? 1 : Math.min(done / total, 1)
      const full = Math.round(share * barWidth)
      const text = `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}] ${percent(share)}  ${done} of ${total} files`
      stream.write(`\r${text.slice(0, (stream.columns || 80) - 1)}\x1b[K`)
    },
    finish: () => stream.write('\r\x1b[K'),
  }
}

function lines(stream: ProgressOptions['stream'], total: number): Progress {
  let told = 0
  return {
    update(done) {
      const step = Math.floor((done / total) * steps)
      if (step <= told) return
      told = step
      stream.write(`${done} of ${total} files (${percent(done / total).trim()})\n`)
    },
    finish: () => {},
  }
}

const percent = (share: number) => `${Math.floor(share * 100)}%`.padStart(4)

export type SummaryInput = {
  folder: string
  space: { slug: string; name: string; created: boolean }
  result: ImportResult
  /** Files that are no longer in the folder. */
  kept: readonly FileOutcome[]
  hidden: number
  seconds: number
  /** Nothing was written: this is what would come. */
  preview?: boolean
}

const maxLines = 100

/** The account of an import for a person: what came in, what did not and why. Ends without a line break. */
export function summarize({ folder, space, result, kept, hidden, seconds, preview }: SummaryInput): string {
  const { counts, notes } = result
  const into = `${space.created ? 'the new Space' : 'the Space'} “${space.name}” (${space.slug})`
  const of = (outcome: FileOutcome['outcome']) => notes.filter((note) => note.outcome === outcome)

  return [
    `${preview ? 'What would come of importing' : result.stopped ? 'Stopped importing' : 'Imported'} ${plain(folder)} into ${into} in ${seconds.toFixed(1)} s.`,
    `  new: ${createdLine(result)}`,
    `  updated: ${counts.updated}, moved: ${counts.moved}, unchanged: ${counts.unchanged}, skipped: ${counts.skipped}`,
    ...(hidden > 0
      ? [`  left out: ${plural(hidden, 'hidden file or folder', 'hidden files and folders')}`]
      : []),
    ...section('Skipped', of('skipped'), ({ path, reason }) => `${path}: ${reason}`),
    ...section('Edited here since; kept yours', of('conflict'), withReason),
    ...section('Deleted here; left deleted', of('deleted'), titleAndPath),
    ...section('No longer in the folder; kept', kept, titleAndPath),
    ...section('Moved', of('moved'), ({ path, reason }) => `${path}: ${reason}`),
    ...section(
      'Came in with a remark',
      notes.filter(({ warnings }) => warnings.length > 0),
      ({ path, warnings }) => `${path}: ${warnings.join('; ')}`,
    ),
    ...(result.stopped ? ['', 'Run it again to continue.'] : []),
  ].join('\n')
}

function createdLine({ created }: ImportResult): string {
  const { page = 0, source_doc = 0, folder = 0, ...others } = created
  const parts = [
    plural(page, 'page', 'pages'),
    plural(source_doc, 'attachment', 'attachments'),
    ...(folder > 0 ? [plural(folder, 'page for a folder', 'pages for folders')] : []),
    ...Object.entries(others).map(([type, count]) => `${count} ${type}`),
  ]
  return parts.join(', ')
}

function section(
  heading: string,
  files: readonly FileOutcome[],
  line: (file: FileOutcome) => string,
): string[] {
  if (files.length === 0) return []
  const shown = files.slice(0, maxLines).map((file) => `  ${plain(line(file))}`)
  const rest = files.length - shown.length
  return ['', `${heading} (${files.length})`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])]
}

const titleAndPath = ({ title, path }: FileOutcome) => (title ? `“${title}” (${path})` : path)

const withReason = (file: FileOutcome) => titleAndPath(file) + (file.reason ? `: ${file.reason}` : '')

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

// A file's name must not move the cursor, ring the bell or turn the line round.
const plain = (text: string) =>
  text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD')
