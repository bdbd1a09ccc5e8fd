// Which passages are ranked for a question, as one `tsquery` after another. Ranking a passage costs about ten times as
// much as passing over it in the index, so the first statement asks for few: those that hold the most of what the
// question's terms can add. How good these are says what any other must hold to be better, and nothing else is read.

export type Term = {
  lexeme: string
  count: number
  weight: number
  /** Whether it is the only lexeme of its word of the question. */
  alone: boolean
}

export type Stage = {
  tsquery: string
  /** Passages that it is expected to find. */
  candidates: number
}

export type Stages = {
  /** Few passages, and what any other scores at most; null: not worth a statement. */
  first: (Stage & { outside: number }) | null
  /** Where that is not enough: all passages that may score more; null: there is none, or they are too many. */
  beyond(score: number): Stage | null
  /** From enough candidates to all that hold any of the terms. Where as many are found as are wanted, that is good enough. */
  others: Stage[]
}

/**
 * What a lexeme adds to a passage at most, of its weight: as much as where it occurs three times in one of average
 * length (2.2 · 3 / 4.2). BM25's own limit is 2.2, which only a very short passage comes near to.
 */
const maxPerLexeme = 1.6
/** Passages that the first statement is to find, some times as many as an answer is taken to want. */
const wanted = 100
/** Where no more are ranked at once, a statement before costs more than it can save. */
const minSaved = 1000
/** The terms that weigh most are combined, three at once; the others are taken to be in every passage. */
const maxCombined = 8
const maxTogether = 3
/** Shares of all that the terms can add together: the most that is tried first, the least, and from one to the next. */
const shares = { from: 0.95, to: 0.3, step: 0.05 }

/** `terms`: the rarest first. `total`: passages that there are. */
export function planStages(terms: readonly Term[], total: number): Stages {
  const enough = Math.max(2000, total / 40)
  const wide = { tsquery: anyOf(terms), candidates: countOf(terms) }
  const narrow = narrowStage(terms, { total, enough })
  const others = narrow.tsquery === wide.tsquery ? [wide] : [narrow, wide]
  const isMany = others[0]!.candidates > minSaved
  const ifFewer = <Found extends Stage>(found: Found, part: number) =>
    found.candidates <= others[0]!.candidates * part ? found : null
  const first = isMany ? firstStage(terms, total) : null

  return {
    first: first && ifFewer(first, 1 / 2),
    beyond: (score) => ifFewer(passagesOver(score, terms, total), 1),
    others,
  }
}

function firstStage(terms: readonly Term[], total: number): (Stage & { outside: number }) | null {
  const all = weightOf(terms) * maxPerLexeme
  for (let share = shares.from; share >= shares.to; share -= shares.step) {
    const outside = all * share
    const found = passagesOver(outside, terms, total)
    if (found.candidates >= wanted) return { ...found, outside }
  }
  return null
}

/** Passages that hold terms which together can add so much. An empty `tsquery`: there is none. */
function passagesOver(score: number, terms: readonly Term[], total: number): Stage {
  const byWeight = terms.toSorted((a, b) => b.weight - a.weight)
  const combined = byWeight.slice(0, maxCombined)
  const others = weightOf(byWeight.slice(maxCombined))
  /** What the terms from one on can add. */
  const from = combined.map((_, at) => weightOf(combined.slice(at)) * maxPerLexeme)

  function combine(start: number, missing: number, depth: number): { parts: string[]; share: number } {
    const parts: string[] = []
    let share = 0
    for (const [at, term] of combined.entries()) {
      if (at < start) continue
      if (from[at]! < missing) break
      const left = missing - term.weight * maxPerLexeme
      const rest = left > 0 && depth < maxTogether ? combine(at + 1, left, depth + 1) : null
      if (rest?.parts.length === 0) continue
      parts.push(rest ? `(${quoted(term)} & ${anyPart(rest.parts)})` : quoted(term))
      share += Math.min(1, term.count / total) * Math.min(1, rest?.share ?? 1)
    }
    return { parts, share }
  }
  const missing = score - others * maxPerLexeme
  if (missing <= 0) return { tsquery: anyOf(terms), candidates: countOf(terms) }
  const { parts, share } = combine(0, missing, 1)
  return { tsquery: parts.join(' | '), candidates: share * total }
}

/**
 * What finds enough candidates: any of the rarest terms, two known ones if they are rare enough. What is ranked best
 * without these holds several of the others at once, so where the others are everywhere, candidates have to.
 */
function narrowStage(terms: readonly Term[], { total, enough }: { total: number; enough: number }): Stage {
  const rare: Term[] = []
  let candidates = 0
  let known = 0
  for (const [index, term] of terms.entries()) {
    if (candidates + term.count > enough * 2) {
      if (known >= 2 && candidates > enough / 4) break
      const several = together(terms.slice(index), { total, enough })
      const tsquery = [...rare.map(quoted), several.tsquery].join(' | ')
      return { tsquery, candidates: candidates + several.candidates }
    }
    rare.push(term)
    candidates += term.count
    if (term.count > 0) known += 1
    if (known >= 2 && candidates > enough) break
  }
  return { tsquery: anyOf(rare), candidates }
}

/**
 * As many of the terms at once as leave enough candidates, were they spread independently; where they are not, too few
 * are found, and any of the terms is tried. Terms of one word of the question seldom occur together.
 */
function together(terms: readonly Term[], { total, enough }: { total: number; enough: number }): Stage {
  const [first, ...others] = terms.filter(({ alone }) => alone)
  if (!first) {
    const two = terms.slice(0, 2)
    return { tsquery: anyOf(two), candidates: countOf(two) }
  }
  const chain = [first]
  let candidates = first.count
  for (const term of others) {
    const left = (candidates * term.count) / total
    if (left < enough) break
    candidates = left
    chain.push(term)
  }
  const all = chain.map(quoted).join(' & ')
  return { tsquery: chain.length > 1 ? `(${all})` : all, candidates }
}

const countOf = (terms: readonly Term[]) => terms.reduce((sum, { count }) => sum + count, 0)
const weightOf = (terms: readonly Term[]) => terms.reduce((sum, { weight }) => sum + weight, 0)
const anyOf = (terms: readonly Term[]) => terms.map(quoted).join(' | ')
const anyPart = (parts: readonly string[]) => (parts.length > 1 ? `(${parts.join(' | ')})` : parts[0]!)
const quoted = ({ lexeme }: Term) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
