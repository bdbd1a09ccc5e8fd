import type { SearchItem } from '../../contract/space/search.ts'
import type { StageContext } from './stage.ts'

/** Passages of one entity for one question. */
const perEntity = 4
const snippetLength = 200

/** The passages of the Space that answer a question, best first, as a substep of the stage; links count by one hop. */
export async function searchPassages(
  { deps, turn, emitSubstep, substepId }: Pick<StageContext, 'deps' | 'turn' | 'emitSubstep' | 'substepId'>,
  { q, limit }: { q: string; limit: number },
): Promise<SearchItem[]> {
  turn.signal.throwIfAborted()
  const call = { tool: 'search', tool_use_id: substepId(), args: { q } }
  emitSubstep({ ...call, status: 'running' })
  const started = performance.now()
  const hits = await deps.search.show(
    {
      space_ids: [turn.turn.space_id],
      q,
      kinds: deps.kinds.all.filter(({ internal }) => !internal).map(({ type }) => type),
      limit,
      per_entity: perEntity,
    },
    snippetLength,
  )
  const duration_ms = Math.round(performance.now() - started)
  const summary = `${hits.length} ${hits.length === 1 ? 'passage' : 'passages'}`
  emitSubstep({ ...call, status: 'done', summary, duration_ms })
  return hits
}
