import type { FileOutcome } from '../../../contract/imports.ts'

/** A file that was not imported. */
export const skipped = (path: string, reason: string): FileOutcome => ({
  path,
  outcome: 'skipped',
  title: null,
  entity_type: null,
  entity_id: null,
  reason,
  warnings: [],
})
