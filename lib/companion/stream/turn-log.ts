// The log of a turn, a page at a time, as readers get it. Readers that are at the same place and ask at the same time,
// as all do that were just notified of a change, share one query.

import type { LoadCards } from '../../changes/card/load-cards.ts'
import type { Database } from '../../db/pool.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createTurnStepsRepo, type EventRow } from '../../db/repos/turn_steps.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import { withCards } from './draft-cards.ts'
import { endOfStored } from './end-of-stored.ts'
import { firstSeq, fromRow, type NumberedLoggedEvent } from './logged-events.ts'
import { shareCalls } from './share-calls.ts'
import type { NumberedEvent } from './turn-stream.ts'

export type LoggedTurn = Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>

type LogPage = {
  events: NumberedEvent[]
  /** Whether the turn has no more events. */
  isOver: boolean
}

export type TurnLog = {
  /** What follows the event `after`, as far as one page goes; without events when there is nothing yet. */
  read(turn: LoggedTurn, after: number): Promise<LogPage>
}

const perPage = 200

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
