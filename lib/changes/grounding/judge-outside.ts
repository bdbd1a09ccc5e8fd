// What a text from outside has to do with a draft: whether words of it are in the draft, and whether it gives orders.
// Words that the owner used, or that stand in the owner's own texts, came from there.

import { computeHunks } from '../../core/text/diff/hunks.ts'
import { givesOrders } from '../../core/text/orders/gives-orders.ts'
import { findRuns } from '../../core/text/words/find-runs.ts'
import { exactTokensOf, longWordsOf, runsOf } from '../trust/draft-words.ts'
import { type DraftedChange, ordersChange } from '../trust/orders-change.ts'
import { createPassageFinder, maxSourceChars, type NearestPassage } from './nearest-passage.ts'

type Written = { before: string; after: string }

export type OutsideQuestion = {
  written: readonly Written[]
  change: DraftedChange
  /** Messages of the owner. */
  said: readonly string[]
  /** Texts that were read and that the owner vouches for. */
  own: readonly string[]
  /** The texts of each source from outside. */
  sources: readonly (readonly string[])[]
}

export type OutsideUse = {
  /** The passage nearest to what is added; `null` where they have no word in common. */
  passage: NearestPassage | null
  /** Words of it, and of nothing else that was read, are in the draft; or it names what the draft would delete. */
  used: boolean
  orders: boolean
}

/** In words: this many in a row come from the source, or so many of a passage and such a share of all new words. */
const runLength = 4
/** Short words counted: this many in a row are a sentence that was taken over. */
const sentenceLength = 7
const minSharedWords = 3
const minShare = 0.6

export function judgeOutside(question: OutsideQuestion): OutsideUse[] {
  const added = question.written.map(({ before, after }) => addedLines(before, after)).join('\n')
  const isTaken = createTakenCheck(added, question)
  const isNamed = createNamedCheck(question)
  const findNearest = createPassageFinder(added)
  const asked = question.said.join('\n').slice(0, maxSourceChars)
  return question.sources.map((texts) => {
    const text = texts.join('\n\n').slice(0, maxSourceChars)
    return {
      passage: findNearest(texts),
      used: isTaken(texts, text) || isNamed(text),
      orders: givesOrders(text) || ordersChange(text, question.change, asked),
    }
  })
}

type TakenCheck = (texts: readonly string[], text: string) => boolean

function createTakenCheck(added: string, { written, said, own }: OutsideQuestion): TakenCheck {
  const known = [...said, ...own, ...written.map(({ before }) => before)]
    .map((text) => text.slice(0, maxSourceChars))
    .join('\n')
  const all = longWordsOf(added)
  const fresh = without(all, longWordsOf(known))
  const runs = without(runsOf(all, runLength), runsOf(longWordsOf(known), runLength))
  const sentences = without(sentencesOf(added), sentencesOf(known))
  const tokens = without(exactTokensOf(added), exactTokensOf(known))
  const findFresh = createPassageFinder([...fresh].join(' '))
  const isOnlyFresh = fresh.size === new Set(all).size

  return (texts, text) => {
    if (exactTokensOf(text).some((token) => tokens.has(token))) return true
    if (runsOf(longWordsOf(text), runLength).some((run) => runs.has(run))) return true
    if (sentencesOf(text).some((run) => sentences.has(run))) return true
    if (fresh.size < 2) return false
    const nearest = findFresh(texts)
    if (!nearest) return false
    const { share, shared_words } = nearest
    return (shared_words >= minSharedWords && share >= minShare) || (isOnlyFresh && share === 1)
  }
}

const sentencesOf = (text: string): string[] => runsOf(longWordsOf(text, 1), sentenceLength)

function without(all: readonly string[], known: readonly string[]): Set<string> {
  const has = new Set(known)
  return new Set(all.filter((one) => !has.has(one)))
}

/** Of a deletion that the owner did not name: whether the text does. One word alone may be any. */
function createNamedCheck({ change, said }: OutsideQuestion): (text: string) => boolean {
  const title = longWordsOf(change.title)
  const asked = new Set(longWordsOf(said.join('\n').slice(0, maxSourceChars)))
  if (change.action !== 'delete' || title.length < 2 || title.every((word) => asked.has(word))) {
    return () => false
  }
  return (text) => findRuns(longWordsOf(text), title, 1).length > 0
}

const addedLines = (before: string, after: string): string =>
  computeHunks(before, after)
    .map((hunk) => hunk.after.lines.join(''))
    .join('\n')
