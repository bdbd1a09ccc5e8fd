// The gates of one thread, by its structure alone: who wrote to whom, what the headers say, what waits. No word decides
// here that nothing is asked. They are asked before any model, where the thread is what is open, and again, with the thread
// as it is by then, after the analyst.

import type { GlanceMute, GlanceReason } from '../../../contract/companion/glance.ts'
import type { MailFold } from '../../../contract/mail.ts'
import { addressIn, matchThreads, type StoredThread } from './match-thread.ts'

type Person = { name: string; address: string }

export type JudgedMessage = {
  id: string
  subject: string
  sent_at: string
  direction: 'received' | 'sent'
  from: Person
  to: readonly Person[]
  text: string
  folds: readonly MailFold[]
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

/** The newest message, where it is somebody else's to the owner and nobody has answered it; or why there is nothing to say. */
export function judgeThread(thread: JudgedThread): JudgedMessage | GlanceReason {
  const { messages, own, mutes } = thread
  const latest = messages.at(-1)
  if (!latest) return 'no_match'
  if (latest.direction === 'sent' || latest.answered || thread.hasDraft) return 'handled'
  if (isAutomated(latest)) return 'automated'
  if (own.size > 0 && !latest.to.some(({ address }) => own.has(address.toLowerCase()))) return 'not_addressed'
  if (answersAnother(messages, latest)) return 'handled'
  if (!isClear(latest.from, thread.addressesByName)) return 'sender_unclear'
  const seen = { subject: thread.base_subject, sender: latest.from.address || latest.from.name }
  if (matchThreads(seen, thread.alike).length > 1) return 'ambiguous'
  const sender = latest.from.address.toLowerCase()
  return mutes.some(({ type, value }) => type === 'sender' && value.toLowerCase() === sender)
    ? 'muted'
    : latest
}

/** Whether somebody else wrote since the owner last did: then it answers them, in the owner's place. */
function answersAnother(messages: readonly JudgedMessage[], latest: JudgedMessage): boolean {
  const last = messages.findLastIndex(({ direction }) => direction === 'sent')
  const sender = latest.from.address.toLowerCase()
  return messages.slice(last + 1).some(({ from }) => from.address.toLowerCase() !== sender)
}

/** A name that holds another address, or that somebody with another address has, may be put on. */
function isClear({ name, address }: Person, addressesByName: JudgedThread['addressesByName']): boolean {
  const own = address.toLowerCase()
  const inName = addressIn(name)
  const users = addressesByName.get(name.toLowerCase()) ?? []
  return own !== '' && (inName ?? own) === own && users.every((user) => user.address === own)
}

/** Addresses that no person reads answers at, in the languages in which they are found. */
const programs = new RegExp(
  `^(?:${[
    'no reply|do not reply|auto (?:reply|confirm|mated)|mailer daemon|postmaster|bounces?|notifications?',
    'nicht antworten|keine antwort|(?:ne )?pas (?:de )?(?:repondre|reponse)|no responder|non rispondere|nao responda',
    'niet (?:be)?antwoorden|geen antwoord|nie odpowiadaj|svara (?:ej|inte)|(?:ikke|ikkje) svar|svar ikke|neodpovidejte',
  ]
    .join('|')
    .replaceAll(' ', '[-_.]?')})(?:[+_.-].*)?@`,
  'i',
)

/** Whether a program or a list sent it, by its headers or its sender’s address. */
export const isAutomated = ({ automated, from }: Pick<JudgedMessage, 'automated' | 'from'>): boolean =>
  automated || programs.test(from.address)
