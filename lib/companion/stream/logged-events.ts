// A turn's events as rows of its log. Deltas that follow one another are one row, an array of their texts, whose number
// is the last one's: a reader whose cursor lies inside of it gets exactly the texts behind the cursor.

import type { LoggedEvent } from '../../ai/agent/events.ts'
import type { TurnEvent } from '../../contract/events/events.ts'
import type { EventRow } from '../../db/repos/turn_steps.ts'
import type { NumberedEvent } from './turn-stream.ts'

export type NumberedLoggedEvent = LoggedEvent & { seq: number }

/** The rows of these events, which follow one another. */
export function toRows(events: readonly NumberedEvent[]): EventRow[] {
  const rows: EventRow[] = []
  let texts: string[] = []
  let lastDelta = 0

  for (const event of events) {
    if (event.type === 'delta') {
      texts.push(event.data.text)
      lastDelta = event.seq
      continue
    }
    closeDeltas()
    rows.push({ seq: event.seq, type: event.type, data: JSON.stringify(toLogged(event).data) })
  }
  closeDeltas()
  return rows

  function closeDeltas(): void {
    if (texts.length > 0) rows.push({ seq: lastDelta, type: 'delta', data: JSON.stringify(texts) })
    texts = []
  }
}

/** The event of a row, for a reader that has had everything up to `after`. */
export function fromRow(row: EventRow, after: number): NumberedLoggedEvent {
  const data = JSON.parse(row.data)
  if (row.type !== 'delta') return { seq: row.seq, type: row.type, data } as NumberedLoggedEvent
  const texts: string[] = data
  const left = Math.min(texts.length, row.seq - after)
  return { seq: row.seq, type: 'delta', data: { text: texts.slice(texts.length - left).join('') } }
}

/** The number of the first event that a row holds. */
export function firstSeq({ seq, type, data }: EventRow): number {
  if (type !== 'delta') return seq
  const texts: string[] = JSON.parse(data)
  return seq - texts.length + 1
}

function toLogged(event: TurnEvent): LoggedEvent {
  if (event.type === 'draft') {
    return { type: 'draft', data: { pending_change_id: event.data.pending_change_id } }
  }
  if (event.type !== 'snapshot') return event
  const { drafts, ...rest } = event.data
  return {
    type: 'snapshot',
    data: { ...rest, draft_ids: drafts.map(({ pending_change_id }) => pending_change_id) },
  }
}
