// Where a draft comes from: what its agent had read, and whether its quotations are found there. Worked out once, when the
// draft is stored, and kept with it.

import type { ChangeAction } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Provenance, ProvenanceSource } from '../../contract/changes/provenance.ts'
import { type EntityRow, type Kind, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { VouchedBy } from '../../contract/trust.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createTrustedOriginsRepo } from '../../db/repos/trusted_origins.ts'
import { textTask } from '../../jobs/workers/text-threads.ts'
import { checkQuotes, type DraftText, draftTexts, type QuoteDeps } from './check-quotes.ts'
import { judgeOutside, type OutsideUse } from './judge-outside.ts'
import { isUntrusted } from './untrusted.ts'

/** Of a draft made outside a turn: what was read before it is not known, and is not claimed to be clean. */
export const unknownProvenance: Provenance = { known: false, sources: [], more: 0, passages: [], quotes: [] }

const maxSources = 50

const maxPassages = 3

export type DraftOrigin = {
  kind: Kind
  action: ChangeAction
  space_id: string
  entity_id: string
  /** The row that would change; `null` for a create. */
  row: EntityRow | null
  payload: Record<string, unknown>
  /** What the agent had been given; `null` when nobody knows. */
  given: Given | null
  /** Text search configurations of the Space's passages. */
  languages: readonly string[]
}

/** Not for a transaction: it may wait for a thread. */
export async function gatherProvenance(
  db: Queryable,
  deps: QuoteDeps,
  draft: DraftOrigin,
): Promise<Provenance> {
  const { kinds } = deps
  const texts = draftTexts(draft.payload, draft.row)
  const described = await describeSources(db, kinds, draft)
  const uses = await judgeSources(deps, draft, described, texts)
  const judged = described.map(({ source }, index) => withUse(source, uses?.[index]))
  const listed = judged.toSorted((a, b) => weightOf(b) - weightOf(a))
  return {
    known: draft.given !== null && draft.given.known !== false,
    sources: listed.slice(0, maxSources),
    more: Math.max(0, listed.length - maxSources),
    passages: nearestPassages(described, uses),
    quotes: await checkQuotes(db, deps, texts, {
      space_id: draft.space_id,
      target: { entity_type: draft.kind.type, entity_id: draft.entity_id },
      given: draft.given?.sources ?? [],
      entity_types: kinds.searched.map(({ type }) => type),
      languages: draft.languages,
    }),
  }
}

type Described = { source: ProvenanceSource; texts: readonly string[] }

async function describeSources(
  db: Queryable,
  kinds: Kinds,
  { space_id, given }: Pick<DraftOrigin, 'space_id' | 'given'>,
): Promise<Described[]> {
  const sources = given?.sources ?? []
  const ids = sources.map(({ entity_id }) => entity_id).filter((id) => isId.test(id))
  const vouched = await createTrustedOriginsRepo(db).listVouched(space_id, ids)
  const vouchedBy = new Map(
    vouched.map(({ entity_type, entity_id, by }) => [`${entity_type} ${entity_id}`, by]),
  )
  const described: Described[] = []
  for (const [type, group] of Map.groupBy(sources, ({ entity_type }) => entity_type)) {
    const kind = kinds.find(type)
    const ids = group.map(({ entity_id }) => entity_id)
    const rows = kind
      ? await createEntitiesRepo(db).listWithinSpaces(kind, [space_id], ids, { text: false })
      : []
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const one of group) {
      described.push(describe(one, byId.get(one.entity_id), vouchedBy.get(`${type} ${one.entity_id}`)))
    }
  }
  return described
}

/** A tool that declared nothing is named, not numbered. */
const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function describe(
  { entity_type, entity_id, title, given_by, texts, in_turn = true }: GivenText,
  row: EntityRow | undefined,
  vouched: VouchedBy | undefined,
): Described {
  const origin =
    row?.origin ??
    (given_by === 'folder' ? 'folder' : given_by === 'tool' && entity_type !== 'tool' ? 'mcp' : null)
  const facts = { entity_type, entity_id, origin, given_by }
  const untrusted = isUntrusted({
    ...facts,
    created_by: row?.created_by ?? '',
    updated_by: row?.updated_by ?? '',
    mime: textOf(row?.mime),
    vouched,
  })
  return { source: { ...facts, title: textOf(row?.title) || title, untrusted, in_turn }, texts }
}

/** Whether anything from outside is among what an agent was given; what nobody knows may be. */
export async function hasOutside(
  db: Queryable,
  kinds: Kinds,
  { space_id, given }: { space_id: string; given?: Given | null | undefined },
): Promise<boolean> {
  if (!given) return true
  const described = await describeSources(db, kinds, { space_id, given })
  return described.some(({ source }) => source.untrusted)
}

