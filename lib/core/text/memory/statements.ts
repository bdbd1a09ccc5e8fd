// The owner's statements: which words of a message are one, and whether two statements say the same. Rules over words
// alone, in time proportional to the text.

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
  if (!wanted.includes(' ') && !(wanted.length > 2 && unspaced.test(wanted))) return null
  const folded = fold(text)
  for (let at = folded.indexOf(wanted), tries = 0; at >= 0 && tries < 20; tries++) {
    const end = at + wanted.length
    const isWhole = isBorder(folded[at - 1], folded[at]) && isBorder(folded[end - 1], folded[end])
    if (isWhole && !isQuoted(text, at, end)) return sentencesAround(text, at, end)
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

const letter = /[\p{L}\p{N}]/u
/** Letters of scripts that put no blanks between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Whether a word may end between two characters. */
const isBorder = (before: string | undefined, after: string | undefined): boolean =>
  !letter.test(before ?? '') || !letter.test(after ?? '') || unspaced.test(before!) || unspaced.test(after!)

const quotes: readonly (readonly [opening: string, closing: string])[] = [
  ...(['“”', '„“', '„”', '«»', '»«', '「」', '『』', '""'].map((pair) => [pair[0]!, pair[1]!]) as [
    string,
    string,
  ][]),
]

/** Whether words are those of somebody whom the owner quotes: in quotation marks, in a sentence that says more. */
function isQuoted(text: string, from: number, to: number): boolean {
  const start = Math.max(text.lastIndexOf('\n', from - 1) + 1, from - maxQuotation)
  const before = text.slice(start, from)
  const after = text.slice(to, to + maxQuotation).split('\n', 1)[0]!
  return quotes.some(([opening, closing]) => {
    const isOpen =
      opening === closing
        ? before.split(opening).length % 2 === 0
        : before.lastIndexOf(opening) > before.lastIndexOf(closing)
    const isAlone = /^\s*$/.test(before.slice(0, before.lastIndexOf(opening)))
    return (
      isOpen &&
      after.includes(closing) &&
      !(isAlone && /^[\s.!]*$/.test(after.slice(after.indexOf(closing) + 1)))
    )
  })
}

const maxQuotation = 1000

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
  /[?？؟]["”')]*$|[吗嗎か]。?$|^(?:tell|remind|show) me\b|^(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|should|shall|would|will|have|has|had|may|wer|was|wann|wo|warum|wie|welche[rns]?|qui|quand|où|pourquoi|comment|quel(?:le)?s?|est-ce|quién|cuándo|dónde|qué)\b(?!,)/i
const supposes =
  /(?:^|[^\p{L}])(?:if|unless|suppos(?:e|ing)|imagine|hypothetically|let['’]s (?:say|assume)|let us (?:say|assume)|assum(?:e|ing)|maybe|perhaps|possibly|might|would|could|pretend|for example|e\.g\.|in case|whether|i wish|i guess|probably|wenn|falls|angenommen|vielleicht|wahrscheinlich|würde|könnte|wäre|hätte|gäbe|ob|peut-être|s['’]il|supposons|imaginons|quizás?|tal vez|supongamos|imagina|forse|magari|se vivessi|se fossi|se avessi|se potessi|supponiamo|talvez|suponha(?:mos)?|als ik|stel dat|misschien|kanskje|kanske|måske|måtte|om jag|hvis|jos|ehkä|jeśli|jeżeli|gdyby\p{L}*|może|pokud|kdyby\p{L}*|možná|если|бы|может быть|возможно|допустим|якщо|eğer|belki)(?=$|[^\p{L}])|如果|假如|假设|假設|要是|也许|也許|可能|もし|かもしれ|たぶん|^si (?!chiama|tratta)|, si |만약|아마|(?:^|\s)(?:لو|إذا|ربما)\s/iu

/** Why a sentence states nothing that could be remembered; `null`: it does. */
export function statementProblem(sentence: string): string | null {
  if (asks.test(sentence.trim())) return 'This is a question of the owner, not a statement.'
  if (supposes.test(sentence)) return 'The owner only supposes this.'
  return null
}

const negation =
  /(?:^|[^\p{L}])(?:not|no|never|n't|cannot|nicht|kein(?:e|en|er)?|nie|pas|jamais|nunca|não|non|mai|niet|geen|nooit|inte|ej|aldrig|ikke|aldri|ingen|ei|не|нет|никогда|nem|değil|नहीं|لا|لست|ليس)(?=$|[^\p{L}])|n['’]t(?=$|[^\p{L}])|[不没沒]|ない|ません|않|아니/iu

/** Whether a statement says no. */
export const denies = (statement: string): boolean => negation.test(statement)

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

/** Whether a line says no more than a statement: no other number, and mostly its words. */
export function isSupported(line: string, statement: string): boolean {
  const said = new Set(wordsIn(statement))
  const numbers = wordsIn(line).filter((word) => /\p{N}/u.test(word))
  if (numbers.some((number) => !said.has(number))) return false
  if (denies(line) !== denies(statement)) return false
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
