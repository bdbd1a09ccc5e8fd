import type { CardField } from '../../contract/changes/card.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { QuoteCheck } from '../../contract/changes/provenance.ts'
import type { LinkChange } from '../../contract/changes/text-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import { fieldLabel } from '../../core/text/properties/field-label.ts'
import { placeQuotes } from '../grounding/place-quotes.ts'
import { isText, sidesInWords } from './field-words.ts'
import { linkChanges } from './link-changes.ts'
import { textChange } from './text-change.ts'

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
      : inOrder(kind, change.payload)
  const { quotes } = change.provenance
  return values.map(([name, after]) =>
    cardField({ kind, name, before: row?.[name] ?? null, after, references, quotes: quotesIn(quotes, name) }),
  )
}

/** What has an effect outside of Void is read as its kind has it: from, to, subject. */
const inOrder = ({ effect, fields }: Kind, payload: Record<string, unknown>) =>
  effect
    ? Object.keys(fields.shape).flatMap((name) => (name in payload ? [[name, payload[name]] as const] : []))
    : Object.entries(payload)

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
    return { ...field, text: { ...text, hunks: placeQuotes(text.hunks, quotes) } }
  }
  const words = sidesInWords(kind, { name, references }, before, after)
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
