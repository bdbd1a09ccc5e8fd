// The owner's statements: which words of a message are one, and whether two statements say the same, or the opposite.
// Rules over words alone, in time proportional to the text.

import { endsInAbbreviation } from '../words/abbreviations.ts'
import { contentStems } from '../words/content-words.ts'

/** Characters of a message that are read. */
export const maxMessage = 20_000

/** Where the sentence around a place ends. */
export function sentenceEnd(text: string, from: number): number {
  const end = /[.!?…](?=\s(?!\p{Ll})|\s?$)|[。！？]|\n/gu
  end.lastIndex = from
  for (let found = end.exec(text); found; found = end.exec(text)) {
    const { index, 0: mark } = found
    const isLast = /^\s*$/.test(text.slice(index + 1, index + 3))
    if (mark === '.' && !isLast && endsInAbbreviation(text, index)) continue
    return index + (mark === '\n' ? 0 : mark.length)
  }
  return text.length
}

/**
 * The whole sentences of a message that hold these words, as the owner wrote them; `null`: it does not hold them. What
 * the message quotes of others, by `>` or as code, is not the owner's.
 */
export function findStatement(message: string, quote: string): string | null {
  const text = ownLines(message.slice(0, maxMessage))
  const wanted = withoutMarks(fold(quote))
  if (wanted.split(' ').length < 2) return null
  const folded = fold(text)
  for (let at = folded.indexOf(wanted), tries = 0; at >= 0 && tries < 20; tries++) {
    const end = at + wanted.length
    if (!isLetter(folded[at - 1]) && !isLetter(folded[end])) return sentencesAround(text, at, end)
    at = folded.indexOf(wanted, at + 1)
  }
  return null
}

