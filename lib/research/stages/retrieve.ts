// Stage 2: the ledger. Each passage once, with the sub-questions it was found for, in fair shares while there is room.

import { isUntrusted } from '../../changes/grounding/untrusted.ts'
import { sha256 } from '../../changes/payload.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { ResearchEvidenceRow } from '../../db/repos/research_evidence.ts'
import { type EntityRow, textOf } from '../../entities/kind.ts'
import type { DepthLimits } from '../run/depths.ts'
import { createFinder, type FoundPassage } from '../run/find-passages.ts'
import type { Stage, StageContext } from '../run/stage.ts'

export const retrieve: Stage = {
  name: 'retrieve',
  async run(context) {
    const { depth, state } = context
    const finder = await createFinder(context)
    const found: FoundPassage[][] = []
    for (const q of state.run.plan!.sub_questions) {
      found.push(await finder.find({ q, limit: depth.passages }))
    }
    const chosen = choosePassages(found, depth)
    const evidence = await describe(context, chosen)
    const sources = new Set(evidence.map(({ entity_id }) => entity_id)).size
    const untrusted = evidence.filter((one) => one.untrusted).length
    const problems = finder.problems()
    const counted = `${evidence.length} passages from ${sources} sources`
    return {
      status: 'done',
      summary: [evidence.length === 0 ? 'Nothing found' : counted, ...problems].join('. '),
      counts: { passages: evidence.length, sources, untrusted },
      result: { problems } satisfies Retrieval,
      evidence,
    }
  },
}

/** `problems`: a sentence for each source that could not be asked. */
export type Retrieval = { problems: string[] }

type Chosen = { hit: FoundPassage; sub_questions: number[]; quotes: string[] }

/**
 * The passages in turns, the best of each sub-question first, until there is no room: each text once, whichever entity
 * holds a copy of it.
 */
function choosePassages(
  found: readonly (readonly FoundPassage[])[],
  { contextCharacters }: Pick<DepthLimits, 'contextCharacters'>,
): Chosen[] {
  const chosen = new Map<string, Chosen>()
  let room = contextCharacters
  const rounds = Math.max(0, ...found.map((hits) => hits.length))
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, hits] of found.entries()) {
      const hit = hits[round]
      if (!hit) continue
      const key = hit.text.replace(/\s+/g, ' ').trim()
      const known = chosen.get(key)
      if (known && !known.sub_questions.includes(at)) {
        known.sub_questions.push(at)
        known.quotes.push(hit.cite)
      }
      if (known || key === '' || hit.text.length > room) continue
      room -= hit.text.length
      chosen.set(key, { hit, sub_questions: [at], quotes: [hit.cite] })
    }
  }
  return [...chosen.values()]
}

async function describe(
  { deps: { database, kinds }, turn }: StageContext,
  chosen: readonly Chosen[],
): Promise<ResearchEvidenceRow[]> {
  const rows = new Map<string, EntityRow>()
  for (const [type, group] of Map.groupBy(chosen, ({ hit }) => hit.entity_type)) {
    const kind = kinds.find(type)
    const ids = [...new Set(group.map(({ hit }) => hit.entity_id))]
    const spaces = [turn.turn.space_id]
    const found = kind
      ? await createEntitiesRepo(database).listWithinSpaces(kind, spaces, ids, { text: false })
      : []
    for (const row of found) rows.set(row.id, row)
  }
  let own = 0
  return chosen.map((one, at) => {
    if (!one.hit.outside) own += 1
    const n = one.hit.outside ? `W${at + 1 - own}` : String(own)
    return toEvidence(one, rows.get(one.hit.entity_id), { n, position: at + 1 })
  })
}

function toEvidence(
  { hit, ...found }: Chosen,
  row: EntityRow | undefined,
  place: Pick<ResearchEvidenceRow, 'n' | 'position'>,
): ResearchEvidenceRow {
  const { entity_type, entity_id, ordinal, title, text, outside, address } = hit
  const facts = {
    entity_type,
    origin: outside ? (address ? 'web' : 'mcp') : (row?.origin ?? null),
    given_by: outside ? ('tool' as const) : ('search' as const),
    created_by: textOf(row?.created_by),
    updated_by: textOf(row?.updated_by),
  }
  return {
    ...place,
    ...{ entity_type, entity_id, ordinal, title, text, ...found },
    sha256: sha256(text),
    origin: facts.origin,
    untrusted: isUntrusted(facts),
    address,
  }
}
