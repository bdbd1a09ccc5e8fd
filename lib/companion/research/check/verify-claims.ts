// Whether the passages that claims cite support them. What stands there word for word is found by code alone; of the rest
// a judge is believed where the sentences it names stand there and code sees no difference; everything else is unchecked.

import { type FoundQuote, findQuotes, shownQuote } from '../../../changes/grounding/find-quotes.ts'
import { createQuoteSource, judgeQuote } from '../../../changes/grounding/judge-quote.ts'
import { closeness, type Flags, redFlags } from '../verify/flags.ts'
import { languageOf } from '../verify/languages.ts'
import { type Copy, findCopies, type ReadPassage, readPassages } from '../verify/passages.ts'
import { isSame, readStatement, type Statement } from '../verify/statement.ts'
import { type Claim, type ClaimVerdict, type Judgement, limits, type Passage } from '../verify/types.ts'
import { type Conflict, findConflicts } from './find-conflicts.ts'
import { type ScoredClaim, type Scores, scoresOf } from './scores.ts'

export type VerifyInput = {
  claims: readonly Claim[]
  ledger: readonly Passage[]
  /** `null`: nobody is asked yet, and only what stands word for word is looked for. Default: nobody has said anything. */
  judgements?: readonly Judgement[] | null
}

export type Verification = {
  /** One for each claim, in their order. */
  claims: ClaimVerdict[]
  scores: Scores
  conflicts: Conflict[]
}

/** The same claims, passages and judgements always give the same verdicts. */
export function verifyClaims({ claims, ledger, judgements = [] }: VerifyInput): Verification {
  const passages = readPassages(ledger)
  const byId = judgements && new Map(judgements.map((one) => [one.id, one]))
  const scored = claims.map((claim, at) => {
    const long = claim.text.length > limits.claimChars && `longer than ${limits.claimChars} characters`
    const beyond = at >= limits.claims && `only ${limits.claims} claims are checked`
    if (long || beyond) return unread(claim, (long || beyond) as string)
    return checkClaim(claim, passages, byId && (byId.get(claim.id) ?? 'none'))
  })
  if (!byId)
    return { claims: scored.map(({ verdict }) => verdict), scores: scoresOf(scored, 0), conflicts: [] }
  const cited = new Set(claims.flatMap(({ cites }) => cites))
  const statements = scored.flatMap(({ statement, claim }) =>
    statement
      ? [{ n: ownNumber(claim), title: passages.get(claim.cites[0] ?? '')?.title ?? '', statement }]
      : [],
  )
  const found = findConflicts([...passages.values()], statements)
  const between = found.filter(({ a, b }) => passages.has(a) && passages.has(b))
  const conflicts = between.filter(({ a, b }) => cited.has(a) && cited.has(b))
  for (const one of scored) {
    markDisputed(one, conflicts)
    for (const { a, b, values } of found) {
      const own = ownNumber(one.claim)
      const n = a === own ? b : b === own ? a : ''
      if (!passages.has(n)) continue
      const [mine, other] = a === own ? values : values.toReversed()
      one.verdict.against.push(n)
      if (one.verdict.verdict === 'unchecked')
        one.verdict.reasons.push(`the passage has “${other}”, the claim “${mine}” [${n}]`)
    }
  }
  const untold = conflicts.filter((conflict) => !claims.some((claim) => tellsBoth(claim, conflict)))
  const verdicts = scored.map(({ verdict }) => ({ ...verdict, against: [...new Set(verdict.against)] }))
  return { claims: verdicts, scores: scoresOf(scored, untold.length), conflicts }
}

/** Of a claim among the numbers of passages. */
const ownNumber = ({ id }: Claim): string => `claim ${id}`

type Scored = ScoredClaim & { statement: Statement | null }

const unread = (claim: Claim, reason: string): Scored => ({
  ...{ claim, statement: null, isTurned: false, entities: { found: 0, of: 0 } },
  verdict: {
    id: claim.id,
    verdict: 'unchecked',
    cites: claim.cites,
    reasons: [reason],
    sentences: [],
    against: [],
  },
})

