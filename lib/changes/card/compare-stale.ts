// How a stale draft and the present state differ, word by word, from what the draft was made against. Pure.

import type { StaleField } from '../../contract/changes/card.ts'
import type { DiffPart } from '../../contract/changes/text-change.ts'
import { diffWords } from '../../core/text/diff/diff-words.ts'
import { listDifferences } from '../../core/text/diff/merge-text.ts'
import { foldParts } from './fold-text.ts'

/** More are counted. */
const maxPlaces = 20

/** In characters, of an unchanged stretch that is not folded, and of a whole side. */
const limits = { same: 1200, parts: 20_000 }

export type Sides = { base: string; current: string; draft: string }

/** The places of a text that differ. */
export function compareTexts(sides: Sides): Pick<StaleField, 'places' | 'more'> {
  const places = listDifferences(sides)
  return {
    places: places.slice(0, maxPlaces).map(({ base, current, draft }) => ({
      current: fold(diffWords(base, current)),
      draft: fold(diffWords(base, draft)),
    })),
    more: Math.max(0, places.length - maxPlaces),
  }
}

const fold = (parts: readonly Omit<DiffPart, 'folded'>[]): DiffPart[] =>
  foldParts(
    parts.map((part) => ({ ...part, folded: 0 })),
    limits.same,
    limits.parts,
  )

/** A value is one place, however long. */
export function compareValues({ base, current, draft }: Sides): Pick<StaleField, 'places' | 'more'> {
  if (base === current && base === draft) return { places: [], more: 0 }
  return {
    places: [{ current: fold(diffWords(base, current)), draft: fold(diffWords(base, draft)) }],
    more: 0,
  }
}
