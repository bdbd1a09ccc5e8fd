import type { AssistantMetadata, TurnEvent } from '../../contract/events/events.ts'

export type NumberedEvent = TurnEvent & { seq: number }

/** Called with each event, in order, none twice. Must not throw. */
export type TurnReader = (event: NumberedEvent) => void

/** `ended`: the last event was emitted. `detached`: the turn goes on, but not here; its log says how. */
export type StreamEnd = 'ended' | 'detached'

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
}: Pick<AssistantMetadata, 'error' | 'draft_ids' | 'usage' | 'duration_ms' | 'stop_reason'> & {
  answerId: string
}): Extract<TurnEvent, { type: 'done' | 'error' }> {
  if (error) return { type: 'error', data: error }
  const data = { assistant_message_id: answerId, draft_ids, usage, stop_reason }
  return { type: 'done', data: { ...data, ...(duration_ms === undefined ? {} : { duration_ms }) } }
}

export const isLast = ({ type }: Pick<TurnEvent, 'type'>) => type === 'done' || type === 'error'
