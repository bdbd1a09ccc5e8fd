import type { Database } from '../db/pool.ts'
import { createQueuedTurnsRepo } from '../db/repos/queued_turns.ts'
import { createResearchRunsRepo } from '../db/repos/research_runs.ts'
import { createTurnVersionsRepo, type VersionRow } from '../db/repos/turn_versions.ts'
import { createTurnsRepo } from '../db/repos/turns.ts'
import { conflict, notFound } from '../errors.ts'
import { refuseBehind } from './turn/earlier-turns.ts'

/**
 * Shows a version of a message that was put aside, with what followed it, in place of the one that is shown. One that is
 * shown stays so. Throws `AppError`: 404 for an unknown turn, 409 `turn_running` while something runs or waits in the
 * conversation, 409 `research_waiting`, 409 `not_shown` for a turn behind a version that is put aside itself.
 */
export async function showVersion(
  database: Database,
  turnId: string,
): Promise<Pick<VersionRow, 'space_id' | 'conversation_id'>> {
  return await database.transaction(async (tx) => {
    const versions = createTurnVersionsRepo(tx)
    const found = await versions.find(turnId)
    if (!found) throw notFound('turn', turnId)
    const { conversation_id } = found
    // Two at once take turns, and each sees what the one before has done.
    await createQueuedTurnsRepo(tx).lockConversation(conversation_id)
    const turn = await versions.find(turnId)
    if (!turn) throw notFound('turn', turnId)
    if (turn.aside_with === null) return turn

    const open = await createTurnsRepo(tx).findOpen(conversation_id)
    if (open) refuseBehind(open.id)
    if (await createResearchRunsRepo(tx).findPaused(conversation_id)) {
      throw conflict(
        'research_waiting',
        'A research run in this thread waits for you. Go on with it, or cancel it.',
      )
    }
    const shown = turn.version_of && (await versions.findShown(conversation_id, turn.version_of))
    if (!shown || turn.aside_with !== turn.id) {
      throw conflict('not_shown', 'This message follows a version that is not shown. Show that one first.')
    }
    await versions.putAside(conversation_id, shown, null)
    await versions.show(conversation_id, turn.id)
    await versions.dropSummary(conversation_id, Math.min(shown.seq, turn.seq))
    return turn
  })
}
