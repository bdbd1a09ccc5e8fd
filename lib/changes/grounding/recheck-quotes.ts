import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Provenance } from '../../contract/changes/provenance.ts'
import type { Queryable } from '../../db/pool.ts'
import { checkQuotes, type QuoteDeps } from './check-quotes.ts'
import { draftTexts } from './draft-texts.ts'

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
