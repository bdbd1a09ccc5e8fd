import { v7 as uuid } from 'uuid'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { PendingOpening } from '../../contract/companion/open-desk.ts'
import type { Queryable } from '../pool.ts'
import { boundedCount } from './page_tree.ts'
import { changeColumns, type StoredChange, toChange } from './pending_changes.ts'

type ChangeFilter = {
  /** `null`: of every Space, every agent, every status. */
  space_ids: readonly string[] | null
  agent_id: string | null
  status: string | null
  /** Default: any entity. */
  entity_id?: string
  before_id: string | null
  limit: number
}

type InboxFilter = {
  waiting: boolean
  space_id: string | null
  agent_id: string | null
  entity_type: string | null
  status: string | null
  before_id: string | null
  limit: number
}

/** `replaces`: ids of pending drafts that do not count. */
type DraftCount = { agent_id: string; turn_id: string | null; replaces: readonly string[] }

export function createPendingChangeListsRepo(db: Queryable) {
  return {
    /** Drafts in the Space, or of the memory of all Spaces, of the agent given (`null`: any), oldest first. */
    async listByIds(
      { space_id, agent_id }: { space_id: string; agent_id: string | null },
      ids: readonly string[],
    ): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where id = any($3) and ($2::uuid is null or agent_id = $2)
           and (space_id = $1 or entity_id in (select page_id from memory_pages where everywhere))
         order by id`,
        [space_id, agent_id, ids],
      )
      return rows.map(toChange)
    },

    /** Newest first. */
    async list(filter: ChangeFilter): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where ($1::uuid[] is null or space_id = any($1))
           and ($2::uuid is null or agent_id = $2)
           and ($3::text is null or status = $3)
           and ($4::uuid is null or id < $4)
           ${filter.entity_id ? 'and entity_id = $6' : ''}
         order by id desc
         limit $5`,
        [
          ...[filter.space_ids, filter.agent_id, filter.status, filter.before_id, filter.limit],
          ...(filter.entity_id ? [filter.entity_id] : []),
        ],
      )
      return rows.map(toChange)
    },

    /**
     * What waits for the owner, newest first, or what was decided, latest decision first. In Spaces that are not
     * deleted; `null` in a filter: any.
     */
    async listInbox({ waiting, before_id, limit, ...filter }: InboxFilter): Promise<PendingChange[]> {
      const values: unknown[] = []
      const put = (value: unknown) => `$${values.push(value)}`
      const asked = (['space_id', 'agent_id', 'entity_type', 'status'] as const).flatMap((name) =>
        filter[name] === null ? [] : [`and ${name} = ${put(filter[name])}`],
      )
      if (before_id !== null) {
        asked.push(`and (coalesce(decided_at, created_at), id) < (
             select coalesce(seen.decided_at, seen.created_at), seen.id
             from pending_changes seen
             where seen.id = ${put(before_id)}
           )`)
      }
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where status ${waiting ? '=' : '<>'} 'pending'
           and space_id not in (select id from spaces where deleted_at is not null)
           ${asked.join(' ')}
         order by coalesce(decided_at, created_at) desc, id desc
         limit ${put(limit)}`,
        values,
      )
      return rows.map(toChange)
    },

    /** How many wait for the owner, in Spaces that are not deleted; at most `maxCounted` + 1. */
    async countPending(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select ${boundedCount(
          `from pending_changes
           join spaces on spaces.id = pending_changes.space_id
           where status = 'pending' and spaces.deleted_at is null`,
        )} as count`,
      )
      return rows[0]?.count ?? 0
    },

    /**
     * The drafts of changesets that create the entities, one for each: the one that waits, else the latest. What was
     * superseded counts no more.
     */
    async listCreators(
      wanted: readonly Pick<PendingChange, 'space_id' | 'changeset_id' | 'entity_id'>[],
    ): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select distinct on (space_id, changeset_id, entity_id) ${changeColumns}
         from pending_changes
         where (space_id, changeset_id, entity_id) in (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]))
           and action = 'create' and status <> 'superseded'
         order by space_id, changeset_id, entity_id, status <> 'pending', id desc`,
        [
          wanted.map(({ space_id }) => space_id),
          wanted.map(({ changeset_id }) => changeset_id),
          wanted.map(({ entity_id }) => entity_id),
        ],
      )
      return rows.map(toChange)
    },

    /** The latest rejected drafts of a thing; of what is new, of its kind in the Space. */
    async listRejectedOf(
      draft: Pick<PendingChange, 'space_id' | 'entity_type' | 'entity_id' | 'action'>,
      limit: number,
    ): Promise<PendingChange[]> {
      const isNew = draft.action === 'create' || draft.action === 'call'
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where space_id = $1 and status = 'rejected' and entity_type = $2 and action = $3
           ${isNew ? '' : 'and entity_id = $5'}
         order by id desc
         limit $4`,
        [draft.space_id, draft.entity_type, draft.action, limit, ...(isNew ? [] : [draft.entity_id])],
      )
      return rows.map(toChange)
    },

    /** Rejected drafts of one thing, the latest first. */
    async listRejectedFor(
      { space_id, entity_id }: Pick<PendingChange, 'space_id' | 'entity_id'>,
      limit: number,
    ): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where space_id = $1 and entity_id = $2 and status = 'rejected'
         order by id desc
         limit $3`,
        [space_id, entity_id, limit],
      )
      return rows.map(toChange)
    },

    /** A draft that waits for the same thing, of any agent and of another turn. */
    async findWaitingElsewhere(
      { space_id, entity_id }: Pick<PendingChange, 'space_id' | 'entity_id'>,
      turnId: string,
    ): Promise<string | null> {
      const { rows } = await db.query<{ id: string }>(
        `select id
         from pending_changes
         where space_id = $1 and entity_id = $2 and status = 'pending' and turn_id is distinct from $3
         limit 1`,
        [space_id, entity_id, turnId],
      )
      return rows[0]?.id ?? null
    },

    /** What waits to be made of a kind, of other turns. */
    async listWaitingCreates(
      { space_id, entity_type, action }: Pick<PendingChange, 'space_id' | 'entity_type' | 'action'>,
      { turnId, limit }: { turnId: string; limit: number },
    ): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where space_id = $1 and entity_type = $2 and action = $3 and status = 'pending'
           and turn_id is distinct from $4
         order by id desc
         limit $5`,
        [space_id, entity_type, action, turnId, limit],
      )
      return rows.map(toChange)
    },

    /** The drafts of a changeset in the Spaces given (`null`: any), oldest first. */
    async listChangeset(spaceIds: readonly string[] | null, changesetId: string): Promise<PendingChange[]> {
      const { rows } = await db.query<StoredChange>(
        `select ${changeColumns}
         from pending_changes
         where changeset_id = $2 and ($1::uuid[] is null or space_id = any($1))
         order by id`,
        [spaceIds, changesetId],
      )
      return rows.map(toChange)
    },

    /**
     * How many drafts of an agent wait, how many it made within the last hour, and in how many seconds the first of
     * those will be an hour old.
     */
    async countOfAgent({ agent_id, turn_id, replaces }: DraftCount): Promise<{
      waiting: number
      waitingBytes: number
      ofTurn: number
      lastHour: number
      nextInSeconds: number
    }> {
      const { rows } = await db.query<Record<'waiting' | 'bytes' | 'of_turn' | 'last_hour' | 'next', number>>(
        `select waiting, bytes::float8, of_turn, last_hour, next
         from (
           select count(*) as waiting, coalesce(sum(octet_length(payload::text)), 0) as bytes
           from pending_changes
           where agent_id = $1 and status = 'pending' and id <> all($3::uuid[])
         ) as pending
         cross join (
           select count(*) as of_turn from pending_changes where turn_id = $2
         ) as of_turn
         cross join (
           select count(*) as last_hour,
                  ceil(coalesce(extract(epoch from min(created_at) + interval '1 hour' - now()), 0))::integer as next
           from pending_changes
           where agent_id = $1 and created_at > now() - interval '1 hour' and derivation in ('proposed', 'revised')
         ) as recent`,
        [agent_id, turn_id, replaces],
      )
      const { waiting = 0, bytes = 0, of_turn = 0, last_hour = 0, next = 0 } = rows[0] ?? {}
      return {
        waiting,
        waitingBytes: bytes,
        ofTurn: of_turn,
        lastHour: last_hour,
        nextInSeconds: Math.max(1, next),
      }
    },
  }
}

