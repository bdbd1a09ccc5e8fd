import type { Queryable } from '../pool.ts'

export type DecisionRow = {
  id: string
  entity_id: string
  approved: boolean
  /** From first being shown to the decision; `null` for one that never was. */
  seconds: number | null
  /** The audit row of what was approved, where anything was taken back of that entity since. */
  applied_seq: number | null
}

/** When drafts were shown to the owner, and how long the owner took with them. */
export function createAttentionRepo(db: Queryable) {
  return {
    /** Notes that a draft that waits is before the owner's eyes. The first time counts. */
    async recordShown(pendingChangeId: string): Promise<void> {
      await db.query(
        `insert into shown_changes (pending_change_id)
         select id from pending_changes where id = $1 and status = 'pending'
         on conflict do nothing`,
        [pendingChangeId],
      )
    },

    /**
     * The owner's decisions, the latest first. What the owner edited or settled and approved in one
     * step was shown as the draft that it came from.
     */
    async listDecisions(limit: number): Promise<DecisionRow[]> {
      const { rows } = await db.query<DecisionRow>(
        `select id, entity_id, status = 'approved' as approved,
                case when first_shown_at is not null
                  then greatest(0, extract(epoch from decided_at - first_shown_at))::float8 end as seconds,
                (select applied.seq
                 from audit_log applied
                 where applied.pending_change_id = pending_changes.id
                   and exists (
                     select from audit_log undo
                     where undo.entity_id = pending_changes.entity_id and undo.undoes is not null
                       and undo.seq > applied.seq
                   )) as applied_seq
         from pending_changes
         left join shown_changes
           on pending_change_id = case when derivation in ('edited', 'resolved') then supersedes else id end
         where status in ('approved', 'rejected') and decided_by = 'owner'
         order by decided_at desc, id desc
         limit $1`,
        [limit],
      )
      return rows
    },
  }
}
