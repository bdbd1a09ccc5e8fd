import type { AuditRow } from '../../contract/audit.ts'
import type { Queryable } from '../pool.ts'

/** What a writer puts into the log; the log itself adds the rest. */
type AuditEntry = Omit<AuditRow, 'seq' | 'at' | 'previous_hash' | 'hash' | 'undoes' | 'undoes_since'> &
  Partial<Pick<AuditRow, 'undoes' | 'undoes_since'>> & { save_id?: string | null }

type StoredRow = Omit<AuditRow, 'before' | 'after'> & { before: string | null; after: string | null }

type LaterRow = Pick<AuditRow, 'seq' | 'at' | 'actor' | 'action' | 'version'> & { fields: string[] }

type AppliedRow = Pick<AuditRow, 'seq' | 'entity_type' | 'entity_id' | 'pending_change_id'> & {
  space_id: string
}

export type UndoRow = Pick<AuditRow, 'seq' | 'at' | 'actor' | 'undoes_since'> & {
  action: 'update' | 'delete' | 'restore'
  undoes: number
}

/** The append-only log. The database numbers and chains the rows (migrations/004). */
export function createAuditRepo(db: Queryable) {
  return {
    /** Takes the chain's lock. A transaction that will write several entities does this before it locks any. */
    async lock(): Promise<void> {
      await db.query('select seq from audit_head for update')
    },

    async append(entry: AuditEntry): Promise<void> {
      await db.query(
        `insert into audit_log
           (space_id, actor, action, entity_type, entity_id, version, before, after, pending_change_id, undoes,
            undoes_since, save_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          entry.space_id,
          entry.actor,
          entry.action,
          entry.entity_type,
          entry.entity_id,
          entry.version,
          entry.before && JSON.stringify(entry.before),
          entry.after && JSON.stringify(entry.after),
          entry.pending_change_id,
          entry.undoes ?? null,
          entry.undoes_since ?? null,
          entry.save_id ?? null,
        ],
      )
    },

    /**
     * The values that fields of an entity had at a version, as far as they have changed since, and how many of the
     * versions after it the log tells of.
     */
    async findValuesAt(
      entity: { space_id: string; entity_type: string; entity_id: string },
      version: number,
      fields: readonly string[],
    ): Promise<{ versions: number; values: Record<string, unknown> }> {
      const where = 'space_id = $1 and entity_type = $2 and entity_id = $3 and version > $4'
      const { space_id, entity_type, entity_id } = entity
      const told = await db.query<{ versions: number }>(
        `select count(distinct version) as versions
         from audit_log
         where ${where}`,
        [space_id, entity_type, entity_id, version],
      )
      const first = await db.query<{ key: string; value: unknown }>(
        `select distinct on (field.key) field.key, field.value
         from audit_log
         cross join lateral json_each(before::json) as field
         where ${where} and before is not null and field.key = any($5)
         order by field.key, seq`,
        [space_id, entity_type, entity_id, version, fields],
      )
      const values = Object.fromEntries(first.rows.map(({ key, value }) => [key, value]))
      return { versions: told.rows[0]?.versions ?? 0, values }
    },

    /** The save of an entity after a version that a client gave this id: the version it made, and the changed fields. */
    async findSave(
      { space_id, id }: { space_id: string; id: string },
      version: number,
      saveId: string,
    ): Promise<{ version: number; fields: Record<string, unknown> } | null> {
      const { rows } = await db.query<{ version: number; after: string }>(
        `select version, after
         from audit_log
         where space_id = $1 and entity_id = $2 and version > $3 and save_id = $4
         order by seq
         limit 1`,
        [space_id, id, version, saveId],
      )
      return rows[0] ? { version: rows[0].version, fields: JSON.parse(rows[0].after) } : null
    },

    /** Newest first. */
    async list(filter: {
      space_id: string | null
      entity_id: string | null
      before_seq: number | null
      limit: number
    }): Promise<AuditRow[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from audit_log
         where ($1::uuid is null or space_id = $1)
           and ($2::uuid is null or entity_id = $2)
           and ($3::bigint is null or seq < $3)
         order by seq desc
         limit $4`,
        [filter.space_id, filter.entity_id, filter.before_seq, filter.limit],
      )
      return rows.map(toRow)
    },

    /** A run of rows of the entity that a row is about, oldest first: from `since` on up to the row itself. */
    async listRun(seq: number, since: number | null): Promise<AuditRow[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from audit_log
         where entity_id = (select last.entity_id from audit_log last where last.seq = $1)
           and seq between coalesce($2, $1) and $1 and (action <> 'redact' or seq = $1)
         order by seq`,
        [seq, since],
      )
      return rows.map(toRow)
    },

    /** Whether a row is an update that gave an entity another title. */
    async isRename(seq: number): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from audit_log
         where seq = $1 and action = 'update' and before::json -> 'title' is not null`,
        [seq],
      )
      return rows.length > 0
    },

    /** Whether an entity was changed after a row. */
    async hasChangedSince(spaceId: string, entityId: string, seq: number): Promise<boolean> {
      const { rowCount } = await db.query(
        `select from audit_log where space_id = $1 and entity_id = $2 and seq > $3 and action <> 'redact' limit 1`,
        [spaceId, entityId, seq],
      )
      return rowCount === 1
    },

    /** The row of what approving a draft changed. */
    async findOfChange(spaceId: string, pendingChangeId: string): Promise<Pick<AuditRow, 'seq'> | null> {
      const { rows } = await db.query<Pick<AuditRow, 'seq'>>(
        `select seq
         from audit_log
         where space_id = $1 and pending_change_id = $2`,
        [spaceId, pendingChangeId],
      )
      return rows[0] ?? null
    },

    /** What was applied of a changeset, oldest first; `null` for a changeset that there is none of. */
    async listOfChangeset(changesetId: string): Promise<AppliedRow[] | null> {
      const { rows } = await db.query<AppliedRow | { [Name in keyof AppliedRow]: null }>(
        `select seq, audit_log.space_id, audit_log.entity_type, audit_log.entity_id, pending_change_id
         from pending_changes
         left join audit_log on audit_log.pending_change_id = pending_changes.id
           and audit_log.space_id = pending_changes.space_id
         where changeset_id = $1
         order by seq`,
        [changesetId],
      )
      return rows.length > 0 ? rows.filter((row): row is AppliedRow => row.seq !== null) : null
    },

    /** Who changed an entity after a row, oldest first, without what they changed. */
    async listLater(spaceId: string, entityId: string, seq: number): Promise<LaterRow[]> {
      const { rows } = await db.query<LaterRow>(
        `select seq, at, actor, action, version,
                array(select json_object_keys(coalesce(after, '{}')::json)) as fields
         from audit_log
         where space_id = $1 and entity_id = $2 and seq > $3 and action <> 'redact'
         order by seq`,
        [spaceId, entityId, seq],
      )
      return rows
    },

    /** Every undo of an entity. */
    async listUndos(entityId: string): Promise<UndoRow[]> {
      const { rows } = await db.query<UndoRow>(
        `select seq, at, actor, action, undoes, undoes_since
         from audit_log
         where entity_id = $1 and undoes is not null
         order by seq`,
        [entityId],
      )
      return rows
    },
  }
}

const columns = `seq, at, space_id, actor, action, entity_type, entity_id, version, before, after, pending_change_id,
  undoes, undoes_since, previous_hash, hash`

const toRow = (row: StoredRow): AuditRow => ({ ...row, before: parse(row.before), after: parse(row.after) })

const parse = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : JSON.parse(text)

/** Rows of the audit log with the draft that each came from, its agent and its conversation, unless that is deleted. */
export const fromAuditWithDraft = `from audit_log
         left join pending_changes on pending_changes.id = pending_change_id
         left join agents on agents.id = pending_changes.agent_id
         left join conversations
           on conversations.id = pending_changes.conversation_id and conversations.deleted_at is null`

/** What the owner had said in the turn that made the draft. */
export const asked = `(select left(body, 1000)
                 from messages
                 where messages.turn_id = pending_changes.turn_id and role = 'user')`
