// A later run of a thread retrieves only what is new. What an earlier one has found already is not lost to it: where it
// answers a sub-question it is in the ledger as `[P1]`, `[P2]`, …, with the words of the passage. What the earlier answer
// said with it goes to the writer alone, so that nothing is ever supported by an answer, only by what that rests on.

import { sha256 } from '../../../changes/payload.ts'
import type { Database } from '../../../db/pool.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, type KnownPassage } from '../../../db/repos/research_stages.ts'

/** Passages of the ledgers before, by the hash of their text. A run that repeats another one knows none. */
export async function loadKnownPassages(
  database: Database,
  { id, conversation_id, previous_id }: Pick<ResearchRunRow, 'id' | 'conversation_id' | 'previous_id'>,
): Promise<Map<string, KnownPassage>> {
  if (previous_id !== null) return new Map()
  const rows = await createResearchEvidenceRepo(database).listKnown(conversation_id, id)
  return new Map(rows.map((row) => [row.sha256, row]))
}

/** What was found for each sub-question, in two: what is new, and what is known; what an answer cited comes first. */
export function splitKnown<Hit extends { text: string }>(
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
