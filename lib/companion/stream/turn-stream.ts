// The events of a turn on their way: to readers on this server (`TurnStream`), to rows of the turn's log, and as signals
// to other servers that there is more to read.

import type { LoggedEvent } from '../../ai/agent/events.ts'
import type { AssistantMetadata, TurnEvent } from '../../contract/events/events.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { EventRow } from '../../db/repos/turn_steps.ts'

export type NumberedEvent = TurnEvent & { seq: number }

/** Called with each event, in order, none twice. Must not throw. */
export type TurnReader = (event: NumberedEvent) => void

/** `ended`: the last event was emitted. `detached`: the turn goes on, but not here; its log says how. */
type StreamEnd = 'ended' | 'detached'

/**
 * The events of a turn that runs here, held while it runs and sent to any number of readers. The turn does not know
 * whether it has any.
 */
export class TurnStream {
  readonly turnId: string
  readonly #events: NumberedEvent[]
  readonly #readers = new Set<TurnReader>()
  readonly #end = Promise.withResolvers<StreamEnd>()
  #seq: number
  #detached = false

  /** `earlier` events are sent to every reader that has not had them; the next one is numbered after `lastSeq`. */
  constructor(turnId: string, earlier: readonly NumberedEvent[] = [], lastSeq = earlier.at(-1)?.seq ?? 0) {
    this.turnId = turnId
    this.#events = [...earlier]
    this.#seq = lastSeq
  }

  get end(): Promise<StreamEnd> {
    return this.#end.promise
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq
  }

