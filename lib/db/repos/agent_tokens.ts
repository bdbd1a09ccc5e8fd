import type { AgentToken } from '../../contract/agents.ts'
import type { Queryable } from '../pool.ts'
import type { AgentRow } from './agents.ts'

export type LiveToken = Pick<AgentToken, 'id' | 'spaces' | 'tier' | 'last_used_at'> &
  Pick<AgentRow, 'slug' | 'capabilities' | 'scopes'> & { agent_id: string }

const columns =
  'id, agent_id, name, client_id, hint, spaces, tier, created_at, expires_at, last_used_at, revoked_at'

const liveColumns = `token.id, token.agent_id, token.spaces, token.last_used_at,
                agent.slug, agent.capabilities, agent.scopes`

export function createAgentTokensRepo(db: Queryable) {
  return {
    /** The token with that hash and its agent, unless it is revoked or expired. */
    async findLive(tokenHash: string, now: Date): Promise<LiveToken | null> {
      const { rows } = await db.query<LiveToken>(
        `select ${liveColumns}, token.tier
         from agent_tokens token
         join agents agent on agent.id = token.agent_id
         where token.token_hash = $1
           and token.revoked_at is null
           and (token.expires_at is null or token.expires_at > $2)`,
        [tokenHash, now],
      )
      return rows[0] ?? null
    },

    /**
     * The connection that an access token of OAuth was issued for, unless one of the two is revoked or expired, or the
     * token is for another resource. Its tier is that of the token where that is the lower one.
     */
    async findLiveConnection(tokenHash: string, resource: string, now: Date): Promise<LiveToken | null> {
      const { rows } = await db.query<LiveToken>(
        `select ${liveColumns},
                case when string_to_array(access.payload ->> 'scope', ' ') @> '{suggest}' then token.tier else 'read' end
                  as tier
         from oauth_records access
         join agent_tokens token on token.grant_id = access.grant_id
         join agents agent on agent.id = token.agent_id
         where access.kind = 'AccessToken'
           and access.id = $1
           and access.expires_at > $3
           and access.payload -> 'aud' ? $2
           and token.revoked_at is null
           and (token.expires_at is null or token.expires_at > $3)`,
        [tokenHash, resource, now],
      )
      return rows[0] ?? null
    },

    async touch(id: string, now: Date): Promise<void> {
      await db.query('update agent_tokens set last_used_at = $2 where id = $1', [id, now])
    },

    /** Newest first, revoked and expired ones included. */
    async listOfAgent(
      agentId: string,
      filter: { before_id: string | null; limit: number },
    ): Promise<AgentToken[]> {
      const { rows } = await db.query<AgentToken>(
        `select ${columns}
         from agent_tokens
         where agent_id = $1 and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [agentId, filter.before_id, filter.limit],
      )
      return rows
    },

    async insert(
      token: Pick<AgentToken, 'id' | 'agent_id' | 'name' | 'hint' | 'spaces' | 'tier' | 'expires_at'> & {
        token_hash: string
      },
    ): Promise<AgentToken> {
      const { rows } = await db.query<AgentToken>(
        `insert into agent_tokens (id, agent_id, name, token_hash, hint, spaces, tier, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         returning ${columns}`,
        [
          token.id,
          token.agent_id,
          token.name,
          token.token_hash,
          token.hint,
          token.spaces,
          token.tier,
          token.expires_at,
        ],
      )
      return rows[0]!
    },

    /** Stores the connection of a program by OAuth. */
    async insertConnection(
      connection: Pick<AgentToken, 'id' | 'agent_id' | 'name' | 'spaces' | 'tier' | 'expires_at'> & {
        client_id: string
        grant_id: string
      },
    ): Promise<void> {
      const { id, agent_id, name, client_id, grant_id, spaces, tier, expires_at } = connection
      await db.query(
        `insert into agent_tokens (id, agent_id, name, hint, client_id, grant_id, spaces, tier, expires_at)
         values ($1, $2, $3, '', $4, $5, $6, $7, $8)`,
        [id, agent_id, name, client_id, grant_id, spaces, tier, expires_at],
      )
    },

    /** The agent that a client was last connected as. */
    async findAgentOfClient(clientId: string): Promise<string | null> {
      const { rows } = await db.query<{ agent_id: string }>(
        'select agent_id from agent_tokens where client_id = $1 order by id desc limit 1',
        [clientId],
      )
      return rows[0]?.agent_id ?? null
    },

    /** Revokes the token, with all that was issued under its grant; one that was revoked before keeps its time. */
    async revoke(agentId: string, id: string): Promise<AgentToken | null> {
      const { rows } = await db.query<AgentToken>(
        `with revoked as (
           update agent_tokens
           set revoked_at = coalesce(revoked_at, now())
           where agent_id = $1 and id = $2
           returning ${columns}, grant_id
         ), records as (
           delete from oauth_records record
           using revoked
           where record.grant_id = revoked.grant_id or (record.kind = 'Grant' and record.id = revoked.grant_id)
         )
         select ${columns} from revoked`,
        [agentId, id],
      )
      return rows[0] ?? null
    },
  }
}

export type OAuthRecord = {
  kind: string
  id: string
  payload: Record<string, unknown>
  grant_id: string | null
  /** Null: none. */
  expires_at: Date | null
}

/** Records of one kind and grant, or of one kind without any grant. The oldest go first. */
const maxOfAKind = 200

/** How long a used token is remembered, so that its reuse is noticed. */
const usedFor = "interval '7 days'"

/** Whether a connection still works; `now` names the parameter that holds the time. */
const isLive = (now: string) =>
  `token.revoked_at is null and (token.expires_at is null or token.expires_at > ${now})`

const hasConnection = `exists (select from agent_tokens token where token.client_id = record.id and ${isLive('$1')})`

export function createOAuthRecordsRepo(db: Queryable) {
  return {
    /** Stores a record, in place of the one with that id. Clears away the oldest of its kind where there are too many. */
    async upsert({ kind, id, payload, grant_id, expires_at }: OAuthRecord, now: Date): Promise<void> {
      await db.query(
        `with surplus as (
           select kind, id
           from oauth_records record
           where kind = $2 and grant_id is not distinct from $5 and id <> $3
           order by kind = 'Client' and ${hasConnection} desc, created_at desc, id
           offset ${maxOfAKind - 1}
         ), removed as (
           delete from oauth_records
           where (kind, id) in (
             -- Another that stores one of these now removes them, too.
             select kind, id from oauth_records where (kind, id) in (select kind, id from surplus) for update skip locked
           )
         )
         insert into oauth_records (kind, id, payload, grant_id, created_at, expires_at)
         values ($2, $3, $4, $5, $1, $6)
         on conflict (kind, id) do update
         set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
        [now, kind, id, JSON.stringify(payload), grant_id, expires_at],
      )
    },

    /** Stores a record unless it is there; what is stored then. */
    async insertOnce(record: Pick<OAuthRecord, 'kind' | 'id' | 'payload'>, now: Date): Promise<unknown> {
      const { rows } = await db.query<{ payload: unknown }>(
        `insert into oauth_records (kind, id, payload, created_at)
         values ($1, $2, $3, $4)
         on conflict (kind, id) do update
         set payload = oauth_records.payload
         returning payload`,
        [record.kind, record.id, JSON.stringify(record.payload), now],
      )
      return rows[0]?.payload
    },

    /** One that has not expired, and whose connection, if it has one, still works. */
    async find(kind: string, id: string, now: Date): Promise<Record<string, unknown> | null> {
      const { rows } = await db.query<{ payload: Record<string, unknown> }>(
        `select payload
         from oauth_records record
         where kind = $1
           and id = $2
           and (expires_at is null or expires_at > $3)
           and (
             grant_id is null
             or exists (select from agent_tokens token where token.grant_id = record.grant_id and ${isLive('$3')})
           )`,
        [kind, id, now],
      )
      return rows[0]?.payload ?? null
    },

    /** Marks a code or token as used; false when it is gone or was used before. */
    async consume(kind: string, id: string, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update oauth_records
         set payload = payload || jsonb_build_object('consumed', extract(epoch from $3::timestamptz)::bigint),
             expires_at = least(expires_at, $3::timestamptz + ${usedFor})
         where kind = $1 and id = $2 and not payload ? 'consumed'
         returning id`,
        [kind, id, now],
      )
      return rows.length > 0
    },

    async remove(kind: string, id: string): Promise<void> {
      await db.query('delete from oauth_records where kind = $1 and id = $2', [kind, id])
    },

    /** Ends a grant: what was issued under it goes, and the connection is revoked. */
    async revokeGrant(grantId: string, now: Date): Promise<void> {
      await db.query(
        `with records as (
           delete from oauth_records where grant_id = $1 or (kind = 'Grant' and id = $1)
         )
         update agent_tokens set revoked_at = coalesce(revoked_at, $2) where grant_id = $1`,
        [grantId, now],
      )
    },

    /** Removes what has expired, and clients of a day ago that were never connected or no longer are. */
    async prune(now: Date): Promise<number> {
      const { rows } = await db.query(
        `delete from oauth_records record
         where expires_at <= $1
           or (kind = 'Client' and created_at < $1::timestamptz - interval '1 day' and not ${hasConnection})
         returning id`,
        [now],
      )
      return rows.length
    },
  }
}
