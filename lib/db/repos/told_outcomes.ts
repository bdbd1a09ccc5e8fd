import type { ChangeAction, ChangeStatus } from '../../contract/card.ts'
import type { Decision, Derivation } from '../../contract/decision.ts'
import type { Queryable } from '../pool.ts'

/** What an agent can be told of a draft of its own. */
export type OutcomeName =
  | 'approved'
  | 'partly_approved'
  | 'edited'
  | 'rejected'
  | 'superseded'
  | 'obsolete'
  | 'expired'
  | 'undone'

/** A draft that was decided, or whose approval was taken back, since its agent was last told of it. */
export type NewsRow = {
  id: string
  space_id: string
  action: ChangeAction
  entity_type: string
  entity_id: string
  status: ChangeStatus
  payload: string
  decision: Decision | null
  result_version: number | null
  /** The one that took its place, or that holds the rest of it. */
  next_id: string | null
  next_derivation: Derivation | null
  next_payload: string | null
  next_result_version: number | null
  /** The audit row of what approving it changed. */
  applied_seq: number | null
  told_outcome: OutcomeName | null
  told_seq: number | null
}

export type ToldRow = {
  turn_id: string
  pending_change_id: string
  outcome: OutcomeName
  /** Of an undo; 0 for all else. */
  audit_seq: number
  /** The line that was given; empty where it was only counted. */
  told: string
}

/**
 * What agents were told of their drafts. Counted as told is what a turn was given that came to an end: one that failed
 * is no longer part of the conversation as the model sees it.
 */
export function createToldOutcomesRepo(db: Queryable) {
  return {
    /** News of the drafts of a conversation, in the order in which they were decided. */
    async listNews(conversationId: string): Promise<NewsRow[]> {
      const { rows } = await db.query<NewsRow>(
        `select *
         from (
           select draft.id, draft.space_id, draft.action, draft.entity_type, draft.entity_id, draft.status,
                  draft.payload, draft.decision, draft.result_version, draft.decided_at, next.id as next_id,
                  next.derivation as next_derivation, next.payload as next_payload,
                  next.result_version as next_result_version,
                  (select applied.seq
                   from audit_log applied
                   where applied.pending_change_id =
                     case when next.derivation in ('edited', 'resolved') then next.id else draft.id end) as applied_seq,
                  told.outcome as told_outcome, told.audit_seq as told_seq
           from pending_changes draft
           left join pending_changes next on next.id = draft.superseded_by
           left join lateral (
             select outcome, audit_seq
             from told_outcomes
             join turns on turns.id = turn_id
             where pending_change_id = draft.id and turns.status in ('done', 'stopped')
             order by turn_id desc
             limit 1
           ) as told on true
           where draft.conversation_id = $1 and draft.decided_at is not null and draft.status <> 'retracted'
             and not draft.drill and draft.derivation not in ('edited', 'resolved')
         ) as decided
         where told_outcome is null
            or exists (
              select from audit_log undo
              where undo.entity_id = decided.entity_id and undo.undoes is not null and undo.seq > applied_seq
            )
         order by decided_at, id`,
        [conversationId],
      )
      return rows
    },

    async insert(told: ToldRow): Promise<void> {
      await db.query(
        `insert into told_outcomes (turn_id, pending_change_id, outcome, audit_seq, told)
         values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [told.turn_id, told.pending_change_id, told.outcome, told.audit_seq, told.told],
      )
    },

    /** What a turn was given. */
    async listOfTurn(turnId: string): Promise<Pick<ToldRow, 'outcome' | 'told'>[]> {
      const { rows } = await db.query<Pick<ToldRow, 'outcome' | 'told'>>(
        `select outcome, told
         from told_outcomes
         where turn_id = $1
         order by pending_change_id, outcome`,
        [turnId],
      )
      return rows
    },
  }
}
