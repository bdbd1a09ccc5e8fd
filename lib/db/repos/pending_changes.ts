import type { PendingChange } from '../../contract/card.ts'
import type { Queryable } from '../pool.ts'

export type NewPendingChange = Pick<
  PendingChange,
  | 'id'
  | 'space_id'
  | 'agent_id'
  | 'conversation_id'
  | 'turn_id'
  | 'tool_use_id'
  | 'changeset_id'
  | 'entity_type'
  | 'entity_id'
  | 'action'
  | 'payload_sha256'
  | 'base_version'
  | 'reason'
> & { payload: string }

export type ChangeFilter = {
  /** `null`: of every Space, every agent, every status. */
  space_ids: readonly string[] | null
  agent_id: string | null
  status: string | null
  before_id: string | null
  limit: number
}

export type InboxFilter = {
  waiting: boolean
  space_id: string | null
  agent_id: string | null
  entity_type: string | null
  status: string | null
  before_id: string | null
  limit: number
}

type StoredRow = Omit<PendingChange, 'payload'> & { payload: string }

const columns = `id, space_id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type, entity_id,
  action, payload, payload_sha256, base_version, reason, status, created_at, decided_at, decided_by, decision,
  result_version, derivation, supersedes, superseded_by, conflicts, drill and status <> 'pending' as drill`

export type PendingChangesRepo = ReturnType<typeof createPendingChangesRepo>

/** Drafts. The database refuses to change a stored payload or a decision (migration 001). */
export function createPendingChangesRepo(db: Queryable) {
  const one = (rows: StoredRow[]): PendingChange | null => (rows[0] ? parse(rows[0]) : null)

  return {
    /** Stores a draft, or returns the one that the same call of the same turn stored before. */
    async insertOnce(change: NewPendingChange): Promise<PendingChange> {
      const { rows } = await db.query<StoredRow>(
        `insert into pending_changes
           (id, space_id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type, entity_id,
            action, payload, payload_sha256, base_version, reason)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (turn_id, tool_use_id) where turn_id is not null and tool_use_id is not null do nothing
         returning ${columns}`,
        [
          change.id,
          change.space_id,
          change.agent_id,
          change.conversation_id,
          change.turn_id,
          change.tool_use_id,
          change.changeset_id,
          change.entity_type,
          change.entity_id,
          change.action,
          change.payload,
          change.payload_sha256,
          change.base_version,
          change.reason,
        ],
      )
      return one(rows) ?? (await this.findByCall(change.turn_id, change.tool_use_id))!
    },

    async findByCall(turnId: string | null, toolUseId: string | null): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where turn_id = $1 and tool_use_id = $2`,
        [turnId, toolUseId],
      )
      return one(rows)
    },

    /** By id, within the Spaces given (`null`: any) and, where one is named, of that agent only. */
    async find(
      id: string,
      within: Pick<ChangeFilter, 'space_ids' | 'agent_id'>,
    ): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where id = $1
           and ($2::uuid[] is null or space_id = any($2))
           and ($3::uuid is null or agent_id = $3)`,
        [id, within.space_ids, within.agent_id],
      )
      return one(rows)
    },

    /** Those of the ids that are drafts in the Space, oldest first. */
    async listByIds(spaceId: string, ids: readonly string[]): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where space_id = $1 and id = any($2)
         order by id`,
        [spaceId, ids],
      )
      return rows.map(parse)
    },

    /** Locks the row until the transaction ends. */
    async lock(id: string): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where id = $1
         for update`,
        [id],
      )
      return one(rows)
    },

    /** Newest first. */
    async list(filter: ChangeFilter): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where ($1::uuid[] is null or space_id = any($1))
           and ($2::uuid is null or agent_id = $2)
           and ($3::text is null or status = $3)
           and ($4::uuid is null or id < $4)
         order by id desc
         limit $5`,
        [filter.space_ids, filter.agent_id, filter.status, filter.before_id, filter.limit],
      )
      return rows.map(parse)
    },

    /**
     * What waits for the owner, newest first, or what was decided, latest decision first. In Spaces that are not
     * deleted; `null` in a filter: any.
     */
    async listInbox(filter: InboxFilter): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where (status = 'pending') = $1
           and ($2::uuid is null or space_id = $2)
           and ($3::uuid is null or agent_id = $3)
           and ($4::text is null or entity_type = $4)
           and ($5::text is null or status = $5)
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)
           and ($6::uuid is null or (coalesce(decided_at, created_at), id) <
             (select coalesce(seen.decided_at, seen.created_at), seen.id
              from pending_changes seen
              where seen.id = $6))
         order by coalesce(decided_at, created_at) desc, id desc
         limit $7`,
        [
          filter.waiting,
          filter.space_id,
          filter.agent_id,
          filter.entity_type,
          filter.status,
          filter.before_id,
          filter.limit,
        ],
      )
      return rows.map(parse)
    },

    /** How many wait for the owner, in Spaces that are not deleted. */
    async countPending(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*) as count
         from pending_changes
         join spaces on spaces.id = pending_changes.space_id
         where status = 'pending' and spaces.deleted_at is null`,
      )
      return rows[0]?.count ?? 0
    },

    /** The undecided draft of a changeset that would create the entity. */
    async findCreator(spaceId: string, changesetId: string, entityId: string): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where space_id = $1 and changeset_id = $2 and entity_id = $3 and action = 'create' and status = 'pending'`,
        [spaceId, changesetId, entityId],
      )
      return one(rows)
    },

    async decide(
      id: string,
      outcome: Pick<PendingChange, 'status' | 'decided_by' | 'decision' | 'result_version'>,
    ): Promise<PendingChange> {
      const { rows } = await db.query<StoredRow>(
        `update pending_changes
         set status = $2, decided_by = $3, decision = $4, result_version = $5, decided_at = now()
         where id = $1
         returning ${columns}`,
        [id, outcome.status, outcome.decided_by, outcome.decision, outcome.result_version],
      )
      return one(rows)!
    },
  }
}

const parse = (row: StoredRow): PendingChange => ({ ...row, payload: JSON.parse(row.payload) })
