import type { Queryable } from '../pool.ts'
import { isHeld, type Lease, type LeaseTerms, type TurnRow, turnColumns } from './turns.ts'

export type Held = { id: string; attempt: number; stop_requested: boolean }

/** Who runs which turn, for how long without a sign of life, and who takes over. */
export function createTurnLeasesRepo(db: Queryable) {
  return {
    /**
     * Holds the leases of these turns for longer. Those that are missing in the answer are no longer this owner's. Their
     * rows are locked in the order in which events are stored.
     */
    async renew({ owner, seconds }: LeaseTerms, turnIds: readonly string[]): Promise<Held[]> {
      const { rows } = await db.query<Held>(
        `with held as (
           select id
           from turns
           where id = any($1) and lease_owner = $2 and ${isHeld}
           order by id
           for no key update
         )
         update turns
         set lease_until = now() + make_interval(secs => $3)
         from held
         where turns.id = held.id
         returning turns.id, attempt, stop_requested_at is not null as stop_requested`,
        [turnIds, owner, seconds],
      )
      return rows
    },

    /**
     * Takes over running turns (of one conversation, or of all) whose runner has not been heard of, each with the next
     * attempt number.
     */
    async claimExpired(
      { owner, seconds }: LeaseTerms,
      conversationId: string | null,
      limit: number,
    ): Promise<TurnRow[]> {
      const { rows } = await db.query<TurnRow>(
        `update turns
         set attempt = attempt + 1, lease_owner = $1, lease_until = now() + make_interval(secs => $2)
         where id in (
           select id
           from turns
           where status = 'running' and lease_until < now() and ($3::uuid is null or conversation_id = $3)
           order by arrival
           limit $4
           for update skip locked
         )
         returning ${turnColumns}`,
        [owner, seconds, conversationId, limit],
      )
      return rows
    },

    /** For a server that is alone on its database: whoever ran a turn before it is dead. */
    async expireAll(): Promise<void> {
      await db.query(
        `update turns
         set lease_until = now() - interval '1 second'
         where status = 'running'`,
        [],
      )
    },

    /** Hands a turn over: another server may claim it at once, and it counts as no failed attempt. */
    async release({ turn_id, attempt, owner }: Lease): Promise<void> {
      await db.query(
        `update turns
         set lease_until = now() - interval '1 second', handovers = handovers + 1
         where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}`,
        [turn_id, attempt, owner],
      )
    },
  }
}
