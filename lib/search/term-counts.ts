// How many passages of a Space hold each lexeme: what idf is made of. Kept in this process, read from the committed
// rows alone, so a write that is rolled back never counts and another server's writes do. Being current is a matter of
// reading on from the last revision seen; nothing is read until the first question.
//
// Counts may run high after another server deleted or replaced passages, until enough has changed to count afresh.
// That shifts weights a little; whether something is found never depends on it.

import type { Queryable } from '../db/pool.ts'
import { countLexemes, nextSlab, type RemovedChunk } from '../db/repos/chunks.ts'

/** Passages counted in one statement: about 70 ms on PGlite, which does nothing else meanwhile. */
const slabSize = 4000

export type TermCounts = {
  /** Passages counted. */
  readonly chunks: number
  /** Words in them; 0 when there are none. */
  readonly words: number
  readonly byLexeme: ReadonlyMap<string, number>
  /** Reads on to the revision given, or counts afresh when too much has changed. Calls in parallel share the work. */
  sync(db: Queryable, revision: number): Promise<void>
  /** Takes back passages that were deleted. */
  forget(removed: readonly RemovedChunk[]): void
}

/** Counts for one Space, empty until the first `sync`. */
export function createTermCounts(spaceId: string): TermCounts {
  let byLexeme = new Map<string, number>()
  let chunks = 0
  let words = 0
  let seen = 0
  let changed = 0
  let work: Promise<void> = Promise.resolve()

  async function readOn(db: Queryable, revision: number) {
    if (changed > Math.max(500, chunks / 4)) {
      byLexeme = new Map()
      chunks = words = seen = changed = 0
    }
    const fromNothing = seen === 0
    while (seen < revision) {
      const slab = await nextSlab(db, spaceId, seen, slabSize)
      if (slab.upto === null) return
      const counted = await countLexemes(db, { space_id: spaceId, after: seen, upto: slab.upto })
      for (const { lexeme, count } of counted) byLexeme.set(lexeme, (byLexeme.get(lexeme) ?? 0) + count)
      chunks += slab.chunks
      words += slab.words
      seen = slab.upto
      if (!fromNothing) changed += slab.chunks
    }
  }

  return {
    get chunks() {
      return chunks
    },
    get words() {
      return words
    },
    get byLexeme() {
      return byLexeme
    },
    sync(db, revision) {
      if (revision <= seen) return Promise.resolve()
      const mine = work.then(() => readOn(db, revision))
      work = mine.catch(() => {})
      return mine
    },
    forget(removed) {
      for (const { revision, length, lexemes } of removed) {
        if (revision > seen) continue
        chunks = Math.max(0, chunks - 1)
        words = Math.max(0, words - length)
        changed += 1
        for (const lexeme of lexemes) subtract(byLexeme, lexeme)
      }
    },
  }
}

function subtract(counts: Map<string, number>, lexeme: string) {
  const count = counts.get(lexeme) ?? 0
  if (count > 1) counts.set(lexeme, count - 1)
  else counts.delete(lexeme)
}
