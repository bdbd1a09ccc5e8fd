// What a question is about, and what to quote for it. Search has put the passages in order; among their pieces those are
// chosen that hold the most words of the question, rare ones first, and look like the kind of answer that it wants.

import { contentStems, contentWords, stemsOf } from '../../core/text/words/content-words.ts'
import { distanceFrom } from '../../core/text/words/edit-distance.ts'
import { findRuns } from '../../core/text/words/find-runs.ts'
import { plainWordsOf, stem, wordsOf } from '../../core/text/words/words.ts'
import type { Passage } from './conversation.ts'
import { aliasesIn } from './front-matter.ts'
import { type Line, type Place, piecesOf, type Weigh } from './reply.ts'

const maxLength = 2000
const maxWords = 24
/** Words for the Space itself, which say nothing of what is asked about it. */
const spaceWords = new Set('guide note notes page pages space void say says mean means'.split(' '))
/** Words that only shape a question: they help to choose, but an answer need not hold them. */
const shaping = new Set(
  `become becomes became write writes wrote written kind kinds type types start starts started stop stops stopped mention mentions
  mentioned anywhere somewhere tell tells told talk talks work works happen happened mail mails email emails message messages
  question questions`.split(/\s+/),
)

/** Of "how long does it take", "what does it stand for" and "this vs that" only what it is about is looked for. */
const frames = /\bhow (?:many|much|long|old|big|often|far)\b|\bstands? for\b|\b(?:vs|versus)\b/gi

export type Question = {
  /** As asked, cut to a bounded length. */
  text: string
  /** Empty where there is nothing to search for. */
  words: string[]
  /** Those of them that an answer holds; all, where there are no others. */
  needed: string[]
  /** What to search for. */
  query: string
}

