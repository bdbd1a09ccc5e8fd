// Whether what was seen names one stored thread. Normalized: `Re:` and its like, case, white space, quotation marks; a
// subject that was cut off on the screen ends in an ellipsis.

import { plainWordsOf } from '../../../core/text/words/words.ts'
import { plainSubject } from '../../../files/import/mail/read-headers.ts'

type Person = { name: string; address: string }

export type SeenMail = { subject: string; sender: string }

export type StoredThread = { id: string; base_subject: string; senders: readonly Person[] }

/** A subject that was cut off is no shorter. */
const minBeginning = 10
const maxLength = 500

/** The subject as threads are compared by, and whether it is the beginning of one. */
export function readSubject(seen: string): { subject: string; isBeginning: boolean } {
  const line = plainSubject(seen.slice(0, maxLength).normalize('NFKC'))
    .replace(/^["'“”‘’«»]{1,3}|["'“”‘’«»]{1,3}$/gu, '')
    .trim()
  const cut = line.replace(/\s{0,3}(?:…|\.{3})$/u, '')
  return { subject: cut, isBeginning: cut !== line && cut.length >= minBeginning }
}

/** The ids of the threads that have the subject and a sender of that name or address. */
export function matchThreads(seen: SeenMail, threads: readonly StoredThread[]): string[] {
  const { subject, isBeginning } = readSubject(seen.subject)
  if (subject === '') return []
  const hasSubject = ({ base_subject }: StoredThread) => {
    const own = readSubject(base_subject).subject
    return own === subject || (isBeginning && own.startsWith(subject))
  }
  return threads
    .filter((thread) => hasSubject(thread) && thread.senders.some((person) => isSender(seen.sender, person)))
    .map(({ id }) => id)
}

/** Whether a sender, as it was read, is this one. An address decides where one was read; else the name must be equal. */
export function isSender(seen: string, { name, address }: Person): boolean {
  const line = seen.slice(0, maxLength)
  const read = addressIn(line)
  if (read !== null) return read === address.toLowerCase()
  const words = nameWords(line)
  return words !== '' && (words === nameWords(name) || words === address.toLowerCase())
}

/** The address in a text, in lower case. */
export const addressIn = (text: string): string | null =>
  /[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@]{1,255}/u.exec(text.slice(0, maxLength))?.[0].toLowerCase() ??
  null

/** “Berg, Anna” is “Anna Berg”. */
const nameWords = (name: string): string => plainWordsOf(name.normalize('NFKC')).toSorted().join(' ')
