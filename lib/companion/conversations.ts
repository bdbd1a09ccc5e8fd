// The conversations of a Space, as the owner lists and manages them, and their news for the open tabs. A routing that was
// wrong is taken back here, which moves a turn to another conversation.

import type { Conversation } from '../contract/companion/companion.ts'
import type { RoutingDecision, RoutingUndone } from '../contract/companion/turns.ts'
import type { Actor } from '../core/actor.ts'
import { conflict, notFound } from '../core/errors.ts'
import { firstWords } from '../core/text/bounds.ts'
import { cleanLine } from '../core/text/clean.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createConversationAttachmentsRepo } from '../db/repos/conversation_attachments.ts'
import { createConversationTitlesRepo } from '../db/repos/conversation_titles.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  createConversationsRepo,
} from '../db/repos/conversations.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createRoutingDecisionsRepo } from '../db/repos/routing_decisions.ts'
import { createTurnVersionsRepo } from '../db/repos/turn_places.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import type { Live } from '../space/live/live.ts'
import { cloneThread } from './clone-thread.ts'
import type { Companion } from './companion.ts'
import type { Naming } from './naming.ts'
import { refuseImported } from './router/route-turn.ts'
import { showVersion } from './turn/versions.ts'

type ConversationChange = {
  /** `null`: hands it back to the companion. */
  title?: string | null | undefined
  archived?: boolean | undefined
  /** The model that answers in it; `null`: that of its companion. */
  model?: string | null | undefined
  /** Makes it the current one. */
  in_use?: true | undefined
  labels?: string[] | undefined
  flagged?: boolean | undefined
}

/** Each throws a 404 `AppError` for a conversation that is not in the Space. */
export type Conversations = {
  /** Those with `words` in the title, the summary or a message, newest activity first. */
  search(spaceId: string, words: string, filter: ConversationFilter): Promise<Conversation[]>
  /** Creates one with that companion, or with the one in use, and makes it the current one. */
  create(spaceId: string, actor: Actor, agentId: string | null): Promise<Conversation>
  find(spaceId: string, id: string): Promise<Conversation>
  update(spaceId: string, id: string, change: ConversationChange): Promise<Conversation>
  /** Puts it in the trash, withdraws its queued turns and stops the running one. */
  remove(spaceId: string, id: string): Promise<Conversation>
  restore(spaceId: string, id: string): Promise<Conversation>
  /** As `showVersion`. */
  showVersion(turnId: string): Promise<void>
  /** As `cloneThread`. */
  clone(actor: Actor, messageId: string, agentId: string | null): Promise<Conversation>
  /** Tells the open windows that a message of it is another. */
  announceChanged(id: string): Promise<void>
  /** As `undoRouting`. */
  undoRouting(actor: Actor, id: string, to: UndoTarget): Promise<RoutingUndone>
}

type ConversationsDeps = {
  database: Database
  live: Live
  companion: Pick<Companion, 'agent' | 'endAll'>
  naming: Pick<Naming, 'add'>
}

const maxListed = 100

