import type { Space } from '../../../lib/contract/entities.ts'
import type { FileOutcome, ImportJob, Survey } from '../../../lib/contract/imports.ts'
import type { TrustLevel } from '../../../lib/contract/trust.ts'
import { skipped } from '../../../lib/files/import/file/outcome.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'
import { batchFiles, isContainer, type Picked, planImport, toBase64 } from './import-plan.ts'
import { type ImportPhase, type ImportState, isBusy, newImport } from './import-state.ts'

type ImportOptions = { preview: boolean; trust: TrustLevel }

export type BrowserImport = {
  state: Store<ImportState>
  /** Imports files, unless an import is running; with `preview` as a dry run. */
  start(picked: readonly Picked[], space: Space, options?: ImportOptions): Promise<void>
  /** Answers whether the files are those of an earlier import. */
  choose(source: string): Promise<void>
  /** Continues a stopped or failed one, or imports after a dry run. */
  resume(): Promise<void>
  stop(): void
  undo(): Promise<void>
}

const imports = new WeakMap<App, BrowserImport>()

/** The page's one import. */
export function browserImportOf(app: App): BrowserImport {
  const existing = imports.get(app)
  if (existing) return existing
  const created = createBrowserImport(app)
  imports.set(app, created)
  return created
}

function createBrowserImport(app: App): BrowserImport {
  const state = createStore<ImportState>({
    ...newImport,
    phase: 'idle',
    space: null,
    plan: null,
    trust: 'own',
  })
  let stopped = false
  let preview = false
  const run = async () => {
    stopped = false
    await guard(state, async () => {
      state.set({ phase: 'uploading', problem: '' })
      if (!(await uploadFiles(app.api, state, () => stopped))) return state.set({ phase: 'stopped' })
      await runJob(app, state, preview ? 'preview' : 'start')
      if (state.get().phase === 'done') app.announce('Import finished.')
    })
  }

  return {
    state,
    async start(picked, space, options = { preview: false, trust: 'own' }) {
      if (isBusy(state.get())) return
      const plan = planImport(picked)
      preview = options.preview
      state.set({ ...newImport, phase: 'checking', space, plan, trust: options.trust })
      if (plan.files.length === 0) return state.set({ phase: 'done' })
      if (plan.folder !== null && (await hasLookalike(app, state))) return
      await run()
    },
    async choose(source) {
      const { plan } = state.get()
      if (!plan) return
      state.set({ plan: { ...plan, source }, lookalike: null, phase: 'checking' })
      await run()
    },
    async resume() {
      preview = false
      await run()
    },
    stop() {
      stopped = true
      const { job, phase } = state.get()
      if (job && phase !== 'uploading') app.api.post(`/api/imports/${job.id}/stop`).catch(() => {})
    },
    async undo() {
      await guard(state, async () => {
        await runJob(app, state, 'undo')
        app.announce('Import undone.')
      })
    },
  }
}

/** Asks about an earlier import of the same files, where there is one. */
async function hasLookalike(app: App, state: Store<ImportState>): Promise<boolean> {
  const { space, plan } = state.get()
  const exists = await guard(state, async () => {
    const present = plan!.files.map(({ path }) => path)
    const path = `/api/spaces/${space!.id}/import/survey`
    const { lookalike } = await app.api.post<Survey>(path, { source: plan!.source, present })
    if (lookalike) state.set({ phase: 'asking', lookalike })
    return lookalike !== null
  })
  return exists ?? true
}

/** Starts an action of the job, and follows it to its end. */
async function runJob(
  app: App,
  state: Store<ImportState>,
  action: 'preview' | 'start' | 'undo',
): Promise<void> {
  const started = await app.api.post<ImportJob>(`/api/imports/${state.get().job!.id}/${action}`)
  const job = await pollImport(app, started, (now) => state.set({ phase: phaseOf(now), job: now }))
  state.set({ phase: phaseOf(job), job, problem: job.problem ?? '' })
}

/** Runs `work`; a failure ends the import, and resolves to null. */
async function guard<Result>(state: Store<ImportState>, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    state.set({ phase: 'failed', problem: messageOf(error) })
    return null
  }
}

const phaseOf = ({ state }: ImportJob): ImportPhase => (state === 'open' ? 'stopped' : state)

const maxFileBytes = 50 * 1024 * 1024

/** Larger files are streamed, each in a request of its own. */
const maxInlineBytes = 4 * 1024 * 1024

/**
 * Uploads the files that have not been, in requests of several files; creates the job first where there is none. False
 * when it was stopped. Leaving the page is confirmed until it ends.
 */
async function uploadFiles(api: Api, state: Store<ImportState>, isStopped: () => boolean): Promise<boolean> {
  const { plan, space, trust, uploaded } = state.get()
  const confirmLeave = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', confirmLeave)
  try {
    if (!state.get().job) {
      const [only, ...more] = plan!.files
      const root = only && more.length === 0 && only.path.toLowerCase().endsWith('.zip') ? only.path : null
      const body = { source: plan!.source, root, trust }
      state.set({ job: await api.post<ImportJob>(`/api/spaces/${space!.id}/imports`, body) })
    }
    for (const batch of batchFiles(plan!.files.slice(uploaded))) {
      if (isStopped()) return false
      const failed = await uploadBatch(api, state.get().job!.id, batch)
      state.set((now) => ({ uploaded: now.uploaded + batch.length, failed: [...now.failed, ...failed] }))
    }
    return true
  } finally {
    window.removeEventListener('beforeunload', confirmLeave)
  }
}

/** One in the future counts as none, and may have too many digits. */
const dateOf = ({ lastModified }: File): string | undefined =>
  lastModified > 0 && lastModified <= Date.now() ? new Date(lastModified).toISOString() : undefined

/** The files that could not be uploaded, with the reason. */
async function uploadBatch(api: Api, jobId: string, batch: readonly Picked[]): Promise<FileOutcome[]> {
  const at = `/api/imports/${jobId}`
  const files: { path: string; base64: string; modified_at: string | undefined }[] = []
  const failed: FileOutcome[] = []
  for (const { path, file } of batch) {
    const modified_at = dateOf(file)
    if (file.size > maxFileBytes && !isContainer(path)) failed.push(skipped(path, 'larger than 50 MB'))
    else if (file.size > maxInlineBytes) {
      const headers = { 'content-type': 'application/octet-stream' }
      const query = new URLSearchParams({ path, ...(modified_at && { modified_at }) })
      await api.fetch(`${at}/file?${query}`, { method: 'POST', headers, body: file })
    } else {
      const base64 = await toBase64(file).catch(() => null)
      if (base64 === null) failed.push(skipped(path, 'the browser could not read it'))
      else files.push({ path, base64, modified_at })
    }
  }
  if (files.length > 0) await api.post(`${at}/files`, { files })
  return failed
}

const pollMs = 400

const busyStates: readonly ImportJob['state'][] = ['previewing', 'running', 'undoing']

/** Resolves to the job once it has ended or stopped; `onProgress` is called with it until then. */
export async function pollImport(
  app: App,
  job: ImportJob,
  onProgress: (job: ImportJob) => void = () => {},
): Promise<ImportJob> {
  let now = job
  while (busyStates.includes(now.state)) {
    onProgress(now)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    now = await app.api.get<ImportJob>(`/api/imports/${job.id}`)
  }
  return now
}
