// Messages of files in the mail of a Space. The same message again changes nothing but where it lies and how it is marked.

import { kind } from '../../../contract/entities/mail_message.ts'
import type { FileOutcome } from '../../../contract/imports.ts'
import { AppError } from '../../../core/errors.ts'
import { isDiskFull } from '../../../db/pg-errors.ts'
import type { Database, Queryable } from '../../../db/pool.ts'
import { createAuditRepo } from '../../../db/repos/audit.ts'
import { createImportWritesRepo } from '../../../db/repos/import_files.ts'
import { createImportOutcomesRepo } from '../../../db/repos/import_jobs.ts'
import type { MessageFile } from '../../../files/import/file/format.ts'
import { skipped } from '../../../files/import/file/outcome.ts'
import type { ImportMail, MailImport } from '../../../files/import/import-result.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { Search } from '../../../search/search.ts'
import { parseInThread } from '../message/parse-in-thread.ts'
import type { ParsedMessage } from '../message/parse-messages.ts'
import { findKnown } from './find-known.ts'
import { noSubject, storeMessages } from './store-messages.ts'

export type ImportMailDeps = {
  database: Database
  search: Pick<Search, 'index' | 'defer'>
  threads: Pick<TextThreads, 'run'>
  now: () => Date
  /** Called whenever something came in. */
  onNews: (spaceId: string) => void
}

type ReadFile = MessageFile & { parsed: ParsedMessage }

/** Messages of one transaction: the embedded database answers nobody else meanwhile. */
const perTransaction = 10

export function createImportMail(deps: ImportMailDeps): ImportMail {
  const { database, threads, onNews } = deps

  return async (run) => {
    const { messages, preview } = run
    if (messages.length === 0) return []
    const outcomes = await parseInThread(
      threads,
      messages.map(({ message }) => message),
    )
    const read: ReadFile[] = []
    const told: FileOutcome[] = []
    for (const [index, file] of messages.entries()) {
      const parsed = outcomes[index]
      if (!parsed) told.push(skipped(file.path, 'it could not be read within the limits of time and memory'))
      else if (!isMessage(parsed)) told.push(skipped(file.path, 'it is not a message'))
      else read.push({ ...file, parsed })
    }
    if (preview) return [...told, ...(await look(database, run, read))]
    await database.checkRoom()
    for (let at = 0; at < read.length; at += perTransaction) {
      told.push(...(await store(deps, run, read.slice(at, at + perTransaction))))
    }
    if (told.some(({ outcome }) => outcome === 'created')) onNews(run.space_id)
    return told
  }
}

const isMessage = ({ message_id, subject, sent_at, from }: ParsedMessage): boolean =>
  message_id !== null || subject !== '' || sent_at !== null || from.address !== ''

async function look(
  database: Queryable,
  { space_id }: MailImport,
  files: readonly ReadFile[],
): Promise<FileOutcome[]> {
  const messages = files.map(({ parsed }) => parsed)
  const known = await findKnown(database, { space_id, messages, by_message_id: true })
  return files.map((file) => {
    const found = known.find(file.parsed)
    const is_new = !found || found.deleted
    known.add(file.parsed, { id: '', thread_id: '', deleted: false, ...found })
    return toOutcome(file, { id: found?.id || null, is_new })
  })
}

/** When a transaction fails, each message gets one of its own, so that only the bad one is lost. */
async function store(
  deps: ImportMailDeps,
  run: MailImport,
  files: readonly ReadFile[],
): Promise<FileOutcome[]> {
  try {
    return await deps.database.transaction((tx) => storeSome(tx, deps, run, files))
  } catch (error) {
    if ((error instanceof AppError && error.status === 503) || isDiskFull(error)) throw error
    if (files.length === 1) {
      const reason = error instanceof Error ? error.message : String(error)
      return [skipped(files[0]!.path, `it could not be stored: ${reason}`)]
    }
  }
  const each: FileOutcome[] = []
  for (const file of files) each.push(...(await store(deps, run, [file])))
  return each
}

async function storeSome(
  tx: Queryable,
  { search, now }: ImportMailDeps,
  { space_id, job_id }: MailImport,
  files: readonly ReadFile[],
): Promise<FileOutcome[]> {
  if (job_id) await createAuditRepo(tx).lock()
  const messages = files.map(({ parsed, mail }) => ({
    parsed,
    entry: mail,
    received_at: now(),
    whole: true,
    provider_thread: null,
  }))
  const stored = await storeMessages(tx, search, { space_id, account_id: null, messages })
  if (!stored) return files.map(({ path }) => skipped(path, 'its Space is gone'))

  const outcomes = files.map((file, index) => toOutcome(file, stored[index]!))
  if (job_id) {
    const made = stored.filter(({ is_new }) => is_new)
    const writes = made.map(({ id }) => ({
      entity_type: kind.type,
      entity_id: id,
      action: 'create',
      version: 1,
    }))
    await createImportWritesRepo(tx).add(job_id, writes)
    // Here too: a run after a crash finds these messages unchanged, and says so only where nothing was said before.
    await createImportOutcomesRepo(tx).save(job_id, outcomes)
  }
  return outcomes
}

const toOutcome = (
  { path, parsed }: ReadFile,
  { id, is_new }: { id: string | null; is_new: boolean },
): FileOutcome => ({
  path,
  outcome: is_new ? 'created' : 'unchanged',
  title: parsed.subject || noSubject,
  entity_type: kind.type,
  entity_id: id,
  reason: null,
  warnings: [],
})
