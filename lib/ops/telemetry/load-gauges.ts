import type { BackupState } from '../../contract/health.ts'
import type { Database } from '../../db/pool.ts'
import { listHeldJobs, loadServerLoad, type ServerLoad } from '../../db/repos/maintenance.ts'
import type { Embedding } from '../../search/embed/embedding.ts'
import { addGauge, type Metrics } from './metrics.ts'

export type LoadSources = {
  database: Database
  companion: { runningTurns(): number; isDraining(): boolean }
  indexer: { progress(): { done: number; total: number } | null }
  embedding: Pick<Embedding, 'recentState'> | null
  backup: { state(): Promise<BackupState> } | null
}

/** One query serves all gauges that are read at about the same time. */
const sharedMs = 2000

/** Queue lengths and workers, read on demand. */
export function addLoadGauges(
  metrics: Metrics,
  { database, companion, indexer, embedding, backup }: LoadSources,
): void {
  const load = shared(() => loadServerLoad(database))
  const waiting = (name: string, help: string, of: (load: ServerLoad) => number) =>
    addGauge(metrics, { name, help }, async () => [{ value: of(await load()) }])

  const running = () => companion.runningTurns()
  addGauge(metrics, { name: 'void_turns_running', help: 'Turns that run on this server.' }, () => [
    { value: running() },
  ])
  addGauge(
    metrics,
    { name: 'void_draining', help: '1 from the moment the server was asked to stop.' },
    () => [{ value: companion.isDraining() ? 1 : 0 }],
  )
  waiting('void_turns_queued', 'Messages that wait for their turn, on all servers.', (of) => of.queued_turns)
  waiting(
    'void_turns_queued_oldest_seconds',
    'How long the message that came first has waited.',
    (of) => of.queued_seconds,
  )
  waiting('void_turns_running_all', 'Turns that run on all servers.', (of) => of.running_turns)
  waiting('void_drafts_pending', 'Drafts that wait for the owner.', (of) => of.pending_changes)
  addGauge(
    metrics,
    { name: 'void_jobs_waiting', help: 'What background jobs have yet to do, by job.', label: 'job' },
    async () => {
      const { imports, calls, replies } = await load()
      const indexing = indexer.progress()
      const embedded = embedding && (await embedding.recentState())
      return [
        { label: 'imports', value: imports },
        { label: 'outside_calls', value: calls },
        { label: 'mail_replies', value: replies },
        { label: 'index', value: indexing ? indexing.total - indexing.done : 0 },
        ...(embedded ? [{ label: 'embed-passages', value: embedded.total - embedded.done }] : []),
      ]
    },
  )
  addGauge(
    metrics,
    { name: 'void_job_running', help: '1 for a background job that some server works at now.', label: 'job' },
    async () => (await listHeldJobs(database)).map((label) => ({ label, value: 1 })),
  )
  addBackupGauges(metrics, backup)
}

/** Without values where no nightly backup is configured. */
function addBackupGauges(metrics: Metrics, backup: LoadSources['backup']): void {
  addGauge(
    metrics,
    { name: 'void_backup_failed', help: '1 if the last nightly backup failed, until one succeeds.' },
    async () => (backup ? [{ value: (await backup.state()).failed_at ? 1 : 0 }] : []),
  )
  addGauge(
    metrics,
    {
      name: 'void_backup_last_success_timestamp_seconds',
      help: 'Unix time of the newest nightly backup.',
    },
    async () => {
      const at = (await backup?.state())?.last_at
      return at ? [{ value: Date.parse(at) / 1000 }] : []
    },
  )
}

function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | null = null
  return () => {
    const at = performance.now()
    if (!last || at - last.at > sharedMs) last = { at, result: run() }
    return last.result
  }
}
