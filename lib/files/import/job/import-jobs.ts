// Imports as jobs: files are uploaded, previewed, imported, and can be undone. State and files are in the database, so
// a job survives its server, and any other resumes it. Importing a file twice has no effect, so resuming means starting
// again.

import type { Readable } from 'node:stream'
import { v7 as uuid } from 'uuid'
import type { ProposeChange } from '../../../changes/propose/propose.ts'
import type { Writer } from '../../../content/writes/write.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import {
  type ImportJob,
  type ImportResult,
  type ImportState,
  type JobFile,
  Outcome,
} from '../../../contract/imports.ts'
import type { TrustLevel } from '../../../contract/trust.ts'
import { AppError, conflict, notFound } from '../../../core/errors.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Database, Queryable } from '../../../db/pool.ts'
import {
  createImportJobsRepo,
  createImportOutcomesRepo,
  type ImportJobRow,
} from '../../../db/repos/import_jobs.ts'
import { createTrustedOriginsRepo } from '../../../db/repos/trusted_origins.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { Search } from '../../../search/search.ts'
import { maxContainerBytes, maxFileBytes } from '../../vault/paths.ts'
import { createOfferConflict, type OfferConflict } from '../batch/offer-conflict.ts'
import { isContainer } from '../expand/expand-files.ts'
import { removeOldScratchFiles } from '../file/attachment.ts'
import type { SourceFile } from '../file/format.ts'
import { importFiles } from '../import-files.ts'
import { emptyResult, type ImportChats, type ImportMail } from '../import-result.ts'
import { createImportRunner, type ImportRunner } from './import-runner.ts'
import { createStagedFiles, type StagedFiles, type UploadedFile } from './staged-files.ts'

type ImportJobsDeps = {
  database: Database
  kinds: Kinds
  writer: Writer
  search: Search
  threads: TextThreads
  proposeChange: ProposeChange
  logger: Logger
  now: () => Date
  /** Directory for unpacked files. */
  importFolder: string
  importMail: ImportMail
  /** Default: conversations are skipped. */
  importChats?: ImportChats | undefined
}

export type ImportJobs = ReturnType<typeof createImportJobs>

type NewImportJob = { space_id: string; source: string; root: string | null; trust?: TrustLevel }

const startable: readonly ImportState[] = ['open', 'previewed', 'stopped', 'failed']

/** Each throws `AppError`: 404 for an unknown job, 409 `wrong_state` if the job's state does not allow it. */
export function createImportJobs(deps: ImportJobsDeps) {
  const { database } = deps
  const staged = createStagedFiles(database)
  const runner = createImportRunner({ ...deps, staged, offer: createOfferConflict(deps) })

  return {
    ...storedJobs(database),
    ...uploads(database, staged),

    /** Previews `start`. Stores only the preview. */
    preview: (id: string): Promise<ImportJob> => enqueueFiles(id, 'previewing'),

    start: (id: string): Promise<ImportJob> => enqueueFiles(id, 'running'),

    /** Undoes the import, except for entities that changed since. */
    undo: (id: string): Promise<ImportJob> =>
      enqueue(database, runner, id, ['done', 'stopped', 'failed'], 'undoing'),

    /** Stops a run between two batches, on any server; imported content stays. */
    async stop(id: string): Promise<ImportJob> {
      const jobs = createImportJobsRepo(database)
      const job = await getJob(database, id)
      runner.abort(id)
      if (job.state === 'running') await jobs.enter(id, ['running'], { state: 'stopped' })
      if (job.state === 'previewing') await jobs.enter(id, ['previewing'], { state: 'open' })
      return await summarizeJob(database, await getJob(database, id))
    },

    /** At startup: resumes other servers' abandoned jobs, now and later. */
    async resume(): Promise<void> {
      await removeOldScratchFiles(deps.importFolder, deps.now())
      runner.start()
    },

    idle: runner.idle,
    close: runner.close,
  }

  /** Throws a 409 `AppError` for an interrupted command line import: its files are in the folder that it read. */
  async function enqueueFiles(id: string, state: 'previewing' | 'running'): Promise<ImportJob> {
    const job = await getJob(database, id)
    if (job.state === 'stopped' && (await staged.list(id)).length === 0) {
      throw new AppError(
        'files_elsewhere',
        409,
        'This import was created with npm run import, and its files are not on the server. Run the command again: it imports nothing twice.',
      )
    }
    return await enqueue(database, runner, id, startable, state)
  }
}