/** Drafts that are to be opened in a browser, once. */
export function createPendingOpeningsRepo(db: Queryable) {
  return {
    /** Stores one for a draft; the same one again where there is one. What is decided by now is removed. */
    async insert(draft: { pending_change_id: string; space_id: string }): Promise<PendingOpening> {
      await db.query(
        `delete from pending_openings
         using pending_changes
         where pending_changes.id = pending_openings.pending_change_id and pending_changes.status <> 'pending'`,
      )
      const { rows } = await db.query<PendingOpening>(
        `insert into pending_openings (id, pending_change_id, space_id)
         values ($1, $2, $3)
         on conflict (pending_change_id) do update set space_id = excluded.space_id
         returning ${columns}`,
        [uuid(), draft.pending_change_id, draft.space_id],
      )
      return rows[0]!
    },

    /** Of drafts that still wait, the latest first. */
    async list(limit: number): Promise<PendingOpening[]> {
      const { rows } = await db.query<PendingOpening>(
        `select ${columns}
         from pending_openings
         where exists (
           select from pending_changes
           where pending_changes.id = pending_openings.pending_change_id and pending_changes.status = 'pending'
         )
         order by id desc
         limit $1`,
        [limit],
      )
      return rows
    },

    /** Removes it and returns it; null where another browser was first. */
    async take(id: string): Promise<PendingOpening | null> {
      const { rows } = await db.query<PendingOpening>(
        `delete from pending_openings where id = $1 returning ${columns}`,
        [id],
      )
      return rows[0] ?? null
    },
  }
}

const columns = 'id, pending_change_id, space_id, created_at'
