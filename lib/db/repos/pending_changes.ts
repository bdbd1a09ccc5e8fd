import type { PendingChange } from '../../contract/changes/pending-change.ts'
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
> & { payload: string; drops?: PendingChange['drops'] }

/** What a successor does not have from the one before it. */
type NewSuccessor = Pick<
  PendingChange,
  | 'id'
  | 'entity_type'
  | 'entity_id'
  | 'action'
  | 'payload_sha256'
  | 'base_version'
  | 'derivation'
  | 'conflicts'
  | 'provenance'
> & { payload: string }

export type Outcome = Pick<
  PendingChange,
  'status' | 'decided_by' | 'decision' | 'result_version' | 'superseded_by'
>

/** Drafts. The database refuses to change a stored payload or a decision (migrations/004). */
export function createPendingChangesRepo(db: Queryable) {
  const one = (rows: StoredChange[]): PendingChange | null => (rows[0] ? toChange(rows[0]) : null)

  return {
    /** The approved draft that made this entity. */
    async findApprovedOf(entityId: string): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where entity_id = $1 and status = 'approved'
         order by id
         limit 1`,
        [entityId],
      )
      return one(rows)
    },

    /** Stores a draft, or returns the one that the same call of the same turn stored before. */
    async insertOnce(change: NewPendingChange): Promise<PendingChange> {
      const { rows } = await db.query<StoredChange>(
        `insert into pending_changes
           (id, space_id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type, entity_id,
            action, payload, payload_sha256, base_version, reason, derivation, supersedes, provenance, drops)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         on conflict (turn_id, tool_use_id) where turn_id is not null and tool_use_id is not null do nothing
         returning ${changeColumns}`,
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
          JSON.stringify(change.drops ?? []),
        ],
      )
      return one(rows) ?? (await this.findByCall(change.turn_id, change.tool_use_id))!
    },

    /** Stores what goes on from a draft: of the same agent, turn and changeset, with its reason and drops. */
    async insertSuccessor(before: string, change: NewSuccessor): Promise<PendingChange> {
      const { rows } = await db.query<StoredChange>(
        `insert into pending_changes
           (space_id, agent_id, conversation_id, turn_id, changeset_id, reason, drops, created_at, provenance, supersedes,
            id, entity_type, entity_id, action, payload, payload_sha256, base_version, derivation, conflicts)
         select space_id, agent_id, conversation_id, turn_id, changeset_id, reason, drops, created_at, $11, id,
                $2, $3, $4, $5, $6, $7, $8, $9, $10
         from pending_changes
         where id = $1
         returning ${changeColumns}`,
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
          JSON.stringify(change.provenance),
        ],
      )
      return one(rows)!
    },

    async findByCall(turnId: string | null, toolUseId: string | null): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where turn_id = $1 and tool_use_id = $2`,
        [turnId, toolUseId],
      )
      return one(rows)
    },

    /** By id, within the Spaces given (`null`: any) and, where one is named, of that agent only. */
    async find(
      id: string,
      within: { space_ids: readonly string[] | null; agent_id: string | null },
    ): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where id = $1
           and ($2::uuid[] is null or space_id = any($2))
           and ($3::uuid is null or agent_id = $3)`,
        [id, within.space_ids, within.agent_id],
      )
      return one(rows)
    },

    /**
     * The draft that one with open conflicts was merged from; any other draft itself. A merge with open conflicts has
     * less text than the draft that it was made from.
     */
    async findUnmerged(change: PendingChange): Promise<PendingChange> {
      let draft = change
      while (draft.conflicts.length > 0 && draft.supersedes) {
        const within = { space_ids: [draft.space_id], agent_id: draft.agent_id }
        const earlier = await this.find(draft.supersedes, within)
        if (!earlier) break
        draft = earlier
      }
      return draft
    },

    /** Locks the row until the transaction ends. */
    async lock(id: string): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where id = $1
         for update`,
        [id],
      )
      return one(rows)
    },

    /** Locks the drafts of a changeset in the order of their ids, so that no two transactions wait for each other. */
    async lockChangeset(changesetId: string): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where changeset_id = $1
         order by id
         for update`,
        [changesetId],
      )
      return rows.map(toChange)
    },

    /** What an agent has waiting for an entity, oldest first; locked until the transaction ends, where asked for. */
    async listWaiting(
      draft: Pick<PendingChange, 'space_id' | 'agent_id' | 'entity_type' | 'entity_id'>,
      { lock }: { lock: boolean } = { lock: false },
    ): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where space_id = $1 and agent_id = $2 and entity_type = $3 and entity_id = $4 and status = 'pending'
         order by id
         ${lock ? 'for update' : ''}`,
        [draft.space_id, draft.agent_id, draft.entity_type, draft.entity_id],
      )
      return rows.map(toChange)
    },

    /**
     * The last draft of the agent that was rejected with these very bytes: of the same version of the same thing, or to
     * create one of that kind.
     */
    async findRejected(
      draft: Pick<
        PendingChange,
        'space_id' | 'agent_id' | 'entity_type' | 'entity_id' | 'action' | 'base_version' | 'payload_sha256'
      >,
    ): Promise<PendingChange | null> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where agent_id = $1 and payload_sha256 = $2 and status = 'rejected'
           and space_id = $3 and entity_type = $4 and action = $5
           and (action in ('create', 'call') or (entity_id = $6 and base_version = $7))
         order by id desc
         limit 1`,
        [
          draft.agent_id,
          draft.payload_sha256,
          draft.space_id,
          draft.entity_type,
          draft.action,
          draft.entity_id,
          draft.base_version,
        ],
      )
      return one(rows)
    },

    /** Closes a draft, once. The caller holds its lock. */
    async close(id: string, outcome: Outcome): Promise<PendingChange> {
      const { rows } = await db.query<StoredChange>(
        `update pending_changes
         set status = $2, decided_by = $3, decision = $4, result_version = $5, superseded_by = $6,
             decided_at = now()
         where id = $1
         returning ${changeColumns}`,
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
      const { rows } = await db.query<StoredChange>(
        `update pending_changes
         set superseded_by = $2
         where id = $1
         returning ${changeColumns}`,
        [id, successorId],
      )
      return one(rows)!
    },
  }
}

/** A draft as it is stored: its payload is the text that the hash is of. */
export type StoredChange = Omit<PendingChange, 'payload'> & { payload: string }

export const changeColumns = `id, space_id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type, entity_id,
  action, payload, payload_sha256, base_version, reason, status, created_at, decided_at, decided_by, decision,
  result_version, derivation, supersedes, superseded_by, conflicts, drops, provenance`

export const toChange = (row: StoredChange): PendingChange => ({ ...row, payload: JSON.parse(row.payload) })