/** `null`: nobody is asked yet. */
function checkClaim(
  claim: Claim,
  passages: ReadonlyMap<string, ReadPassage>,
  said: Judgement | 'none' | null,
): Scored {
  const cited = [...new Set(claim.cites)].flatMap((n) => passages.get(n) ?? [])
  const language = cited[0]?.language ?? languageOf(claim.text)
  const statement = readStatement(claim.text, language)
  const end = (
    verdict: ClaimVerdict['verdict'],
    more: Partial<ClaimVerdict>,
    flags: Flags | null,
  ): Scored => {
    const { missing = 0, of = 0 } = flags?.entities ?? {}
    const base = { id: claim.id, verdict, cites: claim.cites, reasons: [], sentences: [], against: [] }
    return {
      claim,
      statement,
      verdict: { ...base, ...more },
      entities: { found: of - missing, of },
      isTurned: flags?.isTurned ?? false,
    }
  }
  if (statement.tokens.length === 0)
    return end('unchecked', { reasons: ['the claim has no words to check'] }, null)

  const quotations = findQuotes(claim.text)
  const copy = findQuoted(statement, quotations, cited)
  if (copy) return end('quoted', { sentences: copy }, null)
  const others = [...passages.values()].filter(({ n }) => !claim.cites.includes(n))
  const elsewhere = others.filter((passage) => findQuoted(statement, quotations, [passage])).map(({ n }) => n)
  if (elsewhere.length > 0)
    return end(
      'elsewhere',
      { cites: elsewhere.slice(0, maxRepaired), reasons: [`passage ${elsewhere[0]} has it word for word`] },
      null,
    )

  if (!said) return end('unchecked', {}, null)
  const judgement = said === 'none' ? undefined : said
  const quotes = failedQuotes(claim.text, cited, others)
  const unknown = claim.cites
    .filter((n) => !passages.has(n))
    .map((n) => `there is no passage ${n.slice(0, 20)}`)
  const basis = judgement ? standing(judgement.sentences, cited) : []
  const isBelieved = judgement !== undefined && basis.length > 0 && basis.length >= judgement.sentences.length
  const flags = redFlags(statement, {
    sentences: basis.flatMap(({ statements }) => statements),
    around: () => cited.flatMap((one) => one.around()),
  })
  const sentences = closestFirst(
    statement,
    basis.flatMap(({ statements }) => statements),
  )
  if (isBelieved && judgement.verdict === 'contradicted') {
    const against = [...new Set(basis.map(({ n }) => n))]
    const reasons = [`contradicted: ${sentences[0]!.slice(0, 200).toWellFormed()}`, ...quotes]
    return end('contradicted', { reasons, sentences, against }, flags)
  }
  const reasons = [...unknown, ...quotes, ...(judgement || quotes.length === 0 ? flags.reasons : [])]
  if (isBelieved && judgement.verdict === 'supported' && reasons.length === unknown.length)
    return end('judged', { sentences }, flags)
  const why = reasonOf(judgement, cited.length > 0, isBelieved)
  return end('unchecked', { reasons: [...reasons, ...why].slice(0, limits.reasons), sentences: [] }, flags)
}

const maxRepaired = 2

function reasonOf(judgement: Judgement | undefined, isCited: boolean, isBelieved: boolean): string[] {
  if (!isCited) return ['no passage is cited']
  if (!judgement) return ['no judge has read it']
  if (judgement.verdict === 'not_enough')
    return [judgement.missing ? `not in the passages: ${judgement.missing}` : 'the passages do not say it']
  return isBelieved ? [] : ['the sentences that the judge names are not in the passages']
}

/** Without those that share nothing with the claim while others do, such as a heading that a judge named along. */
function closestFirst(claim: Statement, sentences: readonly Statement[]): string[] {
  const ranked = sentences
    .map((sentence) => ({ text: sentence.text, close: closeness(claim, sentence) }))
    .toSorted((a, b) => b.close - a.close)
  const close = ranked.filter((one) => one.close > 0)
  return [...new Set((close.length > 0 ? close : ranked).map(({ text }) => text))]
}

type Standing = { n: string; statements: Statement[] }

/** Of what a judge names, the sentences that stand in the passages, each as a whole: a part may leave out a "not". */
const standing = (sentences: readonly string[], passages: readonly ReadPassage[]): Standing[] =>
  sentences.flatMap((text) => {
    const found = passages.flatMap((passage) => findCopies(text, passage).slice(0, 1))[0]
    if (!found) return []
    const statements = found.sentences.map((at) => found.passage.statement(at))
    return [
      {
        n: found.passage.n,
        statements: statements.length > 0 ? statements : [readStatement(text, found.passage.language)],
      },
    ]
  })

