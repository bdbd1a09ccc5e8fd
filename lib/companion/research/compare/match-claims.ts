// Which claim says what an earlier one said: the same words, or, by the rules that verify claims, each says all that the
// other does.

import type { ResearchClaim } from '../../../contract/research.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import type { Claim, Passage, Verification } from '../verify/types.ts'

/** By the rules of `verify`; `null` where the texts are too complex. */
export type Judge = (claims: Claim[], ledger: Passage[]) => Promise<Verification | null>

type Claims = readonly ResearchClaim[]

/** By the id of the earlier claim. */
export async function matchClaims(
  previous: Claims,
  current: Claims,
  judge: Judge,
): Promise<Map<string, ResearchClaim>> {
  const matches = new Map<string, ResearchClaim>()
  const open = new Set(current)
  for (const before of previous) {
    const now = [...open].find(({ text }) => normalize(text) === normalize(before.text))
    if (now) match(before, now)
  }
  const rest = previous.filter(({ id }) => !matches.has(id))
  const said = await whoSays(rest, [...open], judge)
  const saidBack = await whoSays([...open], rest, judge)
  for (const before of rest) {
    const now = [...open].find(({ id }) => said.get(before.id)?.has(id) && saidBack.get(id)?.has(before.id))
    if (now) match(before, now)
  }
  return matches

  function match(before: ResearchClaim, now: ResearchClaim): void {
    matches.set(before.id, now)
    open.delete(now)
  }
}

/** For each claim those of the others that say it. */
async function whoSays(claims: Claims, others: Claims, judge: Judge): Promise<Map<string, Set<string>>> {
  if (claims.length === 0 || others.length === 0) return new Map()
  const asked = claims.map(({ id, text }) => ({ id, text, cites: [] }))
  const ledger = others.map(({ text }, at) => ({ n: String(at + 1), title: '', text }))
  const found = await judge(asked, ledger)
  const saying = found?.claims.filter(({ verdict }) => verdict === 'elsewhere') ?? []
  return new Map(saying.map(({ id, cites }) => [id, new Set(cites.map((n) => others[Number(n) - 1]!.id))]))
}

const normalize = (text: string) => plainWordsOf(text).join(' ')