  emit(event: TurnEvent): NumberedEvent {
    this.#seq += 1
    const numbered = { ...event, seq: this.#seq }
    this.#events.push(numbered)
    for (const reader of this.#readers) reader(numbered)
    if (isLast(event)) this.#end.resolve('ended')
    return numbered
  }

  get detached(): boolean {
    return this.#detached
  }

  detach(): void {
    this.#detached = true
    this.#end.resolve('detached')
  }

  /** The next events after the number `after`, at most `limit`. */
  listAfter(after: number, limit: number): NumberedEvent[] {
    const from = this.#events.findIndex(({ seq }) => seq > after)
    return from === -1 ? [] : this.#events.slice(from, from + limit)
  }

  /** Calls the reader with each event from now on; returns the function that ends the subscription. */
  subscribe(reader: TurnReader): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }
}

/** More events than one attempt at a turn can have: its tokens are limited to a million. */
const maxEventsPerAttempt = 10_000_000

/**
 * The number before the first event of an attempt. Each attempt has numbers of its own, because readers may have had
 * events of the one before that were never stored: their cursors must lie before everything that follows.
 */
export const lastSeqBefore = (attempt: number) => (attempt - 1) * maxEventsPerAttempt

/** The event that ends a turn, from what its answer carries. */
export function lastEvent({
  answerId,
  error,
  draft_ids,
  usage,
  duration_ms,
  stop_reason,
  memory,
}: Pick<AssistantMetadata, 'error' | 'draft_ids' | 'usage' | 'duration_ms' | 'stop_reason' | 'memory'> & {
  answerId: string
}): Extract<TurnEvent, { type: 'done' | 'error' }> {
  if (error) return { type: 'error', data: error }
  const data = {
    assistant_message_id: answerId,
    draft_ids,
    usage,
    stop_reason,
    ...(memory ? { memory } : {}),
  }
  return { type: 'done', data: { ...data, ...(duration_ms === undefined ? {} : { duration_ms }) } }
}

export const isLast = ({ type }: Pick<TurnEvent, 'type'>) => type === 'done' || type === 'error'

// A turn's events as rows of its log. Deltas of the answer, or of thinking, that follow one another are one row, an array
// of their texts, whose number is the last one's: a reader whose cursor lies inside of it gets exactly the texts behind the cursor.

export type NumberedLoggedEvent = LoggedEvent & { seq: number }

/** The rows of these events, which follow one another. */
export function toRows(events: readonly NumberedEvent[]): EventRow[] {
  const rows: EventRow[] = []
  let texts: string[] = []
  let last: Pick<EventRow, 'seq' | 'type'> = { seq: 0, type: '' }

  for (const event of events) {
    const { seq, type } = event
    if (type !== last.type) closeTexts()
    if (event.type === 'delta' || event.type === 'thinking') texts.push(event.data.text)
    else rows.push({ seq, type, data: JSON.stringify(toLogged(event).data) })
    last = { seq, type }
  }
  closeTexts()
  return rows

  function closeTexts(): void {
    if (texts.length > 0) rows.push({ ...last, data: JSON.stringify(texts) })
    texts = []
  }
}

const isPieces = (type: string): type is 'delta' | 'thinking' => type === 'delta' || type === 'thinking'

/** The event of a row, for a reader that has had everything up to `after`. */
export function fromRow(row: EventRow, after: number): NumberedLoggedEvent {
  const data = JSON.parse(row.data)
  if (!isPieces(row.type)) return { seq: row.seq, type: row.type, data } as NumberedLoggedEvent
  const texts: string[] = data
  const left = Math.min(texts.length, row.seq - after)
  return { seq: row.seq, type: row.type, data: { text: texts.slice(texts.length - left).join('') } }
}

/** The number of the first event that a row holds. */
export function firstSeq({ seq, type, data }: EventRow): number {
  if (!isPieces(type)) return seq
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

// What servers notify each other of about turns: there is more to read, a stop was requested. Both are hints; the
// database holds what is true, and whoever waits looks there from time to time.

export type TurnSignals = {
  /** There is more to read of a turn. Told once for all that happens within a moment. */
  notifyChange(turnId: string): void
  notifyStop(turnId: string): void
  /**
   * Resolves when the turn is reported as changed, when the time is up, or when the signal is aborted. Whoever waits
   * for the same turn is woken together, at the first one's time, so that they can look together.
   */
  whenChanged(turnId: string, ms: number, signal: AbortSignal): Promise<void>
  /** The function returned ends it. */
  onStop(handler: (turnId: string) => void): () => void
}

const channels = { change: 'void_turn_changed', stop: 'void_turn_stop' } as const

/** Changes within this many milliseconds share one notification. */
const flushDelayMs = 20

export function createTurnSignals({ notify, listen }: Notifications): TurnSignals {
  const waiting = new Map<string, { wakes: Set<() => void>; alarms: Map<number, NodeJS.Timeout> }>()
  const changed = new Set<string>()
  let listening = false

  return {
    notifyChange(turnId) {
      if (changed.size === 0) setTimeout(flushAll, flushDelayMs)
      changed.add(turnId)
    },
    notifyStop: (turnId) => notify(channels.stop, turnId),

    whenChanged(turnId, ms, signal) {
      if (!listening) listen(channels.change, wakeAll)
      listening = true
      return new Promise((resolve) => {
        const group = waiting.get(turnId) ?? { wakes: new Set(), alarms: new Map() }
        const wake = () => {
          signal.removeEventListener('abort', wake)
          group.wakes.delete(wake)
          if (group.wakes.size === 0) disband(turnId)
          resolve()
        }
        signal.addEventListener('abort', wake)
        waiting.set(turnId, group)
        group.wakes.add(wake)
        if (!group.alarms.has(ms)) group.alarms.set(ms, setTimeout(wakeAll, ms, turnId))
        if (signal.aborted) wake()
      })
    },

    onStop: (handler) => listen(channels.stop, handler),
  }

  function wakeAll(turnId: string): void {
    for (const wake of [...(waiting.get(turnId)?.wakes ?? [])]) wake()
  }

  function disband(turnId: string): void {
    for (const alarm of waiting.get(turnId)?.alarms.values() ?? []) clearTimeout(alarm)
    waiting.delete(turnId)
  }

  function flushAll(): void {
    const ids = [...changed]
    changed.clear()
    for (const id of ids) notify(channels.change, id)
  }
}
