// The core of every import, from a folder or over HTTP: files in, entities out, a few at a time. Each batch is one
// transaction and records its results, so an interrupted run is continued by running it again.

import type { Writer } from '../../content/writes/write.ts'
import { suggestLineBreaks } from '../../content/writes/write-space.ts'
import { type Kinds, kinds as ownKinds } from '../../contract/entities/kinds.ts'
import type { FileOutcome, ImportResult } from '../../contract/imports.ts'
import { defaultNoteSettings } from '../../contract/space/notes.ts'
import type { Actor } from '../../core/actor.ts'
import { extensionOf, folderOf, stemOf } from '../../core/text/paths.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createImportFilesRepo } from '../../db/repos/import_files.ts'
import { analyzeFilledTables } from '../../db/repos/maintenance.ts'
import { createNoteSettingsRepo } from '../../db/repos/spaces.ts'
import type { Dates } from '../vault/manifest.ts'
import { importer } from './batch/batch-context.ts'
import { importBatch, previewBatch } from './batch/import-batch.ts'
import type { OfferConflict } from './batch/offer-conflict.ts'
import { bundlePath, dropKeepTwins, unwrapBundles } from './expand/app-folders.ts'
import { applyManifest, expandFiles, expandPictures, holdsFiles } from './expand/expand-files.ts'
import { expandNotebooks } from './expand/expand-notebooks.ts'
import { createBudget } from './expand/expand-zip.ts'
import { gatherJoplin, isJoplinItem } from './expand/joplin.ts'
import { isExportName, notionPaths, readNotionFolder } from './expand/notion.ts'
import { folderOfAttached } from './file/attachment.ts'
import type { ChatFile, MessageFile, PlainFile, SourceFile } from './file/format.ts'
import { skipped } from './file/outcome.ts'
import { readVaultApp, type VaultApp } from './file/vault-app.ts'
import { addOutcomes, emptyResult, type ImportChats, type ImportMail } from './import-result.ts'
import { type Formats, ownFormats } from './parse/formats.ts'
import { createParser } from './parse/parser.ts'
import { type PreparedFile, type PrepareOptions, prepareFile } from './parse/prepare-file.ts'

type ImportOptions = {
  database: Database
  writer: Writer
  space_id: string
  /** The files' source: the same name identifies the same files again. */
  source: string
  /** Directory for unpacking nested archives and mailboxes; created if necessary. */
  importFolder: string
  /** Parents before their children is fastest; any order works. */
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>
  /** Every path in the folder, where that is known before: an unpacked export of Notion is known by its names. */
  present?: readonly string[] | undefined
  /** Known paths that are missing from the folder (see `findMissing`), so that a moved file is recognised. */
  gone?: readonly string[]
  /** Called after each batch with the number of processed files. */
  onProgress?: (done: number) => void
  /** Stops the import between two batches. */
  signal?: AbortSignal | undefined
  /** The path of an archive that is the whole import. */
  root?: string | null
  /** Author of the imported content. Default: the import. */
  actor?: Actor
  /** The job that records the writes. */
  job_id?: string | undefined
  /** Offers the owner conflicts with their later edits. Default: only reported. */
  offer?: OfferConflict | undefined
  /** Receives each batch's outcomes; awaited. */
  onOutcomes?: ((outcomes: readonly FileOutcome[], done: number) => Promise<void>) | undefined
  /** Stores the messages among the files. Default: messages are skipped. */
  importMail?: ImportMail | undefined
  /** Stores the conversations among the files. Default: conversations are skipped. */
  importChats?: ImportChats | undefined
  /** Dry run; writes nothing. */
  preview?: boolean
  formats?: Formats
  kinds?: Kinds
}

// Measured on PGlite: beyond 25 files a larger batch gains nothing, and an importing server serves nobody else for the
// duration of a batch.
const filesPerBatch = 25

const bytesPerBatch = 8 * 1024 * 1024

const maxPerBatch = 500

/** Statistics are renewed after this many new entities, whenever they have doubled, and at the end. */
const firstAnalyzed = 500

/**
 * Imports files: creates new entities, updates changed ones, leaves alone those that the owner edited or deleted.
 * Throws only if the database cannot be reached or `files` throws; a file's problems are in the result.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult> {
  const { database, writer, space_id, source, onProgress, signal } = options
  const { gone = [], kinds = ownKinds, formats = await ownFormats() } = options
  const result = emptyResult()
  const parser = createParser()
  const budget = createBudget()
  const context = { parser, budget, scratch: options.importFolder }
  const unpacked = expandFiles(readNotionFolder(options.files, options.present ?? []), {
    ...context,
    root: options.root ?? null,
  })
  const app: VaultApp = { lineBreaks: null, notes: {} }
  const folderDates = new Map<string, Dates>()
  const gathered = dropKeepTwins(gatherJoplin(unwrapBundles(readVaultApp(unpacked, app))))
  const files = expandPictures(expandNotebooks(applyManifest(gathered, folderDates), context), budget)
  let done = 0
  let nextAnalyzed = firstAnalyzed
  const { job_id, offer, actor, preview = false, importMail = leaveOut } = options
  const { importChats = leaveOutChats } = options

  try {
    for await (const batch of inBatches(files, { formats, parser: options.formats ? null : parser })) {
      if (signal?.aborted) {
        result.stopped = true
        break
      }
      const about = { space_id, source, kinds, gone, writer, job_id, offer, actor, folderDates }
      const outcomes = [
        ...batch.told,
        ...(await (preview ? previewBatch : importBatch)(database, about, batch.files)),
        ...(await importMail({ space_id, messages: batch.messages, job_id, preview })),
        ...(await importChats({ space_id, chats: batch.chats, job_id, preview })),
      ]
      addOutcomes(result, outcomes)
      done += batch.count
      await options.onOutcomes?.(outcomes, done)
      onProgress?.(done)
      if (preview || result.counts.created < nextAnalyzed) continue
      await analyzeFilledTables(database)
      nextAnalyzed *= 2
    }
    if (!preview && result.counts.created > 0) await analyzeFilledTables(database)
    if (!preview && app.lineBreaks !== null)
      await suggestLineBreaks(database, actor ?? importer, { id: space_id, line_breaks: app.lineBreaks })
    if (!preview) await keepNoteSettings(database, space_id, app.notes)
  } finally {
    await parser.close()
  }
  return result
}

/** Daily notes go on where the vault has them, unless the Space has settings of its own. */
async function keepNoteSettings(
  database: Database,
  space_id: string,
  notes: VaultApp['notes'],
): Promise<void> {
  if (Object.keys(notes).length === 0) return
  await database.transaction(async (tx) => {
    const settings = createNoteSettingsRepo(tx)
    if ((await settings.find(space_id)) !== null) return
    await settings.save(space_id, { ...defaultNoteSettings, ...notes })
  })
}

