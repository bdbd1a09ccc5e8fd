// An import from the browser: the files are handed over call by call, and the server does the rest as a job. It belongs
// to the page, not to the view, and goes on while its owner looks at something else; once the files are there, even
// when the page is closed.

import type { Space } from '../../lib/contract/entities.ts'
import type { ImportJob as Job } from '../../lib/contract/imports.ts'
import { type FileOutcome, skipped } from '../../lib/import/outcome.ts'
import type { Survey } from '../../lib/import/survey.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { createStore, type Store } from '../state.ts'
import { followImport } from './follow-import.ts'
import { inCalls, isContainer, type Picked, type Plan, planImport } from './import-plan.ts'
import { toBase64 } from './read-files.ts'

export type ImportState = {
  phase:
    | 'idle'
    | 'looking'
    | 'asking'
    | 'sending'
    | 'previewing'
    | 'previewed'
    | 'running'
    | 'stopped'
    | 'failed'
    | 'done'
    | 'undoing'
    | 'undone'
  space: Space | null
  plan: Plan | null
  /** An earlier import of most of the same files, under another name. */
  lookalike: { source: string; count: number } | null
  /** Files of the plan that were handed over. */
  sent: number
  job: Job | null
  /** Files that the browser could not hand over. */
  unsent: FileOutcome[]
  problem: string
}

export type ImportJob = {
  state: Store<ImportState>
  /** Brings files in, unless an import is running; with `preview` only tells what would happen. */
  start(picked: readonly Picked[], space: Space, options?: { preview: boolean }): Promise<void>
  /** Answers whether the files are those of an earlier import. */
  choose(source: string): Promise<void>
  /** Takes up a stopped or failed one where it ended, or brings in what was only looked at. */
  resume(): Promise<void>
  stop(): void
  /** Takes back what came in. */
  undo(): Promise<void>
}

const largestFile = 50 * 1024 * 1024
const sentWhole = 4 * 1024 * 1024
const idle = { lookalike: null, sent: 0, job: null, unsent: [], problem: '' }
const jobs = new WeakMap<App, ImportJob>()

export const busyPhases: readonly ImportState['phase'][] = [
  'looking',
  'asking',
  'sending',
  'previewing',
  'running',
  'undoing',
]

/** The page's one import. */
export function importJobOf(app: App): ImportJob {
  const known = jobs.get(app)
  if (known) return known
  const made = createImportJob(app)
  jobs.set(app, made)
  return made
}

function createImportJob(app: App): ImportJob {
  const state = createStore<ImportState>({ ...idle, phase: 'idle', space: null, plan: null })
  let stopped = false
  let preview = false

  return {
    state,

    async start(picked, space, options = { preview: false }) {
      if (busyPhases.includes(state.get().phase)) return
      const plan = planImport(picked)
      preview = options.preview
      state.set({ ...idle, phase: 'looking', space, plan })
      if (plan.files.length === 0) return state.set({ phase: 'done' })
      if (plan.folder !== null && (await isAsked(plan.source))) return
      await run()
    },

    async choose(source) {
      const { plan } = state.get()
      if (!plan) return
      state.set({ plan: { ...plan, source }, lookalike: null, phase: 'looking' })
      await run()
    },

    async resume() {
      preview = false
      await run()
    },

    stop() {
      stopped = true
      const { job, phase } = state.get()
      if (job && phase !== 'sending') app.api.post(`/api/imports/${job.id}/stop`).catch(() => {})
    },

    async undo() {
      await guarded(async () => {
        await act('undo')
        app.announce('The import was taken back.')
      })
    },
  }

  async function isAsked(source: string): Promise<boolean> {
    const { space, plan } = state.get()
    return await guarded(async () => {
      const present = plan!.files.map(({ path }) => path)
      const path = `/api/spaces/${space!.id}/import/survey`
      const { lookalike } = await app.api.post<Survey>(path, { source, present })
      if (lookalike) state.set({ phase: 'asking', lookalike })
      return lookalike !== null
    }, true)
  }

  async function run(): Promise<void> {
    stopped = false
    await guarded(async () => {
      state.set({ phase: 'sending', problem: '' })
      if (!(await send())) return state.set({ phase: 'stopped' })
      await act(preview ? 'preview' : 'start')
      if (state.get().phase === 'done') app.announce('The import is done.')
    })
  }

  /** Runs `work`; what it throws is told. */
  async function guarded<Result>(work: () => Promise<Result>, otherwise?: Result): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      state.set({ phase: 'failed', problem: messageOf(error) })
      return otherwise as Result
    }
  }

  /** Hands over what has not been yet; false when it was stopped. */
  async function send(): Promise<boolean> {
    const { plan, space } = state.get()
    const leave = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    try {
      if (!state.get().job) {
        const [only, ...more] = plan!.files
        const root = only && more.length === 0 && only.path.toLowerCase().endsWith('.zip') ? only.path : null
        const body = { source: plan!.source, root }
        state.set({ job: await app.api.post<Job>(`/api/spaces/${space!.id}/imports`, body) })
      }
      for (const call of inCalls(plan!.files.slice(state.get().sent))) {
        if (stopped) return false
        await sendCall(call)
      }
      return true
    } finally {
      window.removeEventListener('beforeunload', leave)
    }
  }

  async function sendCall(call: Picked[]): Promise<void> {
    const at = `/api/imports/${state.get().job!.id}`
    const files: { path: string; base64: string }[] = []
    const notes: FileOutcome[] = []
    for (const { path, file } of call) {
      if (file.size > largestFile && !isContainer(path)) notes.push(skipped(path, 'it is larger than 50 MB'))
      else if (file.size > sentWhole) {
        const headers = { 'content-type': 'application/octet-stream' }
        await app.api.fetch(`${at}/file?path=${encodeURIComponent(path)}`, {
          method: 'POST',
          headers,
          body: file,
        })
      } else {
        const base64 = await toBase64(file).catch(() => null)
        if (base64 === null) notes.push(skipped(path, 'the browser could not read it'))
        else files.push({ path, base64 })
      }
    }
    if (files.length > 0) await app.api.post(`${at}/files`, { files })
    state.set((now) => ({ sent: now.sent + call.length, unsent: [...now.unsent, ...notes] }))
  }

  /** Has the job do something, and follows it to its end. */
  async function act(what: 'preview' | 'start' | 'undo'): Promise<void> {
    const begun = await app.api.post<Job>(`/api/imports/${state.get().job!.id}/${what}`)
    const job = await followImport(app, begun, (now) => state.set({ phase: phaseOf(now), job: now }))
    state.set({ phase: phaseOf(job), job, problem: job.problem ?? '' })
  }
}

const phaseOf = ({ state }: Job): ImportState['phase'] => (state === 'open' ? 'stopped' : state)
