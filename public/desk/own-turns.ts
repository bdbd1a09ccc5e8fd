// The turns that this tab began, and how far their effects were carried out: a stream that is read again, after a
// reload or a broken connection, does not open anew what was closed meanwhile. Other tabs only watch.

export type OwnTurns = {
  begin(turnId: string): void
  /** Whether this tab is to carry out the effect with that number; true once. */
  claim(turnId: string, seq: number): boolean
}

const mostKept = 20

export function createOwnTurns(storage: Pick<Storage, 'getItem' | 'setItem'>): OwnTurns {
  return {
    begin(turnId) {
      const turns = read()
      if (!turns.some(([id]) => id === turnId)) write([...turns, [turnId, 0]])
    },
    claim(turnId, seq) {
      const turns = read()
      const own = turns.find(([id]) => id === turnId)
      if (!own || seq <= own[1]) return false
      write(turns.map((turn) => (turn === own ? [turnId, seq] : turn)))
      return true
    },
  }

  function read(): [string, number][] {
    try {
      const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isTurn) : []
    } catch {
      return []
    }
  }

  function write(turns: [string, number][]): void {
    try {
      storage.setItem(key, JSON.stringify(turns.slice(-mostKept)))
    } catch {
      // Without storage a reload carries an effect out once more.
    }
  }
}

const key = 'void:own-turns'

const isTurn = (value: unknown): value is [string, number] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number'
