// Imports as jobs: files are handed over, looked at, brought in, and can be taken back. The state is in the database
// and the files are on disk, so that a job outlives the process; whoever starts next goes on with it. Bringing a file
// in twice does nothing, so going on means beginning again.

import type { Readable } from 'node:stream'
import { v7 as uuid } from 'uuid'
import type { ProposeChange } from '../../changes/propose.ts'
import type { Writer } from '../../changes/write.ts'
import type { Database } from '../../db/pool.ts'
import { createImportJobsRepo, type ImportJobRow, type ImportState } from '../../db/repos/import_jobs.ts'
import { createImportOutcomesRepo, type ListedOutcome } from '../../db/repos/import_outcomes.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { Search } from '../../search/search.ts'
import { checkPath } from '../check-path.ts'
import { isContainer } from '../expand/expand-files.ts'
import { createOfferConflict } from '../offer-conflict.ts'
import { largestContainer, largestFile } from '../source-file.ts'
import { type ImportJob, summarizeJob } from './job-summary.ts'
import { runJob } from './run-job.ts'
import { createStagedFiles } from './staged-files.ts'
import { undoImport } from './undo-import.ts'

export type ImportJobsDeps = {
  database: Database
  kinds: Kinds
  writer: Writer
  search: Search
  proposeChange: ProposeChange
  logger: Logger
  /** Where files that were handed over wait. */
  folder: string
}

export type ImportJobs = ReturnType<typeof createImportJobs>

const unfinished = ['previewing', 'running', 'undoing'] as const
const startable: readonly ImportState[] = ['open', 'previewed', 'stopped', 'failed']

/** Each throws `AppError`: 404 for an unknown job, 409 `wrong_state` for what cannot be done with it now. */
export function createImportJobs(deps: ImportJobsDeps) {
  const { database, kinds, writer, search, logger } = deps
  const jobs = createImportJobsRepo(database)
  const outcomes = createImportOutcomesRepo(database)
  const staged = createStagedFiles(deps.folder)
  const offer = createOfferConflict(deps)
  const running = new Map<string, AbortController>()
  // One after the other: two at once would only wait for one another.
  let last: Promise<void> = Promise.resolve()
  let closed = false

  return {
    async create(job: { space_id: string; source: string; root: string | null }): Promise<ImportJob> {
      return await summarizeJob(database, await jobs.insert({ id: uuid(), ...job }))
    },

    async find(id: string): Promise<ImportJob> {
      return await summarizeJob(database, await get(id))
    },

    async list(filter: { space_id: string; before_id: string | null; limit: number }): Promise<ImportJob[]> {
      const rows = await jobs.list(filter)
      return await Promise.all(rows.map((row) => summarizeJob(database, row)))
    },

    async listOutcomes(
      id: string,
      filter: { outcomes: readonly string[] | null; noted: boolean; after_seq: number; limit: number },
    ): Promise<ListedOutcome[]> {
      await get(id)
      return await outcomes.list(id, filter)
    },

    /** Takes a file in. The same path again takes the place of the one before. */
    async addFile(id: string, path: string, bytes: Uint8Array): Promise<void> {
      await mustBe(id, ['open', 'previewed'])
      const checked = check(path)
      await jobs.addUpload(id, { path: checked, ...(await staged.put(id, checked, bytes)) })
    },

    async addStream(id: string, path: string, stream: Readable): Promise<void> {
      await mustBe(id, ['open', 'previewed'])
      const checked = check(path)
      const most = isContainer(checked) ? largestContainer : largestFile
      await jobs.addUpload(id, { path: checked, ...(await staged.putStream(id, checked, stream, most)) })
    },

    /** Finds out what `start` would do. Writes nothing but what it found. */
    async preview(id: string): Promise<ImportJob> {
      return await begin(id, startable, 'previewing')
    },

    async start(id: string): Promise<ImportJob> {
      return await begin(id, startable, 'running')
    },

    /** Takes back all that the import did, but for what was changed since. */
    async undo(id: string): Promise<ImportJob> {
      return await begin(id, ['done', 'stopped', 'failed'], 'undoing')
    },

    /** Ends a run between two batches; what is in stays in. */
    async stop(id: string): Promise<ImportJob> {
      const job = await get(id)
      running.get(id)?.abort()
      if (job.state === 'running') await jobs.enter(id, ['running'], { state: 'stopped' })
      if (job.state === 'previewing') await jobs.enter(id, ['previewing'], { state: 'open' })
      return await summarizeJob(database, await get(id))
    },

    /** At the start of a server: goes on with what the last one left, and clears up after what is over. */
    async resume(): Promise<void> {
      for (const job of await jobs.listIn(unfinished)) enqueue(job)
      for (const id of await staged.listJobs()) {
        const job = await jobs.find(id).catch(() => null)
        if (!job || ['done', 'undone'].includes(job.state)) await staged.remove(id)
      }
    },

    /** Resolves when no job is running. */
    idle: (): Promise<void> => last,

    /** Stops what runs, to be gone on with at the next start. */
    async close(): Promise<void> {
      closed = true
      for (const controller of running.values()) controller.abort()
      await last
    },
  }

  async function get(id: string): Promise<ImportJobRow> {
    const job = await jobs.find(id)
    if (!job) throw notFound('import', id)
    return job
  }

  async function mustBe(id: string, states: readonly ImportState[]): Promise<void> {
    const { state } = await get(id)
    if (!states.includes(state)) throw wrongState(id, state)
  }

  async function begin(id: string, from: readonly ImportState[], state: ImportState): Promise<ImportJob> {
    const before = await get(id)
    const job = await jobs.enter(id, from, { state, done: 0 })
    if (!job) throw wrongState(id, before.state)
    // What a preview foretold is not what came of it. What a stopped run did is.
    if (before.state === 'previewed' || state === 'previewing') await outcomes.clear(id)
    enqueue(job)
    return await summarizeJob(database, job)
  }

  function enqueue(job: ImportJobRow): void {
    const controller = new AbortController()
    running.set(job.id, controller)
    last = last
      .then(() => work(job, controller.signal))
      .catch(async (error: unknown) => {
        logger.warn({ err: error, import: job.id }, 'an import failed')
        const problem = error instanceof Error ? error.message : String(error)
        const state = job.state === 'previewing' ? 'open' : 'failed'
        await jobs.enter(job.id, unfinished, { state, problem }).catch(() => null)
      })
      .finally(() => running.delete(job.id))
  }

  async function work(job: ImportJobRow, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    if (job.state === 'undoing') {
      await undoImport({ database, kinds, writer }, job, signal)
      await end(job, 'undone', signal)
      return
    }
    const preview = job.state === 'previewing'
    await runJob({ database, kinds, writer, offer, staged, job, preview, signal })
    if (!preview) await search.maintain()
    await end(job, preview ? 'previewed' : 'done', signal)
  }

  async function end(job: ImportJobRow, state: ImportState, signal: AbortSignal): Promise<void> {
    if (closed && signal.aborted) return
    const ended = signal.aborted ? null : await jobs.enter(job.id, [job.state], { state })
    if (ended?.state === 'done') {
      await jobs.forgetUploads(job.id)
      await staged.remove(job.id)
    }
  }
}

function check(path: string): string {
  const { path: checked, problem } = checkPath(path)
  if (problem) throw invalid(`The path ${path.slice(0, 200)} cannot be used: ${problem}.`)
  return checked
}

const wrongState = (id: string, state: ImportState) =>
  conflict('wrong_state', `The import ${id} is ${state}; this cannot be done with it now.`, { state })
