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
      const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isTurn) : []
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
