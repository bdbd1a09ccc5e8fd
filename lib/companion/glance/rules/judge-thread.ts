// The gates of one thread. They are asked before any model, where the thread is what is open, and again, with the
// thread as it is by then, after the analyst.

import type { GlanceKind, GlanceMute, GlanceReason } from '../../../contract/companion/glance.ts'
import { givesOrders } from '../../../core/text/orders/gives-orders.ts'
import { plainWords } from '../../../core/text/orders/plain-words.ts'
import { addressIn, matchThreads, type StoredThread } from './match-thread.ts'

type Person = { name: string; address: string }

type JudgedMessage = {
  id: string
  subject: string
  sent_at: string
  direction: 'received' | 'sent'
  from: Person
  to: readonly Person[]
  text: string
  automated: boolean
  /** Whether its server has it as answered. */
  answered: boolean
}

export type JudgedThread = {
  id: string
  base_subject: string
  /** Oldest first. */
  messages: readonly JudgedMessage[]
  /** The owner’s addresses, in lower case. */
  own: ReadonlySet<string>
  /** Threads of that subject, this one included. */
  alike: readonly StoredThread[]
  /** Addresses that have used the names of those who wrote, both in lower case. */
  addressesByName: ReadonlyMap<string, readonly { address: string }[]>
  hasDraft: boolean
  mutes: readonly GlanceMute[]
}

/** What it would be about. */
export type Asked = { message: JudgedMessage; sentence: string; kind: GlanceKind }

/** What somebody asks of the owner in it and nobody has answered; or why there is nothing to say. */
export function judgeThread(thread: JudgedThread): Asked | GlanceReason {
  const { messages, own, mutes } = thread
  const latest = messages.at(-1)
  if (!latest) return 'no_match'
  if (latest.direction === 'sent' || thread.hasDraft) return 'handled'
  if (messages.some(isForPrograms)) return 'gives_orders'
  if (isAutomated(latest)) return 'automated'

  const asked = askIn(messages)
  if (!asked) return 'nothing_asked'
  const { message } = asked
  const later = messages.slice(messages.indexOf(message) + 1)
  if (message.answered || later.some((each) => answers(each, message))) return 'handled'
  if (own.size > 0 && !message.to.some(({ address }) => own.has(address.toLowerCase())))
    return 'not_addressed'
  if (!isClear(message.from, thread.addressesByName)) return 'sender_unclear'
  const seen = { subject: thread.base_subject, sender: message.from.address || message.from.name }
  if (matchThreads(seen, thread.alike).length > 1) return 'ambiguous'
  return isMuted(asked, mutes) ? 'muted' : asked
}

/** Characters of a message that are looked at for orders, from its beginning and from its end. */
const maxText = 20_000

/** Whether it speaks to a program, or holds what only a program reads. */
function isForPrograms({ subject, text }: JudgedMessage): boolean {
  const all = `${subject}\n${text}`
  const read = all.length > 2 * maxText ? `${all.slice(0, maxText)}\n${all.slice(-maxText)}` : all
  return givesOrders(read) || holdsCode(read)
}

/** The latest message that asks for something. */
function askIn(messages: readonly JudgedMessage[]): Asked | null {
  for (const message of messages.toReversed()) {
    const ask = message.direction === 'received' ? findAsk(message.text) : null
    if (ask) return { message, ...ask }
  }
  return null
}

/** By the owner, by somebody else who did not ask, or by the same one, to say that it is settled. */
const answers = ({ direction, from, text }: JudgedMessage, asking: JudgedMessage): boolean =>
  direction === 'sent' || from.address.toLowerCase() !== asking.from.address.toLowerCase() || isSettled(text)

/** A name that holds another address, or that somebody with another address has, may be put on. */
function isClear({ name, address }: Person, addressesByName: JudgedThread['addressesByName']): boolean {
  const own = address.toLowerCase()
  const inName = addressIn(name)
  const users = addressesByName.get(name.toLowerCase()) ?? []
  return own !== '' && (inName ?? own) === own && users.every((user) => user.address === own)
}

const isMuted = ({ message, kind }: Asked, mutes: readonly GlanceMute[]): boolean =>
  mutes.some(({ type, value }) =>
    type === 'kind' ? value === kind : value.toLowerCase() === message.from.address.toLowerCase(),
  )

/**
 * Whether a mail holds what no person writes in one: markup that would run, pictures that would be loaded, long runs of
 * letters that stand for something else.
 */
export function holdsCode(text: string): boolean {
  const plain = plainWords(text)
  return codes.some((code) => code.test(plain))
}

