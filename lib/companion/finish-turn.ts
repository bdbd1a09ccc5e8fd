import { setTimeout as wait } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { noUsage, type Usage } from '../ai/model.ts'
import type { AssistantMetadata, Citation, ToolTraceEntry } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import { createTurnsRepo, type TurnError, type TurnRow } from '../db/repos/turns.ts'
import { AppError } from '../errors.ts'
import { cleanDeep, cleanText } from '../text/clean.ts'
import type { TurnStream } from './turn-stream.ts'

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
  stream: TurnStream
  leaseOwner: string
}

/** Waits between tries, in milliseconds, while the database cannot be reached: about half a minute in all. */
const patience = [200, 500, 1000, 2000, 4000, 8000, 16_000]

/**
 * Stores the answer and the end of the turn in one statement and tells the readers. A database that is away for a
 * moment is waited for, so that an answer is not lost to a restart.
 */
export async function finishTurn(finishing: Finishing, outcome: TurnOutcome): Promise<void> {
  const { stream } = finishing
  const messageId = uuid()
  const kept = await withPatience(() => storeOutcome(finishing, outcome, messageId))

  if (!kept || outcome.error) {
    stream.emit({ type: 'error', data: outcome.error ?? takenOver })
    return
  }
  stream.emit({
    type: 'done',
    data: {
      assistant_message_id: messageId,
      draft_ids: [...outcome.draftIds],
      usage: outcome.usage ?? noUsage,
      stop_reason: outcome.stopReason,
    },
  })
}

const takenOver: TurnError = {
  code: 'turn_closed',
  message: 'This turn was closed by another server before it could end here. Ask again.',
  retryable: true,
}

/** `false` when the turn had already been closed, in which case nothing is stored. */
async function storeOutcome(
  { database, turn, leaseOwner }: Finishing,
  outcome: TurnOutcome,
  messageId: string,
): Promise<boolean> {
  const metadata: AssistantMetadata = {
    tool_trace: [...outcome.toolTrace],
    draft_ids: [...outcome.draftIds],
    usage: outcome.usage ?? noUsage,
    citations: [...outcome.citations],
    stop_reason: outcome.stopReason,
    model: turn.model,
    error: outcome.error,
  }

  const end = {
    status: statusOf(outcome),
    stop_reason: outcome.stopReason,
    usage: outcome.usage,
    error: outcome.error,
  }
  const answer = { id: messageId, body: cleanText(outcome.text), metadata: cleanRecord(metadata) }
  return await createTurnsRepo(database).finishWithAnswer(turn.id, leaseOwner, end, answer)
}

function statusOf({ error, stopReason }: TurnOutcome): 'done' | 'failed' | 'stopped' {
  if (stopReason === 'aborted') return 'stopped'
  return error ? 'failed' : 'done'
}

async function withPatience<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const delay of patience) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error
      await wait(delay)
    }
  }
  return await run()
}

const cleanRecord = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanDeep(value)]))