export function createConversations({ database, live, companion, naming }: ConversationsDeps): Conversations {
  const repo = createConversationsRepo(database)
  const titles = createConversationTitlesRepo(database)

  const announce = (row: ConversationRow, state: ConversationRow['status'] | 'deleted'): Conversation => {
    live.publish({ type: 'conversation', data: { id: row.id, space_id: row.space_id, state } })
    return toConversation(row)
  }

  /** The first words of its first question, until the companion gives it a title. */
  async function retitle(spaceId: string, id: string): Promise<void> {
    const first = await createMessagesRepo(database).findFirst(id)
    const turnId = await titles.handBackTitle(spaceId, id, firstWords(first?.body ?? ''))
    if (turnId) naming.add(id, turnId)
  }

  return {
    async search(spaceId, words, filter) {
      const rows = await repo.search(spaceId, { ...filter, words: cleanLine(words), limit: maxListed })
      return rows.map(toConversation)
    },

    async create(spaceId, actor, agentId) {
      const { id } = await companion.agent(spaceId, agentId)
      return toConversation(await repo.insertChosen(spaceId, id, actor))
    },

    async find(spaceId, id) {
      return toConversation(existing(await repo.find(spaceId, id), id))
    },

    async update(spaceId, id, { title, archived, model, in_use, labels, flagged }) {
      if (archived === false || model !== undefined || in_use) refuseImported(await repo.find(spaceId, id))
      if (title === null) await retitle(spaceId, id)
      else if (title !== undefined) await titles.rename(spaceId, id, title)
      if ([labels, flagged, model].some((each) => each !== undefined))
        await repo.mark(spaceId, id, { labels, flagged, model })
      if (archived !== undefined) await repo.setArchived(spaceId, id, archived)
      if (in_use) await repo.bringForward(spaceId, id)
      const row = existing(await repo.find(spaceId, id), id)
      return announce(row, row.status)
    },

    async remove(spaceId, id) {
      const row = existing(await repo.remove(spaceId, id), id)
      await companion.endAll(id)
      return announce(row, 'deleted')
    },

    async restore(spaceId, id) {
      const row = existing(await repo.restore(spaceId, id), id)
      return announce(row, row.status)
    },

    async showVersion(turnId) {
      const { conversation_id: id, space_id } = await showVersion(database, turnId)
      live.publish({ type: 'conversation', data: { id, space_id, state: 'active', rearranged: true } })
    },

    async clone(actor, messageId, agentId) {
      const row = await cloneThread(database, { actor, messageId, agentId })
      return announce(row, 'active')
    },

    async announceChanged(id) {
      const row = await repo.findAnywhere(id)
      if (!row) return
      const data = { id, space_id: row.space_id, state: row.status, rearranged: true } as const
      live.publish({ type: 'conversation', data })
    },

    async undoRouting(actor, id, to) {
      const { decision, conversation, from, emptied } = await undoRouting(database, { actor, id, to })
      const { space_id } = conversation
      if (from !== conversation.id) {
        const state = emptied ? 'deleted' : 'active'
        live.publish({ type: 'conversation', data: { id: from, space_id, state } })
      }
      return { decision, conversation: announce(conversation, 'active'), from }
    },
  }
}

function existing(row: ConversationRow | null, id: string): ConversationRow {
  if (!row) throw notFound('conversation', id)
  return row
}

const toConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  space_id: row.space_id,
  agent_id: row.agent_id,
  model: row.model,
  title: row.title,
  summary: row.summary,
  status: row.status,
  labels: row.labels,
  flagged: row.flagged,
  imported_from: row.imported_from,
  started_at: row.started_at,
  last_activity_at: row.last_activity_at,
})

type UndoneRouting = {
  decision: RoutingDecision
  /** Where the message and its answer are now. */
  conversation: ConversationRow
  /** Where they were. */
  from: string
  /** Whether that one was begun for this message alone, and went into the trash. */
  emptied: boolean
}

/** `new`, the id of a conversation, or `null` for what the router did not choose. */
type UndoTarget = string | null

/**
 * Takes a routing back: moves the message, its answer and its drafts to another conversation of the Space, which is
 * then the one in use. A conversation that the router had begun for it and that is empty now goes into the trash.
 * Undone again to the same place, it stays as it is. Throws `AppError`: 404 for an unknown decision or target, 409
 * `turn_running` while the answer is being written, 409 `has_versions`.
 */
async function undoRouting(
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
    'This message, or an earlier one, has other versions in its thread, so it cannot be moved.',
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
  refuseImported(found)
  return found
}

async function move(
  tx: Queryable,
  { decision, turn, target }: { decision: RoutingDecision; turn: TurnRow; target: ConversationRow },
): Promise<UndoneRouting> {
  const conversations = createConversationsRepo(tx)
  const { space_id, conversation_id: from } = turn
  // The indexer reads a conversation under its lock.
  for (const id of [from, target.id].toSorted()) await conversations.lock(id)
  await createTurnVersionsRepo(tx).dropSummaries([from, target.id], turn.id)
  await createRoutingDecisionsRepo(tx).moveTurn(turn, target.id)
  await createConversationAttachmentsRepo(tx).move(turn.id, target.id)
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
  await createConversationTitlesRepo(tx).describe(turn.space_id, id, { title, summary, by: 'words' })
}

/** A turn goes with its conversation when that is deleted, and comes back with it. Throws a 404 `AppError`. */
export async function findTurn(db: Queryable, id: string): Promise<TurnRow> {
  const row = await createTurnsRepo(db).find(id)
  const conversation = row && (await createConversationsRepo(db).findAnywhere(row.conversation_id))
  if (!row || !conversation) throw notFound('turn', id)
  return row
}
