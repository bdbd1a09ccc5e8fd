// A text as sentences of words, with the concepts that they say. Writing without spaces has a word for each sign.

import { remember } from '../words/remember.ts'
import { withoutAccents } from '../words/words.ts'
import { type Concept, lexicon } from './lexicon.ts'

/** The words from `start` up to `end`, without it. */
export type Hit = {
  start: number
  end: number
  /** Whether it gives an order here, as far as its form and place tell. */
  ordered: boolean
}

export type Sentence = {
  words: readonly string[]
  /** Where each word begins. A word is two long, a sign of writing without spaces one. */
  places: readonly number[]
  /** Whether a clause begins with the word. */
  opens: readonly boolean[]
  /** The mark after each word: a colon, a comma, a quotation mark, another, or none. */
  marks: readonly (':' | ',' | '"' | ' ' | '')[]
  /** By where they start. */
  hits: ReadonlyMap<Concept, readonly Hit[]>
}

type Building = {
  words: string[]
  places: number[]
  opens: boolean[]
  marks: Sentence['marks'][number][]
  length: number
  opening: boolean
}

const emptySentence = (): Building => ({
  words: [],
  places: [],
  opens: [],
  marks: [],
  length: 0,
  opening: true,
})

const sign = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー]'
const unspaced = new RegExp(sign, 'u')

/** A word; a mark within a sentence; what ends one. */
const tokens = new RegExp(
  `(${sign}|(?:(?!${sign})[\\p{L}\\p{M}\\p{N}])+)` +
    '|([,:()[\\]{}"“”„«»‹›—–|<>#\\n،，、：「」『』（）【】《》]|(?<=\\s)[-*•](?=\\s))' +
    '|[.!?](?=[.!?\\s"\'”’»)\\]]|$)|[;。！？…；؟۔।]',
  'gu',
)

/** The words of a phrase, with the asterisk of a stem. */
const parts = new RegExp(`${sign}|(?:(?!${sign})[\\p{L}\\p{M}\\p{N}])+\\*?`, 'gu')

/** The longest line that may end before a clause does. In longer ones a line break comes wherever there is no room. */
const maxShortLine = 50

/** The sentences of a text in lower case. A blank line ends one, a line break does not. */
export function* readSentences(plain: string): Generator<Sentence> {
  const text = foldLetters(plain)
  let sentence = emptySentence()
  let lineStart = 0
  for (const { 0: token, 1: word, 2: mark, index } of text.matchAll(tokens)) {
    if (word !== undefined) {
      addWord(sentence, word)
      continue
    }
    const isBreak = token === '\n'
    const isBlank = isBreak && text.slice(lineStart, index).trim() === ''
    const isWrapped = isBreak && !isBlank && index - lineStart > maxShortLine
    if (isBreak) lineStart = index + 1
    if (mark === undefined || isBlank) {
      if (sentence.words.length > 0) yield withHits(sentence)
      sentence = emptySentence()
    } else if (!isWrapped) {
      sentence.opening = true
      if (sentence.marks.at(-1) === '') sentence.marks[sentence.marks.length - 1] = markOf(mark)
    }
  }
  if (sentence.words.length > 0) yield withHits(sentence)
}

