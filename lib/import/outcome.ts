// What became of the files of an import: told file by file, added up, sent over HTTP, printed at the end.

export const outcomes = [
  'created',
  'updated',
  'moved',
  'unchanged',
  /** The file changed, and so did the entity: the entity stays as its owner left it. */
  'conflict',
  /** The owner deleted the entity; the file does not bring it back. */
  'deleted',
  'skipped',
  /** It is part of what another file made: an answer in a conversation. */
  'joined',
  /** No longer in the folder; what was made of it stays. */
  'gone',
] as const

export type Outcome = (typeof outcomes)[number]

export type FileOutcome = {
  /** A folder's ends in a slash. */
  path: string
  outcome: Outcome
  title: string | null
  entity_type: string | null
  entity_id: string | null
  /** Why it was skipped or left alone, or where it came from; the rest of a sentence about the file. */
  reason: string | null
  /** What to know about a file that came in nevertheless. */
  warnings: string[]
}

export type ImportResult = {
  /** Files by outcome. Folders are not counted. */
  counts: Record<Outcome, number>
  /** What was created, by entity type; pages that were made for a folder without a file are under `folder`. */
  created: Record<string, number>
  /** The outcomes that a person should read: all but plain successes. */
  notes: FileOutcome[]
  /** Ended early by its signal. Running it again continues. */
  stopped: boolean
}

export function emptyResult(): ImportResult {
  const counts = {
    created: 0,
    updated: 0,
    moved: 0,
    unchanged: 0,
    conflict: 0,
    deleted: 0,
    skipped: 0,
    joined: 0,
    gone: 0,
  }
  return { counts, created: {}, notes: [], stopped: false }
}

/** Adds outcomes to a result, in place. */
export function addOutcomes(result: ImportResult, files: readonly FileOutcome[]): void {
  for (const file of files) {
    const isFolder = file.path.endsWith('/')
    if (!isFolder) result.counts[file.outcome]++
    if (file.outcome === 'created') {
      const type = isFolder ? 'folder' : (file.entity_type ?? 'other')
      result.created[type] = (result.created[type] ?? 0) + 1
    }
    if (!['created', 'updated', 'unchanged', 'joined'].includes(file.outcome) || file.warnings.length > 0) {
      result.notes.push(file)
    }
  }
}

/** Adds a later part of the same import to a result, in place. */
export function addResult(result: ImportResult, part: ImportResult): void {
  for (const outcome of outcomes) result.counts[outcome] += part.counts[outcome]
  for (const [type, count] of Object.entries(part.created)) {
    result.created[type] = (result.created[type] ?? 0) + count
  }
  result.notes.push(...part.notes)
  result.stopped ||= part.stopped
}

/** A file that did not come in. */
export const skipped = (path: string, reason: string): FileOutcome => ({
  path,
  outcome: 'skipped',
  title: null,
  entity_type: null,
  entity_id: null,
  reason,
  warnings: [],
})

/** A file that came in as part of another one's entity. */
export const joined = (path: string, into: string): FileOutcome => ({
  ...skipped(path, `it is part of the conversation in ${into}`),
  outcome: 'joined',
})
