import type { AuditRow } from '../../contract/audit.ts'
import type { Queryable } from '../pool.ts'
import type { UndoRow } from './audit.ts'

// What the audit log says about many drafts, or about the entities that they change: one statement for all of them.

type Fields = Record<string, unknown>

export type AppliedSides = { seq: number; before: Fields | null; after: Fields | null }

/** What happened to an entity after a version of it. */
export type LaterChange = Pick<
  AuditRow,
  'at' | 'actor' | 'action' | 'version' | 'pending_change_id' | 'before' | 'after'
>

export function createAuditOfDraftsRepo(db: Queryable) {
  return {
    /**
     * What approving the drafts changed, by their ids: the fields as they were and, where `after` is set, as they
     * became. A draft that changed nothing is left out.
     */
    async listApplied(
      changes: readonly { id: string; space_id: string; entity_id: string }[],
      { after }: { after: boolean },
    ): Promise<Map<string, AppliedSides>> {
      const { rows } = await db.query<{
        pending_change_id: string
        seq: number
        before: string | null
        after: string | null
      }>(
        `select pending_change_id, seq, before, case when $4 then after end as after
         from audit_log
         where space_id = any($1) and entity_id = any($2) and pending_change_id = any($3)`,
        [
          changes.map(({ space_id }) => space_id),
          changes.map(({ entity_id }) => entity_id),
          changes.map(({ id }) => id),
          after,
        ],
      )
      return new Map(
        rows.map(({ pending_change_id, seq, before, after }) => [
          pending_change_id,
          { seq, before: parse(before), after: parse(after) },
        ]),
      )
    },

    /** Every undo of the entities, by the entity's id, oldest first. */
    async listUndosByEntity(entityIds: readonly string[]): Promise<Map<string, UndoRow[]>> {
      const { rows } = await db.query<UndoRow & { entity_id: string }>(
        `select entity_id, seq, at, actor, action, undoes, undoes_since
         from audit_log
         where entity_id = any($1) and undoes is not null
         order by seq`,
        [entityIds],
      )
      return Map.groupBy(rows, ({ entity_id }) => entity_id)
    },

    /**
     * When the owner last changed each entity by hand, since a time: not by creating it, nor by a decision on a draft. In
     * the order of the entities given; `null` where the owner did not.
     */
    async listOwnEdits(
      entities: readonly { space_id: string; entity_id: string; since: Date }[],
    ): Promise<(string | null)[]> {
      const { rows } = await db.query<{ at: string | null }>(
        `select (
           select at
           from audit_log
           where audit_log.space_id = wanted.space_id and audit_log.entity_id = wanted.entity_id
             and actor = 'owner' and action not in ('create', 'redact') and pending_change_id is null
             and at >= wanted.since
           order by seq desc
           limit 1
         ) as at
         from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
           with ordinality as wanted (space_id, entity_id, since, place)
         order by place`,
        [
          entities.map(({ space_id }) => space_id),
          entities.map(({ entity_id }) => entity_id),
          entities.map(({ since }) => since.toISOString()),
        ],
      )
      return rows.map(({ at }) => at)
    },

    /** What happened to each entity after it was at a version, newest first, at most `limit` each; in their order. */
    async listAfterVersions(
      entities: readonly { space_id: string; entity_type: string; entity_id: string; version: number }[],
      limit: number,
    ): Promise<LaterChange[][]> {
      type Row = Omit<LaterChange, 'before' | 'after'> & {
        place: number
        before: string | null
        after: string | null
      }
      const { rows } = await db.query<Row>(
        `select place, later.*
         from unnest($1::uuid[], $2::text[], $3::uuid[], $4::integer[])
           with ordinality as wanted (space_id, entity_type, entity_id, version, place)
         cross join lateral (
           select seq, at, actor, action, audit_log.version, pending_change_id, before, after
           from audit_log
           where audit_log.space_id = wanted.space_id and audit_log.entity_type = wanted.entity_type
             and audit_log.entity_id = wanted.entity_id and audit_log.version > wanted.version
           order by seq desc
           limit $5
         ) as later
         order by place, later.seq desc`,
        [
          entities.map(({ space_id }) => space_id),
          entities.map(({ entity_type }) => entity_type),
          entities.map(({ entity_id }) => entity_id),
          entities.map(({ version }) => version),
          limit,
        ],
      )
      const byPlace = Map.groupBy(rows, ({ place }) => place)
      return entities.map((_, index) =>
        (byPlace.get(index + 1) ?? []).map((row) => ({
          ...row,
          before: parse(row.before),
          after: parse(row.after),
        })),
      )
    },
  }
}

const parse = (text: string | null): Fields | null => (text === null ? null : JSON.parse(text))

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
