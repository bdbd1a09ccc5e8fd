import type { RoutingDecision } from '../../contract/companion/turns.ts'
import type { Actor } from '../../core/actor.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { firstWords } from '../../core/text/first-words.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { type ConversationRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createRoutingDecisionsRepo } from '../../db/repos/routing_decisions.ts'
import { createTurnVersionsRepo } from '../../db/repos/turn_versions.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'

export type UndoneRouting = {
  decision: RoutingDecision
  /** Where the message and its answer are now. */
  conversation: ConversationRow
  /** Where they were. */
  from: string
  /** Whether that one was begun for this message alone, and went into the trash. */
  emptied: boolean
}

/** `new`, the id of a conversation, or `null` for what the router did not choose. */
export type UndoTarget = string | null

/**
 * Takes a routing back: moves the message, its answer and its drafts to another conversation of the Space, which is
 * then the one in use. A conversation that the router had begun for it and that is empty now goes into the trash.
 * Undone again to the same place, it stays as it is. Throws `AppError`: 404 for an unknown decision or target, 409
 * `turn_running` while the answer is being written, 409 `has_versions`.
 */
export async function undoRouting(
  database: Database,
  { actor, id, to }: { actor: Actor; id: string; to: UndoTarget },
): Promise<UndoneRouting> {
  return await database.transaction(async (tx) => {
    const decision = await createRoutingDecisionsRepo(tx).lockAnywhere(id)
    const turn = decision && (await createTurnsRepo(tx).find(decision.turn_id))
    if (!decision || !turn) throw notFound('routing decision', id)
    if (turn.status === 'running' || turn.status === 'queued') throw stillRunning(turn)

    if (await createTurnVersionsRepo(tx).isVersioned(turn.id)) throw hasVersions(turn)
    if (isDone(decision, to)) return await asItIs(tx, decision, turn)
    const target = await openTarget(tx, actor, turn, to ?? (await opposite(tx, decision)))
    return await move(tx, { decision, turn, target })
  })
}

const hasVersions = ({ id }: TurnRow) =>
  conflict(
    'has_versions',
    'This message, or one before it, has other versions in its thread, so it stays there.',
    { turn_id: id },
  )

const stillRunning = ({ id }: TurnRow) =>
  conflict('turn_running', 'The answer is still running. Wait for it or stop it, then undo.', {
    turn_id: id,
  })

// A conversation that was made for it is no longer `new` to a second request.
const isDone = ({ undone_to }: RoutingDecision, to: UndoTarget) =>
  undone_to !== null && (to === null || to === 'new' || to === undone_to)

async function asItIs(tx: Queryable, decision: RoutingDecision, turn: TurnRow): Promise<UndoneRouting> {
  const conversation = await createConversationsRepo(tx).find(turn.space_id, turn.conversation_id)
  if (!conversation) throw notFound('conversation', turn.conversation_id)
  return { decision, conversation, from: decision.conversation_id, emptied: false }
}

/** A continued one starts a new conversation; one moved away from the conversation in use returns to it. */
async function opposite(tx: Queryable, { space_id, choice, active_id }: RoutingDecision): Promise<string> {
  if (choice === 'continue' || active_id === null) return 'new'
  const active = await createConversationsRepo(tx).find(space_id, active_id)
  return active?.id ?? 'new'
}

async function openTarget(tx: Queryable, actor: Actor, turn: TurnRow, to: string): Promise<ConversationRow> {
  const conversations = createConversationsRepo(tx)
  if (to === 'new') return await conversations.insert(turn.space_id, turn.agent_id, actor)
  const found = await conversations.find(turn.space_id, to)
  if (!found) throw notFound('conversation', to)
  return found
}

async function move(
  tx: Queryable,
  { decision, turn, target }: { decision: RoutingDecision; turn: TurnRow; target: ConversationRow },
): Promise<UndoneRouting> {
  const conversations = createConversationsRepo(tx)
  const { space_id, conversation_id: from } = turn
  await createRoutingDecisionsRepo(tx).moveTurn(turn.id, target.id)
  if (target.title === '') await nameAfterMessage(tx, turn, target)
  const conversation = (await conversations.bringForward(space_id, target.id)) ?? target

  const emptied = from !== target.id && decision.choice === 'new' && !(await conversations.hasMessages(from))
  if (emptied) await conversations.remove(space_id, from)
  else if (from !== target.id) await conversations.settleActivity(space_id, from)
  const undone = await createRoutingDecisionsRepo(tx).markUndone(decision.id, target.id)
  return { decision: undone, conversation, from, emptied }
}

async function nameAfterMessage(
  tx: Queryable,
  turn: TurnRow,
  { id, summary }: ConversationRow,
): Promise<void> {
  const message = await createMessagesRepo(tx).findOfTurn(turn.id, 'user')
  const title = firstWords(message?.body ?? '')
  await createConversationsRepo(tx).describe(turn.space_id, id, { title, summary, by: 'words' })
}
