import type { TurnEvent } from '../contract/events.ts'

export type NumberedEvent = TurnEvent & { seq: number }

/** Called with each event, in order, none twice. Must not throw. */
export type TurnReader = (event: NumberedEvent) => void

/** `ended`: the last event was told. `detached`: the turn goes on, but not here; its log says how. */
export type StreamEnd = 'ended' | 'detached'

/**
 * The events of a turn that runs here, kept while it does and told to any number of readers. The turn does not know
 * whether anybody listens.
 */
export class TurnStream {
  readonly turnId: string
  readonly #events: NumberedEvent[]
  readonly #readers = new Set<TurnReader>()
  readonly #end = Promise.withResolvers<StreamEnd>()
  #seq: number
  #detached = false

  /** `earlier` events are told to every reader that has not had them; the next one is numbered after `lastSeq`. */
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

  /** Tells the events to come; the function returned ends that. */
  subscribe(reader: TurnReader): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }
}

export const isLast = ({ type }: Pick<TurnEvent, 'type'>) => type === 'done' || type === 'error'