const judgeTask = textTask(new URL('./judge-outside.ts', import.meta.url), judgeOutside)

/** Of each source what it has to do with the draft, `null` for the owner's own; `null` where all is too complex. */
async function judgeSources(
  { threads }: QuoteDeps,
  { kind, action, row, given }: DraftOrigin,
  described: readonly Described[],
  written: readonly DraftText[],
): Promise<(OutsideUse | null)[] | null> {
  const outside = described.filter(({ source }) => source.untrusted)
  if (outside.length === 0) return described.map(() => null)
  const judged = await threads.run(judgeTask, {
    written,
    change: { action, label: kind.label, title: textOf(row?.title) },
    said: given?.said ?? [],
    own: described.flatMap(({ source, texts }) => (source.untrusted ? [] : texts)),
    sources: outside.map(({ texts }) => texts),
  })
  if (!judged) return null
  return described.map((one) => (one.source.untrusted ? (judged[outside.indexOf(one)] ?? null) : null))
}

/** What could not be judged is taken for used, and so is what the owner was asked to act on. */
const withUse = (source: ProvenanceSource, use: OutsideUse | null | undefined): ProvenanceSource =>
  source.untrusted
    ? { ...source, used: source.given_by === 'glance' || (use?.used ?? true), orders: use?.orders ?? false }
    : source

const weightOf = ({ untrusted, used, orders }: ProvenanceSource): number =>
  Number(untrusted) + Number(used ?? false) + Number(orders ?? false)

/** Of the untrusted sources, those that come nearest to what is written; none where the texts are too complex. */
const nearestPassages = (
  described: readonly Described[],
  uses: readonly (OutsideUse | null)[] | null,
): Provenance['passages'] =>
  described
    .flatMap(({ source: { entity_type, entity_id, title, given_by } }, index) => {
      const passage = uses?.[index]?.passage
      // The file that a draft was made from has all of its words.
      return passage && given_by !== 'folder' ? [{ entity_type, entity_id, title, ...passage }] : []
    })
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxPassages)

/** What a draft that goes on from another would change; `row`: as it then is, null for what is new. */
type NextDraft = Pick<PendingChange, 'entity_type' | 'entity_id' | 'action' | 'payload'> & {
  row: Readonly<Record<string, unknown>> | null
}

/** The provenance of a draft, with the quotations of the one that goes on from it, whose text is another. */
export async function recheckQuotes(
  db: Queryable,
  deps: QuoteDeps & { languages: readonly string[] },
  { space_id, provenance }: PendingChange,
  { entity_type, entity_id, action, payload, row }: NextDraft,
): Promise<Provenance> {
  if (action === 'delete') return { ...provenance, quotes: [] }
  const quotes = await checkQuotes(db, deps, draftTexts(payload, row), {
    space_id,
    target: { entity_type, entity_id },
    given: provenance.sources,
    entity_types: deps.kinds.searched.map(({ type }) => type),
    languages: deps.languages,
  })
  return { ...provenance, quotes }
}

/**
 * Of a draft that builds on an earlier one: what either was made from. Nothing that an agent does later makes an
 * untrusted source a clean one. The quotes are those of the new text.
 */
export function inheritProvenance(fresh: Provenance, earlier: Provenance): Provenance {
  const known = new Set(fresh.sources.map(keyOf))
  const passages = new Set(fresh.passages.map(({ text, ...place }) => `${keyOf(place)} ${text}`))
  return {
    known: fresh.known && earlier.known,
    sources: [...fresh.sources, ...earlier.sources.filter((source) => !known.has(keyOf(source)))],
    more: Math.max(fresh.more, earlier.more),
    passages: [
      ...fresh.passages,
      ...earlier.passages.filter(({ text, ...place }) => !passages.has(`${keyOf(place)} ${text}`)),
    ],
    quotes: fresh.quotes,
  }
}

const keyOf = ({ entity_type, entity_id }: { entity_type: string; entity_id: string }) =>
  `${entity_type} ${entity_id}`

/** Something that an agent was given to read, and the pieces of its text that it was given. */
export type GivenText = Pick<ProvenanceSource, 'entity_type' | 'entity_id' | 'given_by'> & {
  /** For what is no entity: its name. */
  title: string
  texts: readonly string[]
  /** False if given in an earlier turn. Default: true. */
  in_turn?: boolean
}

/** All that an agent was given before a draft. */
export type Given = {
  sources: readonly GivenText[]
  /** Messages of the owner. */
  said: readonly string[]
  /** False if it was given more than is known of. Default: true. */
  known?: boolean
}
