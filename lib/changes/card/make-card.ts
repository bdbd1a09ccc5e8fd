// What a person sees of a change, in full as a card and in one line of a list.

import { z } from 'zod'
import type { AgentMark } from '../../contract/agents.ts'
import type {
  CallRun,
  Card,
  CardLine,
  CardWarning,
  ReplyDelivery,
  StaleField,
} from '../../contract/changes/card.ts'
import type { ChangeAction, ChangeSince } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { dayText, momentText } from '../../core/schedule/day-text.ts'
import { describeRecurrence } from '../../core/schedule/describe-recurrence.ts'
import { parseRecurrence } from '../../core/schedule/recurrence.ts'
import { memoryChanges } from '../../core/text/memory/memory-lines.ts'
import { fieldLabel } from '../../core/text/properties/field-label.ts'
import { quoteShownSingly } from '../../core/text/quote-name.ts'
import { cardWarnings, noSurroundings, type Surroundings } from '../warnings/card-warnings.ts'
import { cardFields, valueWords } from './card-fields.ts'
import { type CardLimits, cardLimits, foldField, isFolded } from './fold-text.ts'

export type CardInput = LineInput & {
  /** Titles of what the reference fields name, by id. */
  references?: Record<string, string>
  surroundings?: Surroundings
  /** What happened to the entity since the draft was made, the latest first. */
  since?: ChangeSince[] | undefined
  /** The draft beside what changed since, word by word. */
  staleFields?: StaleField[] | undefined
  /** Default: the limits of a card. */
  limits?: CardLimits | undefined
  /** Of a memory page: whether it is that of all Spaces. Default, or `null`: it is of something else. */
  isMemoryEverywhere?: boolean | null
  /** How an approved call went. */
  call?: CallRun | null
  /** Where an approved reply is. */
  reply?: ReplyDelivery | null
}

/** The card of a change, from its stored payload and the current row alone. Pure. */
export function makeCard(input: CardInput): Card {
  const { change, kind, row, zone } = input
  const { references = {}, surroundings = noSurroundings, limits = cardLimits } = input
  const whole = cardFields({ change, kind, row, references, zone })
  const fields = whole.map((field) => foldField(field, limits))
  const drops = change.drops.map(({ field, text }) => ({ field: field && fieldLabel(field), text }))
  const draft = { kind, action: change.action, fields: whole, provenance: change.provenance, drops }
  const line = makeCardLine(input)

  return {
    ...line,
    stale: withSince(line.stale, input),
    fields,
    defaults: change.action === 'create' ? defaultsOf(input) : [],
    warnings: cardWarnings(draft, surroundings),
    provenance: change.provenance,
    folded: fields.some(isFolded),
    conflicts: change.conflicts,
    references,
    call: input.call ?? null,
    reply: input.reply ?? null,
    ...memoryOf(input),
    note: change.reason,
  }
}

function memoryOf({ isMemoryEverywhere: everywhere = null, change, row }: CardInput) {
  if (everywhere === null) return {}
  const memory = memoryChanges(textOf(row?.body), textOf(change.payload.body))
  return { memory, ...(everywhere ? { memory_scope: 'all_spaces' as const } : {}) }
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
    stale: withSince(makeCardLine(input).stale, input),
    fields,
    defaults: change.action === 'create' ? defaultsOf(input) : [],
    warnings: [tooComplex, ...card.warnings],
  }
}

const tooComplex: CardWarning = {
  code: 'too_complex',
  message: 'The change is too complex to show in full. Its text is shown as it is, and was not checked.',
  field: null,
  hunk: null,
}

function defaultsOf({ kind, change, zone }: CardInput): Card['defaults'] {
  return Object.entries(kind.defaults)
    .filter(([name]) => !(name in change.payload))
    .map(([name, value]) => ({
      name,
      label: fieldLabel(name),
      value,
      words: valueWords(kind, { name, value, references: {}, zone }),
    }))
}

const withSince = (stale: CardLine['stale'], { since, staleFields }: CardInput): Card['stale'] =>
  stale && { ...stale, ...(since && { since }), ...(staleFields && { fields: staleFields }) }

export type LineInput = {
  change: PendingChange
  kind: Kind
  /**
   * What the change is shown against: the entity as it is now, in the trash or not, or as it was when the change was
   * approved; `null` when there is none (a create, or a target that was deleted permanently).
   */
  row: EntityRow | null
  /** Where the owner is: times are said as they are there. */
  zone: string
  space: { id: string; name: string }
  agent: AgentMark
  undone?: Card['undone']
  /** The routine whose run drafted it. */
  routine?: CardLine['routine']
}