function storedJobs(database: Database) {
  const jobs = createImportJobsRepo(database)

  return {
    /** Default of `trust`: `outside`, unless it was set before. */
    async create({ trust = 'outside', ...job }: NewImportJob): Promise<ImportJob> {
      const { space_id, source: key } = job
      await createTrustedOriginsRepo(database).propose({ space_id, kind: 'import', key }, trust)
      return await summarizeJob(database, await jobs.insert({ id: uuid(), ...job }))
    },

    async find(id: string): Promise<ImportJob> {
      return await summarizeJob(database, await getJob(database, id))
    },

    async list(filter: { space_id: string; before_id: string | null; limit: number }): Promise<ImportJob[]> {
      const rows = await jobs.list(filter)
      return await Promise.all(rows.map((row) => summarizeJob(database, row)))
    },

    async listOutcomes(
      id: string,
      filter: { outcomes: readonly string[] | null; noted: boolean; after_seq: number; limit: number },
    ): Promise<JobFile[]> {
      await getJob(database, id)
      return await createImportOutcomesRepo(database).list(id, filter)
    },
  }
}

function uploads(database: Database, staged: StagedFiles) {
  return {
    /** Stores a file of a job. The same path again replaces it; see `StagedFiles.put` for its errors. */
    addFile: (id: string, path: string, file: UploadedFile<Uint8Array>): Promise<void> =>
      add(id, path, file, maxFileBytes),

    addStream: (id: string, path: string, file: UploadedFile<Readable>): Promise<void> =>
      add(id, path, file, isContainer(path) ? maxContainerBytes : maxFileBytes),
  }

  async function add(id: string, path: string, file: UploadedFile<Readable | Uint8Array>, maxBytes: number) {
    const { state } = await getJob(database, id)
    const isOpen = state === 'open' || state === 'previewed'
    if (isOpen && (await staged.put(id, path, file, maxBytes))) return
    throw wrongState(id, (await getJob(database, id)).state)
  }
}

async function getJob(database: Database, id: string): Promise<ImportJobRow> {
  const job = await createImportJobsRepo(database).find(id)
  if (!job) throw notFound('import', id)
  return job
}

async function enqueue(
  database: Database,
  runner: ImportRunner,
  id: string,
  from: readonly ImportState[],
  state: ImportState,
): Promise<ImportJob> {
  const before = await getJob(database, id)
  const job = await createImportJobsRepo(database).enter(id, from, { state, done: 0 })
  if (!job) throw wrongState(id, before.state)
  // A preview's outcomes are not those of the import. Those of a stopped run are.
  if (before.state === 'previewed' || state === 'previewing') {
    await createImportOutcomesRepo(database).clear(id)
  }
  runner.wake()
  return await summarizeJob(database, job)
}

const wrongState = (id: string, state: ImportState) =>
  conflict('wrong_state', `Import ${id} is ${state}, so this is not possible.`, { state })

/** A job's progress and result counts. In a preview, the expected ones. */
async function summarizeJob(db: Queryable, job: ImportJobRow): Promise<ImportJob> {
  const { counts, created } = emptyResult()
  for (const { outcome, entity_type, folder, count } of await createImportOutcomesRepo(db).count(job.id)) {
    const status = Outcome.options.find((one) => one === outcome)
    if (status && !folder) counts[status] += count
    if (outcome === 'created') {
      const type = folder ? 'folder' : (entity_type ?? 'other')
      created[type] = (created[type] ?? 0) + count
    }
  }
  const { claim: _claim, attempts: _attempts, ...shown } = job
  return { ...shown, ...(await createImportJobsRepo(db).sumUploads(job.id)), counts, created }
}

export type ImportRun = {
  space_id: string
  source: string
  files: AsyncIterable<SourceFile>
  /** Every path among them. */
  present?: readonly string[] | undefined
  gone: readonly string[]
  /** For a source without an owner's setting. Default: `outside`. */
  trust?: TrustLevel
  /** The archive that is the whole import. */
  root?: string | null
  /** Dry run. */
  preview?: boolean
  onProgress: (done: number) => void
  signal: AbortSignal
}

type Deps = {
  database: Database
  kinds: Kinds
  writer: Writer
  offer: OfferConflict
  importFolder: string
  importMail: ImportMail
  /** Default: conversations are skipped. */
  importChats?: ImportChats | undefined
}

/**
 * Imports files that this process reads itself, recorded as a job so that it can be undone. If interrupted by a crash
 * it stays `stopped`: its files are in their original folder, not in the database.
 */
export async function importAsJob(deps: Deps, run: ImportRun): Promise<ImportResult> {
  const { database } = deps
  const { space_id, source, root = null, trust = 'outside' } = run
  await createTrustedOriginsRepo(database).propose({ space_id, kind: 'import', key: source }, trust)
  const jobs = createImportJobsRepo(database)
  const { id } = await jobs.insert({ id: uuid(), space_id, source, root })
  const job = (await jobs.enter(id, ['open'], { state: 'stopped' }))!
  const result = await importFiles({
    ...deps,
    ...run,
    job_id: id,
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      await jobs.progress(job, done, false)
    },
  })
  if (!result.stopped) await jobs.enter(id, ['stopped'], { state: 'done' })
  return result
}
