// Where a draft comes from: what its agent had read, and whether its quotations are found there. Worked out
// once, when the draft is stored, and kept with it.

import type { Provenance, ProvenanceSource } from '../../contract/changes/provenance.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { EntityRow, Kind } from '../../entities/kind.ts'
import { textOf } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { textTask } from '../../workers/text-threads.ts'
import { checkQuotes, type DraftText, type QuoteDeps } from './check-quotes.ts'
import { draftTexts } from './draft-texts.ts'
import type { GivenText } from './given-text.ts'
import { nearestPassages } from './nearest-passage.ts'
import { isUntrusted } from './untrusted.ts'

/** Of a draft made outside a turn: what was read before it is not known, and is not claimed to be clean. */
export const unknownProvenance: Provenance = { known: false, sources: [], more: 0, passages: [], quotes: [] }

const maxSources = 50
const maxPassages = 3

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

export async function gatherProvenance(
  tx: Queryable,
  deps: QuoteDeps,
  draft: DraftOrigin,
): Promise<Provenance> {
  const { kinds } = deps
  const texts = draftTexts(draft.payload, draft.row)
  const sources = await describeSources(tx, kinds, draft)
  const listed = sources.toSorted((a, b) => Number(b.source.untrusted) - Number(a.source.untrusted))
  return {
    known: draft.given !== null,
    sources: listed.slice(0, maxSources).map(({ source }) => source),
    more: Math.max(0, listed.length - maxSources),
    passages: await untrustedPassages(tx, deps, listed, texts),
    quotes: await checkQuotes(tx, deps, texts, {
      space_id: draft.space_id,
      target: { entity_type: draft.kind.type, entity_id: draft.entity_id },
      given: draft.given ?? [],
      entity_types: kinds.searched.map(({ type }) => type),
      languages: draft.languages,
    }),
  }
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
    const rows = kind
      ? await createEntitiesRepo(tx).listWithinSpaces(kind, [space_id], ids, { text: false })
      : []
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const one of group) described.push(describe(one, byId.get(one.entity_id)))
  }
  return described
}

function describe(
  { entity_type, entity_id, title, given_by, texts }: GivenText,
  row: EntityRow | undefined,
): Described {
  const origin = row?.origin ?? (given_by === 'tool' && entity_type !== 'tool' ? 'mcp' : null)
  const facts = { entity_type, entity_id, origin, given_by }
  const untrusted = isUntrusted({
    ...facts,
    created_by: row?.created_by ?? '',
    updated_by: row?.updated_by ?? '',
  })
  return { source: { ...facts, title: textOf(row?.title) || title, untrusted }, texts }
}

const nearestTask = textTask(new URL('./nearest-passage.ts', import.meta.url), nearestPassages)

/** Of the untrusted sources, those that come nearest to what is written; none where the texts are too complex. */
async function untrustedPassages(
  tx: Queryable,
  { compute }: QuoteDeps,
  described: readonly Described[],
  texts: readonly DraftText[],
): Promise<Provenance['passages']> {
  const untrusted = described.filter(({ source }) => source.untrusted)
  if (untrusted.length === 0) return []
  const input = { written: texts, sources: untrusted.map(({ texts }) => texts) }
  const nearest = await compute(tx, nearestTask, input)
  return untrusted
    .flatMap(({ source: { entity_type, entity_id, title } }, index) => {
      const passage = nearest?.[index]
      return passage ? [{ entity_type, entity_id, title, ...passage }] : []
    })
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxPassages)
}
