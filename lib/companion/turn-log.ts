// The log of a turn, a page at a time, as readers are told it. Readers that are at the same place and ask at the same
// time, as all do that were just told of a change, share one look into the database.

import type { Database } from '../db/pool.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createTurnEventsRepo, type EventRow } from '../db/repos/turn_events.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import { endOfStored } from './end-of-stored.ts'
import { firstSeq, fromRow, type NumberedLoggedEvent } from './logged-events.ts'
import { shareCalls } from './share-calls.ts'
import { showDrafts } from './show-drafts.ts'
import type { NumberedEvent } from './turn-stream.ts'

export type LoggedTurn = Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>

export type LogPage = {
  events: NumberedEvent[]
  /** Whether the turn has nothing more to tell. */
  isOver: boolean
}

export type TurnLog = {
  /** What follows the event `after`, as far as one page goes; without events when there is nothing yet. */
  read(turn: LoggedTurn, after: number): Promise<LogPage>
}

const perPage = 200

export function createTurnLog(deps: { database: Database; kinds: Kinds }): TurnLog {
  const { database } = deps
  const read = shareCalls(readPage)
  return { read: ({ id, space_id, agent_id }, after) => read({ id, space_id, agent_id }, after) }

  async function readPage(turn: LoggedTurn, after: number): Promise<LogPage> {
    const rows = await list(turn, after)
    return rows.length > 0 ? await toPage(turn, rows, after) : await readEnd(turn, after)
  }

  async function list({ id }: LoggedTurn, after: number): Promise<EventRow[]> {
    return await createTurnEventsRepo(database).list(id, after, perPage)
  }

  async function toPage(turn: LoggedTurn, rows: readonly EventRow[], after: number): Promise<LogPage> {
    const logged: NumberedLoggedEvent[] = []
    let seen = after
    for (const row of rows) {
      if (isGap(row, seen)) {
        const stored = await readStored(turn, row, seen)
        return { ...stored, events: [...(await show(turn, logged)), ...stored.events] }
      }
      logged.push(fromRow(row, seen))
      seen = row.seq
    }
    return { events: await show(turn, logged), isOver: false }
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
    return { events: await show(turn, endOfStored({ turn: row, message, next, after })), isOver: true }
  }

  async function show(turn: LoggedTurn, logged: readonly NumberedLoggedEvent[]): Promise<NumberedEvent[]> {
    const events = await Promise.all(logged.map((event) => showDrafts(deps, turn, event)))
    return events.filter((event) => event !== null)
  }
}

/** Whether a reader that has had everything up to `after` would miss something before this row. */
const isGap = (row: EventRow, after: number) => row.type !== 'snapshot' && firstSeq(row) > after + 1
