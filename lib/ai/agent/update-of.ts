import type { Effect } from '../../contract/events/effects.ts'
import type { ReadResult } from './services.ts'

/** What is spoken of is what is seen: a panel that shows an older version than the one that was read shows that one. */
export function updateOf(
  { entity_type: kind, entity_id: id, title, version }: ReadResult,
  { space_id }: { space_id: string },
): Effect[] {
  return version === null ? [] : [{ type: 'updateContent', panel: { space_id, kind, id, title }, version }]
}
