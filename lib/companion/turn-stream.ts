import type { TurnEvent } from '../contract/events.ts'

export type NumberedEvent = TurnEvent & { seq: number }

/** Called with each event, in order, none twice. Must not throw. */
export type TurnReader = (event: NumberedEvent) => void

/**
 * The events of one turn: numbered from 1, kept while the turn lives, told to any number of readers. A reader that
 * comes late hears the earlier ones first. The turn does not know whether anybody listens.
 */
export class TurnStream {
  readonly turnId: string
  readonly #events: NumberedEvent[] = []
  readonly #readers = new Set<TurnReader>()
  readonly #ended = Promise.withResolvers<void>()

  constructor(turnId: string) {
    this.turnId = turnId
  }

  /** Resolves when the last event, `done` or `error`, has been told. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  emit(event: TurnEvent): void {
    const numbered = { ...event, seq: this.#events.length + 1 }
    this.#events.push(numbered)
    for (const reader of this.#readers) reader(numbered)
    if (event.type === 'done' || event.type === 'error') this.#ended.resolve()
  }

  /** Tells the events after `after` and those to come; the function returned ends that. */
  subscribe(reader: TurnReader, after = 0): () => void {
    for (const event of this.#events.slice(after)) reader(event)
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }
}
