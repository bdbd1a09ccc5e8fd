// Looks after turns that nobody runs: those of a server that died are taken up again, and those that wait begin when
// nothing runs before them.

import { z } from 'zod'
import type { Database } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createQueuedTurnsRepo } from '../db/repos/queued_turns.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { createTurnEventsRepo } from '../db/repos/turn_events.ts'
import { createTurnLeasesRepo } from '../db/repos/turn_leases.ts'
import type { Asked, LeaseTerms, TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import { giveUp } from './give-up.ts'
import { fromRow } from './logged-events.ts'
import { openDesk } from './open-desk.ts'
import { loadResumption, type Resumption } from './resumption.ts'
import { lastSeqBefore } from './sequence.ts'
import { showDrafts } from './show-drafts.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { Launch } from './turn-runners.ts'
import { type NumberedEvent, TurnStream } from './turn-stream.ts'

/** What a turn needs that was not begun by a request of this moment. */
export type Adopted = Pick<Launch, 'turn' | 'space' | 'agent' | 'asked' | 'stream' | 'resumption'>

export type TurnKeeperDeps = {
  database: Database
  kinds: Kinds
  logger: Logger
  terms: LeaseTerms
  queue: TurnQueue
  launch: (adopted: Adopted) => void
  /** Called when a turn was ended here without having been run. */
  onGivenUp: (turn: TurnRow) => void
}

export type TurnKeeper = {
  /** Begins the next turn of a conversation, if one waits and nothing runs. Never rejects. */
  startNext(conversationId: string): Promise<void>
  /** Takes up what has lost its server, and begins what waits for nothing. Never rejects. */
  sweep(): Promise<void>
}

/** Attempts at one turn, the first included. */
export const mostAttempts = 3

const perSweep = 20

export function createTurnKeeper(deps: TurnKeeperDeps): TurnKeeper {
  const { database, kinds, logger, terms, queue } = deps

  return {
    startNext: (conversationId) => guard('a waiting turn could not begin', () => startNext(conversationId)),

    async sweep() {
      await guard('turns could not be taken up', async () => {
        const turns = await createTurnLeasesRepo(database).claimExpired(terms, null, perSweep)
        for (const turn of turns) await guard('a turn could not be taken up', () => takeUp(turn))
      })
      await guard('waiting turns could not begin', async () => {
        const idle = await createQueuedTurnsRepo(database).listIdle(perSweep)
        for (const conversationId of idle) await startNext(conversationId)
      })
    },
  }

  async function guard(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => logger.warn({ err: error }, what))
  }

  async function takeUp(turn: TurnRow): Promise<void> {
    const lease = { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner }
    const message = await createMessagesRepo(database).findOfTurn(turn.id, 'user')
    if (turn.attempt > mostAttempts || turn.stop_requested_at !== null || !message) {
      await database.transaction((tx) => giveUp(tx, turn, lease))
      deps.onGivenUp(turn)
      return
    }
    logger.info({ turn_id: turn.id, attempt: turn.attempt }, 'a turn is taken up again')
    const resumption = await loadResumption(database, turn.id)
    const stream = await reopen(turn)
    const asked = { text: message.body, ...seenBefore.parse(message.metadata), message_id: message.id }
    await adopt(turn, asked, stream, resumption)
  }

  /** Its own events begin behind whatever readers may have had of the attempt before. */
  async function reopen(turn: TurnRow): Promise<TurnStream> {
    const [first] = await createTurnEventsRepo(database).list(turn.id, 0, 1)
    const begin: NumberedEvent[] =
      first?.type === 'turn' ? [{ type: 'turn', seq: 1, data: JSON.parse(first.data) }] : []
    return new TurnStream(turn.id, begin, lastSeqBefore(turn.attempt))
  }

  async function startNext(conversationId: string): Promise<void> {
    const turn = await queue.takeNext(conversationId)
    if (!turn) return
    const rows = await createTurnEventsRepo(database).list(turn.id, 0, 10)
    const begin = await Promise.all(rows.map((row) => showDrafts({ database, kinds }, turn, fromRow(row, 0))))
    const stream = new TurnStream(
      turn.id,
      begin.filter((event) => event !== null),
    )
    await adopt(turn, { ...turn.asked, message_id: turn.message_id }, stream, null)
  }

  async function adopt(
    turn: TurnRow,
    asked: Asked & { message_id: string },
    stream: TurnStream,
    resumption: Resumption | null,
  ): Promise<void> {
    const space = await createSpacesRepo(database).find(turn.space_id, null)
    const agent = await createAgentsRepo(database).find(turn.agent_id)
    if (!space || !agent) throw new Error(`the Space or the agent of turn ${turn.id} is gone`)
    deps.launch({ turn, space, agent, asked, stream, resumption })
  }
}

/** What was looked at and open, as it is stored with the message. */
const seenBefore = z.object({
  view: z.object({ entityType: z.string(), entityId: z.string() }).nullable().catch(null),
  desk: openDesk.nullable().catch(null),
})
