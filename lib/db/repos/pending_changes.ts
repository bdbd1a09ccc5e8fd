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
  | 'derivation'
  | 'supersedes'
  | 'provenance'
> & { payload: string; drill?: boolean }

/** What a successor does not have from the one before it. */
export type NewSuccessor = Pick<
  PendingChange,
  | 'id'
  | 'entity_type'
  | 'entity_id'
  | 'action'
  | 'payload_sha256'
  | 'base_version'
  | 'derivation'
  | 'conflicts'
> & { payload: string }

export type Outcome = Pick<
  PendingChange,
  'status' | 'decided_by' | 'decision' | 'result_version' | 'superseded_by'
>

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
  result_version, derivation, supersedes, superseded_by, conflicts, provenance,
  drill and status <> 'pending' as drill`

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
            action, payload, payload_sha256, base_version, reason, derivation, supersedes, provenance, drill)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
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
          change.derivation,
          change.supersedes,
          JSON.stringify(change.provenance),
          change.drill ?? false,
        ],
      )
      return one(rows) ?? (await this.findByCall(change.turn_id, change.tool_use_id))!
    },

    /** Stores what goes on from a draft: of the same agent, turn and changeset, with its reason and provenance. */
    async insertSuccessor(before: string, change: NewSuccessor): Promise<PendingChange> {
      const { rows } = await db.query<StoredRow>(
        `insert into pending_changes
           (space_id, agent_id, conversation_id, turn_id, changeset_id, reason, provenance, supersedes,
            id, entity_type, entity_id, action, payload, payload_sha256, base_version, derivation, conflicts)
         select space_id, agent_id, conversation_id, turn_id, changeset_id, reason, provenance, id,
                $2, $3, $4, $5, $6, $7, $8, $9, $10
         from pending_changes
         where id = $1
         returning ${columns}`,
        [
          before,
          change.id,
          change.entity_type,
          change.entity_id,
          change.action,
          change.payload,
          change.payload_sha256,
          change.base_version,
          change.derivation,
          JSON.stringify(change.conflicts),
        ],
      )
      return one(rows)!
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
           and ($3::uuid is null or (agent_id = $3 and not drill))`,
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
           and ($2::uuid is null or (agent_id = $2 and not drill))
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

    /**
     * The draft of a changeset that creates the entity: the one that waits, else the latest. What is replaced counts
     * no more.
     */
    async findCreator(spaceId: string, changesetId: string, entityId: string): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where space_id = $1 and changeset_id = $2 and entity_id = $3 and action = 'create' and status <> 'superseded'
         order by status <> 'pending', id desc
         limit 1`,
        [spaceId, changesetId, entityId],
      )
      return one(rows)
    },

    /** The drafts of a changeset in the Spaces given (`null`: any), oldest first. */
    async listChangeset(spaceIds: readonly string[] | null, changesetId: string): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where changeset_id = $2 and ($1::uuid[] is null or space_id = any($1))
         order by id`,
        [spaceIds, changesetId],
      )
      return rows.map(parse)
    },

    /** Locks the drafts of a changeset in the order of their ids, so that no two transactions wait for each other. */
    async lockChangeset(changesetId: string): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where changeset_id = $1
         order by id
         for update`,
        [changesetId],
      )
      return rows.map(parse)
    },

    /** Locks what an agent has waiting for an entity, oldest first. */
    async lockWaiting(draft: Pick<PendingChange, 'space_id' | 'agent_id' | 'entity_type' | 'entity_id'>) {
      const { rows } = await db.query<StoredRow>(
        `select ${columns}
         from pending_changes
         where space_id = $1 and agent_id = $2 and entity_type = $3 and entity_id = $4 and status = 'pending'
           and not drill
         order by id
         for update`,
        [draft.space_id, draft.agent_id, draft.entity_type, draft.entity_id],
      )
      return rows.map(parse)
    },

    /**
     * How many drafts of an agent wait, how many it made within the last hour, and in how many seconds the first of
     * those will be an hour old.
     */
    async countOfAgent(
      agentId: string,
    ): Promise<{ waiting: number; lastHour: number; nextInSeconds: number }> {
      const { rows } = await db.query<{ waiting: number; last_hour: number; next: number }>(
        `select (select count(*) from pending_changes where agent_id = $1 and status = 'pending' and not drill) as waiting,
                count(*) as last_hour,
                ceil(coalesce(extract(epoch from min(created_at) + interval '1 hour' - now()), 0))::integer as next
         from pending_changes
         where agent_id = $1 and created_at > now() - interval '1 hour' and derivation in ('proposed', 'revised')`,
        [agentId],
      )
      const { waiting = 0, last_hour = 0, next = 0 } = rows[0] ?? {}
      return { waiting, lastHour: last_hour, nextInSeconds: Math.max(1, next) }
    },

    /** Closes a draft, once. The caller holds its lock. */
    async close(id: string, outcome: Outcome): Promise<PendingChange> {
      const { rows } = await db.query<StoredRow>(
        `update pending_changes
         set status = $2, decided_by = $3, decision = $4, result_version = $5, superseded_by = $6,
             decided_at = now()
         where id = $1
         returning ${columns}`,
        [
          id,
          outcome.status,
          outcome.decided_by,
          outcome.decision,
          outcome.result_version,
          outcome.superseded_by,
        ],
      )
      return one(rows)!
    },

    /** Names the successor of a draft that is closed already. */
    async nameSuccessor(id: string, successorId: string): Promise<PendingChange> {
      const { rows } = await db.query<StoredRow>(
        `update pending_changes
         set superseded_by = $2
         where id = $1
         returning ${columns}`,
        [id, successorId],
      )
      return one(rows)!
    },
  }
}

const parse = (row: StoredRow): PendingChange => ({ ...row, payload: JSON.parse(row.payload) })
