// Stage 2: the ledger. Each passage once, with the sub-questions it was found for, in fair shares while there is room.

import { isUntrusted } from '../../../changes/grounding/untrusted.ts'
import { sha256 } from '../../../changes/payload.ts'
import { type EntityRow, textOf } from '../../../contract/entities/kind.ts'
import type { VouchedBy } from '../../../contract/trust.ts'
import type { Database } from '../../../db/pool.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import {
  createResearchEvidenceRepo,
  type KnownPassage,
  type ResearchEvidenceRow,
} from '../../../db/repos/research_stages.ts'
import { createTrustedOriginsRepo } from '../../../db/repos/trusted_origins.ts'
import { countOf } from '../output/count-of.ts'
import { beginsInTable, tableHead } from '../rules/table-head.ts'
import { createFinder, type FoundPassage } from '../run/find-passages.ts'
import type { Stage, StageContext } from '../run/stage.ts'

export const retrieve: Stage = {
  name: 'retrieve',
  async run(context) {
    const { depth, state } = context
    const finder = await createFinder(context)
    const known = await loadKnownPassages(context.deps.database, state.run)
    // What is known takes no place of what is new.
    const limit = known.size > 0 ? depth.passages * 2 : depth.passages
    const found = await finder.find(state.run.plan!.sub_questions, limit)
    const { fresh, earlier } = splitKnown(found, known)
    const again = choosePassages(earlier, depth.context_characters / 3)
    const room = depth.context_characters - again.reduce((sum, { hit }) => sum + hit.text.length, 0)
    const chosen = choosePassages(
      fresh.map((hits) => hits.slice(0, depth.passages)),
      room,
    )
    const evidence = (await describe(context, [...chosen, ...again])).map(
      (one, at): ResearchEvidenceRow =>
        at < chosen.length ? one : toEarlier(one, at - chosen.length + 1, known.get(one.sha256)!),
    )
    const sources = new Set(evidence.map(({ entity_id }) => entity_id)).size
    const untrusted = evidence.filter((one) => one.untrusted).length
    const problems = finder.problems()
    return {
      status: 'done',
      summary: [countWords({ passages: chosen.length, earlier: again.length, sources }), ...problems].join(
        '. ',
      ),
      counts: {
        passages: chosen.length,
        sources,
        untrusted,
        ...(known.size > 0 ? { earlier: again.length } : {}),
      },
      result: { problems } satisfies Retrieval,
      evidence,
    }
  },
}

/** `problems`: a sentence for each source that could not be asked. */
export type Retrieval = { problems: string[] }

function countWords({ passages, earlier, sources }: Record<'passages' | 'earlier' | 'sources', number>) {
  if (passages + earlier === 0) return 'Nothing found'
  const from = `from ${countOf(sources, 'source')}`
  if (earlier === 0) return `${countOf(passages, 'passage')} ${from}`
  return `${countOf(passages, 'new passage')}, ${earlier} known from before, ${from}`
}

const toEarlier = (
  one: ResearchEvidenceRow,
  at: number,
  { run_id, n, claims }: KnownPassage,
): ResearchEvidenceRow => ({
  ...one,
  n: `P${at}`,
  origin: 'earlier_answer',
  earlier: { run_id, n, claims },
})

type Chosen = { hit: FoundPassage; sub_questions: number[]; quotes: string[] }

/**
 * The passages in turns, the best of each sub-question first, until there is no room: each text once, whichever entity
 * holds a copy of it.
 */
