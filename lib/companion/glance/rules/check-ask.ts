// What a mail asks of the owner, as the analyst quotes it, held to the mail: it stands in the sender's own words, speaks to a
// person, and ends on a day that the mail names. What is shown is composed here, around the quotation.

import type { GlanceKind, GlanceReason } from '../../../contract/companion/glance.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { readDays } from '../../../core/text/dates/read-days.ts'
import { splitFolds } from '../../../core/text/folds.ts'
import { plainText } from '../../../core/text/markdown.ts'
import { givesOrders } from '../../../core/text/orders/gives-orders.ts'
import { hasHidden } from '../../../core/text/quote-name.ts'
import type { JudgedMessage } from './judge-thread.ts'

export type Finding = {
  ask: string
  kind: Exclude<GlanceKind, 'reply'>
  /** The words of the mail that say by when; null: none. */
  due: string | null
}

/** `due`: null where the mail names no day that can be read. */
export type Ask = { sentence: string; kind: Finding['kind']; due: string | null }

/** Characters of a message that are looked at, and of what is quoted. */
const maxText = 200_000
const minAsk = 3
const maxAsk = 240
const maxDue = 60

/** The sentence that the quotation is of; or why it is not said. */
export function checkAsk({ ask, kind, due }: Finding, message: JudgedMessage): Ask | GlanceReason {
  const wanted = normalize(ask)
  if (wanted.length < minAsk || wanted.length > maxAsk || !/\p{L}{2}|\p{Lo}/u.test(wanted))
    return 'bad_message'
  const own = ownText(message)
  const sentence = sentenceOf(own, wanted)
  if (sentence === null) return 'not_grounded'
  if (givesOrders(sentence) || givesOrders(wanted) || hasHidden(sentence) || code.test(sentence))
    return 'gives_orders'
  const day = due === null ? '' : normalize(due)
  if (day === '') return { sentence, kind, due: null }
  if (day.length > maxDue || !own.includes(day)) return 'not_grounded'
  return { sentence, kind, due: readDays(day, new Date(message.sent_at)).length > 0 ? day : null }
}

/** Signs of markup and calls: what a program is to copy, not what a person asks. */
const code = /[<>{}`]|[0-9a-f]{24}|\w\s?=\s?(?:true|false|null)\b|\bto (?:true|false|null)\b/i

/** What the sender wrote in this message, a line for each paragraph: no history, no signature, nothing forwarded. */
const ownText = ({ text, folds }: JudgedMessage): string =>
  splitFolds(text.slice(0, maxText).toWellFormed(), folds)
    .filter(({ fold }) => fold === null)
    .flatMap((piece) => piece.text.split(/\n\s*\n/))
    .map(normalize)
    .join('\n')

/** As it is read: without Markdown, quotation marks of one kind, single spaces. */
const normalize = (text: string): string =>
  cleanLine(plainText(text.slice(0, maxText)).replace(/[‘’]/g, "'").replace(/[“”„]/g, '"'))

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The whole sentences that a quotation is in, so that none is cut to say something else; null: it is not there. */
function sentenceOf(text: string, wanted: string): string | null {
  const start = text.indexOf(wanted)
  if (start < 0) return null
  const end = start + wanted.length
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - 1000)
  const ends = text.indexOf('\n', end)
  const around = text.slice(from, Math.min(ends < 0 ? text.length : ends, end + 1000))
  const pieces = [...segmenter.segment(around)].filter(
    ({ index, segment }) => from + index < end && from + index + segment.length > start,
  )
  const sentence = pieces
    .map(({ segment }) => segment)
    .join('')
    .trim()
  return sentence.length <= maxAsk ? sentence : wanted
}

const maxSender = 60
const maxSubject = 80

/** What is shown of it. Every word but the marks is the sender's. */
export function composeNudge(
  { from, subject }: Pick<JudgedMessage, 'from' | 'subject'>,
  { sentence, due }: Ask,
): string {
  const cut = (text: string, max: number) =>
    text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text
  const who = cut(cleanLine(from.name || from.address), maxSender)
  const quote = sentence.replace(/[“”"]/g, "'")
  return [`${who}: “${quote}”`, cut(cleanLine(subject), maxSubject), ...(due ? [due] : [])]
    .filter(Boolean)
    .join(' · ')
}