/** Without the quotation marks around it, and the marks at its end. */
function withoutMarks(quote: string): string {
  let end = quote.length
  while (end > 0 && /[\s"“”'.,;:!?]/.test(quote[end - 1]!)) end -= 1
  return quote.slice(0, end).replace(/^[\s"“”']+/, '')
}

/** Single spaces, line breaks alone are kept. */
function ownLines(message: string): string {
  let fenced = false
  return message
    .split('\n')
    .filter((line) => {
      const isFence = /^ {0,3}(?:```|~~~)/.test(line)
      if (isFence) fenced = !fenced
      return !isFence && !fenced && !/^\s*>/.test(line)
    })
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
}

/** Of the same length as the text. */
const fold = (text: string): string =>
  Array.from(text.replace(/\s/g, ' ').replace(/[’‘]/g, "'"), (each) =>
    each.toLowerCase().length === each.length ? each.toLowerCase() : each,
  ).join('')

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function sentencesAround(text: string, from: number, to: number): string {
  let start = 0
  for (let end = sentenceEnd(text, 0); end <= from; end = sentenceEnd(text, Math.max(end, start) + 1)) {
    start = end
    if (end >= text.length) break
  }
  return text
    .slice(start, sentenceEnd(text, Math.max(to - 1, start)))
    .replace(/\s+/g, ' ')
    .trim()
}

const asks =
  /[?？؟]["”')]*$|^(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|should|shall|would|will|have|has|had|may|wer|was|wann|wo|warum|wie|welche[rns]?|qui|quand|où|pourquoi|comment|quel(?:le)?s?|est-ce|quién|cuándo|dónde|qué)\b(?!,)/i
const supposes =
  /(?:^|[^\p{L}])(?:if|unless|suppos(?:e|ing)|imagine|hypothetically|let['’]s (?:say|assume)|let us (?:say|assume)|assum(?:e|ing)|maybe|perhaps|possibly|might|would|could|pretend|for example|e\.g\.|wenn|falls|angenommen|vielleicht|würde|könnte|wäre|hätte|peut-être|supposons|imaginons|quizás?|tal vez|supongamos|imagina)(?=$|[^\p{L}])/iu

/** Why a sentence states nothing that could be remembered; `null`: it does. */
export function statementProblem(sentence: string): string | null {
  if (asks.test(sentence.trim())) return 'This is a question of the owner, not a statement.'
  if (supposes.test(sentence)) return 'The owner only supposes this.'
  return null
}

const negation =
  /(?:^|[^\p{L}])(?:not|no|never|n't|cannot|nicht|kein(?:e|en)?|nie|pas|jamais|nunca)(?=$|[^\p{L}])|n['’]t(?=$|[^\p{L}])/iu

/** Lower case, with the marks inside of a word. */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}$€£%]+(?:['.,:/-][\p{L}\p{N}]+)*/gu) ?? []

/** Whether two statements say the same, whatever their case and marks. */
export const sameStatement = (one: string, other: string): boolean =>
  statementKey(one) === statementKey(other)

/** Alike for statements that say the same. */
export const statementKey = (statement: string): string => wordsIn(statement).join(' ')

/** What takes one value: who is, lives or works somewhere else now, is no longer, lives or works where they did. */
const single =
  /^(?:is|are|am|was|were|i'm|it's|lives?|live|works?|starts?|ends?|begins?|opens?|closes?|costs?|called|named|prefers?|runs?|weighs?|ist|sind|bin|heißt|wohnt|wohne|arbeitet|arbeite|kostet|est|suis|sommes|habite|travaille|es|soy|son|vive|vivo|trabaja|trabajo)$/
const prepositions = new Set(
  'in at on for from to with by near under over as bei zu nach mit à en dans de con'.split(' '),
)
const articles = new Set(
  'a an the my our their his her your ein eine der die das un une le la el los las'.split(' '),
)
const maxValue = 6

/** Whether a statement gives another value for what the other one is on, or denies it. */
export function contradicts(newer: string, older: string): boolean {
  const isDenied = negation.test(newer) !== negation.test(older)
  const [one, other] = [wordsIn(newer), wordsIn(older)]
  if (one.join(' ') === other.join(' ')) return false
  const [stems, others] = [contentStems(newer), contentStems(older)]
  const shared = [...stems].filter((each) => others.has(each)).length
  const least = Math.min(stems.size, others.size)
  if (isDenied) return least > 0 && shared === least && Math.abs(stems.size - others.size) <= 1
  return hasOtherValue(one, other) || hasOtherNumber(one, other)
}

/** The same words up to a verb that takes one value, then another value. */
function hasOtherValue(one: readonly string[], other: readonly string[]): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  const end = commonEnd(a, b)
  const [value, before] = [a.slice(0, a.length - end), b.slice(0, b.length - end)]
  const shared = one.slice(0, same)
  if (value.length === 0 || before.length === 0) return false
  if (value.length > maxValue || before.length > maxValue || shared.length < 2) return false
  const verb = shared.findLastIndex((word) => single.test(word))
  if (verb === -1 || shared.length - verb > 3) return false
  return typeOf(value[0]!, shared.length - verb) === typeOf(before[0]!, shared.length - verb)
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let end = 0
  while (end < Math.min(one.length, other.length) && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return end
}

/** Of what sort a value is by its first word. Behind a preposition that both share, all are of one. */
const typeOf = (word: string, distance: number): string => {
  if (distance > 1) return 'shared'
  return prepositions.has(word) ? word : articles.has(word) ? 'article' : 'other'
}

/** The same words but for numbers. */
function hasOtherNumber(one: readonly string[], other: readonly string[]): boolean {
  const isNumber = (word: string) => /\p{N}/u.test(word)
  const [words, others] = [one, other].map((all) => all.filter((word) => !isNumber(word)).join(' '))
  const [numbers, before] = [one.filter(isNumber), other.filter(isNumber)]
  return (
    numbers.length > 0 &&
    before.length > 0 &&
    words === others &&
    words !== '' &&
    numbers.join() !== before.join()
  )
}

/** Whether a line says no more than a statement: no other number, and mostly its words. */
export function isSupported(line: string, statement: string): boolean {
  const said = new Set(wordsIn(statement))
  const numbers = wordsIn(line).filter((word) => /\p{N}/u.test(word))
  if (numbers.some((number) => !said.has(number))) return false
  if (negation.test(line) !== negation.test(statement)) return false
  const stems = contentStems(line, owner)
  const given = contentStems(statement)
  return stems.size > 0 && 2 * [...stems].filter((each) => given.has(each)).length >= stems.size
}

/** How lines name who said it. */
const owner = new Set(['owner', 'user', 'owners', 'users', 'prefers', 'wants', 'likes'])

/** Which of these texts is best described by the words, by its content words; -1: none, or several alike. */
export function bestMatch(words: string, texts: readonly string[]): number {
  const [wanted, key] = [contentStems(words), statementKey(words)]
  const scores = texts.map((text) => {
    if (statementKey(text) === key) return 2
    return wanted.size === 0
      ? 0
      : [...contentStems(text)].filter((each) => wanted.has(each)).length / wanted.size
  })
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  const at = scores.indexOf(best)
  return best >= 0.5 && scores.lastIndexOf(best) === at ? at : -1
}