/** Reads any string as a question. */
export function readQuestion(asked: string): Question {
  const text = asked.slice(0, maxLength)
  const phrases = [...text.matchAll(/"[^"\n]{3,200}"|“[^”\n]{3,200}”/g)].map(([phrase]) => phrase)
  const words = contentWords(text.replace(frames, ' '))
  const counted = contentWords(/\bhow many (\S{1,40})/i.exec(text)?.[1] ?? '')
  const specific = [
    ...phrases.flatMap(wordsOf),
    ...words.filter((word) => !spaceWords.has(word) || counted.includes(word)),
  ]
  const chosen = [...new Set(specific.length > 0 ? specific : words)].slice(0, maxWords)
  const needed = chosen.filter((word) => !shaping.has(word))
  const counts = needed.length > 0 ? needed : chosen
  return {
    text,
    words: chosen,
    needed: counts,
    query: [...new Set([...phrases, ...chosen])].join(' ').slice(0, 1000),
  }
}

/** A word of a question with the accents that searching leaves out. */
export const asWritten = (word: string, asked: string): string =>
  plainWordsOf(asked).find((each) => wordsOf(each)[0] === word) ?? word

/** A word of a question, and the stems in some texts that count as it. */
export type Term = { word: string; stems: string[] }

/** Looks words up among the stems of some texts: their own, else what a typing error made of them; may be none. */
export function bindWords(words: readonly string[], known: ReadonlySet<string>): Term[] {
  return words.map((word) => {
    const own = stem(word)
    return { word, stems: known.has(own) ? [own] : nearStems(own, known) }
  })
}

const isIn = ({ stems }: Term, text: ReadonlySet<string>): boolean => stems.some((each) => text.has(each))

function nearStems(wanted: string, known: ReadonlySet<string>): string[] {
  const maxSlips = wanted.length < 4 || /\d/.test(wanted) ? 0 : wanted.length > 8 ? 2 : 1
  if (maxSlips === 0) return []
  const distance = distanceFrom(wanted, maxSlips)
  // In four letters, only two that changed places: "port" is not a slip of "post".
  const letters = [...wanted].sort().join('')
  return [...known].filter(
    (each) =>
      each[0] === wanted[0] &&
      distance(each) <= maxSlips &&
      (wanted.length > 4 || [...each].sort().join('') === letters),
  )
}

/** Forms that wait to be filled in are none of what they make, unless they are asked for. */
export const isMeant = (title: string, asked: string): boolean =>
  !/\btemplate$/i.test(title) || /\btemplates?\b/i.test(asked)

export type Quote = Place & {
  score: number
  /** The words of the question that the piece, its headings or its title hold. */
  held: Set<string>
}

export type Choice = {
  /** At most three, the best first. */
  quotes: Quote[]
  /** Of the rest, those that hold as much of the question as an answer must. */
  others: Quote[]
  weigh: Weigh
}

/** Stems of what the piece states, of its title and headings, and of the heading right over it. */
type Candidate = Place & Record<'text' | 'above' | 'heading', Set<string>>
type Weighed = Term & { rarity: number }

const maxQuotes = 3
/** What the first thing that search found counts more, and the next ones less and less. */
const firstCounts = 0.25
/** So does what the question names by its title. */
const namedCounts = 1.5

/** Chooses among all pieces of the passages. */
export function chooseQuotes(passages: readonly Passage[], question: Question): Choice {
  const candidates = candidatesIn(passages)
  const ranks = [...new Set(passages.map(({ id }) => id))]
  const placeCounts = ({ id }: Passage) => 1 + firstCounts / (1 + ranks.indexOf(id))
  const known = new Set(candidates.flatMap(({ text, above }) => [...text, ...above]))
  const rare = (term: Term) => ({ ...term, rarity: rarityOf(term, candidates) })
  const terms = bindWords(question.words, known).map(rare)
  const shape = shapeOf(question.text)
  const scored = candidates.map((candidate) => toQuote(candidate, terms, shape))
  const isWhole = ({ held }: Quote) => question.needed.every((word) => held.has(word))
  const someAreWhole = scored.some(isWhole)
  const ranked = scored
    .map((quote) => {
      // A name is no answer beside a text that holds all that is asked for.
      const isName = isNamed(quote.passage, question) && (!someAreWhole || isWhole(quote))
      return { ...quote, score: quote.score * placeCounts(quote.passage) * (isName ? namedCounts : 1) }
    })
    .filter(({ score }) => score > 0)
    // What answers by itself is before what only says a part of it often.
    .map((quote) => ({ ...quote, rank: answers([quote], question) ? 1 : 0 }))
    .sort((one, other) => other.rank - one.rank || other.score - one.score)

  const quotes: Quote[] = []
  for (const quote of ranked.slice(0, 40)) {
    const best = quotes[0] ?? quote
    const adds = [...quote.held].some((word) => quotes.every(({ held }) => !held.has(word)))
    if (quote.score >= best.score * (adds ? 0.5 : 0.85)) quotes.push(quote)
    if (quotes.length === maxQuotes) break
  }
  const others = ranked.filter((quote) => !quotes.includes(quote) && answers([quote], question))
  return { quotes, others, weigh: (line) => weigh(line, terms) + (shape(line) ? 1 : 0) }
}

/**
 * Whether a question names something by its title: as it is, by all of its words but for slips, or by some that are all that
 * is asked for, as “import apple notes” names “Import from Apple Notes”.
 */
export function isNamed({ title }: Pick<Passage, 'title'>, { text, words, needed }: Question): boolean {
  const [name = ''] = title.split(' › ')
  if (findRuns(wordsOf(text), wordsOf(name), 1).length > 0) return true
  const named = contentWords(name)
  const isIn = (some: readonly string[], all: ReadonlySet<string>) =>
    some.length > 0 && bindWords(some, all).every(({ stems }) => stems.length > 0)
  return isIn(named, new Set(words.map(stem))) || isIn(needed, stemsOf(name))
}

/**
 * Whether one of some quotes holds enough words of a question: with half of them it would mislead more than help, and words
 * from here and there say nothing together.
 */
export const answers = (quotes: readonly Quote[], { needed }: Question): boolean =>
  quotes.some(({ held }) => needed.filter((word) => held.has(word)).length > needed.length / 2)

/** Every piece once, in the order in which the passages were found. */
function candidatesIn(passages: readonly Passage[]): Candidate[] {
  const seen = new Set<string>()
  return passages.flatMap((passage) => {
    const pieces = piecesOf(passage.said)
    const names = `${aliasesIn(passage.said).join(' ')} ${letterNames(passage)}`
    return pieces.flatMap(({ block, heading, lines }, at) => {
      const key = `${passage.id} ${lines.map(({ text }) => text).join('\n')}`
      if (seen.has(key) || passage.blocks[block] === '(empty)') return []
      seen.add(key)
      const [title = '', ...path] = passage.title.split(' › ')
      const text = new Set(lines.flatMap((line) => [...statedStems(line)]))
      const above = stemsOf(`${passage.title} ${heading} ${names}`)
      const over = contentStems(heading || (path.at(-1) ?? title))
      return [{ passage, pieces, at, text, above, heading: over }]
    })
  })
}

/** Who wrote it, and what it is called. */
const letterNames = ({ sender }: Passage): string => (sender ? `${sender} mail email message` : '')

/** A question, or a quoted example of one, is no answer; nor are the words in an address. */
function statedStems({ text }: Line): Set<string> {
  const isAsked = /\?["'”»)]*$|^["“][^"”]*["”]\.?$/.test(text)
  return stemsOf(isAsked ? '' : text.replace(/https?:\/\/\S+/g, ''))
}

function rarityOf(term: Term, candidates: readonly Candidate[]): number {
  const holding = candidates.filter(({ text, above }) => isIn(term, text) || isIn(term, above))
  return Math.log(1 + (candidates.length + 1) / (holding.length + 0.5))
}

function toQuote(candidate: Candidate, terms: readonly Weighed[], shape: Shape): Quote {
  const { text, above, heading, ...place } = candidate
  const { lines } = place.pieces[place.at]!
  const held = terms.filter((term) => isIn(term, text) || isIn(term, above))
  const isShaped = lines.some(shape)
  // The properties of a page answer where one is asked for, by its name or by the kind of answer; others are no text of it.
  const isBookkeeping =
    lines[0]?.kind === 'property' && !isShaped && !terms.some((term) => isIn(term, keysOf(lines)))
  if (held.length === 0 || isBookkeeping) return { ...place, score: 0, held: new Set() }

  const words = held.reduce((sum, term) => {
    const worth = isIn(term, text) ? (isIn(term, above) ? 1.2 : 1) : 0.8
    return sum + term.rarity * worth
  }, 0)
  // A heading that says little else than the question is over its answer.
  const named = terms.filter(({ stems }) => stems.some((each) => heading.has(each)))
  const share = Math.min(1, named.length / heading.size || 0)
  const extras = 0.5 * share * maxRarity(named) + (isShaped ? 0.5 * maxRarity(terms) : 0)
  return { ...place, score: words + extras, held: new Set(held.map(({ word }) => word)) }
}

const keysOf = (lines: readonly Line[]): Set<string> =>
  stemsOf(lines.map(({ text }) => text.slice(0, Math.max(0, text.indexOf(':')))).join(' '))

const maxRarity = (terms: readonly Weighed[]) => Math.max(0, ...terms.map(({ rarity }) => rarity))

const weigh = (line: Line, terms: readonly Weighed[]) => {
  const stems = statedStems(line)
  return terms.reduce((sum, term) => sum + (isIn(term, stems) ? term.rarity : 0), 0)
}

/** Whether a line looks like the kind of answer that a question wants. */
type Shape = (line: Line) => boolean

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const date = new RegExp(
  `\\d{4}-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th)? ${month}\\b|${month} \\d|\\b(?:1[89]|20)\\d\\d\\b`,
  'i',
)
const span = /\d.{0,12}\b(?:sec|min|hour|hr|day|week|month|year)|\bfrom\b.+\bto\b|\bbetween\b.+\band\b/i
/** When a note was made says nothing of when anything in it was. */
const dateOfNote = /^(?:created|updated|modified|changed|last|clipped|imported|date created)\b/i
const person = /^\w*(?:er|or|ers|ors|by|host|hosts|cast|guests?|people|with): /i
/** Who wrote a note is not who did what it tells. */
const writer = /^(?:authors?|editors?|\w*by): /i
const place = /^(?:loc|location|place|address|city|country|venue|where)\w{0,2}: /i
const shapes: [question: RegExp, shape: Shape][] = [
  [
    /\b(?:when|what (?:day|date|year)|deadline|due)\b/i,
    ({ kind, text }) => date.test(text) && !(kind === 'property' && dateOfNote.test(text)),
  ],
  [/\bhow long\b/i, ({ text }) => span.test(text)],
  [/\bhow (?:many|much|old|big|often|far)\b/i, ({ text }) => /\d/.test(text)],
  [
    /\bwho(?:se|m)?\b.*\b(?:author|wrote|writ\w*|edit\w*|by)\b/i,
    ({ kind, text }) => kind === 'property' && person.test(text),
  ],
  [/\bwho(?:se|m)?\b/i, ({ kind, text }) => kind === 'property' && person.test(text) && !writer.test(text)],
  [/\bwhere\b/i, ({ kind, text }) => kind === 'property' && place.test(text)],
  [/\bwhy\b/i, ({ text }) => /\b(?:because|since|so that)\b/i.test(text)],
  [/\bhow\b/i, ({ kind, marker }) => kind === 'code' || /\d/.test(marker)],
]
const shapeOf = (question: string): Shape =>
  shapes.find(([asks]) => asks.test(question))?.[1] ?? definitionOf(question) ?? (() => false)

/** Of “What is the Inbox?” a line that begins “The Inbox is …”. */
function definitionOf(question: string): Shape | null {
  const asked = /^what(?:['’]s| is| are) (.{1,100}?)[?.! ]*$/i.exec(question)?.[1]
  const name = asked && wordsOf(asked.replace(/^(?:the|an?|my) /i, '')).join(' ')
  if (!name) return null
  return ({ text }) => {
    const words = wordsOf(text.slice(0, 300).replace(/^(?:the|an?|my) /i, '')).join(' ')
    return words.startsWith(`${name} is `) || words.startsWith(`${name} are `)
  }
}
