import type { Keywords } from './keywords.ts'
import { type Candidate, coverage, type Ranking } from './rank.ts'
import type { BoundTerm } from './terms.ts'

const mostQuotes = 3
const mostSources = 3

/**
 * The candidates to quote: the best one, then others that hold words still missing or are nearly as good, never more
 * than one that says the same.
 */
export function chooseQuotes({ candidates, terms }: Ranking, keywords: Keywords): Candidate[] {
  const [best] = candidates
  if (!best) return []
  const chosen = [best]

  for (const candidate of candidates.slice(1, 40)) {
    if (chosen.length === mostQuotes) break
    const sources = new Set([...chosen, candidate].map(({ found }) => found.id))
    if (sources.size > mostSources) continue
    const gain = coverage([...chosen, candidate], keywords) - coverage(chosen, keywords)
    const isStrong = candidate.score >= best.score * 0.8 && holdsSomethingRare(candidate, terms)
    const isHelp = gain > 0 && candidate.score >= best.score * 0.5 && coverage([candidate], keywords) >= 0.5
    if (isHelp || isStrong) chosen.push(candidate)
  }
  return chosen
}

/** Common words alone, in a heading alone, do not make a quote. */
function holdsSomethingRare(candidate: Candidate, terms: BoundTerm[]): boolean {
  const rarest = Math.max(0, ...terms.filter(({ stems }) => stems.size > 0).map(({ rarity }) => rarity))
  return terms.some(({ term, rarity }) => candidate.held.has(term) && rarity >= rarest * 0.6)
}