/** A card's line in a list. Pure and cheap: no text is compared. */
export function makeCardLine({
  change,
  kind,
  row,
  zone,
  space,
  agent,
  undone = null,
  routine = null,
}: LineInput): CardLine {
  return {
    pending_change_id: change.id,
    changeset_id: change.changeset_id,
    operation: change.action,
    entity_type: change.entity_type,
    entity_id: change.entity_id,
    title: row ? titleOf(row) : draftedTitle(kind, change.payload),
    space,
    summary: summarizeChange(kind, change, { row, zone }),
    payload_sha256: change.payload_sha256,
    status: change.status,
    stale: staleness(change, row),
    derivation: change.derivation,
    supersedes: change.supersedes,
    superseded_by: change.superseded_by,
    agent,
    routine,
    created_at: change.created_at,
    decided: decisionOf(change),
    undone,
  }
}

const draftedTitle = (kind: Kind, payload: Record<string, unknown>): string =>
  String(payload.title ?? kind.derive(payload).title ?? '')

/** Which version the entity has moved on to, if it has; `null` for a draft that can be applied, or is decided. */
export function staleness(change: PendingChange, row: EntityRow | null): CardLine['stale'] {
  if (change.status !== 'pending' || change.base_version === null) return null
  const current = row && row.deleted_at === null ? row.version : null
  if (current === change.base_version) return null
  return { base_version: change.base_version, current_version: current }
}

function decisionOf({ decided_at, decided_by, decision }: PendingChange): CardLine['decided'] {
  if (decided_at === null) return null
  return { at: decided_at, by: decided_by ?? '', reason: decision?.reason ?? null }
}

type Change = { action: ChangeAction; payload: Record<string, unknown> }

/**
 * One plain line that says what a change does, made from its payload and the row it would change (`null` for a create
 * or a gone target): "Change status of task ‘Wire telemetry’: open → done".
 */
export function summarizeChange(
  kind: Kind,
  change: Change,
  { row, zone }: Pick<LineInput, 'row' | 'zone'>,
): string {
  const title = quote(row ? titleOf(row) : String(change.payload.title ?? 'untitled'))
  const fields = Object.entries(change.payload)
  const say = (name: string, value: unknown) => show(kind, { name, value, zone })

  if (change.action === 'call') {
    const { tool, source } = change.payload
    return `Call ${quote(String(tool))} of the source ${quote(String(source))}`
  }
  if (kind.type === 'reply') {
    const { to_addresses, subject } = change.payload
    return `Draft a reply to ${quote(String(to_addresses))}: ${quote(String(subject))}`
  }
  if (kind.type === 'routine') {
    const rule = parseRecurrence(textOf(change.payload.schedule))
    return `Create routine ${title}: ${rule ? describeRecurrence(rule) : 'never'}`
  }
  if (change.action === 'create') return `Create ${kind.label} ${title}${extras(kind, change.payload, zone)}`
  if (change.action === 'delete') return `Delete ${kind.label} ${title}`

  if (fields.length === 0) return `Resolve conflicts in ${kind.label} ${title}`
  const [first] = fields
  if (fields.length === 1 && first) {
    const [name, value] = first
    if (name === 'title') return `Rename ${kind.label} ${title} to ${quote(String(value))}`
    if (name === kind.bodyField) return `Change the text of ${kind.label} ${title}`
    return `Change ${words(name)} of ${kind.label} ${title}: ${say(name, row?.[name])} → ${say(name, value)}`
  }
  return `Change ${list(fields.map(([name]) => (name === kind.bodyField ? 'text' : words(name))))} of ${kind.label} ${title}`
}

// What is worth a word about a new one besides its title: short fields that are not ids.
function extras(kind: Kind, payload: Record<string, unknown>, zone: string): string {
  const skip = new Set(['title', kind.bodyField, 'position', ...Object.keys(kind.references)])
  const shown = Object.entries(payload)
    .filter(([name, value]) => !skip.has(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${words(name)} ${show(kind, { name, value, zone })}`)
  return shown.length > 0 ? ` (${shown.join(', ')})` : ''
}

const words = (name: string) =>
  name === 'remind_at' ? 'reminder' : name.replace(/_id$/, '').replace(/_on$/, ' date').replaceAll('_', ' ')

const maxQuoted = 80

const quote = (text: string) => quoteShownSingly(text, maxQuoted)

// A choice, a day, a moment, an address or an id stands as it is; any other text is the agent's, and in quotation marks.
function show(kind: Kind, { name, value, zone }: { name: string; value: unknown; zone: string }): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return quote(JSON.stringify(value))
  const schema = kind.fields.shape[name]
  if (schema?.def.type === 'enum' && z.safeParse(schema, value).success) return value.replaceAll('_', ' ')
  if (/_at$/.test(name) && schema && z.safeParse(schema, value).success) return momentText(value, zone)
  return plainValue.test(value) && value.length <= maxQuoted ? dayText(value) : quote(value)
}

const plainValue = /^(?:\d{4}-\d\d-\d\d|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|https?:\/\/[\x21-\x7e]+)$/

const list = (names: string[]) => new Intl.ListFormat('en').format(names)