function choosePassages(found: readonly (readonly FoundPassage[])[], contextCharacters: number): Chosen[] {
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
  const heads = new Map<FoundPassage, string>()
  for (const [type, group] of Map.groupBy(chosen, ({ hit }) => hit.entity_type)) {
    const kind = kinds.find(type)
    const ids = [...new Set(group.map(({ hit }) => hit.entity_id))]
    const spaces = [turn.turn.space_id]
    if (!kind) continue
    const entities = createEntitiesRepo(database)
    for (const row of await entities.listWithinSpaces(kind, spaces, ids, { text: false }))
      rows.set(row.id, row)
    const cut = group.filter(({ hit }) => beginsInTable(hit.text))
    const within = [...new Set(cut.map(({ hit }) => hit.entity_id))]
    if (within.length === 0) continue
    for (const row of await entities.listWithinSpaces(kind, spaces, within, { text: true }))
      for (const { hit } of cut)
        if (hit.entity_id === row.id) heads.set(hit, tableHead(kind.searchText(row), hit.text))
  }
  const ids = [...new Set(chosen.map(({ hit }) => hit.entity_id))]
  const vouched = await createTrustedOriginsRepo(database).listVouched(turn.turn.space_id, ids)
  const vouchedBy = new Map(
    vouched.map(({ entity_type, entity_id, by }) => [`${entity_type} ${entity_id}`, by]),
  )
  let own = 0
  return chosen.map((one, at) => {
    if (!one.hit.outside) own += 1
    const n = one.hit.outside ? `W${at + 1 - own}` : String(own)
    const { entity_type, entity_id } = one.hit
    const place = { n, position: at + 1 }
    const heading = [one.hit.heading, heads.get(one.hit)].filter(Boolean).join(' › ')
    return toEvidence({ ...one, hit: { ...one.hit, heading } }, rows.get(entity_id), {
      place,
      vouched: vouchedBy.get(`${entity_type} ${entity_id}`),
    })
  })
}

function toEvidence(
  { hit, ...found }: Chosen,
  row: EntityRow | undefined,
  { place, vouched }: { place: Pick<ResearchEvidenceRow, 'n' | 'position'>; vouched: VouchedBy | undefined },
): ResearchEvidenceRow {
  const { entity_type, entity_id, ordinal, title, heading, text, outside, address } = hit
  const facts = {
    entity_type,
    origin: outside ? (address ? 'web' : 'mcp') : (row?.origin ?? null),
    given_by: outside ? ('tool' as const) : ('search' as const),
    created_by: textOf(row?.created_by),
    updated_by: textOf(row?.updated_by),
    vouched,
  }
  return {
    ...place,
    entity_type,
    entity_id,
    ordinal,
    title,
    heading,
    text,
    ...found,
    sha256: sha256(text),
    origin: facts.origin,
    untrusted: isUntrusted(facts),
    address,
    earlier: null,
  }
}

// A later run of a thread retrieves only what is new. What an earlier one has found already is not lost to it: where it
// answers a sub-question it is in the ledger as `[P1]`, `[P2]`, …, with the words of the passage. What the earlier answer
// said with it goes to the writer alone, so that nothing is ever supported by an answer, only by what that rests on.

/** Passages of the ledgers before, by the hash of their text. A run that repeats another one knows none. */
async function loadKnownPassages(
  database: Database,
  { id, conversation_id, previous_id }: Pick<ResearchRunRow, 'id' | 'conversation_id' | 'previous_id'>,
): Promise<Map<string, KnownPassage>> {
  if (previous_id !== null) return new Map()
  const rows = await createResearchEvidenceRepo(database).listKnown(conversation_id, id)
  return new Map(rows.map((row) => [row.sha256, row]))
}

/** What was found for each sub-question, in two: what is new, and what is known; what an answer cited comes first. */
function splitKnown<Hit extends { text: string }>(
  found: readonly (readonly Hit[])[],
  known: ReadonlyMap<string, KnownPassage>,
): { fresh: Hit[][]; earlier: Hit[][] } {
  if (known.size === 0) return { fresh: found.map((hits) => [...hits]), earlier: found.map(() => []) }
  const knownOf = ({ text }: Hit) => known.get(sha256(text))
  const isCited = (hit: Hit) => (knownOf(hit)?.claims.length ?? 0) > 0
  return {
    fresh: found.map((hits) => hits.filter((hit) => !knownOf(hit))),
    earlier: found.map((hits) =>
      hits.filter((hit) => knownOf(hit)).toSorted((a, b) => Number(isCited(b)) - Number(isCited(a))),
    ),
  }
}
