// Every warning of a card, from the payload and the rows alone. Rules only: no model, no word of the agent's own.

import type { CardField, CardWarning } from '../../contract/changes/card.ts'
import { type ChangeAction, type DroppedChange, makesNew } from '../../contract/changes/decision.ts'
import type { Provenance, ProvenanceSource, QuoteVerdict } from '../../contract/changes/provenance.ts'
import { type Kind, textOf } from '../../contract/entities/kind.ts'
import { splitLines } from '../../core/text/clean.ts'
import { countWords } from '../../core/text/diff/diff-words.ts'
import { maskCode } from '../../core/text/links/read-links.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'
import {
  stretchesOf,
  warnHidden,
  warnHtml,
  warnLinks,
  warnMixedScripts,
  warnRemoteImages,
} from './text-warnings.ts'

/** Of one kind on one field; how many more there are is said in the last of them. */
const maxRepeats = 20

type Draft = {
  kind: Kind
  action: ChangeAction
  fields: readonly CardField[]
  provenance: Provenance
  /** Fields by their labels. */
  drops: readonly DroppedChange[]
}

/** The warnings of a draft whose fields are whole, those on the change as a whole first. */
export function cardWarnings(draft: Draft, surroundings: Surroundings): CardWarning[] {
  return [
    ...(draft.action === 'call' ? [outsideCall] : []),
    ...warnProvenance(draft.provenance),
    ...warnDrops(draft.drops),
    ...warnSurroundings(draft, surroundings),
    ...(draft.action === 'delete'
      ? []
      : draft.fields.flatMap((field) => bounded(fieldWarnings(field, draft.action)))),
  ]
}

const outsideCall: CardWarning = {
  code: 'outside_call',
  message: 'This acts outside of Void, and cannot be undone here.',
  field: null,
  hunk: null,
}

function fieldWarnings(field: CardField, action: ChangeAction): CardWarning[] {
  const before = textOf(field.before)
  const after = textOf(field.after)
  const masked = { before: splitLines(maskCode(before)), after: splitLines(maskCode(after)) }
  const stretches = stretchesOf(field, masked)
  return [
    ...(action === 'update' ? [...warnDeletion(field), ...warnWhiteSpace(field)] : []),
    ...stretches.flatMap((stretch) => [
      ...warnLinks(stretch),
      ...warnRemoteImages(stretch, after),
      ...warnHtml(stretch),
      ...warnHidden(stretch),
      ...warnMixedScripts(stretch),
    ]),
    ...warnQuotes(field),
  ]
}

function bounded(warnings: readonly CardWarning[]): CardWarning[] {
  return [...Map.groupBy(warnings, ({ code }) => code).values()].flatMap((alike) => {
    if (alike.length <= maxRepeats) return alike
    const last = alike[maxRepeats - 1]!
    const more = { ...last, message: `${last.message} The same in ${alike.length - maxRepeats} more places.` }
    return [...alike.slice(0, maxRepeats - 1), more]
  })
}

/** Changes of an earlier draft that are named. */
const maxDrops = 4

/** What a waiting draft would have changed, and the one in its place does not; fields by their labels. */
function warnDrops(drops: readonly DroppedChange[]): CardWarning[] {
  if (drops.length === 0) return []
  const named = drops.slice(0, maxDrops).map(({ field, text }) => {
    if (field === '') return text
    return text === '' ? field.toLowerCase() : `${field.toLowerCase()} ${quoted(text)}`
  })
  const more = drops.length > maxDrops ? ` and ${drops.length - maxDrops} more` : ''
  const message = `It leaves out what an earlier draft would change: ${named.join(', ')}${more}.`
  return [{ code: 'drops_earlier', message, field: null, hunk: null }]
}

/**
 * Text from outside that gave orders in the turn that made the draft, and text of which words are in the draft. What was
 * merely in view is listed among the sources, and no more.
 */
export function warnProvenance({ sources }: Provenance): CardWarning[] {
  const outside = sources.filter(({ untrusted }) => untrusted)
  const ordering = outside.filter(({ orders, in_turn }) => orders && in_turn)
  const used = outside.filter(({ used }) => used ?? true)
  return [
    ...warning('outside_orders', ordering, (named) => [
      `Read before this was drafted, and tells its reader what to do: ${named}. Check that it is what you asked for.`,
    ]),
    ...warning(
      'untrusted_sources',
      used.filter((source) => !ordering.includes(source)),
      (named) => [`Based partly on outside content: ${named}.`],
    ),
  ]
}

