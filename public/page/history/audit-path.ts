import { withQuery } from '../../ui/words/addresses.ts'

const pageSize = 40

/** The request for the audit rows of an entity, newest first. */
export const auditPath = (id: string, cursor: string | null): string =>
  withQuery('/api/audit', { entity_id: id, limit: pageSize, cursor })