/**
 * The sentences that have a claim, or what it quotes, word for word. A part of a sentence counts where the rest of it
 * changes nothing that code can see: "It is not true that …".
 */
function findQuoted(
  claim: Statement,
  quotes: readonly Pick<FoundQuote, 'text'>[],
  passages: readonly ReadPassage[],
): string[] | null {
  const copies = (text: string) => passages.flatMap((passage) => findCopies(text, passage))
  const whole = copies(claim.text)
  const copy = whole.find(({ isWhole }) => isWhole) ?? whole.find((one) => isUnchanged(claim, one))
  if (copy) return textsOf(copy)
  if (quotes.length === 0) return null
  const quoted = quotes.flatMap(({ text }) => copies(text)[0] ?? [])
  const words = (text: string) => text.split(/\s+/).length
  const isMost = 2 * quotes.reduce((sum, { text }) => sum + words(text), 0) >= words(claim.text)
  if (quoted.length < quotes.length || !isMost) return null
  return quoted.every((one) => isUnchanged(claim, one)) ? quoted.flatMap(textsOf) : null
}

const textsOf = ({ passage, sentences }: Copy): string[] => sentences.map((at) => passage.sentences[at]!)

function isUnchanged(claim: Statement, { passage, sentences }: Copy): boolean {
  if (sentences.some((at) => /\?["')\]”’»]*$/.test(passage.sentences[at]!))) return false
  const flags = redFlags(claim, {
    sentences: sentences.map((at) => passage.statement(at)),
    around: passage.around,
  })
  return flags.reasons.length === 0
}

/** Quotations that no cited passage has, each named for what it is. */
function failedQuotes(
  claim: string,
  cited: readonly ReadPassage[],
  others: readonly ReadPassage[],
): string[] {
  const sourcesOf = (passages: readonly ReadPassage[]) =>
    passages.map(({ n, title, text }) =>
      createQuoteSource({ entity_type: 'passage', entity_id: n, title }, text),
    )
  return findQuotes(claim).flatMap(({ text }) => {
    if (isTitle(text)) return []
    const { verdict, nearest } = judgeQuote(text, sourcesOf(cited))
    if (verdict === 'verbatim' || verdict === 'shortened') return []
    const other = others.find((passage) => findCopies(text, passage).length > 0)
    const what =
      (other && `is from another source, passage ${other.n}`) ??
      { spliced: 'is stitched from pieces', not_found: 'is made up: no passage has it' }[verdict as string] ??
      `is altered${nearest ? `: the passage has “${nearest.slice(0, 200).toWellFormed()}”` : ''}`
    return [`the quotation “${shownQuote(text).slice(0, 100).toWellFormed()}” ${what}`]
  })
}

/** The title of a book, a film or a case: a name, and judged as one. */
function isTitle(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 > words.length
}

/** A claim that rests on a passage that another one contradicts in this, and that does not say so. */
function markDisputed({ claim, verdict, statement }: Scored, conflicts: readonly Conflict[]): void {
  const own = conflicts.find((conflict) => {
    const { a, b, about, values } = conflict
    if (!statement || tellsBoth(claim, conflict)) return false
    const said = values.some(
      (value) => value === '…' || claim.text.toLowerCase().includes(value.toLowerCase()),
    )
    return said && (claim.cites.includes(a) || claim.cites.includes(b)) && isAbout(statement, about)
  })
  if (!own) return
  const { a, b, values } = own
  verdict.verdict = 'contradicted'
  verdict.reasons.unshift(`the sources disagree: “${values[0]}” [${a}], “${values[1]}” [${b}]`)
  verdict.against.push(...[a, b].filter((n) => !claim.cites.includes(n)))
}

const isAbout = ({ tokens }: Statement, about: string): boolean => {
  const other = readStatement(about).tokens
  const content = tokens.filter(({ isContent }) => isContent)
  return (
    2 * content.filter(({ bare }) => other.some((one) => isSame(one.bare, bare))).length >= content.length
  )
}

const tellsBoth = ({ text, cites }: Claim, { a, b, values }: Conflict): boolean =>
  cites.includes(a) &&
  cites.includes(b) &&
  values.every((value) => text.toLowerCase().includes(value.toLowerCase()))
