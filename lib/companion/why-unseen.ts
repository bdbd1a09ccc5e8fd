import type { Effect } from '../contract/effects.ts'
import type { Database } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'

/**
 * Why a turn may not have this effect on the owner's view: it is about another Space, or about what is not in this one.
 * `null`: it may. Tools say what they show, and this is what does not depend on their saying so.
 */
export async function whyUnseen(
  { database, kinds }: { database: Database; kinds: Kinds },
  { space_id, agent_id }: Pick<TurnRow, 'space_id' | 'agent_id'>,
  effect: Effect,
): Promise<'another Space' | 'not there' | null> {
  if (effect.type === 'notify') return null
  if (effect.type === 'confirm') {
    const filter = { space_ids: [space_id], agent_id }
    const draft = await createPendingChangesRepo(database).find(effect.pending_change_id, filter)
    return draft ? null : 'not there'
  }
  const { panel } = effect
  if (panel.space_id !== space_id) return 'another Space'
  // Whatever is closed need not be there any more.
  if (!('kind' in panel) || effect.type === 'closePanel') return null
  const kind = kinds.find(panel.kind)
  const found = kind ? await createEntitiesRepo(database).listTitles(kind, space_id, [panel.id]) : []
  return found.length > 0 ? null : 'not there'
}