const codes: readonly RegExp[] = [
  /<(?:script|iframe|object|embed)\b|<[a-z]{1,10}\s[^<>\n]{0,200}\bon[a-z]{3,20}\s{0,3}=|!\[[^\]\n]{0,100}\]\([^)\n]{0,300}\)/u,
  /(?<![\p{L}\p{N}/=+.?&_%#-])[a-z0-9+/]{40,}/u,
]

// What a message asks of its reader, by words. It errs on the side of finding nothing: no nudge is the usual result.

export type Ask = {
  /** As it stands in the text. */
  sentence: string
  kind: GlanceKind
}

/** Characters of a message that are looked at, and of a sentence. */
const maxAskText = 20_000

const maxSentence = 400

/** The first sentence that asks for something; `null` when there is none, or the message says that nothing is asked. */
export function findAsk(text: string): Ask | null {
  const sentences = sentencesOf(text)
  if (sentences.some((sentence) => saysNothingAsked(sentence))) return null
  const asking = sentences.filter((sentence) => isAsking(sentence))
  const due = sentences.filter((sentence) => namesDeadline(sentence))
  const dated = asking.find((sentence) => namesDay(sentence))
  if (dated) return { sentence: dated, kind: 'deadline' }
  if (due[0]) return { sentence: due[0], kind: 'deadline' }
  return asking[0] ? { sentence: asking[0], kind: 'reply' } : null
}

/** Whether the message says that nothing is left to do. */
const isSettled = (text: string): boolean => sentencesOf(text).some((sentence) => saysNothingAsked(sentence))

/** Without lines that quote, each at most so long. */
function sentencesOf(text: string): string[] {
  return text
    .slice(0, maxAskText)
    .toWellFormed()
    .split(/\n/)
    .filter((line) => !line.trimStart().startsWith('>'))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s/))
    .map((sentence) => sentence.trim().slice(0, maxSentence).toWellFormed())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

