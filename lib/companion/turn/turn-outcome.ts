// The one place where a turn ends: its answer, its row and its last event, all made from what it has come to.

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { type TurnProgress, toolTrace, toSnapshot } from '../../ai/agent/events.ts'
import { noUsage, type Usage } from '../../ai/model.ts'
import type { AssistantMetadata, ToolEvent, TurnError, TurnEvent } from '../../contract/events/events.ts'
import { id } from '../../contract/scalars.ts'
import { boundJson } from '../../core/text/bounds.ts'
import { cleanDeep, cleanText } from '../../core/text/clean.ts'
import type { GivenLine } from '../../core/text/memory/memory-lines.ts'
import { type Database, type Queryable, retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import type { NewToolCall } from '../../db/repos/tool_calls.ts'
import {
  type Answer,
  createTurnStepsRepo,
  type EventRow,
  type Lease,
  type TurnEnd,
} from '../../db/repos/turn_steps.ts'
import { createTurnsRepo, type LeaseTerms, type TurnRow } from '../../db/repos/turns.ts'
import { fromRow, lastEvent, lastSeqBefore, type TurnStream, toRows } from '../stream/turn-stream.ts'
import { progressOf, textOf } from './resumption.ts'
import type { TurnStorage } from './running-turn.ts'
import { summarizeByWords } from './summarize-by-words.ts'

export type TurnOutcome = {
  progress: TurnProgress
  stopReason: string
  usage: Usage | null
  error: TurnError | null
  /** `null` where nobody measured it. */
  duration_ms: number | null
  /** What was asked. */
  question: string
  /** Of the wording that the model was given. Default: it was asked nothing. */
  promptHash?: string | undefined
  /** The lines of memory that it was given. Default: none. */
  memory?: readonly GivenLine[] | undefined
}

type Finishing = {
  database: Database
  turn: TurnRow
  lease: Lease
  stream: TurnStream
  storage: Pick<TurnStorage, 'finish'>
}

/**
 * Stores the last step, the answer, the end of the turn and its last event in one statement and emits that event. Waits
 * for a database that is unavailable for a moment, so that an answer is not lost to a restart. A turn that is no longer
 * ours is left to its owner: its stream is detached.
 */
export async function finishTurn(finishing: Finishing, outcome: TurnOutcome): Promise<void> {
  const { database, turn, lease, stream, storage } = finishing
  const { answer, end, last } = conclude(turn, outcome)
  const stored = await storage.finish((events, { steps, calls }) => {
    const rows = [...events, ...toRows([{ ...last, seq: stream.seq + 1 }])]
    const ends = createTurnStepsRepo(database)
    return retryWhileDatabaseUnavailable(async () => {
      const before = turn.attempt > 1 ? await loggedCalls(database, turn) : []
      const unfinished = outcome.progress.tools.filter(({ status }) => status !== 'done')
      const all = [...calls, ...cancelledCalls(turn, [...before, ...unfinished], calls)]
      if (await ends.finish(lease, end, answer, { events: rows, steps, calls: all })) return true
      // A connection that broke may have done its work before.
      const done = (await createTurnsRepo(database).find(turn.id))?.status !== 'running'
      return done && (await ends.isAnswer(turn.id, answer.id))
    })
  })

  if (stored) stream.emit(last)
  else stream.detach()
}

/**
 * Ends the running turn of a conversation if its runner has not renewed its lease, so that the conversation is free
 * again. Whether there was one. In the caller's transaction.
 */
export async function failExpiredTurn(
  tx: Queryable,
  terms: LeaseTerms,
  conversationId: string,
): Promise<boolean> {
  const turns = await createTurnsRepo(tx).claimExpired(terms, conversationId, 1)
  for (const turn of turns)
    await failAbandonedTurn(tx, turn, { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner })
  return turns.length > 0
}

/**
 * Ends a turn that nobody runs and keeps everything that its readers were shown: as failed, or as stopped when the owner
 * had asked for that.
 */
export async function failAbandonedTurn(tx: Queryable, turn: TurnRow, lease: Lease): Promise<void> {
  const log = await createTurnStepsRepo(tx).listEventsUntil(turn.id, lastSeqBefore(turn.attempt))
  const progress = progressOf(log)
  if (!log.some(({ type }) => type !== 'turn')) {
    progress.text = textOf(await createTurnStepsRepo(tx).list([turn.id]))
  }
  const stopped = turn.stop_requested_at !== null
  const question = await createMessagesRepo(tx).findOfTurn(turn.id, 'user')
  const { answer, end, last } = conclude(turn, {
    progress,
    stopReason: stopped ? 'aborted' : 'interrupted',
    usage: null,
    error: stopped ? null : interrupted,
    duration_ms: null,
    question: question?.body ?? '',
  })
  const calls = cancelledCalls(turn, callsIn(log), [])
  const seq = lastSeqBefore(turn.attempt) + 1
  const snapshot = toSnapshot(progress)
  const events = [
    { seq, type: snapshot.type, data: JSON.stringify(snapshot.data) },
    ...toRows([{ ...last, seq: seq + 1 }]),
  ]
  await createTurnStepsRepo(tx).finish(lease, end, answer, { events, steps: [], calls })
}

/** The calls that earlier attempts at a turn began. */
const loggedCalls = async (db: Queryable, { id, attempt }: TurnRow): Promise<ToolEvent[]> =>
  callsIn(await createTurnStepsRepo(db).listEventsUntil(id, lastSeqBefore(attempt)))

/** What the stages of research do is theirs, and recorded with the run. */
const callsIn = (log: readonly EventRow[]): ToolEvent[] =>
  log.flatMap((row) => {
    const event = fromRow(row, 0)
    return event.type === 'tool' ? event.data : []
  })

/**
 * The records of calls that have none when their turn ends: those that a stop or a limit cut off, and those whose server
 * died before their results were stored. The statement that stores them leaves out what it finds recorded.
 */
function cancelledCalls(
  turn: Pick<TurnRow, 'space_id' | 'agent_id' | 'id'>,
  begun: readonly ToolEvent[],
  recorded: readonly NewToolCall[],
): NewToolCall[] {
  const known = new Set(recorded.map(({ tool_use_id }) => tool_use_id))
  const last = new Map(begun.map((call) => [call.tool_use_id, call]))
  return [...last.values()]
    .filter(({ tool_use_id, parent_id }) => parent_id === undefined && !known.has(tool_use_id))
    .map((call) => ({
      ...toRecord(turn, call, {
        status: 'cancelled',
        result:
          call.status === 'error' && call.summary
            ? cleanText(call.summary)
            : 'This call was cut off before it ended.',
      }),
      duration_ms: call.status === 'running' ? null : (call.duration_ms ?? null),
    }))
}

/** The record of a call that has not ended. */
export const toRecord = (
  turn: Pick<TurnRow, 'space_id' | 'agent_id' | 'id'>,
  { tool_use_id, tool, args }: ToolEvent,
  state: Pick<NewToolCall, 'status' | 'result'>,
): NewToolCall => ({
  id: uuid(),
  space_id: turn.space_id,
  agent_id: turn.agent_id,
  turn_id: turn.id,
  tool_use_id,
  name: tool,
  arguments: boundJson(args),
  ...targetOf(args),
  passage: null,
  duration_ms: null,
  ...state,
})

/** What a call was to be about, as its arguments name it. */
function targetOf(args: unknown): Pick<NewToolCall, 'entity_type' | 'entity_id'> {
  const named = CallTarget.safeParse(args).data
  const type = named?.entity_type ?? named?.kind
  const target = named?.entity_id ?? named?.id
  return type && target ? { entity_type: type, entity_id: target } : { entity_type: null, entity_id: null }
}

const CallTarget = z.object({
  kind: z.string().max(40).optional(),
  entity_type: z.string().max(40).optional(),
  id: id.optional(),
  entity_id: id.optional(),
})

const interrupted: TurnError = {
  code: 'interrupted',
  message: 'The server stopped in the middle of this answer. The text so far is kept; ask again.',
  retryable: true,
}

type Conclusion = {
  answer: Answer
  end: TurnEnd
  last: TurnEvent
}

function conclude(turn: Pick<TurnRow, 'model'>, outcome: TurnOutcome): Conclusion {
  const { progress, stopReason, usage, error, duration_ms, promptHash, memory = [], question } = outcome
  const metadata: AssistantMetadata = {
    tool_trace: toolTrace(progress),
    draft_ids: [...progress.draftIds],
    usage: usage ?? noUsage,
    ...(duration_ms === null ? {} : { duration_ms }),
    citations: [...progress.citations],
    stop_reason: stopReason,
    model: turn.model,
    ...(promptHash === undefined ? {} : { prompt_hash: promptHash }),
    error,
    ...(progress.thinking ? { thinking: progress.thinking } : {}),
    ...(progress.research ? { research: progress.research } : {}),
    ...(memory.length > 0 ? { memory: [...memory] } : {}),
  }
  const id = uuid()
  const body = cleanText(progress.text)
  const status = stopReason === 'aborted' ? 'stopped' : error ? 'failed' : 'done'
  return {
    answer: { id, body, metadata: cleanValues(metadata), words: summarizeByWords([question], body) },
    end: { status, stop_reason: stopReason, usage, error, duration_ms },
    last: lastEvent({ ...metadata, answerId: id }),
  }
}

const cleanValues = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanDeep(value)]))
