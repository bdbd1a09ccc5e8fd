// Who does what to whom: the claim's subject, verb and object, which its evidence has to have in one sentence or in two
// neighbours. By the verbs of English; a claim without one that is known has no relations to check.

import type { ClaimParts } from './claim-parts.ts'
import { hasWord } from './ledger-index.ts'
import { type Context, windowOf } from './match.ts'
import type { Token } from './statement.ts'

const auxiliaries: ReadonlySet<string> = new Set(
  'is are was were be been has have had will would can could may might must shall should does do did'.split(
    ' ',
  ),
)
/** Words between the objects of one verb. */
const borders: ReadonlySet<string> = new Set(
  'in on at by for from with to of as and or than into during since until'.split(' '),
)

type Triple = { subject: number[]; relation: number | null; object: number[] }

/** The relations of a claim. */
export function triplesOf({ statement: { tokens } }: ClaimParts): Triple[] {
  const verb = tokens.findIndex((token, at) => at > 0 && isVerb(token))
  if (verb < 0) return []
  let relation = verb
  while (auxiliaries.has(tokens[relation]?.word.text ?? '') || tokens[relation]?.word.text === 'not')
    relation += 1
  const hasWord = relation === verb || /(?:ed|en|ing|wn|ght|de|ld|t)$/.test(tokens[relation]?.word.text ?? '')
  const start = hasWord ? relation + 1 : relation
  const subject = contentIds(tokens.slice(0, verb))
  if (subject.length === 0) return []
  const objects: number[][] = [[]]
  for (const token of tokens.slice(start)) {
    if (borders.has(token.word.text)) objects.push([])
    else objects.at(-1)!.push(...contentIds([token]))
  }
  return objects
    .filter((object) => object.length > 0)
    .map((object) => ({ subject, relation: hasWord ? (tokens[relation]?.word.id ?? null) : null, object }))
}

const isVerb = ({ word, isCapital, isValue }: Token): boolean =>
  !isCapital && !isValue && (auxiliaries.has(word.text) || (!word.isStop && /^[a-z]{3,}ed$/.test(word.text)))

const contentIds = (tokens: readonly Token[]): number[] =>
  tokens.filter(({ word, isValue }) => isValue || !word.isStop).map(({ word }) => word.id)

/** Whether one of the passages has it in a sentence and those beside it; of the subject one word may stand for it. */
export function holdsTriple(triple: Triple, passages: readonly number[], { index }: Context): boolean {
  const { subject, relation, object } = triple
  const anchors = [...object, ...(relation === null ? [] : [relation])]
  const candidates = new Set(anchors.flatMap((id) => index.places.get(id) ?? []))
  for (const at of candidates) {
    const { passage } = index.sentences[at]!
    if (!passages.includes(passage)) continue
    const near = windowOf(at, index)
    const has = (id: number) => near.some(({ ids }) => ids.has(id))
    const whole = index.passages[passage]!
    const known = subject.filter((id) => whole.titleIds.has(id) || hasWord(index, whole, id))
    if (known.length * 2 < subject.length) continue
    if (relation !== null && !has(relation)) continue
    if (object.filter(has).length >= Math.ceil((2 * object.length) / 3)) return true
  }
  return false
}
