import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import type { App } from '../../app/app.ts'
import type { RailDesk } from '../state/conversation-part.ts'
import { keepOffer } from '../turn/effect-links.ts'

export type EffectRunner = {
  /** A turn that was started in this tab: its effects are this tab's. */
  begin(turnId: string): void
  /** Applies what an event of a running turn does to the view. `offer` gets what the owner has to open themselves. */
  onEvent(turnId: string | null, seq: number, event: TurnEvent, offer: (effect: Effect) => void): void
}

/** `thread`: what the conversation is called. */
export function createEffectRunner(app: App, { applyEffect }: RailDesk, thread: () => string): EffectRunner {
  const own = createOwnTurns(sessionStorage)
  let last: Promise<unknown> = Promise.resolve()

  return {
    begin: own.begin,
    onEvent(turnId, seq, event, offer) {
      markReading(app, event)
      const effect = event.type === 'effect' ? event.data.effect : null
      if (!effect || turnId === null || !own.claim(turnId, seq, JSON.stringify(event.data))) return
      const call = event.type === 'effect' ? event.data.tool_use_id : null
      const origin = { turn: turnId, call, thread: thread() }
      // In order: a panel is there before the next is put beside it.
      last = last
        .then(async () => {
          if (!(await applyEffect(effect, origin))) keep()
        })
        .catch(keep)

      // The link stays when the page is loaded again.
      function keep(): void {
        keepOffer(turnId!, effect!)
        offer(effect!)
      }
    },
  }
}

/** An entity counts as being in use from a call about it until the answer goes on. */
function markReading({ state }: App, event: TurnEvent): void {
  const over = event.type === 'delta' || event.type === 'done' || event.type === 'error'
  if (over && state.get().reading.length > 0) state.set({ reading: [] })
  const id = event.type === 'tool' ? idOf(event.data.args) : null
  if (id !== null && !state.get().reading.includes(id))
    state.set(({ reading }) => ({ reading: [...reading, id] }))
}

/** The entity that a call is about, where its arguments name one. */
function idOf(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null
  const id: unknown = Reflect.get(args, 'entity_id') ?? Reflect.get(args, 'id')
  return typeof id === 'string' ? id : null
}

// The turns that this tab started, and which of their effects were applied: a stream that is replayed after a reload or
// a lost connection must not reopen what was closed meanwhile. Other tabs apply none.

export type OwnTurns = {
  begin(turnId: string): void
  /**
   * Whether this tab applies the effect with that number; true once. `same` identifies the effect within the turn: a
   * server that resumes a turn may repeat its last call, and send its effect under another number.
   */
  claim(turnId: string, seq: number, same: string): boolean
}

const maxCached = 20

export function createOwnTurns(storage: Pick<Storage, 'getItem' | 'setItem'>): OwnTurns {
  return {
    begin(turnId) {
      const turns = read()
      if (!turns.some(([id]) => id === turnId)) write([...turns, [turnId, 0, []]])
    },
    claim(turnId, seq, same) {
      const turns = read()
      const own = turns.find(([id]) => id === turnId)
      if (!own || seq <= own[1] || own[2].includes(same)) return false
      write(turns.map((turn) => (turn === own ? [turnId, seq, [...own[2], same].slice(-maxCached)] : turn)))
      return true
    },
  }

  function read(): OwnTurn[] {
    try {
      const value: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(value) ? value.filter(isTurn) : []
    } catch {
      return []
    }
  }

  function write(turns: OwnTurn[]): void {
    try {
      storage.setItem(key, JSON.stringify(turns.slice(-maxCached)))
    } catch {
      // Without storage a reload carries an effect out once more.
    }
  }
}

const key = 'void:own-turns'

/** The turn, the number of the last effect that was carried out, and what the latest ones were. */
type OwnTurn = [id: string, seq: number, done: string[]]

const isTurn = (value: unknown): value is OwnTurn =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'number' &&
  Array.isArray(value[2])
