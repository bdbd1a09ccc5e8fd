import type { Queryable } from '../pool.ts'

export type AuditEntry = {
  space_id: string | null
  actor: string
  action: string
  entity_type: string
  entity_id: string
  version: number | null
  /** The changed fields as they were and as they are; `null` where there is no such side. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  pending_change_id: string | null
  /** The row that this one takes back, and, of a run of rows of one entity, the first of them. */
  undoes?: number | null
  undoes_since?: number | null
}

export type AuditRow = Required<AuditEntry> & {
  seq: number
  at: string
  previous_hash: string
  hash: string
}

type StoredRow = Omit<AuditRow, 'before' | 'after'> & { before: string | null; after: string | null }

export type LaterRow = Pick<AuditRow, 'seq' | 'at' | 'actor' | 'action' | 'version'> & { fields: string[] }

export type AppliedRow = Pick<AuditRow, 'seq' | 'entity_type' | 'entity_id' | 'pending_change_id'> & {
  space_id: string
}

export type UndoRow = Pick<AuditRow, 'seq' | 'at' | 'actor' | 'undoes_since'> & {
  action: 'update' | 'delete' | 'restore'
  undoes: number
}

export type AuditRepo = ReturnType<typeof createAuditRepo>

/** The append-only log. The database numbers and chains the rows (migration 001). */
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
            undoes_since)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
        ],
      )
    },

    /** The fields that an approved draft changed, as they were and as it made them; `null` for one that changed none. */
    async findSides(change: {
      space_id: string
      entity_id: string
      id: string
    }): Promise<Pick<AuditRow, 'before' | 'after'> | null> {
      const { rows } = await db.query<Pick<StoredRow, 'before' | 'after'>>(
        `select before, after
         from audit_log
         where space_id = $1 and entity_id = $2 and pending_change_id = $3`,
        [change.space_id, change.entity_id, change.id],
      )
      return rows[0] ? { before: parse(rows[0].before), after: parse(rows[0].after) } : null
    },

    /** What happened to an entity after it was at a version, newest first. */
    async listAfterVersion(
      entity: { space_id: string; entity_type: string; entity_id: string },
      version: number,
      limit: number,
    ): Promise<AuditRow[]> {
      const { rows } = await db.query<StoredRow>(
        `select seq, at, space_id, actor, action, entity_type, entity_id, version, before, after,
                pending_change_id, previous_hash, hash
         from audit_log
         where space_id = $1 and entity_type = $2 and entity_id = $3 and version > $4
         order by seq desc
         limit $5`,
        [entity.space_id, entity.entity_type, entity.entity_id, version, limit],
      )
      return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }))
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

    /** The fields as they were before each of many approved drafts, by their ids. */
    async listBefore(
      changes: readonly { id: string; space_id: string; entity_id: string }[],
    ): Promise<Map<string, Record<string, unknown>>> {
      if (changes.length === 0) return new Map()
      const { rows } = await db.query<{ pending_change_id: string; before: string | null }>(
        `select pending_change_id, before
         from audit_log
         where space_id = any($1) and entity_id = any($2) and pending_change_id = any($3)`,
        [
          changes.map(({ space_id }) => space_id),
          changes.map(({ entity_id }) => entity_id),
          changes.map(({ id }) => id),
        ],
      )
      return new Map(rows.map(({ pending_change_id, before }) => [pending_change_id, parse(before) ?? {}]))
    },

    /** When the owner last changed an entity by hand, not by a decision on a draft, since a time. */
    async findOwnEdit(spaceId: string, entityId: string, since: Date): Promise<string | null> {
      const { rows } = await db.query<{ at: string }>(
        `select at
         from audit_log
         where space_id = $1 and entity_id = $2 and actor = 'owner' and pending_change_id is null and at >= $3
         order by seq desc
         limit 1`,
        [spaceId, entityId, since],
      )
      return rows[0]?.at ?? null
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
           and seq between coalesce($2, $1) and $1
         order by seq`,
        [seq, since],
      )
      return rows.map(toRow)
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
         where space_id = $1 and entity_id = $2 and seq > $3
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
