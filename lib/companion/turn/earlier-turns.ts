// What a new message finds: the turn that it began before, or the one that it would have to wait for.

import type { Queryable } from '../../db/pool.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createTurnVersionsRepo, type VersionRow } from '../../db/repos/turn_versions.ts'
import { createTurnsRepo, type LeaseTerms, type TurnRow } from '../../db/repos/turns.ts'
import { AppError, conflict, notFound } from '../../errors.ts'
import type { RoutedTurn, StartTurn } from '../router/turn-request.ts'
import { failExpiredTurn } from './turn-outcome.ts'

/** The turn of the same message with the same key. Throws a 422 `AppError` for another message under that key. */
export async function findEarlier(
  db: Queryable,
  { space_id, idempotency_key }: Pick<StartTurn, 'space_id' | 'idempotency_key'>,
  bodyHash: string,
): Promise<TurnRow | null> {
  if (idempotency_key === null) return null
  const turn = await createTurnsRepo(db).findByIdempotencyKey(space_id, idempotency_key)
  if (!turn || turn.body_hash === bodyHash) return turn
  throw new AppError('idempotency_key_reused', 422, 'This Idempotency-Key was used for another message.')
}

/** The turn that a new one would have to wait for. One whose server has died does not keep the owner from speaking. */
export async function findOpen(
  tx: Queryable,
  terms: LeaseTerms,
  conversationId: string,
  mayWait: boolean,
): Promise<TurnRow | null> {
  const turns = createTurnsRepo(tx)
  const open = await turns.findOpen(conversationId)
  if (!open || mayWait) return open
  if (open.status === 'queued') return open
  const gone = await failExpiredTurn(tx, terms, conversationId)
  return gone ? null : open
}

/** What runs where a message that collided with it would have gone. */
export async function findRunningId(
  db: Queryable,
  { request, agent }: { request: RoutedTurn; agent: AgentRow },
): Promise<string | null> {
  const { conversation_id, space_id, routing } = request
  const named = conversation_id ?? routing?.conversation_id
  const conversation = named
    ? { id: named }
    : await createConversationsRepo(db).findLatest(space_id, agent.id)
  const running = conversation && (await createTurnsRepo(db).findRunning(conversation.id))
  return running?.id ?? null
}

/** The turn whose place a message takes. Throws `AppError`: 404, 409 `on_research`. */
export async function findReplaced(
  tx: Queryable,
  { replaces, research }: Pick<RoutedTurn, 'replaces' | 'research'>,
  conversationId: string,
): Promise<VersionRow> {
  const old = replaces ? await createTurnVersionsRepo(tx).find(replaces) : null
  if (old?.conversation_id !== conversationId) throw notFound('turn', replaces ?? '')
  if (!old.on_research && !research) return old
  throw conflict(
    'on_research',
    'A message of research has no versions, and none can be made while a run waits for you.',
  )
}

/** Versions of one message, at the most. */
const maxVersions = 50

/**
 * Puts a turn aside for a new version of it that is stored and runs, which keeps others from beginning meanwhile. Throws
 * a 409 `AppError`: `not_shown`, `too_many_versions`.
 */
export async function replaceTurn(tx: Queryable, old: VersionRow, turnId: string): Promise<void> {
  const versions = createTurnVersionsRepo(tx)
  const { conversation_id } = old
  if (!(await versions.putAside(conversation_id, old, turnId))) {
    throw conflict('not_shown', 'Another version of this message is shown by now. Load the thread again.')
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

/** Throws a 409 `AppError`. */
export function refuseBehind(turnId: string | null): never {
  throw conflict(
    'turn_running',
    'The companion is still answering the last message. Wait for it, or stop it.',
    { turn_id: turnId },
  )
}
