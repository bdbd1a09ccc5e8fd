import type { CardField, LinkChange, PendingChange, QuoteCheck } from '../contract/card.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { type CardLimits, cutText, foldText } from './diff/fold.ts'
import { linkChanges } from './diff/link-changes.ts'
import { textChange } from './diff/text-change.ts'
import { fieldLabel, isText, sidesInWords } from './field-words.ts'
import { placeQuotes } from './grounding/place-quotes.ts'

type Draft = {
  change: PendingChange
  kind: Kind
  row: EntityRow | null
  references: Record<string, string>
}

/** What a change does field by field, whole. A delete takes every field away. */
export function cardFields({ change, kind, row, references }: Draft): CardField[] {
  const values =
    change.action === 'delete'
      ? Object.keys(kind.fields.shape).map((name) => [name, null] as const)
      : Object.entries(change.payload)
  const { quotes } = change.provenance
  return values.map(([name, after]) =>
    cardField({ kind, name, before: row?.[name] ?? null, after, references, quotes: quotesIn(quotes, name) }),
  )
}

const quotesIn = (quotes: readonly (QuoteCheck & { field: string })[], name: string): QuoteCheck[] =>
  quotes.filter(({ field }) => field === name).map(({ field, ...quote }) => quote)

type Value = {
  kind: Kind
  name: string
  before: unknown
  after: unknown
  references: Record<string, string>
  quotes: readonly QuoteCheck[]
}

function cardField({ kind, name, before, after, references, quotes }: Value): CardField {
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
    return { ...field, text: { ...text, hunks: placeQuotes(text.hunks, quotes, asText(after)) } }
  }
  const words = sidesInWords(kind, { name, references }, before, after)
  return { ...field, words, links: addressChange(name, before, after) }
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

/** The field within the limits of a card; what is left out is counted. */
export function foldField(field: CardField, limits: CardLimits): CardField {
  const before = cutValue(field.before, limits.value)
  const after = cutValue(field.after, limits.value)
  return {
    ...field,
    before: before.value,
    after: after.value,
    cut: before.left + after.left > 0 ? { before: before.left, after: after.left } : null,
    text: field.text && foldText(field.text, limits),
  }
}

function cutValue(value: unknown, most: number): { value: unknown; left: number } {
  if (typeof value !== 'string') return { value, left: 0 }
  const { text, left } = cutText(value, most)
  return { value: text, left }
}

/** Whether anything of a folded field is left out. */
export const isFolded = ({ cut, text }: CardField): boolean =>
  cut !== null ||
  (text !== null &&
    (text.folded !== null ||
      text.hunks.some((hunk) => hunk.more_links > 0 || hunk.parts.some(({ folded }) => folded > 0))))
