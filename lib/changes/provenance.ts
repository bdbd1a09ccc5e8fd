// Where a draft comes from: what its agent had been given to read, and whether what it quotes stands there. Worked out
// once, when the draft is stored, and kept with it.

import type { Provenance, ProvenanceSource } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { GivenText } from './given-texts.ts'
import { checkQuotes, type DraftText } from './grounding/check-quotes.ts'
import { computeHunks } from './hunks.ts'
import { nearestPassage } from './nearest-passage.ts'
import { isUntrusted } from './untrusted.ts'

/** Of a draft made outside a turn: what was read before it is not known, and is not claimed to be clean. */
export const unknownProvenance: Provenance = { known: false, sources: [], more: 0, passages: [], quotes: [] }

const mostSources = 50
const mostPassages = 3

export type DraftOrigin = {
  kind: Kind
  space_id: string
  entity_id: string
  /** The row that would change; `null` for a create. */
  row: EntityRow | null
  payload: Record<string, unknown>
  /** What the agent had been given; `null` when nobody knows. */
  given: readonly GivenText[] | null
  /** Text search configurations of the Space's passages. */
  languages: readonly string[]
}

export async function gatherProvenance(tx: Queryable, kinds: Kinds, draft: DraftOrigin): Promise<Provenance> {
  const texts = draftTexts(draft)
  const sources = await describeSources(tx, kinds, draft)
  const listed = sources.toSorted((a, b) => Number(b.source.untrusted) - Number(a.source.untrusted))
  return {
    known: draft.given !== null,
    sources: listed.slice(0, mostSources).map(({ source }) => source),
    more: Math.max(0, listed.length - mostSources),
    passages: nearestPassages(listed, texts),
    quotes: await checkQuotes(tx, kinds, texts, {
      space_id: draft.space_id,
      target: { entity_type: draft.kind.type, entity_id: draft.entity_id },
      given: draft.given ?? [],
      entity_types: kinds.all.map(({ type }) => type),
      languages: draft.languages,
    }),
  }
}

function draftTexts({ payload, row }: DraftOrigin): DraftText[] {
  return Object.entries(payload).flatMap(([field, after]) =>
    typeof after === 'string' ? [{ field, before: textOf(row?.[field]), after }] : [],
  )
}

type Described = { source: ProvenanceSource; texts: readonly string[] }

async function describeSources(
  tx: Queryable,
  kinds: Kinds,
  { space_id, given }: DraftOrigin,
): Promise<Described[]> {
  const described: Described[] = []
  for (const [type, group] of Map.groupBy(given ?? [], ({ entity_type }) => entity_type)) {
    const kind = kinds.find(type)
    const ids = group.map(({ entity_id }) => entity_id)
    const rows = kind ? await createEntitiesRepo(tx).listWithoutText(kind, [space_id], ids) : []
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const one of group) described.push(describe(one, byId.get(one.entity_id)))
  }
  return described
}

function describe(
  { entity_type, entity_id, title, given_by, texts }: GivenText,
  row: EntityRow | undefined,
): Described {
  const origin = row?.origin ?? null
  const facts = { entity_type, entity_id, origin, given_by }
  const untrusted = isUntrusted({
    ...facts,
    created_by: row?.created_by ?? '',
    updated_by: row?.updated_by ?? '',
  })
  return { source: { ...facts, title: textOf(row?.title) || title, untrusted }, texts }
}

function nearestPassages(sources: readonly Described[], texts: readonly DraftText[]): Provenance['passages'] {
  const written = texts.map(({ before, after }) => addedLines(before, after)).join('\n')
  return sources
    .filter(({ source }) => source.untrusted)
    .flatMap(({ source: { entity_type, entity_id, title }, texts }) => {
      const passage = nearestPassage(texts, written)
      return passage ? [{ entity_type, entity_id, title, ...passage }] : []
    })
    .toSorted((a, b) => b.share - a.share)
    .slice(0, mostPassages)
}

const addedLines = (before: string, after: string): string =>
  computeHunks(before, after)
    .map((hunk) => hunk.after.lines.join(''))
    .join('\n')
