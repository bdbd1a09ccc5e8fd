// Which effects of a turn may move the owner's view: those about its own Space and about what exists in it. Tools state
// what they show; this does not depend on what they state.

import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Effect } from '../../contract/events/effects.ts'
import type { Logger } from '../../core/logger.ts'
import { type Database, retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { TurnRow } from '../../db/repos/turns.ts'

type GateDeps = { database: Database; kinds: Kinds; logger: Logger }

type GatedTurn = {
  turn: Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>
  /** What was open when the owner asked. */
  message: Pick<UserMessage, 'view' | 'desk'>
  signal: AbortSignal
}

/** Whether an effect may take place; one that may not is logged. Rejects when the signal is aborted. */
export function createEffectGate(deps: GateDeps, { turn, message, signal }: GatedTurn) {
  const tabs = (message.desk?.tabs ?? []).flatMap((tab) => ('id' in tab ? [tab.id] : []))
  const open = new Set([...tabs, ...(message.view ? [message.view.entityId] : [])])

  return async (effect: Effect): Promise<boolean> => {
    if (!concernsOpen(effect)) return false
    const reason = await retryWhileDatabaseUnavailable(() => rejectionOf(deps, turn, effect), signal)
    if (reason === null) trackOpen(effect)
    else deps.logger.warn({ turn_id: turn.id, effect: effect.type, reason }, 'effect dropped')
    return reason === null
  }

  /** A newer version of what is not open concerns nobody. */
  function concernsOpen(effect: Effect): boolean {
    return effect.type !== 'updateContent' || ('id' in effect.panel && open.has(effect.panel.id))
  }

  function trackOpen(effect: Effect): void {
    if (!('panel' in effect) || !('id' in effect.panel)) return
    if (effect.type === 'closePanel') open.delete(effect.panel.id)
    else open.add(effect.panel.id)
  }
}

async function rejectionOf(
  { database, kinds }: GateDeps,
  { space_id, agent_id }: GatedTurn['turn'],
  effect: Effect,
): Promise<'another Space' | 'not found' | null> {
  if (effect.type === 'notify') return null
  if (effect.type === 'confirm') {
    const filter = { space_ids: [space_id], agent_id }
    const draft = await createPendingChangesRepo(database).find(effect.pending_change_id, filter)
    return draft ? null : 'not found'
  }
  const { panel } = effect
  if (panel.space_id !== space_id) return 'another Space'
  // What is closed need not exist any more.
  if (!('kind' in panel) || effect.type === 'closePanel') return null
  const kind = kinds.find(panel.kind)
  const found = kind ? await createEntitiesRepo(database).listTitles(kind, [space_id], [panel.id]) : []
  return found.length > 0 ? null : 'not found'
}
