import type { CardLine } from '../../../lib/contract/changes/card.ts'
import type { App } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'

type Problem = { lines: readonly CardLine[]; message: string }

export type Batch = {
  verb: 'Approving' | 'Rejecting'
  total: number
  done: number
  state: 'running' | 'done' | 'stopped'
  /** What was refused. The drafts of each are as they were. */
  problems: Problem[]
}

type BatchOptions = {
  verb: Batch['verb']
  /** Decides drafts that stand or fall together. Must not reject. */
  decide: (lines: readonly CardLine[]) => Promise<{ done: true } | { done: false; message: string }>
  onProgress: (batch: Batch) => void
  /** Ends it between two decisions. */
  signal: AbortSignal
}

/** Decides one unit after the other, in order. One that is refused does not keep the others from being decided. */
export async function runBatch(
  units: readonly (readonly CardLine[])[],
  { verb, decide, onProgress, signal }: BatchOptions,
): Promise<Batch> {
  const total = units.flat().length
  let batch: Batch = { verb, total, done: 0, state: 'running', problems: [] }
  const report = (change: Partial<Batch>) => {
    batch = { ...batch, ...change }
    onProgress(batch)
    return batch
  }

  report({})
  for (const lines of units) {
    if (signal.aborted) return report({ state: 'stopped' })
    const outcome = await decide(lines)
    if (outcome.done) report({ done: batch.done + lines.length })
    else report({ problems: [...batch.problems, { lines, message: outcome.message }] })
  }
  return report({ state: 'done' })
}

/** Reasons that are given; there may be one for each changeset. */
const maxReasons = 3

/** The progress or the result, as a sentence. */
export function batchText({ verb, total, done, state, problems }: Batch): string {
  const past = verb === 'Approving' ? 'approved' : 'rejected'
  const refused = problems.reduce((sum, { lines }) => sum + lines.length, 0)
  if (state === 'running') return `${verb} ${Math.min(done + refused + 1, total)} of ${total}…`
  if (state === 'done' && refused === 0) return `${done} ${past}.`
  const reasons = [...new Set(problems.map(({ message }) => message))]
  return [
    state === 'stopped' && 'Stopped.',
    `${done} of ${total} ${past}; the rest ${total - done === 1 ? 'is' : 'are'} still pending.`,
    ...reasons.slice(0, maxReasons),
    reasons.length > maxReasons && `${reasons.length - maxReasons} more could not be ${past}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Drafts of one changeset together, in the order of the lines. */
export const unitsOf = (lines: readonly CardLine[]): CardLine[][] => [
  ...Map.groupBy(lines, ({ changeset_id }) => changeset_id).values(),
]

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
