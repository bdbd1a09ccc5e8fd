// What a message asks to have remembered or forgotten: “remember that …”, “forget that …”. By rule, and only at the
// beginning of what the owner wrote. Takes time in proportion to the message.

import { afterwards, allSpaces, everywhere, languages, polite } from './request-words.ts'
import { maxMessage, sentenceEnd, statementProblem } from './statements.ts'

/** `everywhere`: for all Spaces. */
export type MemoryRequest = ({ remember: string } | { forget: string }) & { everywhere?: true }

const anyOf = (...all: readonly (string | undefined)[]) => all.filter(Boolean).join('|')
const please = ",? (?:please|bitte|doch|mal|alsjeblieft|por favor|per favore|s[’']il (?:te|vous) pla[iî]t)"

/** A verb, and what it is about: behind “that”, a colon or a dash, or plainly where the language has it so. */
const openings = (pick: 'remember' | 'forget') =>
  languages.flatMap((words) => {
    const verb = words[pick]
    const that = `(?:${words.that})`
    const verbOf = `^(?:${verb})(?:${please})?,?`
    const plain = pick === 'remember' ? words.plainly : words.plainForget
    return [
      new RegExp(`${verbOf}(?:,? ?(?:${words.this ?? '(?!)'}))?(?: ?[:：]| [—–-]) ?(?:${that})?(.+)$`, 'iu'),
      new RegExp(`${verbOf} ?[,，、]? ?${that}(.+)$`, 'iu'),
      ...(plain ? [new RegExp(`^(?:${plain})(.+)$`, 'iu')] : []),
      ...(words.behind ?? []).filter(({ asks }) => asks === pick).map(({ clause }) => clause),
    ]
  })
const remember = openings('remember')
const forget = openings('forget')

const verbs = anyOf(...languages.flatMap((words) => [words.remember, words.forget]))
const that = anyOf(...languages.map((words) => words.that))

/** Where a sentence says that it is for all Spaces; what is left of it without. */
const scopes: readonly [RegExp, string][] = [
  [new RegExp(`^(?:${allSpaces})[,:]? (?=\\S)`, 'iu'), ''],
  [new RegExp(`^(${verbs}),? \\(?(?:${allSpaces})\\)?([,:]?) (?=\\S)`, 'iu'), '$1$2 '],
  [new RegExp(`^(${verbs}) (?:${everywhere})([,:]?) (?=${that})`, 'iu'), '$1$2 '],
  [new RegExp(`^((?:${verbs})[,:]? (?:${that}))(?:${allSpaces}),? (?=\\S)`, 'iu'), '$1'],
  [new RegExp(`, (?:and )?(?:${allSpaces})[.!]*$`, 'iu'), ''],
]

/** What the first sentence of a message asks to have remembered or forgotten; `null`: nothing. */
export function readMemoryRequest(message: string): MemoryRequest | null {
  const text = withoutPoliteness(message.slice(0, maxMessage).trim()).replace(listed, '$1 ')
  const end = sentenceEnd(text, 0)
  let sentence = plain(text.slice(0, end))
  const scope: { everywhere?: true } = {}
  for (let before = ''; before !== sentence; ) {
    before = sentence
    sentence = withoutPoliteness(sentence)
    for (const [pattern, rest] of scopes) {
      if (!pattern.test(sentence)) continue
      sentence = sentence.replace(pattern, rest)
      scope.everywhere = true
    }
  }
  const remembered = match(remember, sentence) ?? statedBefore(sentence, plain(text.slice(end)))
  if (remembered) return { remember: remembered, ...scope }
  const forgotten = match(forget, sentence)?.replace(forGood, '$1')
  return forgotten && !anything.test(forgotten) ? { forget: forgotten, ...scope } : null
}

/** A colon, and what it is about on a line of its own. */
const listed = /^([^\n]{1,80}[:：])[ \t]*\n\s{0,9}(?:[-*•] )?(?=\S)/

const plain = (sentence: string): string =>
  sentence
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?？؟]+$/, '')

function withoutPoliteness(text: string): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(polite, '').trimStart()
  }
  return rest
}

/** What a verb is about, without the marks around it. */
function match(patterns: readonly RegExp[], sentence: string): string | undefined {
  for (const pattern of patterns) {
    const words = pattern.exec(sentence)?.[1]
    if (words === undefined) continue
    const clause = withoutMarks(words).replace(asked, '')
    if (/[\p{L}\p{N}]/u.test(clause)) return clause
  }
  return undefined
}

/** Politeness at the end. */
const asked = /, ?(?:please|bitte|por favor|per favore|alsjeblieft|s['’]il (?:te|vous) pla[iî]t)$/i

function withoutMarks(words: string): string {
  let end = words.length
  while (end > 0 && /[\s.!。！…]/.test(words[end - 1]!)) end -= 1
  const clause = words.slice(0, end).trim()
  // The point of an abbreviation at the end is part of it.
  const isShort = words[end] === '.' && /(?:\.\p{L}|\s(?:st|jr|sr|inc|ltd|co))$/iu.test(clause.slice(-5))
  return (quoted.exec(clause)?.[1] ?? (isShort ? `${clause}.` : clause)).trim()
}

const quoted = /^["“„«‚‘「『]([^"“”„«»‘’「」『』]{1,2000})["”“»’」』]$/u

/** “I am vegetarian, remember that.” A question and a supposition state nothing that could be remembered so. */
function statedBefore(sentence: string, next: string): string | undefined {
  const within = afterwards.exec(sentence)
  const before = within ? sentence.slice(0, within.index) : sentence
  if (!within && !(next !== '' && afterwards.exec(`, ${next}`)?.index === 0)) return undefined
  return statementProblem(before) === null && /\S\s\S|[\p{Script=Han}\p{Script=Hiragana}]{3}/u.test(before)
    ? withoutMarks(before)
    : undefined
}

/** How much is to be forgotten is no word of the line. */
const forGood =
  /(\S),? (?:completely|entirely|permanently|forever|for (?:ever|good)|once and for all|für immer|endgültig|pour toujours|para siempre|per sempre|para sempre|voorgoed)$/i

/** Of which nothing says what it is. */
const anything =
  /^(?:(?:about )?(?:it|this|that|everything|all|me|us|you|anything)|(?:all|everything) (?:of )?(?:it|this|that)|(?:about|everything about) (?:me|us)|es|das|alles|mich|uns|ça|cela|tout|eso|esto|todo|tutto|questo|isso|isto|tudo|dit|dat|alles|это|всё|все|to|wszystko|它|这个|這個|那个|一切|吧|それ|これ|全部)$/iu
