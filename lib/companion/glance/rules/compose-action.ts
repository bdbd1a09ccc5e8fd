// What a nudge puts into the composer. The owner sends it as words of their own, so nobody else's sentence gets into it:
// who wrote, what about and by when, each only as far as it can be nothing but a name.

import { cleanLine } from '../../../core/text/clean.ts'
import { normalizeName } from '../../../core/text/normalize-name.ts'
import { givesOrders } from '../../../core/text/orders/gives-orders.ts'
import type { Concept } from '../../../core/text/orders/lexicon.ts'
import { plainWords } from '../../../core/text/orders/plain-words.ts'
import { readSentences } from '../../../core/text/orders/read-sentences.ts'
import { hasHidden, quoteName } from '../../../core/text/quote-name.ts'
import type { JudgedMessage } from './judge-thread.ts'

/** The mail that asks; `due`: the words in it that are a day. */
export type Asked = { message: Pick<JudgedMessage, 'subject' | 'from'>; due: string | null }

/** Words and tokens of a name that is quoted. A sentence that tells somebody what to do is mostly longer. */
const maxWords = 6
const maxTokens = 30

/** The runs of words of a subject and a sender's name by which something in the Space could be called. */
export const phrasesOf = ({ message: { subject, from } }: Asked): string[] => [
  ...new Set([...runsOf(topicOf(subject)), ...runsOf(cleanLine(from.name))]),
]

/**
 * One line, of quoted names and this file's own words. `titles`: those of `phrasesOf` that are names in the Space, which
 * an order needs for its object.
 */
export function composeAction({ message: { subject, from }, due }: Asked, titles: readonly string[]): string {
  const address = plainAddress.test(from.address)
    ? quoteName(from.address.toLowerCase(), 2 * maxTokens)
    : null
  const who = asName(cleanLine(from.name), titles) ?? address
  const about = asName(topicOf(subject), titles)
  const day = due !== null && dayLetters.test(due) && !givesOrders(due) ? due : null
  const reply = who ? `Draft my reply to ${who}` : 'Draft my reply to this mail'
  return `${reply}${about ? ` about ${about}` : ''}${day ? ` (due: ${day})` : ''}.`
}

const replyMarks = /^(?:\s{0,3}(?:re|fwd?|aw|wg|tr|sv|antw|rif|r)\s{0,3}:){1,20}/i

const topicOf = (subject: string): string => cleanLine(subject.replace(replyMarks, ''))

/** As they are written, and without the signs between words. */
function runsOf(name: string): string[] {
  return [name, name.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()].flatMap((text) => {
    const words = text.split(' ')
    if (words.length > 2 * maxWords) return []
    return words.flatMap((_, from) =>
      words.slice(from).map((_, more) => normalizeName(words.slice(from, from + more + 1).join(' '))),
    )
  })
}

/** In quotation marks; `null` for what may be more than a name. */
function asName(name: string, titles: readonly string[]): string | null {
  if (name === '' || name.length > 80 || hasHidden(name) || !nameLetters.test(name)) return null
  if (name.split(' ').length > maxWords || longNumber.test(name)) return null
  const isTitle = titles.includes(normalizeName(name))
  if (!isTitle && runsOf(name).some((run) => titles.includes(run))) return null
  return givesOrders(name) || steers(name) ? null : quoteName(name, maxTokens)
}

/** Of a day with a preposition before it. */
const dayLetters = /^[\p{L}\p{M}\p{N} .:/-]{1,40}$/u

/** No mark that ends a clause, begins a quotation or makes an address. */
const nameLetters = /^[\p{L}\p{M}\p{N} ,'’&()/+#.-]+$/u

const plainAddress = /^[\w.+-]{1,64}@[\w.-]{1,100}$/

/** Of an account, a card or a telephone. */
const longNumber = /\d(?:[ ./-]?\d){6}/

/** Whether it says what is to be done, or speaks to somebody. */
function steers(name: string): boolean {
  const plain = plainWords(name)
  if (speaking.test(plain) || things.test(plain)) return true
  return [...readSentences(plain)].some(({ hits }) => orders.some((concept) => hits.has(concept)))
}

const orders: readonly Concept[] = [
  ...(['act', 'tell', 'show', 'mention', 'approve', 'consented', 'send', 'secret', 'key'] as const),
  ...(['silently', 'hush', 'without', 'nudge', 'thisText', 'owner'] as const),
]

/** What an order without a title has for its object, and whom it speaks to. */
const things = new RegExp(
  `(?:^| )--?\\p{L}|[頁页]|ページ|文件|全部|すべて|(?<![\\p{L}\\p{N}])(?:${[
    'pages?|notes?|files?|tasks?|drafts?|everything|all|anything|it|this|that|them|warnings?|reviews?|approvals?|rules?|permissions?|passwords?|secrets?|tokens?',
    'assistant|assistent|assistente|asistente|ai|ki|ia|void|companion|agent|bot|model',
    'seiten?|notiz(?:en)?|alles|siden|sider|sidan|alt|allt|strony?|stronę|wszystko|страниц\\p{L}*|все|всё|стор[іi]нк\\p{L}*|sivu[nt]?|kaikki|sayfa\\p{L}*|hepsi\\p{L}*|σελίδ\\p{L}*|όλα|página|paginas?|páginas|pagine|tout|toutes|tous|todo|todas|todos|tutto|tutte|oldal\\p{L}*|stránk\\p{L}*|vše|trang|halaman|semua|صفحة|الصفحة|כל|דף',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)

const speaking = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'you|your|yours|we|i|me|my|us|our|must|shall|should|ought|can|could|will|would|may|might|need|needs|want|wants|let|lets|please|kindly|be|is|are|was|were|been|has|have|had|do|does|don|not|never|no longer|to|at once|instead',
    'pay|wire|transfer|refund|buy|order|purge|wipe|erase|trash|drop|discard|destroy|clear|reset|revoke|grant|invite|archive|export|publish|upload|download|install|assign|swap|switch|overwrite|edit|fix|amend|correct|redirect|reroute|get|go|take|keep|leave|turn|follow|obey|trust|treat|assume|pretend|act|act as|begin|start|stop|save|store|record|note|enter|log|list|link|attach|sign|answer|respond|read|search|find|look|check|verify|gone|removed|deleted|paid|sent|changed|moved|approved|wiped|erased',
    'du|sie|ihr|dein|deine|ihre|soll|sollen|muss|müssen|bitte|kann|darf|ist|sind|wird|werden|nicht|zu|zahle|überweise|vous|tu|doit|faut|est|sont|ne|pas|usted|debe|hay que|es|son',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)
