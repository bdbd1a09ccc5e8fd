import { z } from 'zod'
import type { Sides } from '../../contract/changes/text-change.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { describeRecurrence, parseRecurrence } from '../../core/text/dates/recurrence.ts'

type Value = { name: string; value: unknown; references: Record<string, string> }

/**
 * A short value in words: a choice, a day, an entity by its title; the value itself where it is text. Two values of a
 * field have the same words only where two entities have the same title.
 */
export function valueWords(kind: Kind, { name, value, references }: Value): string {
  if (value === null || value === undefined) return none
  if (typeof value !== 'string') return JSON.stringify(value)
  if (value === '' || value === none || value === empty) return value === '' ? empty : `“${value}”`
  if (name in kind.references) return references[value] ?? `something that is gone (${value})`
  const schema = kind.fields.shape[name]
  const rule = name === 'recurrence' ? parseRecurrence(value) : null
  if (rule) return capital(describeRecurrence(rule))
  const isPlain = schema !== undefined && z.safeParse(schema, value).success
  if (/_on$/.test(name)) return isPlain ? day(value) : `“${value}”`
  if (/_at$/.test(name)) return isPlain ? moment(value) : `“${value}”`
  if (schema?.def.type === 'enum') return isPlain ? capital(value.replaceAll('_', ' ')) : `“${value}”`
  return value
}

/** Both sides in words; where they differ and the words do not, with the values themselves. */
export function sidesInWords(
  kind: Kind,
  field: Omit<Value, 'value'>,
  before: unknown,
  after: unknown,
): Sides<string> {
  const words = {
    before: valueWords(kind, { ...field, value: before }),
    after: valueWords(kind, { ...field, value: after }),
  }
  if (words.before !== words.after || before === after) return words
  return { before: `${words.before} (${String(before)})`, after: `${words.after} (${String(after)})` }
}

const none = 'none'
const empty = 'empty'

/** An address may have as many characters and is still one line. */
const maxLineLength = 2000

/** Whether a value is read as a text with changes in it, rather than as one value before another. */
export function isText(kind: Kind, name: string, values: readonly unknown[]): boolean {
  if (name === kind.bodyField) return true
  return values.some(
    (value) =>
      (typeof value === 'string' && (value.length > maxLineLength || value.includes('\n'))) ||
      (typeof value === 'object' && value !== null),
  )
}

const months = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const day = (value: string) => months.format(new Date(`${value}T00:00:00Z`))

const moments = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** The server does not know where the owner is. */
const moment = (value: string) => `${moments.format(new Date(value))} UTC`

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
