// Runs the imports of a database, one at a time, under one lease for all of its servers. A job is claimed anew for each
// run; whoever finds that its claim is no longer the job's leaves the job alone.

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
import type { ImportMail } from '../import-result.ts'
import { readUploads, type StagedFiles } from './staged-files.ts'
import { undoImport } from './undo-import.ts'

type RunnerDeps = Omit<RunJobOptions, 'job' | 'preview' | 'signal' | 'lost'> & {
  search: Search
  logger: Logger
}

export type ImportRunner = ReturnType<typeof createImportRunner>

/** States of a job that is to be run. */
const queuedStates = ['previewing', 'running', 'undoing'] as const

/** Runs that may end with their server, without having brought anything in, before a job is set aside. */
const maxAttempts = 2

const everyMs = 2000

const retryMs = 500

const tidyEveryMs = 24 * 60 * 60 * 1000

/** After which the files of a job that nobody has started are removed. */
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

    /** Runs what is queued, and whatever other servers leave, until `close`. */
    start(): void {
      wake()
      stopLoops = [
        startJob(deps, { ...round, everyMs, firstAfterMs: everyMs }),
        startJob(deps, { name: 'tidy-imports', everyMs: tidyEveryMs, run: tidy }),
      ]
    },

    /** Ends the run of a job between two batches, if it runs here. */
    abort(id: string): void {
      running.get(id)?.abort()
    },

    /** Resolves when nothing is queued any more. */
    idle: (): Promise<void> => last,

    /** Stops what runs; its state stays, so that another server or the next start resumes it. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(stopLoops.map((stop) => stop()))
      await last
    },
  }

  /** Runs what is queued; where another server does, waits for it. */
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

/** Does what the job's state says; the state that it is in afterwards. */
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

/** A job that takes its server with it must not take the next one. */
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
  job: ImportJobRow
  preview: boolean
  signal: AbortSignal
  lost: () => void
}

/** Brings in what was handed over for a job, or says what would come of it. `lost` is called when the job is another's. */
async function runJob(options: RunJobOptions): Promise<void> {
  const { database, kinds, writer, offer, staged, importFolder, importMail, job, preview, signal, lost } =
    options
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
    space_id,
    source,
    root,
    gone,
    files: readUploads(staged, uploads, importFolder),
    signal,
    preview,
    ...(preview ? {} : { job_id: id, offer }),
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      const broughtIn = outcomes.some(({ outcome }) => outcome === 'created' || outcome === 'updated')
      const held = await createImportJobsRepo(database).progress(job, done, broughtIn && !preview)
      if (!held) lost()
    },
  })
}
