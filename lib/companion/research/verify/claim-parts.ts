// What a claim says, part by part: the words, names and values that its evidence has to have, and how much each weighs.

import { type LedgerIndex, nameSpans } from './ledger-index.ts'
import type { Statement } from './statement.ts'
import type { Value } from './values.ts'

type ClaimPart = {
  id: number
  root: number
  /** As written, for reasons. */
  text: string
  weight: number
  isName: boolean
  /** Neither light nor a title. */
  isContent: boolean
  isDecisive: boolean
  isNegated: boolean
  /** Where the word is in the claim. */
  at: number
}

export type ClaimName = { text: string; ids: readonly number[]; initials: string; isAcronym: boolean }

export type ClaimParts = {
  statement: Statement
  parts: readonly ClaimPart[]
  names: readonly ClaimName[]
  values: readonly Value[]
  /** Of all parts. */
  weight: number
}

export const weights = { value: 1, content: 1, light: 0.35, title: 0.15, name: 1, decisive: 0.5 }

export function readClaim(statement: Statement, index: LedgerIndex): ClaimParts {
  const { tokens } = statement
  const inName = new Set<number>()
  const names: ClaimName[] = []
  for (const { from, to, initials } of nameSpans(statement)) {
    const places = Array.from({ length: to - from }, (_, n) => from + n).filter(
      (at) => tokens[at]!.isCapital && !tokens[at]!.isValue && !isOnlyCapitalised(at),
    )
    for (const at of places) inName.add(at)
    const essential = places.filter((at) => !tokens[at]!.word.isTitle)
    if (essential.length === 0) continue
    const words = statement.text.match(/\S+/g) ?? []
    names.push({
      text: essential.map((at) => writtenAs(words, tokens[at]!.word.text)).join(' '),
      ids: essential.map((at) => tokens[at]!.word.id),
      initials,
      isAcronym:
        essential.length === 1 && /^\p{Lu}{2,8}$/u.test(writtenAs(words, tokens[essential[0]!]!.word.text)),
    })
  }

  const parts = new Map<number, ClaimPart>()
  for (const [at, { word, isValue, isNegated }] of tokens.entries()) {
    const isName = inName.has(at)
    if (isValue || parts.has(word.id) || (word.isStop && !word.isDecisive && !isName)) continue
    parts.set(word.id, {
      id: word.id,
      root: word.root,
      text: word.text,
      weight: weightOf(at),
      isName,
      isContent: !word.isLight && !word.isTitle && !word.isStop,
      isDecisive: word.isDecisive && !isOneOfThe(tokens, at),
      isNegated,
      at,
    })
  }
  const all = [...parts.values()]
  return {
    statement,
    parts: all,
    names,
    values: statement.values,
    weight: all.reduce((sum, { weight }) => sum + weight, statement.values.length * weights.value),
  }

  /** The first word has a capital letter in any case. */
  function isOnlyCapitalised(at: number): boolean {
    const { word } = tokens[0]!
    return at === 0 && (word.isStop || word.isLight || isWrittenSmall(word.id, index))
  }

  function weightOf(at: number): number {
    const { word } = tokens[at]!
    if (inName.has(at)) return word.isTitle ? weights.title : weights.name
    if (word.isDecisive) return weights.decisive
    return word.isLight ? weights.light : weights.content
  }
}

const writtenAs = (words: readonly string[], folded: string): string =>
  words
    .find((word) => word.toLowerCase().includes(folded))
    ?.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') ?? folded

/** "One of the largest" is no superlative. */
const isOneOfThe = (tokens: Statement['tokens'], at: number): boolean => {
  const before = tokens.slice(Math.max(0, at - 4), at).map(({ word }) => word.text)
  return before.includes('of') && (before.includes('one') || before.includes('some'))
}

/** Whether a passage has the word without a capital letter. */
const isWrittenSmall = (id: number, { places, sentences }: LedgerIndex): boolean =>
  (places.get(id) ?? []).some((at) =>
    sentences[at]!.tokens.some(({ word, isCapital }) => word.id === id && !isCapital),
  )
