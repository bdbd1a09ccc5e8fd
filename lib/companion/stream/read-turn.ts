// Reading a turn from any point on, wherever it runs: from this server's memory while it runs here, else from the log,
// which is read again when another server notifies of a change and once a second anyway. Drafts come with their cards.

import { z } from 'zod'
import { noUsage } from '../../ai/model.ts'
import { type LoadCards, loadCardsByIds } from '../../changes/card/load-cards.ts'
import type { Card } from '../../contract/changes/card.ts'
import { type Citation, Thinking, type ToolTraceEntry, type TurnError } from '../../contract/events/events.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createMessagesRepo, type MessageRow } from '../../db/repos/messages.ts'
import { createTurnStepsRepo, type EventRow } from '../../db/repos/turn_steps.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import {
  firstSeq,
  fromRow,
  isLast,
  lastEvent,
  lastSeqBefore,
  type NumberedEvent,
  type NumberedLoggedEvent,
  type TurnReader,
  type TurnSignals,
  type TurnStream,
} from './turn-stream.ts'

export type ReadTurn = {
  turn: LoggedTurn
  /** The number of the last event that the reader has had; 0 for none. */
  after: number
  onEvent: TurnReader
  /** Resolves when the reader has taken most of what it was sent. */
  drained?: () => Promise<void>
  signal: AbortSignal
}

/** `left`: the reader disconnected, or this server shuts down; the turn may still emit events. */
export type ReadEnd = 'ended' | 'left'

type ReadTurnDeps = {
  logger: Logger
  log: TurnLog
  signals: TurnSignals
  /** The turn, if it runs here. */
  findStream: (turnId: string) => TurnStream | null
  /** Aborted when this server shuts down. */
  closing: AbortSignal
}

const pollMs = 1000
const perPage = 200

export async function readTurn(deps: ReadTurnDeps, request: ReadTurn): Promise<ReadEnd> {
  const { turn } = request
  const signal = AbortSignal.any([request.signal, deps.closing])
  const drained = request.drained ?? (async () => {})
  let { after } = request
  let isOver = false
  const emit: TurnReader = (event) => {
    if (event.seq <= after || isOver) return
    after = event.seq
    isOver = isLast(event)
    request.onEvent(event)
  }

  while (!signal.aborted) {
    const stream = deps.findStream(turn.id)
    if (stream) await readStream(stream)
    else if (!(await readLog())) await deps.signals.whenChanged(turn.id, pollMs, signal)
    if (isOver) return 'ended'
  }
  return 'left'

  async function readStream(stream: TurnStream): Promise<void> {
    for (;;) {
      const page = stream.listAfter(after, perPage)
      if (page.length === 0) break
      for (const event of page) emit(event)
      await drained()
      if (signal.aborted) return
    }
    if (isOver) return
    const unsubscribe = stream.subscribe(emit)
    await Promise.race([stream.end, whenAborted(signal)])
    unsubscribe()
    // What a lost turn emitted here after that is void; its log has the real events.
  }

  /** Whether there was anything. */
  async function readLog(): Promise<boolean> {
    try {
      const page = await deps.log.read(turn, after)
      for (const event of page.events) {
        emit(event)
        await drained()
      }
      isOver ||= page.isOver
      return page.events.length > 0
    } catch (error) {
      deps.logger.warn({ err: error, turn_id: turn.id }, 'turn log not loaded')
      return false
    }
  }
}

/** Its listener goes with the signal. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

// The log of a turn, a page at a time, as readers get it. Readers that are at the same place and ask at the same time,
// as all do that were just notified of a change, share one query.

type LoggedTurn = Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>

type LogPage = {
  events: NumberedEvent[]
  /** Whether the turn has no more events. */
  isOver: boolean
}

type TurnLog = {
  /** What follows the event `after`, as far as one page goes; without events when there is nothing yet. */
  read(turn: LoggedTurn, after: number): Promise<LogPage>
}

export function createTurnLog(deps: { database: Database; loadCards: LoadCards }): TurnLog {
  const { database } = deps
  const read = shareCalls(readPage)
  return { read: ({ id, space_id, agent_id }, after) => read({ id, space_id, agent_id }, after) }

  async function readPage(turn: LoggedTurn, after: number): Promise<LogPage> {
    const rows = await list(turn, after)
    return rows.length > 0 ? await toPage(turn, rows, after) : await readEnd(turn, after)
  }

  async function list({ id }: LoggedTurn, after: number): Promise<EventRow[]> {
    return await createTurnStepsRepo(database).listEvents(id, after, perPage)
  }

  async function toPage(turn: LoggedTurn, rows: readonly EventRow[], after: number): Promise<LogPage> {
    const logged: NumberedLoggedEvent[] = []
    let seen = after
    for (const row of rows) {
      if (isGap(row, seen)) {
        const stored = await readStored(turn, row, seen)
        return { ...stored, events: [...(await withCards(deps, turn, logged)), ...stored.events] }
      }
      logged.push(fromRow(row, seen))
      seen = row.seq
    }
    return { events: await withCards(deps, turn, logged), isOver: false }
  }

  /** There is nothing: not yet, or no more. A turn that has ended may have done so after the look. */
  async function readEnd(turn: LoggedTurn, after: number): Promise<LogPage> {
    const stored = await readStored(turn, undefined, after)
    const rows = stored.isOver ? await list(turn, after) : []
    return rows.length > 0 ? await toPage(turn, rows, after) : stored
  }

  /** Of a turn that has ended: the whole state, from what it left in the conversation, instead of what was pruned. */
  async function readStored(turn: LoggedTurn, next: EventRow | undefined, after: number): Promise<LogPage> {
    const row = await createTurnsRepo(database).find(turn.id)
    if (!row?.finished_at) return { events: [], isOver: false }
    const message = await createMessagesRepo(database).findOfTurn(turn.id, 'assistant')
    return {
      events: await withCards(deps, turn, endOfStored({ turn: row, message, next, after })),
      isOver: true,
    }
  }
}

