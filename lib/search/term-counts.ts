// Document frequencies of a Space's lexemes, for idf. Kept in this process and read from committed rows, this server's
// and others' alike: staying current means reading on from the last revision, and nothing is read until the first
// question. The counts are slightly off after another server deleted passages, or a deletion here was rolled back,
// until enough has changed to count afresh. That shifts weights; it never decides whether a passage matches.

import type { Database, Queryable } from '../db/pool.ts'
import { countLexemes, listAverageLengths, nextSlab, storeAverageLength } from '../db/repos/chunk_counts.ts'
import { analyseQuestion, type RemovedChunk } from '../db/repos/chunks.ts'
import type { Language } from './languages.ts'

/** Passages counted per statement: about 100 ms on PGlite, which does nothing else meanwhile. */
const slabSize = 4000

export type TermCounts = {
  /** Number of passages. */
  readonly chunks: number
  /** Total lexemes, with repetitions. */
  readonly length: number
  readonly byLexeme: ReadonlyMap<string, number>
  /** Passages of conversations and mails among them. */
  readonly said: ReadonlyMap<string, number>
  /** Reads on to a revision, or counts afresh if too much has changed. Parallel calls share the work. */
  sync(db: Queryable, revision: number): Promise<void>
  /** Subtracts deleted passages. */
  forget(removed: readonly RemovedChunk[]): void
}

type State = {
  byLexeme: Map<string, number>
  said: Map<string, number>
  chunks: number
  length: number
  seen: number
}

const nothing = (): State => ({ byLexeme: new Map(), said: new Map(), chunks: 0, length: 0, seen: 0 })

/** Counts for one Space, empty until the first `sync`. */
function createTermCounts(spaceId: string): TermCounts {
  let state = nothing()
  let changed = 0
  let work: Promise<void> = Promise.resolve()

  async function bringUpTo(db: Queryable, revision: number) {
    if (state.seen === 0 || changed > Math.max(500, state.chunks / 4)) {
      const fresh = nothing()
      await readOn(db, spaceId, fresh, revision)
      state = fresh
      changed = 0
    } else {
      changed += await readOn(db, spaceId, state, revision)
    }
  }

  return {
    get chunks() {
      return state.chunks
    },
    get length() {
      return state.length
    },
    get byLexeme() {
      return state.byLexeme
    },
    get said() {
      return state.said
    },
    sync(db, revision) {
      if (revision <= state.seen) return Promise.resolve()
      const mine = work.then(() => bringUpTo(db, revision))
      work = mine.catch(() => {})
      return mine
    },
    forget(removed) {
      for (const { revision, said, lexemes, length } of removed) {
        if (revision > state.seen) continue
        state.chunks = Math.max(0, state.chunks - 1)
        state.length = Math.max(0, state.length - length)
        changed += 1
        for (const counts of said ? [state.byLexeme, state.said] : [state.byLexeme])
          for (const lexeme of lexemes) subtract(counts, lexeme)
      }
    },
  }
}

/** Adds later revisions' passages to `state`. Returns their number. */
async function readOn(db: Queryable, spaceId: string, state: State, revision: number): Promise<number> {
  const before = state.chunks
  while (state.seen < revision) {
    const after = state.seen
    const slab = await nextSlab(db, { space_id: spaceId, after, size: slabSize })
    if (slab.upto === null) break
    const counted = await countLexemes(db, { space_id: spaceId, after, upto: slab.upto })
    for (const { lexeme, count, said, times } of counted) {
      state.byLexeme.set(lexeme, (state.byLexeme.get(lexeme) ?? 0) + count)
      if (said > 0) state.said.set(lexeme, (state.said.get(lexeme) ?? 0) + said)
      state.length += times
    }
    state.chunks += slab.chunks
    state.seen = slab.upto
  }
  return state.chunks - before
}

function subtract(counts: Map<string, number>, lexeme: string) {
  const count = counts.get(lexeme) ?? 0
  if (count > 1) counts.set(lexeme, count - 1)
  else counts.delete(lexeme)
}

export type SpaceTerms = ReturnType<typeof createSpaceTerms>

/** Term counts of every Space searched so far, kept in memory. */
export function createSpaceTerms(db: Database, languages: readonly Language[]) {
  const spaces = new Map<string, TermCounts>()

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  return {
    /**
     * The words' lexemes and the Spaces' current counts; Spaces without passages are absent. `stored` covers all
     * Spaces.
     */
    async analyse(words: readonly string[], spaceIds: readonly string[]) {
      const question = { words: words.join(' '), languages }
      const { lexemes, revisions, stored } = await analyseQuestion(db, question, spaceIds)
      for (const { space_id, revision } of revisions) await countsOf(space_id).sync(db, revision)
      return { lexemes, counts: revisions.map(({ space_id }) => countsOf(space_id)), stored }
    },

    /** Subtracts deleted passages. */
    forget(removed: readonly RemovedChunk[]): void {
      for (const chunk of removed) countsOf(chunk.space_id).forget([chunk])
    },

    adoptAverageLengths: (): Promise<boolean> => adoptAverageLengths(db, spaces),
  }
}

/** Fewer passages are not representative, and rank well enough with the default. */
const minPassages = 50

/**
 * Adopts each Space's measured average length if it is at least twice or at most a third of the one in use. True if any was
 * adopted: its passages then have to be indexed again. BM25 sets a passage's length against the average; one serves for
 * notes and for books, but a Space of messages or of one-line questions is ranked better by its own.
 */
async function adoptAverageLengths(db: Queryable, spaces: ReadonlyMap<string, TermCounts>): Promise<boolean> {
  const counted = [...spaces].filter(([, { chunks }]) => chunks >= minPassages)
  if (counted.length === 0) return false
  const averages = await listAverageLengths(
    db,
    counted.map(([id]) => id),
  )
  const drifted = counted.flatMap(([id, { length, chunks }]) => {
    const average = Math.max(1, Math.round(length / chunks))
    const before = averages.get(id)
    return before && (average >= before * 2 || average <= before / 3) ? [{ id, average }] : []
  })
  for (const { id, average } of drifted) await storeAverageLength(db, id, average)
  return drifted.length > 0
}
