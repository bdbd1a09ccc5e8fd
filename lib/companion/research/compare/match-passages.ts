// Which passage of a ledger is which of another one: the same text by its hash, else the one of the same source that
// shares the most words.

import type { ResearchPassageChange } from '../../../contract/research-comparison.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'

type Passages = readonly ResearchEvidenceRow[]

export type PassageMatch = {
  same: number
  changes: ResearchPassageChange[]
  /** The number now of a passage of the ledger before: the same, or what became of it. */
  numberNow: ReadonlyMap<string, string>
  /** The numbers before of what has changed or is gone. */
  altered: ReadonlySet<string>
}

export function matchPassages(previous: Passages, current: Passages): PassageMatch {
  const numberNow = new Map<string, string>()
  const open = new Set(current)
  const rest = previous.filter((before) => {
    const now = findSame(before, open)
    if (now) pair(before, now)
    return !now
  })
  const same = numberNow.size
  const changed = rest.flatMap((before) => {
    const now = findAltered(before, open)
    if (now) pair(before, now)
    return now ? [{ before, now }] : []
  })
  const gone = rest.filter(({ n }) => !numberNow.has(n))
  return {
    same,
    numberNow,
    altered: new Set(rest.map(({ n }) => n)),
    changes: [
      ...changed.map(({ before, now }) => toChange('changed', { before, now })),
      ...gone.map((before) => toChange('gone', { before })),
      ...[...open].map((now) => toChange('new', { now })),
    ],
  }

  function pair(before: ResearchEvidenceRow, now: ResearchEvidenceRow): void {
    numberNow.set(before.n, now.n)
    open.delete(now)
  }
}

/** The same text; of the same source where several have it. */
function findSame(before: ResearchEvidenceRow, open: ReadonlySet<ResearchEvidenceRow>) {
  const copies = [...open].filter(({ sha256 }) => sha256 === before.sha256)
  return copies.find((now) => isSameSource(before, now)) ?? copies[0]
}

/** Of the words of both, the share that both have: below it a text is another one. */
const minShared = 0.3

function findAltered(before: ResearchEvidenceRow, open: ReadonlySet<ResearchEvidenceRow>) {
  const words = wordsOf(before.text)
  const ranked = [...open]
    .filter((now) => isSameSource(before, now))
    .map((now) => ({ now, shared: sharedWords(words, wordsOf(now.text)) }))
    .toSorted((a, b) => b.shared - a.shared)
  return ranked[0] && ranked[0].shared >= minShared ? ranked[0].now : undefined
}

const isSameSource = (one: ResearchEvidenceRow, other: ResearchEvidenceRow): boolean =>
  one.entity_id === other.entity_id || (one.address !== null && one.address === other.address)

const wordsOf = (text: string): ReadonlySet<string> => new Set(plainWordsOf(text))

function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length
  return both / Math.max(1, one.size + other.size - both)
}

function toChange(
  change: ResearchPassageChange['change'],
  { before, now }: { before?: ResearchEvidenceRow; now?: ResearchEvidenceRow },
): ResearchPassageChange {
  const { entity_type, entity_id, title } = (now ?? before)!
  return { change, n: now?.n ?? null, previous_n: before?.n ?? null, entity_type, entity_id, title }
}
