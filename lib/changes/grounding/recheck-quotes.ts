import { makesNew } from '../../contract/changes/change-status.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Provenance } from '../../contract/changes/provenance.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { checkQuotes, type QuoteDeps } from './check-quotes.ts'
import { draftTexts } from './draft-texts.ts'

/** What a draft that goes on from another would change. */
type NextDraft = Pick<PendingChange, 'entity_type' | 'entity_id' | 'action' | 'payload'>

export type RecheckQuotes = (tx: Queryable, before: PendingChange, next: NextDraft) => Promise<Provenance>

/** The provenance of a draft, with the quotations of the one that goes on from it, whose text is another. */
export function createRecheckQuotes(deps: QuoteDeps, languages: readonly string[]): RecheckQuotes {
  const { kinds } = deps
  return async (tx, { space_id, provenance }, { entity_type, entity_id, action, payload }) => {
    const kind = kinds.get(entity_type)
    if (action === 'delete') return { ...provenance, quotes: [] }
    const row = makesNew(action) ? null : await createEntitiesRepo(tx).find(kind, space_id, entity_id)
    const quotes = await checkQuotes(tx, deps, draftTexts(payload, row), {
      space_id,
      target: { entity_type, entity_id },
      given: provenance.sources,
      entity_types: kinds.searched.map(({ type }) => type),
      languages,
    })
    return { ...provenance, quotes }
  }
}
