// Versions of a message: a turn takes the place of another one, which is put aside with what followed it, and any of them
// can be shown again.

import { readContext, UserMessage } from '../../contract/companion/companion.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import { createTurnVersionsRepo, type VersionRow } from '../../db/repos/turn_places.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'

/** Versions of one message, at the most. */
const maxVersions = 50

/** The turn whose place a message takes. Throws `AppError`: 404, 409 `on_research`. */
export async function findReplaced(
  tx: Queryable,
  turnId: string,
  conversationId: string,
  message: UserMessage,
): Promise<VersionRow> {
  const old = await createTurnVersionsRepo(tx).find(turnId)
  if (old?.conversation_id !== conversationId) throw notFound('turn', turnId)
  if (!old.context.research && !message.research) return old
  throw conflict(
    'on_research',
    'Research messages have no versions, and no message can have a new one while a run is waiting for you.',
  )
}

/** A message edited or asked again is about what was in view when it was sent first; what it leaves out is as it was. */
export function inPlaceOf(old: VersionRow, message: UserMessage): UserMessage {
  const context = readContext(old.context)
  const given = Object.entries(message).filter(([, value]) => value !== undefined)
  const { view, desk } = context
  const { command } = message
  return UserMessage.parse({ ...context, ...Object.fromEntries(given), view, desk, command })
}

/**
 * Puts a turn aside for a new version of it that is stored and runs, which keeps others from beginning meanwhile. Throws
 * a 409 `AppError`: `not_shown`, `too_many_versions`.
 */
export async function replaceTurn(tx: Queryable, old: VersionRow, turnId: string): Promise<void> {
  const versions = createTurnVersionsRepo(tx)
  const { conversation_id } = old
  if (!(await versions.putAside(conversation_id, old, turnId))) {
    throw conflict('not_shown', 'Another version of this message is shown now. Reload the thread.')
  }
  const versionOf = old.version_of ?? old.id
  const count = await versions.join(conversation_id, versionOf, [old.id, turnId])
  if (count > maxVersions) {
    throw conflict(
      'too_many_versions',
      `A message has at most ${maxVersions} versions. Send it as a new message.`,
    )
  }
  await versions.dropSummary(conversation_id, old.seq)
}

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
    await createConversationsRepo(tx).lock(conversation_id)
    const turn = await versions.find(turnId)
    if (!turn) throw notFound('turn', turnId)
    if (turn.aside_with === null) return turn

    const open = await createTurnsRepo(tx).findOpen(conversation_id)
    if (open) refuseBehind(open.id)
    if (await createResearchRunsRepo(tx).findPaused(conversation_id)) {
      throw conflict(
        'research_waiting',
        'A research run in this thread is waiting for you. Continue or cancel it.',
      )
    }
    const shown = turn.version_of && (await versions.findShown(conversation_id, turn.version_of))
    if (!shown || turn.aside_with !== turn.id) {
      throw conflict('not_shown', 'This message follows a hidden version. Show that version first.')
    }
    await versions.putAside(conversation_id, shown, null)
    await versions.show(conversation_id, turn.id)
    await versions.dropSummary(conversation_id, Math.min(shown.seq, turn.seq))
    return turn
  })
}

/** Throws a 409 `AppError`. */
export function refuseBehind(turnId: string): never {
  throw conflict(
    'turn_running',
    'The companion is still answering the last message. Wait for it, or stop it.',
    { turn_id: turnId },
  )
}