function markOf(mark: string): Sentence['marks'][number] {
  if (/[:：]/.test(mark)) return ':'
  if (/[,，、،]/.test(mark)) return ','
  return /["“”„«»‹›「」『』]/.test(mark) ? '"' : ' '
}

function addWord(sentence: Building, word: string) {
  sentence.words.push(/\d/.test(word) && /[a-z]{2}|^\d?[a-z]\d/.test(word) ? fromDigits(word) : word)
  sentence.places.push(sentence.length)
  sentence.opens.push(sentence.opening)
  sentence.marks.push('')
  sentence.length += unspaced.test(word) ? 1 : 2
  sentence.opening = false
}

/** “1gn0r3” */
const fromDigits = (word: string): string => word.replace(/[013457]/g, (digit) => digitLetters[digit]!)
const digitLetters: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Letters without the marks that are left out or mistyped. */
const foldLetters = (text: string): string =>
  withoutAccents(text)
    .replace(/[\u064b-\u065f\u0670\u0640]/g, '')
    .replace(/\ba\.\s?i\b\.?/g, 'ai')
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')

type Phrase = { concept: Concept; rest: readonly string[]; isAlwaysOrdered: boolean }

/** By their first word: as it is, and as what one begins with. */
const { byWord, byStem } = indexPhrases()
const maxStemLength = Math.max(...[...byStem.keys()].map((stem) => stem.length))
const leads = new Set(wordsOf(lexicon.lead).flatMap(partsOf))

function indexPhrases() {
  const byWord = new Map<string, Phrase[]>()
  const byStem = new Map<string, Phrase[]>()
  for (const concept of Object.keys(lexicon) as Concept[])
    for (const entry of wordsOf(lexicon[concept])) {
      const [first = '', ...rest] = partsOf(entry.replace('~', ''))
      const phrase = { concept, rest, isAlwaysOrdered: !entry.startsWith('~') }
      const [index, key] = first.endsWith('*') ? [byStem, first.slice(0, -1)] : [byWord, first]
      const others = index.get(key)
      if (others) others.push(phrase)
      else index.set(key, [phrase])
    }
  return { byWord, byStem }
}

function wordsOf(list: string): string[] {
  return list.split(/\s+/).filter(Boolean)
}

function partsOf(entry: string): string[] {
  return foldLetters(entry.toLowerCase()).match(parts) ?? []
}

const phrasesOf = remember(findPhrases)

function withHits({ words, places, opens, marks }: Building): Sentence {
  const hits = new Map<Concept, Hit[]>()
  for (let start = 0; start < words.length; start++) {
    const order = isOrderPlace(words, opens, start)
    for (const { concept, rest, isAlwaysOrdered } of phrasesOf(words[start]!)) {
      if (!rest.every((part, at) => fits(words[start + 1 + at] ?? '', part))) continue
      const hit = { start, end: start + 1 + rest.length, ordered: isAlwaysOrdered || order }
      const others = hits.get(concept)
      if (others) others.push(hit)
      else hits.set(concept, [hit])
    }
  }
  return { words, places, opens, marks, hits }
}

function findPhrases(word: string): Phrase[] {
  const found = [...(byWord.get(word) ?? [])]
  for (let length = Math.min(word.length, maxStemLength); length > 1; length--)
    found.push(...(byStem.get(word.slice(0, length)) ?? []))
  if (isArabic.test(word)) for (const bare of bareArabic(word)) found.push(...(byWord.get(bare) ?? []))
  return found
}

const fits = (word: string, part: string): boolean =>
  part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part

const isArabic = /^[\u0620-\u064a]{3,}$/

/** Without what is written in one with the word that follows: “and”, “to”, “with”, “the”. */
function bareArabic(word: string): string[] {
  const unjoined = word.replace(/^[وف]/, '')
  const bare = [
    unjoined,
    unjoined.replace(/^(?:ال|[بلك]ال|لل|[بلك])/, ''),
    word.replace(/^(?:ال|[بلك]ال|لل)/, ''),
  ]
  return [...new Set(bare)].filter((one) => one !== word && one.length > 1)
}

/** Words that may come before an order within its clause. */
const maxLead = 6

/** Whether a clause may begin with an order at a word: it opens there, or with what leads up to orders. */
function isOrderPlace(words: readonly string[], opens: readonly boolean[], at: number): boolean {
  for (let place = at; place >= Math.max(0, at - maxLead); place--) {
    if (opens[place]) return true
    const before = words[place - 1]!
    if (before === 'to' && words[place - 2] === 'you') return true
    if (!leads.has(before)) return false
  }
  return false
}
