import { distanceFrom } from '../../../search/edit-distance.ts'
import type { Term } from './keywords.ts'

/** A term with the stems that count as it among some texts (1: itself, less: near it), and how rare it is there. */
export type BoundTerm = { term: Term; stems: Map<string, number>; rarity: number }

type Words = { text: Set<string>; above: Set<string> }

/** Looks the term up in the words of these texts: itself, else other words for it, else what a typing error made of it. */
export function bindTerm(term: Term, texts: readonly Words[]): BoundTerm {
  const vocabulary = new Set(texts.flatMap(({ text, above }) => [...text, ...above]))
  const stems = new Map<string, number>()
  for (const other of term.otherStems) if (vocabulary.has(other)) stems.set(other, 0.7)
  for (const own of term.stems) if (vocabulary.has(own)) stems.set(own, 1)
  if (stems.size === 0) for (const near of nearStems(term.stems[0] ?? '', vocabulary)) stems.set(near, 0.8)

  const holding = texts.filter(({ text, above }) =>
    [...stems.keys()].some((s) => text.has(s) || above.has(s)),
  )
  return { term, stems, rarity: Math.log(1 + (texts.length + 1) / (holding.length + 0.5)) * term.weight }
}

/** How well a term is met by some words: 0 not at all, 1 by itself. */
export function bestForm({ stems }: BoundTerm, words: ReadonlySet<string>): number {
  let best = 0
  for (const [stem, worth] of stems) if (worth > best && words.has(stem)) best = worth
  return best
}

function nearStems(wanted: string, vocabulary: Set<string>): string[] {
  const most = wanted.length >= 9 ? 2 : wanted.length >= 4 ? 1 : 0
  if (most === 0 || /\d/.test(wanted)) return []
  const distance = distanceFrom(wanted, most)
  // In four letters, only two that changed places: "port" is not a slip of "post".
  const letters = [...wanted].sort().join('')
  return [...vocabulary].filter(
    (word) =>
      word[0] === wanted[0] &&
      distance(word) <= most &&
      (wanted.length > 4 || [...word].sort().join('') === letters),
  )
}
