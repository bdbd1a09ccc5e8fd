// The turns that this tab began, and how far their effects were carried out: a stream that is read again, after a
// reload or a broken connection, does not open anew what was closed meanwhile. Other tabs only watch.

export type OwnTurns = {
  begin(turnId: string): void
  /**
   * Whether this tab is to carry out the effect with that number; true once. `same` tells it from others of the turn: a
   * server that takes a turn up may do its last call again, and tell what that did under another number.
   */
  claim(turnId: string, seq: number, same: string): boolean
}

const mostKept = 20

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
      write(turns.map((turn) => (turn === own ? [turnId, seq, [...own[2], same].slice(-mostKept)] : turn)))
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
      storage.setItem(key, JSON.stringify(turns.slice(-mostKept)))
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
