import type { CallRun, Card, CardLine, CardWarning, ReplyDelivery } from '../../contract/changes/card.ts'
import type { ChangeSince } from '../../contract/changes/decision.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { fieldLabel } from '../../core/text/properties/field-label.ts'
import { cardWarnings, noSurroundings, type Surroundings } from '../warnings/card-warnings.ts'
import { cardFields, valueWords } from './card-fields.ts'
import { type LineInput, makeCardLine } from './card-line.ts'
import { type CardLimits, cardLimits, foldField, isFolded } from './fold-text.ts'

export type CardInput = LineInput & {
  /** Titles of what the reference fields name, by id. */
  references?: Record<string, string>
  surroundings?: Surroundings
  /** What happened to the entity since the draft was made, the latest first. */
  since?: ChangeSince[] | undefined
  /** Left out: those of a card. */
  limits?: CardLimits | undefined
  /** How an approved call went. */
  call?: CallRun | null
  /** Where an approved reply is. */
  reply?: ReplyDelivery | null
}

/** The card of a change, from its stored payload and the current row alone. Pure. */
export function makeCard(input: CardInput): Card {
  const { change, kind, row, references = {}, surroundings = noSurroundings, limits = cardLimits } = input
  const whole = cardFields({ change, kind, row, references })
  const fields = whole.map((field) => foldField(field, limits))
  const drops = change.drops.map(({ field, text }) => ({ field: field && fieldLabel(field), text }))
  const draft = { kind, action: change.action, fields: whole, provenance: change.provenance, drops }
  const line = makeCardLine(input)

  return {
    ...line,
    stale: withSince(line.stale, input.since),
    fields,
    defaults: change.action === 'create' ? defaultsOf(kind, change.payload) : [],
    warnings: cardWarnings(draft, surroundings),
    provenance: change.provenance,
    folded: fields.some(isFolded),
    conflicts: change.conflicts,
    references,
    call: input.call ?? null,
    reply: input.reply ?? null,
    note: change.reason,
  }
}

/** As `makeCard`, of plain data, for a worker thread. */
export async function makeCardOfKind({
  kind,
  ...input
}: Omit<CardInput, 'kind'> & { kind: string }): Promise<Card> {
  const { kinds } = await import('../../contract/entities/kinds.ts')
  return makeCard({ ...input, kind: kinds.get(kind) })
}

/**
 * The card of a change whose texts could not be compared within the limits: both sides of each field as they are, and a
 * warning. The decision names the same hash.
 */
export function makeRawCard(input: CardInput): Card {
  const { change, kind, row } = input
  const names = change.action === 'delete' ? Object.keys(kind.fields.shape) : Object.keys(change.payload)
  const fields = names.map((name) => ({
    name,
    label: fieldLabel(name),
    before: row?.[name] ?? null,
    after: change.action === 'delete' ? null : change.payload[name],
    cut: null,
    words: null,
    text: null,
    links: [],
  }))
  const card = makeCard({ ...input, row: null, change: { ...change, payload: {} } })
  return {
    ...card,
    ...makeCardLine(input),
    stale: withSince(makeCardLine(input).stale, input.since),
    fields,
    defaults: change.action === 'create' ? defaultsOf(kind, change.payload) : [],
    warnings: [tooComplex, ...card.warnings],
  }
}

const tooComplex: CardWarning = {
  code: 'too_complex',
  message: 'The change is too complex to show in full. Its text is shown as it is, and was not checked.',
  field: null,
  hunk: null,
}

function defaultsOf(kind: Kind, payload: Record<string, unknown>): Card['defaults'] {
  return Object.entries(kind.defaults)
    .filter(([name]) => !(name in payload))
    .map(([name, value]) => ({
      name,
      label: fieldLabel(name),
      value,
      words: valueWords(kind, { name, value, references: {} }),
    }))
}

const withSince = (stale: CardLine['stale'], since: ChangeSince[] | undefined): Card['stale'] =>
  stale && since ? { ...stale, since } : stale
