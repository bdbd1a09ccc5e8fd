import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'
import type { Choice, Outcome } from '../card/draft/decide.ts'

type Batch = {
  verb: 'Approving' | 'Rejecting'
  total: number
  done: number
  state: 'running' | 'done' | 'stopped' | 'failed'
  /** The draft that could not be decided. */
  problem: { line: CardLine; message: string } | null
}

type BatchOptions = {
  choice: Choice
  decide: (line: CardLine, choice: Choice) => Promise<Outcome>
  onProgress: (batch: Batch) => void
  /** Ends it between two decisions. */
  signal: AbortSignal
}

/** Decides one after the other, in order, and stops at the first that fails. */
export async function runBatch(lines: readonly CardLine[], options: BatchOptions): Promise<Batch> {
  const { choice, decide, onProgress, signal } = options
  const verb = choice.approve ? 'Approving' : 'Rejecting'
  let batch: Batch = { verb, total: lines.length, done: 0, state: 'running', problem: null }
  const report = (change: Partial<Batch>) => {
    batch = { ...batch, ...change }
    onProgress(batch)
    return batch
  }

  report({})
  for (const line of lines) {
    if (signal.aborted) return report({ state: 'stopped' })
    const outcome = await decide(line, choice)
    if (!outcome.done) return report({ state: 'failed', problem: { line, message: outcome.message } })
    report({ done: batch.done + 1 })
  }
  return report({ state: 'done' })
}

/** The progress or the result, as a sentence. */
export function batchText({ verb, total, done, state, problem }: Batch): string {
  const past = verb === 'Approving' ? 'approved' : 'rejected'
  if (state === 'running') return `${verb} ${Math.min(done + 1, total)} of ${total}…`
  if (state === 'done') return `${done} ${past}.`
  if (state === 'stopped') return `Stopped. ${done} of ${total} ${past}; the rest are still pending.`
  const rest = total - done - 1
  const skipped = rest > 0 ? ` ${rest} more ${rest === 1 ? 'was' : 'were'} not tried.` : ''
  return `${done} of ${total} ${past}. Could not decide ${quoteShown(problem?.line.summary ?? '', 300)}: ${problem?.message}${skipped}`
}

/** The state of the Inbox that survives a refresh, until the view is left. */
export type ListState = {
  selected: ReadonlySet<string>
  batch: Batch | null
  stop: AbortController | null
  /** The scroll position of the list. */
  scroll: number
}

const states = new WeakMap<App, Store<ListState>>()

export function listStateOf(app: App): Store<ListState> {
  const existing = states.get(app)
  if (existing) return existing
  const created = createStore<ListState>({ selected: new Set(), batch: null, stop: null, scroll: 0 })
  states.set(app, created)
  return created
}