/** `told` are the outcomes of files that need no writing. */
type Batch = {
  files: PreparedFile[]
  messages: MessageFile[]
  chats: ChatFile[]
  told: FileOutcome[]
  count: number
  bytes: number
}

const emptyBatch = (): Batch => ({ files: [], messages: [], chats: [], told: [], count: 0, bytes: 0 })

const leaveOutChats: ImportChats = async ({ chats }) =>
  chats.map(({ path }) => skipped(path, 'it is a conversation, and none are taken here'))

const leaveOut: ImportMail = async ({ messages }) =>
  messages.map(({ path }) => skipped(path, 'it is a message, and no mail is taken here'))

async function* inBatches(files: AsyncIterable<PlainFile>, options: PrepareOptions): AsyncGenerator<Batch> {
  let batch = emptyBatch()

  for await (const file of files) {
    const prepared = prepareFile(options, file)
    batch.count++
    if ('chat' in prepared) {
      batch.chats.push(prepared)
      batch.bytes += prepared.chat.messages.reduce((sum, { text }) => sum + text.length, 0)
    } else if ('message' in prepared) {
      batch.messages.push(prepared)
      batch.bytes += prepared.message.length
    } else if (!('skip' in prepared)) {
      batch.files.push(prepared)
      batch.bytes += prepared.size
    } else if (!prepared.hidden) batch.told.push(skipped(prepared.path, prepared.skip))
    const read = batch.files.length + batch.messages.length
    if (batch.count >= maxPerBatch || read >= filesPerBatch || batch.bytes >= bytesPerBatch) {
      yield batch
      batch = emptyBatch()
    }
  }
  if (batch.count > 0) yield batch
}

export type FindMissingOptions = {
  database: Queryable
  space_id: string
  source: string
  /** Every path in the folder. */
  present: Iterable<string>
  /** The archive that is the whole import: its contents can't be told from its name. */
  root?: string | null
  kinds?: Kinds
}

/**
 * Files from earlier runs that are missing from the folder. `paths` is for `importFiles`; `kept` are those whose
 * entities still exist here, as outcomes to show.
 */
export async function findMissing(
  options: FindMissingOptions,
): Promise<{ paths: string[]; kept: FileOutcome[] }> {
  const { database, space_id, kinds = ownKinds } = options
  const repo = createImportFilesRepo(database)
  const paths = notionPaths([...options.present]).flatMap((path) => bundlePath(path) ?? [])
  const known = options.root || paths.some(isUnnamedArchive) ? [] : await repo.list(options)
  if (known.length === 0) return { paths: [], kept: [] }
  const present = withFolders(paths)
  // The contents of an archive, a mailbox or a document are below its name.
  const holders = new Set([
    ...paths.map(folderOfAttached),
    ...paths.filter(holdsFiles).map((path) => `${path.slice(0, path.length - extensionOf(path).length)}/`),
  ])
  const isHeld = (path: string): boolean => path !== '' && (holders.has(path) || isHeld(folderOf(path)))
  const gone = known.filter(({ path }) => !present.has(path) && !isHeld(path))
  const files = gone.filter(({ path }) => !path.endsWith('/'))
  const titles = new Map<string, string>()

  for (const [type, ofType] of Map.groupBy(files, ({ entity_type }) => entity_type)) {
    const ids = ofType.map(({ entity_id }) => entity_id)
    for (const state of await repo.listStates(kinds.get(type), space_id, ids)) {
      if (!state.deleted) titles.set(state.id, state.title)
    }
  }

  const living = files.filter(({ entity_id }) => titles.has(entity_id))
  const kept = living.map(({ path, entity_type, entity_id }) => ({
    path,
    outcome: 'gone' as const,
    title: titles.get(entity_id) ?? null,
    entity_type,
    entity_id,
    reason: null,
    warnings: [],
  }))
  return { paths: gone.map(({ path }) => path), kept }
}

/** What comes out of such a file is not below its name. */
const isUnnamedArchive = (path: string) =>
  isJoplinItem(path) || (extensionOf(path) === '.zip' && isExportName(stemOf(path)))

function withFolders(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths) {
    all.add(path)
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      all.add(path.slice(0, end + 1))
  }
  return all
}
