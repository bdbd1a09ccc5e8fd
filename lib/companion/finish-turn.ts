import { v7 as uuid } from 'uuid'
import { noUsage, type Usage } from '../ai/model.ts'
import type { AssistantMetadata, Citation, ToolTraceEntry, TurnEvent } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import { createTurnsRepo, type Lease, type TurnEnd, type TurnError, type TurnRow } from '../db/repos/turns.ts'
import { cleanDeep, cleanText } from '../text/clean.ts'
import { toRows } from './logged-events.ts'
import type { TurnStorage } from './turn-storage.ts'
import type { TurnStream } from './turn-stream.ts'
import { withPatience } from './with-patience.ts'

export type TurnOutcome = {
  text: string
  toolTrace: readonly ToolTraceEntry[]
  draftIds: readonly string[]
  usage: Usage | null
  stopReason: string
  citations: readonly Citation[]
  error: TurnError | null
}

type Finishing = {
  database: Database
  turn: TurnRow
  lease: Lease
  stream: TurnStream
  storage: Pick<TurnStorage, 'finish'>
  now: () => Date
  /** When this attempt began, in milliseconds. */
  startedAt: number
}

/**
 * Stores the last step, the answer, the end of the turn and its last event in one statement and tells the readers. A
 * database that is away for a moment is waited for, so that an answer is not lost to a restart. A turn that is no longer
 * ours is left to whoever has it: its stream is detached.
 */
export async function finishTurn(finishing: Finishing, outcome: TurnOutcome): Promise<void> {
  const { database, turn, lease, stream, storage, now, startedAt } = finishing
  const duration_ms = Math.max(0, now().getTime() - startedAt)
  const answer = toAnswer(turn, outcome, duration_ms)
  const last = toLastEvent(outcome, answer.id, duration_ms)
  const kept = await storage.finish((events, step) => {
    const rows = [...events, ...toRows([{ ...last, seq: stream.seq + 1 }])]
    const end = { ...toEnd(outcome), duration_ms }
    const turns = createTurnsRepo(database)
    return withPatience(async () => {
      if (await turns.finishWithAnswer(lease, end, answer, { events: rows, step })) return true
      // A connection that broke may have done its work before.
      return (await turns.find(turn.id))?.status !== 'running' && (await turns.isAnswer(turn.id, answer.id))
    })
  })

  if (kept) stream.emit(last)
  else stream.detach()
}

function toAnswer(turn: TurnRow, outcome: TurnOutcome, duration_ms: number) {
  const metadata: AssistantMetadata = {
    tool_trace: [...outcome.toolTrace],
    draft_ids: [...outcome.draftIds],
    usage: outcome.usage ?? noUsage,
    duration_ms,
    citations: [...outcome.citations],
    stop_reason: outcome.stopReason,
    model: turn.model,
    error: outcome.error,
  }
  return { id: uuid(), body: cleanText(outcome.text), metadata: cleanRecord(metadata) }
}

function toLastEvent(
  { error, draftIds, usage, stopReason }: TurnOutcome,
  answerId: string,
  duration_ms: number,
): TurnEvent {
  if (error) return { type: 'error', data: error }
  return {
    type: 'done',
    data: {
      assistant_message_id: answerId,
      draft_ids: [...draftIds],
      usage: usage ?? noUsage,
      duration_ms,
      stop_reason: stopReason,
    },
  }
}

function toEnd(outcome: TurnOutcome): Omit<TurnEnd, 'duration_ms'> {
  const { stopReason, usage, error } = outcome
  const status = stopReason === 'aborted' ? 'stopped' : error ? 'failed' : 'done'
  return { status, stop_reason: stopReason, usage, error }
}

const cleanRecord = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanDeep(value)]))