const nothingAsked =
  /\b(?:no (?:reply|response|answer|action|need to (?:reply|respond|answer|do anything))(?: is)?(?: (?:needed|required|necessary|expected))?|nothing (?:to do|for you to do|is needed)|you (?:don't|do not) (?:need|have) to|for your information|for information only|f\.?y\.?i\.?|just (?:so you know|a heads[- ]up|letting you know|to let you know)|never ?mind|no longer (?:needed|necessary|required)|already (?:sorted|solved|done|handled|taken care|answered|settled)|(?:has|have|is|are) (?:now )?(?:been )?(?:resolved|sorted|solved|settled|answered)|found it myself|zur (?:info|information|kenntnis)|keine (?:antwort|rückmeldung|aktion) (?:nötig|notwendig|erforderlich)|hat sich erledigt|pour (?:votre )?information|aucune (?:réponse|action)|para tu información)(?![\p{L}])/iu

const saysNothingAsked = (sentence: string): boolean => nothingAsked.test(sentence.replaceAll('’', "'"))

const politeEnding =
  /\b(?:any (?:other |further |more )?questions|(?:questions|fragen) ?\?|feel free|don't hesitate|do not hesitate|please (?:find|note|see|be advised|be aware|ignore|disregard|do not|don't)|bitte (?:beachten|nicht)|how are you|how's it going|hope (?:you|this|all))(?![\p{L}])/iu

/** Questions that want no answer. */
const rhetorical =
  /(?:,\s(?:is|was|are|were|do|does|did|has|have|had|will|would|can|could|nicht|oder)(?:n't)?\s?(?:it|that|this|they|he|she|we|wahr)?\s?[?？]$)|\b(?:did i (?:ever )?tell you|have i told you|can you believe|would you believe|who would have|guess what|isn't (?:it|that|this)|wasn't (?:it|that|this))(?![\p{L}])/iu

const request =
  /(?<![\p{L}])(?:please|pls|kindly|could you|can you|would you|will you|are you able|do you (?:have|know|want|need|agree|mind|think)|let (?:me|us) know|get back to (?:me|us)|(?:please |to |you )confirm|rsvp|(?:i|we|they|he|she) (?:still )?need(?:s)? (?:your|you|an?|the|to (?:know|have|hear))|(?:need|want|require)s? your|(?:waiting|wait) for (?:your|you)|awaiting your|look(?:ing)? forward to (?:your|hearing)|send (?:me|us|it|them)|call me|reply|your (?:reply|answer|approval|signature|decision|feedback|confirmation|review|consent)|bitte|könnt(?:en sie|est du)|kannst du|können sie|würden sie|würdest du|melde dich|melden sie sich|(?:ihre|deine|um) (?:antwort|rückmeldung|bestätigung|freigabe|unterschrift)|s'il (?:vous|te) plaît|pourriez-vous|pouvez-vous|peux-tu|merci de|por favor|podría|podrías|puedes)(?![\p{L}])/iu

const isAsking = (sentence: string): boolean => {
  const words = sentence.replaceAll('’', "'")
  if (politeEnding.test(words) || rhetorical.test(words)) return false
  return /[?？؟]["'”)\]*_]*$/u.test(words) || request.test(words)
}

const due =
  /(?<![\p{L}])(?:deadline|due|overdue|no later than|at the latest|expires?|expiring|last (?:day|chance)|closes|fällig|frist|spätestens|läuft ab|échéance|au plus tard|vence)(?![\p{L}])/iu

const by = /(?<![\p{L}])(?:by|until|till|before|within|bis|vor|avant|d'ici|antes)(?![\p{L}])/iu

const day =
  /(?<![\p{L}\p{N}])(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|noon|midnight|end of (?:the )?(?:day|week|month|year)|eod|cob|monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?:january|february|march|april|june|july|august|september|october|november|december|may)(?= ?\d)|(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}\.?|\d{1,2}(?::\d\d)? ?(?:am|pm|uhr|o'clock)|\d{1,2} (?:hours|days|stunden|tagen?)|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|ende (?:der woche|des monats)|aujourd'hui|demain|hoy|mañana)(?![\p{L}\p{N}])/iu

const isDated = (words: string): boolean =>
  day.test(words) && (due.test(words) || by.test(words) || today.test(words))

const today = /(?<![\p{L}])(?:today|tonight|heute|aujourd'hui|hoy|this (?:afternoon|evening))(?![\p{L}])/iu

/** Of a sentence that asks: whether it says by when. */
const namesDay = (sentence: string): boolean => dayIn(sentence) !== null

/** The day that a sentence names as its end, in its own words of a calendar; `null` for none. */
export function dayIn(sentence: string): string | null {
  const words = sentence.replaceAll('’', "'")
  return isDated(words) ? (day.exec(words)?.[0] ?? null) : null
}

/** Of any sentence: whether it says that something ends on a day. */
const namesDeadline = (sentence: string): boolean => {
  const words = sentence.replaceAll('’', "'")
  return due.test(words) && day.test(words)
}

const programs =
  /^(?:no-?_?\.?reply|do-?_?\.?not-?_?\.?reply|notifications?|notify|alerts?|mailer(?:-daemon)?|postmaster|bounces?|newsletters?|news|updates?|marketing|promo(?:tions)?|offers|deals|digest|receipts?|billing|invoices?|orders?|auto(?:mated|-confirm)?|robot|bot|system|cron|monitoring|ci|builds?|shipment-tracking|tracking|share|sharing|invites?|invitations?|reminders?|daemon)(?:[+_-].*)?@/i

const saysSo =
  /(?<![\p{L}])(?:unsubscribe|opt[ -]out|view (?:this (?:e-?mail|message) )?(?:in|on) (?:your |a |the )?(?:web ?)?browser|(?:manage|update) (?:your )?(?:e-?mail )?(?:preferences|subscription)|you(?: are|'re) receiving this|(?:this is|this message was|this e-?mail was) (?:an )?auto(?:mated|matically)|auto-?generated|(?:do not|don't|please do not) reply|abbestellen|newsletter abmelden|automatisch (?:erstellt|generiert|versendet)|se désabonner|darse de baja)(?![\p{L}])/iu

const receipt =
  /(?<![\p{L}])(?:receipt|order (?:confirmation|confirmed|number|no\.?|#)|your order|payment (?:received|confirmation|successful|processed)|thank(?:s| you) for your (?:order|purchase|payment|booking|reservation)|booking confirm(?:ed|ation)|invoice (?:paid|settled)|has (?:been )?shipped|out for delivery|delivered to|bestellbestätigung|zahlungseingang|zahlungsbestätigung|quittung|vielen dank für (?:ihre|deine) (?:bestellung|zahlung)|confirmation de commande|reçu de paiement)(?![\p{L}])/iu

export type MailText = {
  subject: string
  from: { name: string; address: string }
  text: string
  /** Whether its headers say so. */
  automated: boolean
}

/** Whether a program sent it, a list did, or it confirms a purchase: by headers, the sender’s address or its words. */
export function isAutomated({ automated, from, subject, text }: MailText): boolean {
  if (automated || programs.test(from.address)) return true
  const ends = text.length > 2 * maxText ? `${text.slice(0, maxText)}\n${text.slice(-maxText)}` : text
  const words = `${subject}\n${ends}`.replaceAll('’', "'")
  return saysSo.test(words) || receipt.test(words)
}
