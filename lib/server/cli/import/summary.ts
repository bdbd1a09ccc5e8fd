import type { FileOutcome, ImportResult } from '../../../contract/imports.ts'
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
    ...(result.stopped ? ['', 'Run it again to go on from here.'] : []),
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
