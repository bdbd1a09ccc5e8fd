// Whether what a nudge says was read: each name, number, amount and date of it. Words that begin no name may be anything.

import { casedWords } from '../../../core/text/words/quote-words.ts'
import { isSameValue, valuesIn } from '../../research/verify/values.ts'

type ReadMail = { text: string; sent_at: string }

export type Reading = {
  /** All that was read, in any order. */
  text: string
  /** Messages in it whose days count from when they were sent. */
  mail: readonly ReadMail[]
  now: Date
}

/** Characters that are compared. */
const maxText = 200_000

export function isGrounded(message: string, { text, mail, now }: Reading): boolean {
  const words = casedWords(message)
  const values = valuesIn(words)
  const read = casedWords(text.slice(0, maxText).toWellFormed())
  const readValues = valuesIn(read)
  const known = new Set(read.map(bare))
  let days: Set<string> | undefined
  const isDayRead = (day: string) => {
    days ??= daysOf(mail)
    return days.has(day)
  }

  const isValueRead = (value: (typeof values)[number]) =>
    readValues.some((found) => isSameValue(value, found)) ||
    (value.kind === 'date' && isDayRead(isoDay(value, now)))
  if (!values.every(isValueRead)) return false
  const inValue = (at: number) => values.some(({ from, to }) => at >= from && at < to)
  return words.every((word, at) => {
    const meant = dayNamed(bare(word), now)
    if (meant !== null) return isDayRead(meant)
    return inValue(at) || !isName(word, at) || known.has(bare(word))
  })
}

const bare = (word: string): string => word.toLowerCase().replace(/'s?$/, '')

/** A capital letter makes one; at the beginning of a sentence only for a word that begins no sentence by itself. */
const isName = (word: string, at: number): boolean =>
  /^\p{Lu}/u.test(word) && word !== 'I' && !/^I'/.test(word) && !(at === 0 && openers.has(bare(word)))

const openers: ReadonlySet<string> = new Set(
  `a an the this that these those your you there it he she they we my our his her their one two some someone somebody
  no not please reply answer respond write send confirm tell call sign check review decide approve pay return remember
  still waiting unanswered open a reminder deadline due question request reply needed today tomorrow tonight
  der die das ein eine dein deine ihr ihre es du sie bitte antworte antworten heute morgen offen frist`
    .split(/\s+/)
    .filter(Boolean),
)

const dayMs = 86_400_000
const isoOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const relative: Record<string, number> = {
  today: 0,
  tonight: 0,
  heute: 0,
  tomorrow: 1,
  yesterday: -1,
  gestern: -1,
}
const weekdays: Record<string, number> = {
  sunday: 0,
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6,
  sonntag: 0,
  montag: 1,
  dienstag: 2,
  mittwoch: 3,
  donnerstag: 4,
  freitag: 5,
  samstag: 6,
}

/** The day that a word means when it is said at a time; a weekday is the next one. */
function dayNamed(word: string, at: Date): string | null {
  const days = relative[word]
  if (days !== undefined) return isoOf(at.getTime() + days * dayMs)
  const weekday = weekdays[word]
  return weekday === undefined ? null : isoOf(at.getTime() + ((weekday - at.getUTCDay() + 7) % 7) * dayMs)
}

/** A date without a year is of the year that it is said in. */
const isoDay = ({ amount, month, day }: { amount: number; month: number; day: number }, at: Date): string =>
  `${amount || at.getUTCFullYear()}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The days that messages name, as they are meant when they are sent. */
function daysOf(mail: readonly ReadMail[]): Set<string> {
  const days = new Set<string>()
  for (const { text, sent_at } of mail) {
    const at = new Date(sent_at)
    const words = casedWords(text.slice(0, maxText / 10).toWellFormed())
    for (const word of words) {
      const day = dayNamed(bare(word), at)
      if (day) days.add(day)
      // “By Friday”, said on a Friday, is this one or the next.
      if (day && weekdays[bare(word)] === at.getUTCDay()) days.add(isoOf(at.getTime() + 7 * dayMs))
    }
    for (const value of valuesIn(words)) if (value.kind === 'date') days.add(isoDay(value, at))
  }
  return days
}
