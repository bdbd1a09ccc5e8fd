import { z } from 'zod'
import type { CardField } from '../../contract/changes/card.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { QuoteCheck } from '../../contract/changes/provenance.ts'
import type { CardHunk, LinkChange, Sides } from '../../contract/changes/text-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import { dayText, momentText } from '../../core/schedule/day-text.ts'
import { describeRecurrence } from '../../core/schedule/describe-recurrence.ts'
import { parseRecurrence } from '../../core/schedule/recurrence.ts'
import { fieldLabel } from '../../core/text/properties/field-label.ts'
import { linkChanges, textChange } from './text-change.ts'

type Draft = {
  change: PendingChange
  kind: Kind
  row: EntityRow | null
  references: Record<string, string>
  /** Where the owner is. */
  zone: string
}

/** What a change does field by field, whole. A delete takes every field away. */
export function cardFields({ change, kind, row, references, zone }: Draft): CardField[] {
  const values =
    change.action === 'delete'
      ? Object.keys(kind.fields.shape).map((name) => [name, null] as const)
      : inOrder(kind, change.payload)
  const { quotes } = change.provenance
  return values.map(([name, after]) =>
    cardField({
      ...{ kind, name, references, zone, after },
      before: row?.[name] ?? null,
      quotes: quotesIn(quotes, name),
    }),
  )
}

/** What has an effect outside of Void is read as its kind has it: from, to, subject. */
const inOrder = ({ effect, fields }: Kind, payload: Record<string, unknown>) =>
  effect
    ? Object.keys(fields.shape).flatMap((name) => (name in payload ? [[name, payload[name]] as const] : []))
    : Object.entries(payload)

const quotesIn = (quotes: readonly (QuoteCheck & { field: string })[], name: string): QuoteCheck[] =>
  quotes.filter(({ field }) => field === name).map(({ field, ...quote }) => quote)

type FieldInput = {
  kind: Kind
  name: string
  before: unknown
  after: unknown
  references: Record<string, string>
  zone: string
  quotes: readonly QuoteCheck[]
}

function cardField({ kind, name, before, after, references, zone, quotes }: FieldInput): CardField {
  const field = {
    name,
    label: fieldLabel(name),
    before,
    after,
    cut: null,
    words: null,
    text: null,
    links: [],
  }
  if (isText(kind, name, [before, after])) {
    const text = textChange(asText(before), asText(after))
    return { ...field, text: { ...text, hunks: placeQuotes(text.hunks, quotes) } }
  }
  const words = sidesInWords(kind, { name, references, zone }, before, after)
  const checked = quotes.map(({ lines, ...quote }) => quote)
  const links = addressChange(name, before, after)
  return { ...field, words, links, ...(checked.length > 0 ? { quotes: checked } : {}) }
}

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : JSON.stringify(value, null, 2)

function addressChange(name: string, before: unknown, after: unknown): LinkChange[] {
  if (name !== 'url' || before === after) return []
  const link = (target: unknown) =>
    typeof target === 'string' && target !== '' ? [{ kind: 'link' as const, label: target, target }] : []
  return linkChanges(link(before), link(after))
}

type Value = { name: string; value: unknown; references: Record<string, string>; zone: string }

/**
 * A short value in words: a choice, a day, an entity by its title; the value itself where it is text. Two values of a
 * field have the same words only where two entities have the same title.
 */
export function valueWords(kind: Kind, { name, value, references, zone }: Value): string {
  if (value === null || value === undefined) return none
  if (typeof value !== 'string') return JSON.stringify(value)
  if (value === '' || value === none || value === empty) return value === '' ? empty : `“${value}”`
  if (name in kind.references) return references[value] ?? `something that is gone (${value})`
  const schema = kind.fields.shape[name]
  const rule = name === 'recurrence' || name === 'schedule' ? parseRecurrence(value) : null
  if (rule) return capital(describeRecurrence(rule))
  const isPlain = schema !== undefined && z.safeParse(schema, value).success
  if (/_on$/.test(name)) return isPlain ? dayText(value) : `“${value}”`
  if (/_at$/.test(name)) return isPlain ? momentText(value, zone) : `“${value}”`
  if (schema?.def.type === 'enum') return isPlain ? capital(value.replaceAll('_', ' ')) : `“${value}”`
  return value
}

/** Both sides in words; where they differ and the words do not, with the values themselves. */
function sidesInWords(
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
function isText(kind: Kind, name: string, values: readonly unknown[]): boolean {
  if (name === kind.bodyField) return true
  return values.some(
    (value) =>
      (typeof value === 'string' && (value.length > maxLineLength || value.includes('\n'))) ||
      (typeof value === 'object' && value !== null),
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The hunks of a text, each with those of its checked quotations that touch a line it adds. The text is not read again:
 * where a quotation is was stored with its check. One without a place is at the first hunk.
 */
function placeQuotes(hunks: CardHunk[], quotes: readonly QuoteCheck[]): CardHunk[] {
  if (quotes.length === 0) return hunks
  return hunks.map((hunk, index) => {
    const start = hunk.lines.after.start - 1
    const end = start + hunk.lines.after.count
    const touching = quotes.filter(({ lines }) =>
      lines ? lines.from < end && start < lines.to : index === 0,
    )
    return { ...hunk, quotes: touching.map(({ lines, ...quote }) => quote) }
  })
}
