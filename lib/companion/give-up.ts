import { v7 as uuid } from 'uuid'
import { noUsage } from '../ai/model.ts'
import type { AssistantMetadata } from '../contract/events.ts'
import type { Queryable } from '../db/pool.ts'
import { createTurnEventsRepo } from '../db/repos/turn_events.ts'
import { createTurnLeasesRepo } from '../db/repos/turn_leases.ts'
import { createTurnStepsRepo } from '../db/repos/turn_steps.ts'
import {
  createTurnsRepo,
  type Lease,
  type LeaseTerms,
  type TurnEnd,
  type TurnError,
  type TurnRow,
} from '../db/repos/turns.ts'
import { cleanDeep, cleanText } from '../text/clean.ts'
import { progressOf, textOf } from './resumption.ts'
import { lastSeqBefore } from './sequence.ts'
import { type TurnProgress, toSnapshot } from './turn-progress.ts'

const interrupted: TurnError = {
  code: 'interrupted',
  message: 'The server went away in the middle of this answer. What it had said is kept; ask again.',
  retryable: true,
}

/**
 * Ends the running turn of a conversation if its runner has not renewed its lease, so that the conversation is free
 * again. Whether there was one. In the caller's transaction.
 */
export async function giveUpAbandoned(
  tx: Queryable,
  terms: LeaseTerms,
  conversationId: string,
): Promise<boolean> {
  const turns = await createTurnLeasesRepo(tx).claimExpired(terms, conversationId, 1)
  for (const turn of turns)
    await giveUp(tx, turn, { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner })
  return turns.length > 0
}

/**
 * Ends a turn that nobody runs, with everything that its readers were told kept: as failed, or as stopped when that is
 * what the owner had wanted.
 */
export async function giveUp(tx: Queryable, turn: TurnRow, lease: Lease): Promise<void> {
  const log = await createTurnEventsRepo(tx).listUntil(turn.id, lastSeqBefore(turn.attempt))
  const progress = progressOf(log)
  if (!log.some(({ type }) => type !== 'turn')) {
    const steps = await createTurnStepsRepo(tx).list([turn.id])
    progress.text = textOf(steps.filter(({ role }) => role === 'assistant'))
  }
  const stopped = turn.stop_requested_at !== null
  const end: TurnEnd = stopped
    ? { status: 'stopped', stop_reason: 'aborted', usage: null, error: null, duration_ms: null }
    : { status: 'failed', stop_reason: 'interrupted', usage: null, error: interrupted, duration_ms: null }
  const metadata = toMetadata(turn, progress, end)
  const answer = { id: uuid(), body: cleanText(progress.text), metadata }
  const done = {
    assistant_message_id: answer.id,
    draft_ids: progress.draftIds,
    usage: noUsage,
    stop_reason: end.stop_reason,
  }
  const seq = lastSeqBefore(turn.attempt) + 1
  const snapshot = toSnapshot(progress)
  const events = [
    { seq, type: snapshot.type, data: JSON.stringify(snapshot.data) },
    { seq: seq + 1, type: end.error ? 'error' : 'done', data: JSON.stringify(end.error ?? done) },
  ]
  await createTurnsRepo(tx).finishWithAnswer(lease, end, answer, { events, step: null })
}

function toMetadata(turn: TurnRow, progress: TurnProgress, end: TurnEnd): Record<string, unknown> {
  const metadata: AssistantMetadata = {
    tool_trace: progress.tools.flatMap(({ status, summary, duration_ms = 0, ...call }) =>
      status === 'running' ? [] : [{ ...call, status, summary: summary || null, duration_ms }],
    ),
    draft_ids: progress.draftIds,
    usage: noUsage,
    citations: progress.citations,
    stop_reason: end.stop_reason ?? '',
    model: turn.model,
    error: end.error,
  }
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, cleanDeep(value)]))
}
