// Runs a database's imports one at a time, under one lease for all of its servers. A job is claimed anew for each run;
// a run that has lost its claim leaves the job alone.

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Writer } from '../../../content/writes/write.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { ImportState } from '../../../contract/imports.ts'
import { AppError, storageFull } from '../../../core/errors.ts'
import type { Logger } from '../../../core/logger.ts'
import { isDiskFull } from '../../../db/pg-errors.ts'
import type { Database } from '../../../db/pool.ts'
import {
  createImportJobsRepo,
  createImportOutcomesRepo,
  type ImportJobRow,
} from '../../../db/repos/import_jobs.ts'
import { runUnderLease } from '../../../jobs/run-under-lease.ts'
import { startJob } from '../../../jobs/start-job.ts'
import type { Search } from '../../../search/search.ts'
import type { OfferConflict } from '../batch/offer-conflict.ts'
import { findMissing, importFiles } from '../import-files.ts'
import type { ImportChats, ImportMail } from '../import-result.ts'
import { readUploads, type StagedFiles } from './staged-files.ts'
import { undoImport } from './undo-import.ts'

type RunnerDeps = Omit<RunJobOptions, 'job' | 'preview' | 'signal' | 'lost'> & {
  search: Search
  logger: Logger
}

export type ImportRunner = ReturnType<typeof createImportRunner>

/** States of a runnable job. */
const queuedStates = ['previewing', 'running', 'undoing'] as const

/** Maximum runs that may end with their server without progress before a job fails. */
const maxAttempts = 2

const everyMs = 2000

const retryMs = 500

const tidyEveryMs = 24 * 60 * 60 * 1000

/** Age at which the files of an unstarted job are removed. */
const maxWaitingDays = 7

export function createImportRunner(deps: RunnerDeps) {
  const { database, logger, staged } = deps
  const jobs = createImportJobsRepo(database)
  const running = new Map<string, AbortController>()
  const closing = new AbortController()
  const round = { name: 'imports', isDue: () => jobs.anyIn(queuedStates), run: runQueued }
  let last: Promise<void> = Promise.resolve()
  let stopLoops: (() => Promise<void>)[] = []

  return {
    wake,

    /** Runs queued jobs, and those abandoned by other servers, until `close`. */
    start(): void {
      wake()
      stopLoops = [
        startJob(deps, { ...round, everyMs, firstAfterMs: everyMs }),
        startJob(deps, { name: 'tidy-imports', everyMs: tidyEveryMs, run: tidy }),
      ]
    },

    /** Stops a job's run between two batches, if it runs here. */
    abort(id: string): void {
      running.get(id)?.abort()
    },

    /** Resolves when the queue is empty. */
    idle: (): Promise<void> => last,

    /** Stops the current run; its state stays, so that another server or the next start resumes it. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(stopLoops.map((stop) => stop()))
      await last
    },
  }

  /** Runs queued jobs; if another server is running them, waits for it. */
  function wake(): void {
    last = last.then(runUntilEmpty).catch((error: unknown) => logger.warn({ err: error }, 'imports not run'))
  }

  async function runUntilEmpty(): Promise<void> {
    const owner = randomUUID()
    while (!closing.signal.aborted) {
      await runUnderLease(database, owner, round, closing.signal)
      if (!(await round.isDue())) return
      await wait(retryMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function runQueued(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const job = await jobs.claimNext(queuedStates)
      if (!job) return
      await runClaimed(job, signal)
    }
  }

  async function tidy(): Promise<void> {
    await jobs.closeAbandoned(maxWaitingDays, `Its files waited ${maxWaitingDays} days and were removed.`)
    await staged.tidy()
  }

  async function runClaimed(job: ImportJobRow, signal: AbortSignal): Promise<void> {
    const lost = new AbortController()
    running.set(job.id, lost)
    try {
      if (job.attempts > maxAttempts) throw new SetAside(job)
      const ended = await runInState(deps, job, AbortSignal.any([signal, lost.signal]), () => lost.abort())
      if (lost.signal.aborted) return
      if (signal.aborted) await jobs.release(job)
      else if ((await jobs.finish(job, { state: ended })) && ended !== 'previewed') {
        await staged.removeOf(job.id)
      }
    } catch (error) {
      if (isUnavailable(error)) {
        await jobs.release(job).catch(() => {})
        throw error
      }
      logger.warn({ err: error, import: job.id }, 'import failed')
      const { message: problem } = isDiskFull(error) ? storageFull() : toError(error)
      await jobs.finish(job, { state: job.state === 'previewing' ? 'open' : 'failed', problem })
    } finally {
      running.delete(job.id)
    }
  }
}

/** Performs the action of the job's state; returns the next state. */
async function runInState(
  deps: RunnerDeps,
  job: ImportJobRow,
  signal: AbortSignal,
  lost: () => void,
): Promise<ImportState> {
  if (job.state === 'undoing') {
    await undoImport(deps, job, signal)
    return 'undone'
  }
  const preview = job.state === 'previewing'
  await runJob({ ...deps, job, preview, signal, lost })
  if (preview) return 'previewed'
  if (!signal.aborted) await deps.search.maintain()
  return 'done'
}

/** A job that crashes its server must not crash the next one. */
class SetAside extends Error {
  constructor({ done }: ImportJobRow) {
    super(
      `Set aside: Void stopped ${maxAttempts} times while it was at it, the last time after ${done} files. Start it to try again.`,
    )
  }
}

const toError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

const isUnavailable = (error: unknown) => error instanceof AppError && error.status === 503

type RunJobOptions = {
  database: Database
  kinds: Kinds
  writer: Writer
  offer: OfferConflict
  staged: StagedFiles
  importFolder: string
  importMail: ImportMail
  /** Default: conversations are skipped. */
  importChats?: ImportChats | undefined
  job: ImportJobRow
  preview: boolean
  signal: AbortSignal
  lost: () => void
}

/** Imports a job's uploaded files, or previews that. `lost` is called when the claim is lost. */
async function runJob(options: RunJobOptions): Promise<void> {
  const {
    database,
    kinds,
    writer,
    offer,
    staged,
    importFolder,
    importMail,
    importChats,
    job,
    preview,
    signal,
    lost,
  } = options
  const { id, space_id, source, root } = job
  const uploads = await staged.list(id)
  const { paths: gone } = await findMissing({
    database,
    kinds,
    space_id,
    source,
    root,
    present: uploads.map(({ path }) => path),
  })

  await importFiles({
    database,
    kinds,
    writer,
    importFolder,
    importMail,
    importChats,
    space_id,
    source,
    root,
    gone,
    present: uploads.map(({ path }) => path),
    files: readUploads(staged, uploads, importFolder),
    signal,
    preview,
    ...(preview ? {} : { job_id: id, offer }),
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      const broughtIn = outcomes.some(({ outcome }) => outcome === 'created' || outcome === 'updated')
      const holds = await createImportJobsRepo(database).progress(job, done, broughtIn && !preview)
      if (!holds) lost()
    },
  })
}