function warning(
  code: CardWarning['code'],
  [first, ...rest]: readonly ProvenanceSource[],
  say: (named: string) => string[],
): CardWarning[] {
  if (!first) return []
  const more = rest.length > 0 ? ` and ${amount(rest.length, 'other text')}` : ''
  const named = `${quoted(first.title)} (${first.origin ?? 'of unknown origin'})${more}`
  return say(named).map((message) => ({ code, message, field: null, hunk: null }))
}

const faithful: ReadonlySet<QuoteVerdict> = new Set(['verbatim', 'shortened', 'with_insertions', 'unchecked'])

/** Quotations that are not found in the source they name. */
function warnQuotes({ name, text, quotes: own = [] }: CardField): CardWarning[] {
  return [{ index: null, quotes: own }, ...(text?.hunks ?? [])].flatMap(({ index, quotes }) =>
    quotes
      .filter(({ verdict }) => !faithful.has(verdict))
      .map(({ message }) => ({ code: 'quote_unfaithful' as const, message, field: name, hunk: index })),
  )
}

/** More than a paragraph, and either half of the text or a page of paper. */
const paragraph = 60

const page = 400

/** A text that loses much of what it says. */
function warnDeletion({ name, before, text }: CardField): CardWarning[] {
  if (!text || typeof before !== 'string') return []
  const lost = text.totals.words_removed - text.totals.words_added
  if (lost < paragraph) return []
  const words = countWords(before)
  if (lost * 2 < words && lost < page) return []
  return [
    {
      code: 'large_deletion',
      message: `It removes ${amount(lost, 'word')} of ${words.toLocaleString('en')}.`,
      field: name,
      hunk: null,
    },
  ]
}

/** A change that a reader would not see. */
function warnWhiteSpace({ name, before, after, text }: CardField): CardWarning[] {
  if (typeof before !== 'string' || typeof after !== 'string' || before === after) return []
  if (squeeze(before) === squeeze(after)) {
    const message = 'It changes only white space.'
    return [{ code: 'white_space_only', message, field: name, hunk: null }]
  }
  const blank = (text?.hunks ?? []).filter(({ parts }) => {
    const [old, fresh] = ['added', 'removed'].map((side) =>
      squeeze(parts.map(({ kind, text }) => (kind === side ? '' : text)).join('')),
    )
    return old === fresh && old !== ''
  })
  return blank.map(({ index }) => ({
    code: 'white_space_only',
    message: 'Changes only white space here.',
    field: name,
    hunk: index,
  }))
}

const squeeze = (text: string) => text.replace(/\s+/gu, '')

/** The surroundings of the entity that a draft would change. */
export type Surroundings = {
  /** How many entities link to it. */
  backlinks: number
  /** How many of those by the name that the draft would change. */
  renamed: { links: number; pages: number } | null
  /** What refers to it by a field: pages below a page, tasks of a project. */
  children: { label: string; plural: string; count: number }[]
  /** When the owner changed it last with their own hands, if that was shortly before the draft was made. */
  edited_at: string | null
  /** How a task repeats that the draft would mark done, in words; `null`: it does not. */
  repeats: string | null
}

export const noSurroundings: Surroundings = {
  backlinks: 0,
  renamed: null,
  children: [],
  edited_at: null,
  repeats: null,
}

function warnSurroundings(
  { kind, action }: { kind: Kind; action: ChangeAction },
  { backlinks, renamed, children, edited_at, repeats }: Surroundings,
): CardWarning[] {
  const warnings: CardWarning[] = []
  const warn = (code: CardWarning['code'], message: string) =>
    warnings.push({ code, message, field: null, hunk: null })

  if (action === 'delete' && backlinks > 0) {
    const lead = backlinks === 1 ? 'links to it and would point' : 'link to it and would point'
    warn('has_backlinks', `${amount(backlinks, 'thing')} ${lead} nowhere.`)
  }
  if (action === 'update' && renamed !== null && renamed.links > 0) {
    warn(
      'rewrites_links',
      `${amount(renamed.links, 'link')} to it in ${amount(renamed.pages, 'text')} will be rewritten.`,
    )
  }
  for (const { label, plural, count } of action === 'delete' ? children : []) {
    if (count > 0) warn('has_children', `${amount(count, label, plural)} below it would lose their parent.`)
  }
  if (repeats !== null) {
    warn('repeats', `It repeats ${repeats}: marked done, it moves to its next due date and stays open.`)
  }
  if (!makesNew(action) && edited_at !== null) {
    warn('edited_lately', `You changed this ${kind.label} yourself shortly before the draft was made.`)
  }
  return warnings
}

/** "1 page", "3 pages". */
const amount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
