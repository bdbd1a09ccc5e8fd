// The gates of one thread. They are asked before any model, where the thread is what is open, and again, with the
// thread as it is by then, after the analyst.

import type { GlanceKind, GlanceMute, GlanceReason } from '../../../contract/companion/glance.ts'
import { givesOrders } from '../../../core/text/orders/gives-orders.ts'
import { findAsk, isSettled } from './find-ask.ts'
import { holdsCode } from './holds-code.ts'
import { isAutomated } from './is-automated.ts'
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
