import type { ChangeAction, ChangeStatus, Decision, Derivation } from '../../contract/changes/decision.ts'
import type { Queryable } from '../pool.ts'

/** An outcome of a draft, as its agent gets it. */
export type OutcomeName =
  | 'approved'
  | 'partly_approved'
  | 'edited'
  | 'rejected'
  | 'superseded'
  | 'obsolete'
  | 'expired'
  | 'undone'

/** A draft with what became of it. */
export type DraftOutcome = {
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
}

/** A draft that was decided, or whose approval was taken back, since its agent last got an outcome of it. */
export type UndeliveredOutcome = DraftOutcome & {
  delivered_outcome: OutcomeName | null
  delivered_seq: number | null
}

export type OutcomeFilter = {
  space_id: string
  id: string | null
  before_id: string | null
  limit: number
}

export type DeliveredOutcome = {
  pending_change_id: string
  outcome: OutcomeName
  /** Of an undo; 0 for all else. */
  audit_seq: number
  /** The line that was given; empty where it was only counted. */
  line: string
}

/** Of a `draft` and the `next` that took its place. */
const outcomeColumns = `draft.id, draft.space_id, draft.action, draft.entity_type, draft.entity_id, draft.status,
  draft.payload, draft.decision, draft.result_version, next.id as next_id, next.derivation as next_derivation,
  next.payload as next_payload, next.result_version as next_result_version,
  (select applied.seq
   from audit_log applied
   where applied.pending_change_id =
     case when next.derivation in ('edited', 'resolved') then next.id else draft.id end) as applied_seq`

/**
 * Outcomes delivered to agents. Only those of a turn that ended count: a failed one is no longer part of the
 * conversation as the model gets it.
 */
export function createDeliveredOutcomesRepo(db: Queryable) {
  return {
    /** News of an agent’s drafts in a conversation, in the order in which they were decided. */
    async listUndelivered(conversationId: string, agentId: string): Promise<UndeliveredOutcome[]> {
      const { rows } = await db.query<UndeliveredOutcome>(
        `select *
         from (
           select ${outcomeColumns}, draft.decided_at, delivered.outcome as delivered_outcome, delivered.audit_seq as delivered_seq
           from pending_changes draft
           left join pending_changes next on next.id = draft.superseded_by
           left join lateral (
             select outcome, audit_seq
             from delivered_outcomes
             join turns on turns.id = turn_id
             where pending_change_id = draft.id and turns.status in ('done', 'stopped') and turns.aside_with is null
             order by turns.arrival desc
             limit 1
           ) as delivered on true
           where draft.conversation_id = $1 and draft.agent_id = $2 and draft.decided_at is not null and draft.status <> 'retracted'
             and draft.derivation not in ('edited', 'resolved')
         ) as decided
         where delivered_outcome is null
            or exists (
              select from audit_log undo
              where undo.entity_id = decided.entity_id and undo.undoes is not null and undo.seq > applied_seq
            )
         order by decided_at, id`,
        [conversationId, agentId],
      )
      return rows
    },

    /** The drafts of an agent in a Space, newest first; with `id` that one. */
    async listOfAgent(
      agentId: string,
      { space_id, id, before_id, limit }: OutcomeFilter,
    ): Promise<DraftOutcome[]> {
      const { rows } = await db.query<DraftOutcome>(
        `select ${outcomeColumns}
         from pending_changes draft
         left join pending_changes next on next.id = draft.superseded_by
         where draft.agent_id = $1 and draft.space_id = $2
           and draft.derivation not in ('edited', 'resolved')
           and ($3::uuid is null or draft.id = $3)
           and ($4::uuid is null or draft.id < $4)
         order by draft.id desc
         limit $5`,
        [agentId, space_id, id, before_id, limit],
      )
      return rows
    },

    async insertAll(turnId: string, delivered: readonly DeliveredOutcome[]): Promise<void> {
      await db.query(
        `insert into delivered_outcomes (turn_id, pending_change_id, outcome, audit_seq, line)
         select $1, given.*
         from json_to_recordset($2::json)
           as given (pending_change_id uuid, outcome text, audit_seq bigint, line text)
         on conflict do nothing`,
        [turnId, JSON.stringify(delivered)],
      )
    },

    /** What a turn was given. */
    async listOfTurn(turnId: string): Promise<Pick<DeliveredOutcome, 'outcome' | 'line'>[]> {
      const { rows } = await db.query<Pick<DeliveredOutcome, 'outcome' | 'line'>>(
        `select outcome, line
         from delivered_outcomes
         where turn_id = $1
         order by pending_change_id, outcome`,
        [turnId],
      )
      return rows
    },
  }
}
