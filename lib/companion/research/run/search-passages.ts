import type { SearchItem } from '../../../contract/space/search.ts'
import { createResearchRunsRepo } from '../../../db/repos/research_runs.ts'
import type { StageContext } from './stage.ts'

/** Passages of one entity for one question. */
const perEntity = 4
const snippetLength = 200
/** Passages beyond the limit that are looked at, in place of those of pages that research drafted. */
const spare = 10

/**
 * The passages of the Space that answer a question, best first, as a substep of the stage; links count by one hop. None of
 * a page that research drafted: an earlier answer would vouch for itself.
 */
export async function searchPassages(
  { deps, turn, emitSubstep, substepId }: Pick<StageContext, 'deps' | 'turn' | 'emitSubstep' | 'substepId'>,
  { q, limit, tool, kinds }: { q: string; limit: number; tool: string; kinds: readonly string[] },
): Promise<SearchItem[]> {
  turn.signal.throwIfAborted()
  const call = { tool, tool_use_id: substepId(), args: { q } }
  emitSubstep({ ...call, status: 'running' })
  const started = performance.now()
  const { items: found } = await deps.search.show(
    {
      space_ids: [turn.turn.space_id],
      q,
      kinds,
      limit: limit + spare,
      per_entity: perEntity,
    },
    snippetLength,
  )
  const ids = [...new Set(found.map(({ entity_id }) => entity_id))]
  const drafted = await createResearchRunsRepo(deps.database).listDrafted(turn.turn.space_id, ids)
  const hits = found.filter(({ entity_id }) => !drafted.has(entity_id)).slice(0, limit)
  const duration_ms = Math.round(performance.now() - started)
  const summary = `${hits.length} ${hits.length === 1 ? 'passage' : 'passages'}`
  emitSubstep({ ...call, status: 'done', summary, duration_ms })
  return hits
}
