// An import from the browser: call after call, so that it can be watched and stopped. It belongs to the page, not to
// the view, and goes on while its owner looks at something else.

import type { Space } from '../../lib/contract/entities.ts'
import { addOutcomes, addResult, emptyResult, type ImportResult, skipped } from '../../lib/import/outcome.ts'
import type { Survey } from '../../lib/import/survey.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { createStore, type Store } from '../state.ts'
import { inCalls, type Picked, type Plan, planImport } from './import-plan.ts'
import { toBase64 } from './read-files.ts'

export type ImportState = {
  phase: 'idle' | 'looking' | 'asking' | 'running' | 'stopped' | 'failed' | 'done'
  space: Space | null
  plan: Plan | null
  /** An earlier import of most of the same files, under another name. */
  lookalike: { source: string; count: number } | null
  done: number
  result: ImportResult
  problem: string
}

export type ImportJob = {
  state: Store<ImportState>
  /** Brings files in, unless an import is running. */
  start(picked: readonly Picked[], space: Space): Promise<void>
  /** Answers whether the files are those of an earlier import. */
  choose(source: string): Promise<void>
  /** Takes up a stopped or failed one where it ended. */
  resume(): Promise<void>
  stop(): void
}

const largestFile = 50 * 1024 * 1024
const idle = { lookalike: null, done: 0, problem: '' } as const
const jobs = new WeakMap<App, ImportJob>()

/** The page's one import. */
export function importJobOf(app: App): ImportJob {
  const known = jobs.get(app)
  if (known) return known
  const made = createImportJob(app)
  jobs.set(app, made)
  return made
}

function createImportJob(app: App): ImportJob {
  const state = createStore<ImportState>({
    ...idle,
    phase: 'idle',
    space: null,
    plan: null,
    result: emptyResult(),
  })
  let gone: string[] = []
  let stopped = false

  return {
    state,

    async start(picked, space) {
      if (['looking', 'asking', 'running'].includes(state.get().phase)) return
      const plan = planImport(picked)
      gone = []
      state.set({ ...idle, phase: 'looking', space, plan, result: emptyResult() })
      if (plan.files.length === 0) return state.set({ phase: 'done' })
      if (plan.folder !== null && (await isAsked(plan.source))) return
      await run()
    },

    async choose(source) {
      const { plan } = state.get()
      if (!plan) return
      state.set({ plan: { ...plan, source }, lookalike: null, phase: 'looking' })
      if (await survey(source)) await run()
    },

    resume: run,

    stop() {
      stopped = true
    },
  }

  async function isAsked(source: string): Promise<boolean> {
    const found = await survey(source)
    if (found?.lookalike) state.set({ phase: 'asking', lookalike: found.lookalike })
    return found === null || found.lookalike !== null
  }

  async function survey(source: string): Promise<Survey | null> {
    const { space, plan } = state.get()
    try {
      const present = plan!.files.map(({ path }) => path)
      const found = await app.api.post<Survey>(`/api/spaces/${space!.id}/import/survey`, { source, present })
      gone = found.gone
      return found
    } catch (error) {
      state.set({ phase: 'failed', problem: messageOf(error) })
      return null
    }
  }

  async function run(): Promise<void> {
    const { plan, space, done } = state.get()
    if (!plan || !space) return
    stopped = false
    state.set({ phase: 'running', problem: '' })
    const leave = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    try {
      for (const call of inCalls(plan.files.slice(done))) {
        if (stopped) return state.set({ phase: 'stopped' })
        await send(call, plan.source, space)
      }
      state.set({ phase: 'done' })
      app.announce('The import is done.')
    } catch (error) {
      state.set({ phase: 'failed', problem: messageOf(error) })
    } finally {
      window.removeEventListener('beforeunload', leave)
    }
  }

  async function send(call: Picked[], source: string, space: Space): Promise<void> {
    const result = structuredClone(state.get().result)
    const files: { path: string; base64: string }[] = []
    for (const { path, file } of call) {
      const reason = file.size > largestFile ? 'it is larger than 50 MB' : null
      const base64 = reason ? null : await toBase64(file).catch(() => null)
      if (base64 === null) addOutcomes(result, [skipped(path, reason ?? 'the browser could not read it')])
      else files.push({ path, base64 })
    }
    if (files.length > 0) {
      addResult(result, await app.api.post(`/api/spaces/${space.id}/import`, { source, files, gone }))
    }
    state.set(({ done }) => ({ result, done: done + call.length }))
  }
}
