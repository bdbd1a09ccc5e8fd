import type { CardLine } from '../../lib/contract/card.ts'
import type { Choice, Outcome } from '../card/decide.ts'

export type Batch = {
  /** What is being done, for a sentence: "Approving", "Rejecting". */
  doing: string
  total: number
  done: number
  state: 'running' | 'done' | 'stopped' | 'failed'
  /** Why it stopped by itself. */
  problem: { line: CardLine; message: string } | null
}

export type BatchOptions = {
  choice: Choice
  decide: (line: CardLine, choice: Choice) => Promise<Outcome>
  onProgress: (batch: Batch) => void
  /** Ends it between two decisions. */
  signal: AbortSignal
}

/** Decides one after the other, in order, and stops at the first that is refused. */
export async function runBatch(lines: readonly CardLine[], options: BatchOptions): Promise<Batch> {
  const { choice, decide, onProgress, signal } = options
  const doing = choice.approve ? 'Approving' : 'Rejecting'
  let batch: Batch = { doing, total: lines.length, done: 0, state: 'running', problem: null }
  const tell = (change: Partial<Batch>) => {
    batch = { ...batch, ...change }
    onProgress(batch)
    return batch
  }

  tell({})
  for (const line of lines) {
    if (signal.aborted) return tell({ state: 'stopped' })
    const outcome = await decide(line, choice)
    if (!outcome.done) return tell({ state: 'failed', problem: { line, message: outcome.message } })
    tell({ done: batch.done + 1 })
  }
  return tell({ state: 'done' })
}

/** What happened, in a sentence or two. */
export function batchText({ doing, total, done, state, problem }: Batch): string {
  const did = doing === 'Approving' ? 'approved' : 'rejected'
  if (state === 'running') return `${doing} ${Math.min(done + 1, total)} of ${total} …`
  if (state === 'done') return `${done} ${did}.`
  if (state === 'stopped') return `Stopped. ${done} of ${total} ${did}, the others still wait.`
  const rest = total - done - 1
  const untouched = rest > 0 ? ` ${rest === 1 ? 'One more was' : `${rest} more were`} not tried.` : ''
  return `${done} of ${total} ${did}. Then “${problem?.line.summary}” was refused: ${problem?.message}${untouched}`
}
