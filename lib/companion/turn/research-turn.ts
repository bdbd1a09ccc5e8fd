// A turn that carries research instead of the agent loop: the same lease, log, stop and end.

import { addProgress } from '../../ai/agent/events.ts'
import type { TurnEvent } from '../../contract/events/events.ts'
import type { ResearchAsk } from '../../contract/research.ts'
import { showMemoryLine } from '../../core/text/memory/memory-lines.ts'
import { retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import { loadMemory } from '../memory/load-memory.ts'
import { LeaseLost } from '../research/open-run.ts'
import { withCards } from '../stream/read-turn.ts'
import {
  Interruption,
  interruptionReason,
  type RunningTurn,
  type TurnHostParts,
  toActor,
} from './running-turn.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** `left`: to be answered without research. Throws an `Interruption` when the turn is left to another server. */
export async function runResearchTurn(
  { deps, turn, lease, agent, model, message, stream, controller }: RunningTurn,
  { storage, progress }: TurnHostParts,
  { ask, state }: { ask: ResearchAsk; state: Pick<TurnOutcome, 'memory'> },
): Promise<Pick<TurnOutcome, 'stopReason' | 'usage' | 'error'> | { left: string }> {
  const { signal } = controller
  const emit = (event: TurnEvent) => {
    if (event.type !== 'snapshot') addProgress(progress, event)
    storage.add(stream.emit(event))
  }
  try {
    return await deps.runResearch({
      turn,
      lease,
      agent,
      model,
      ask,
      signal,
      emit,
      actor: toActor(agent, turn.space_id),
      text: message.text,
      async remember() {
        state.memory = await loadMemory(deps.database, turn.space_id, deps.calendar)
        return state.memory.map(showMemoryLine)
      },
      isStopped: () => interruptionReason(signal) === 'stopped',
      async emitDraft(pending_change_id) {
        const logged = { type: 'draft' as const, seq: 0, data: { pending_change_id } }
        const shown = await retryWhileDatabaseUnavailable(() => withCards(deps, turn, [logged]), signal)
        for (const event of shown) if (event.type === 'draft') emit({ type: 'draft', data: event.data })
      },
    })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    const lost = new Interruption('lost')
    controller.abort(lost)
    throw lost
  }
}
