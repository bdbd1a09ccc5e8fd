// Totals of an import's outcomes.

import { type FileOutcome, type ImportResult, Outcome } from '../../contract/imports.ts'
import type { ChatFile, MessageFile } from './file/format.ts'

export function emptyResult(): ImportResult {
  const counts = {
    created: 0,
    updated: 0,
    moved: 0,
    unchanged: 0,
    conflict: 0,
    deleted: 0,
    skipped: 0,
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
    if (!['created', 'updated', 'unchanged'].includes(file.outcome) || file.warnings.length > 0) {
      result.notes.push(file)
    }
  }
}

/** Adds a later part of the same import to a result, in place. */
export function addResult(result: ImportResult, part: ImportResult): void {
  for (const outcome of Outcome.options) result.counts[outcome] += part.counts[outcome]
  for (const [type, count] of Object.entries(part.created)) {
    result.created[type] = (result.created[type] ?? 0) + count
  }
  result.notes.push(...part.notes)
  result.stopped ||= part.stopped
}

export type MailImport = {
  space_id: string
  messages: readonly MessageFile[]
  /** The job that records the writes. */
  job_id: string | undefined
  /** Dry run. */
  preview: boolean
}

export type ChatImport = Omit<MailImport, 'messages'> & { chats: readonly ChatFile[] }

/** Stores conversations as threads, each once. Throws only if the database cannot be reached or is full. */
export type ImportChats = (run: ChatImport) => Promise<FileOutcome[]>

/** Stores messages in a Space's mail, each once. Throws only if the database cannot be reached or is full. */
export type ImportMail = (run: MailImport) => Promise<FileOutcome[]>