/** Whether a reader that has had everything up to `after` would miss something before this row. */
const isGap = (row: EventRow, after: number) => row.type !== 'snapshot' && firstSeq(row) > after + 1

type StoredTurnEnd = {
  turn: TurnRow
  message: MessageRow | null
  /** What is left of the log beyond the reader's cursor: the last event, if anything. */
  next: EventRow | undefined
  after: number
}

const stored = z.object({
  draft_ids: z.array(z.string()).catch([]),
  citations: z.array(z.custom<Citation>()).catch([]),
  tool_trace: z.array(z.custom<ToolTraceEntry>()).catch([]),
  thinking: Thinking.optional().catch(undefined),
})

/**
 * The events of a turn that has ended and whose log is gone, for a reader with a cursor: everything at once, and the
 * end. A reader that has had the end gets it again.
 */
function endOfStored({ turn, message, next, after }: StoredTurnEnd): NumberedLoggedEvent[] {
  const { draft_ids, citations, tool_trace, thinking } = stored.parse(message?.metadata ?? {})
  const begin: NumberedLoggedEvent = {
    type: 'turn',
    seq: 1,
    data: { turn_id: turn.id, conversation_id: turn.conversation_id, routed: 'named' },
  }
  const { usage, stop_reason } = turn
  const end = lastEvent({
    answerId: message?.id ?? '',
    error: message ? turn.error : (turn.error ?? endedWithoutAnswer(stop_reason)),
    draft_ids,
    usage: usage ?? noUsage,
    stop_reason: stop_reason ?? 'end_turn',
  })
  const last = next ? fromRow(next, after) : { ...end, seq: Math.max(lastSeqOf(turn), after + 1) }
  const tools = tool_trace.map(({ summary, ...call }) => ({ ...call, summary: summary ?? '' }))
  const snapshot: NumberedLoggedEvent = {
    type: 'snapshot',
    seq: last.seq - 1,
    data: {
      ...{ text: message?.body ?? '', tools, citations, draft_ids, status: null },
      ...(thinking ? { thinking } : {}),
    },
  }
  return [...(after < 1 ? [begin] : []), ...(snapshot.seq > after ? [snapshot] : []), last]
}

/** The number of the last event once the log is gone: beyond any that the turn had. */
const lastSeqOf = ({ attempt }: Pick<TurnRow, 'attempt'>) => lastSeqBefore(attempt + 1)

/** Whether the event `after` is the last one of a turn that is over. */
export async function hasEnded(database: Database, turn: TurnRow, after: number): Promise<boolean> {
  if (!turn.finished_at || after < 1) return false
  const [seen, more] = await createTurnStepsRepo(database).listEvents(turn.id, after - 1, 2)
  return seen ? !more && seen.seq <= after : after >= lastSeqOf(turn)
}

const endedWithoutAnswer = (stopReason: string | null): TurnError => ({
  code: stopReason ?? 'turn_closed',
  message: 'This turn ended without an answer.',
  retryable: true,
})

type Deps = { database: Database; loadCards: LoadCards }

type OfTurn = Pick<TurnRow, 'space_id' | 'agent_id'>

/** Logged events for a reader, each draft with its card as of now. A draft that is gone is left out. */
export async function withCards(
  deps: Deps,
  turn: OfTurn,
  events: readonly NumberedLoggedEvent[],
): Promise<NumberedEvent[]> {
  const cards = await loadDraftCards(deps, turn, events.flatMap(draftIdsIn))
  const toDraft = (id: string) => {
    const card = cards.get(id)
    return card ? [{ pending_change_id: id, summary: card.summary, card }] : []
  }
  return events.flatMap((event): NumberedEvent[] => {
    if (event.type === 'draft') {
      return toDraft(event.data.pending_change_id).map((data) => ({ type: 'draft', seq: event.seq, data }))
    }
    if (event.type !== 'snapshot') return [event]
    const { draft_ids, ...data } = event.data
    return [{ type: 'snapshot', seq: event.seq, data: { ...data, drafts: draft_ids.flatMap(toDraft) } }]
  })
}

function draftIdsIn(event: NumberedLoggedEvent): string[] {
  if (event.type === 'draft') return [event.data.pending_change_id]
  return event.type === 'snapshot' ? event.data.draft_ids : []
}

async function loadDraftCards(
  { database, loadCards }: Deps,
  { space_id, agent_id }: OfTurn,
  ids: readonly string[],
): Promise<Map<string, Card>> {
  const cards = await loadCardsByIds(database, loadCards, { space_id, agent_id, ids })
  return new Map(cards.map((card) => [card.pending_change_id, card]))
}

/** `call`, of which those that ask for the same at the same time share one run: arguments are the same as JSON. */
export function shareCalls<Given extends unknown[], Result>(
  call: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  const inFlight = new Map<string, Promise<Result>>()

  return (...given) => {
    const key = JSON.stringify(given)
    const known = inFlight.get(key)
    if (known) return known
    const run = call(...given).finally(() => inFlight.delete(key))
    inFlight.set(key, run)
    return run
  }
}
