import type { Source, ToolPolicy } from '../../contract/sources.ts'
import type { Queryable } from '../pool.ts'

export type SourceRow = Omit<Source, 'signed_in'> & {
  signed_in_at: string | null
  sign_in_issuer: string | null
  /** When the access ends for good; null: it is renewed, or nobody said. */
  sign_in_ends_at: string | null
}

type Settings = Pick<
  SourceRow,
  | 'name'
  | 'command'
  | 'args'
  | 'env'
  | 'url'
  | 'headers'
  | 'enabled'
  | 'transport'
  | 'oauth_client_id'
  | 'oauth_client_secret'
  | 'network'
  | 'unconfined'
>

export type SourceCheck = { status: Exclude<SourceRow['status'], 'untested'>; error: string | null }

const columns = `id, space_id, name, transport, command, args, env, url, headers, oauth_client_id, oauth_client_secret,
  coalesce(network, transport = 'stdio') as network, unconfined, enabled, status, last_error, checked_at, signed_in_at, sign_in_issuer, sign_in_ends_at, created_at, updated_at`

/** Sources of Spaces that are not in the trash. */
export function createSourcesRepo(db: Queryable) {
  return {
    /** By name. */
    async listOfSpace(spaceId: string): Promise<SourceRow[]> {
      const { rows } = await db.query<SourceRow>(
        `select ${columns}
         from sources
         where space_id = $1
           and exists (select from spaces where id = $1 and deleted_at is null)
         order by lower(name)
         limit 100`,
        [spaceId],
      )
      return rows
    },

    async find(id: string): Promise<SourceRow | null> {
      const { rows } = await db.query<SourceRow>(
        `select ${columns}
         from sources
         where id = $1
           and exists (select from spaces where spaces.id = sources.space_id and deleted_at is null)`,
        [id],
      )
      return rows[0] ?? null
    },

    /** `null` when the Space has `max` already. Throws a unique violation for a name that is taken. */
    async insert(
      source: Settings & Pick<SourceRow, 'id' | 'space_id'>,
      now: Date,
      max: number,
    ): Promise<SourceRow | null> {
      const { id, space_id, name, transport, command, args, env, url, headers, enabled } = source
      const { rows } = await db.query<SourceRow>(
        `insert into sources
           (id, space_id, name, transport, command, args, env, url, headers, enabled, created_at, updated_at,
            oauth_client_id, oauth_client_secret, network, unconfined)
         select $1::uuid, $2::uuid, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::jsonb, $10::boolean,
                $11::timestamptz, $11::timestamptz, $13::text, $14::text,
                $15::boolean, $16::boolean
         where (select count(*) from sources where space_id = $2) < $12
         returning ${columns}`,
        [
          ...[id, space_id, name, transport, command, JSON.stringify(args), JSON.stringify(env), url],
          ...[JSON.stringify(headers), enabled, now, max, source.oauth_client_id, source.oauth_client_secret],
          ...[source.network, source.unconfined],
        ],
      )
      return rows[0] ?? null
    },

    /** Throws a unique violation for a name that is taken. */
    async update(id: string, settings: Settings, now: Date): Promise<SourceRow | null> {
      const { name, command, args, env, url, headers, enabled } = settings
      const { rows } = await db.query<SourceRow>(
        `update sources
         set name = $2, command = $3, args = $4::jsonb, env = $5::jsonb, url = $6, headers = $7::jsonb,
             enabled = $8, updated_at = $9, oauth_client_id = $10, oauth_client_secret = $11,
             network = $12, unconfined = $13
         where id = $1
         returning ${columns}`,
        [
          ...[id, name, command, JSON.stringify(args), JSON.stringify(env), url, JSON.stringify(headers)],
          ...[enabled, now, settings.oauth_client_id, settings.oauth_client_secret],
          ...[settings.network, settings.unconfined],
        ],
      )
      return rows[0] ?? null
    },

    /** Notes how it answered; `error` null: well. */
    async noteCheck(id: string, { status, error }: SourceCheck, now: Date): Promise<void> {
      await db.query('update sources set status = $2, last_error = $3, checked_at = $4 where id = $1', [
        ...[id, status, error, now],
      ])
    },

    async noteSignIn(id: string, { issuer, endsAt }: { issuer: string; endsAt: Date | null }, now: Date) {
      await db.query(
        'update sources set sign_in_issuer = $2, sign_in_ends_at = $3, signed_in_at = $4 where id = $1',
        [id, issuer, endsAt, now],
      )
    },

    /** Of a source that is signed in to. */
    async noteSignInEnd(id: string, endsAt: Date | null): Promise<void> {
      await db.query('update sources set sign_in_ends_at = $2 where id = $1 and signed_in_at is not null', [
        id,
        endsAt,
      ])
    },

    async noteSignedOut(id: string): Promise<void> {
      await db.query(
        'update sources set sign_in_issuer = null, sign_in_ends_at = null, signed_in_at = null where id = $1',
        [id],
      )
    },

    async remove(id: string): Promise<void> {
      await db.query('delete from sources where id = $1', [id])
    },
  }
}

export type SourceToolRow = {
  source_id: string
  name: string
  definition: string
  sha256: string
  new_definition: string | null
  new_sha256: string | null
  policy: ToolPolicy
  /** Whether the owner set the policy. */
  decided: boolean
  offered: boolean
}

type Offered = Pick<SourceToolRow, 'name' | 'definition' | 'sha256' | 'policy'>

const toolColumns =
  'source_id, name, definition, sha256, new_definition, new_sha256, policy, decided, offered'

/** The tools of sources, as they were pinned. */
export function createSourceToolsRepo(db: Queryable) {
  return {
    /** By name. */
    async list(sourceId: string): Promise<SourceToolRow[]> {
      const { rows } = await db.query<SourceToolRow>(
        `select ${toolColumns} from source_tools where source_id = $1 order by name limit 1000`,
        [sourceId],
      )
      return rows
    },

    async find(sourceId: string, name: string): Promise<SourceToolRow | null> {
      const { rows } = await db.query<SourceToolRow>(
        `select ${toolColumns} from source_tools where source_id = $1 and name = $2`,
        [sourceId, name],
      )
      return rows[0] ?? null
    },

    /**
     * Stores what a server offers: a new tool with the policy given, another definition of a known one beside the one
     * that is pinned. What is not among them is no longer offered; with nothing pinned to it, it is forgotten.
     */
    async storeOffered(sourceId: string, tools: readonly Offered[]): Promise<void> {
      await db.query(
        `insert into source_tools (source_id, name, definition, sha256, policy)
         select $1, name, definition, sha256, policy
         from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as tool (name, definition, sha256, policy)
         on conflict (source_id, name) do update
         set offered = true,
             new_definition = nullif(excluded.definition, source_tools.definition),
             new_sha256 = nullif(excluded.sha256, source_tools.sha256)`,
        [
          sourceId,
          tools.map(({ name }) => name),
          tools.map(({ definition }) => definition),
          tools.map(({ sha256 }) => sha256),
          tools.map(({ policy }) => policy),
        ],
      )
      await db.query(
        'update source_tools set offered = false where source_id = $1 and offered and name <> all($2::text[])',
        [sourceId, tools.map(({ name }) => name)],
      )
    },

    /** Sets the policy for the definition that has this hash, which is pinned; `null` when it is not offered. */
    async setPolicy(
      sourceId: string,
      name: string,
      { policy, sha256 }: { policy: ToolPolicy; sha256: string },
    ): Promise<SourceToolRow | null> {
      const { rows } = await db.query<SourceToolRow>(
        `update source_tools
         set policy = $3,
             decided = true,
             definition = coalesce(new_definition, definition),
             sha256 = coalesce(new_sha256, sha256),
             new_definition = null,
             new_sha256 = null
         where source_id = $1 and name = $2 and coalesce(new_sha256, sha256) = $4
         returning ${toolColumns}`,
        [sourceId, name, policy, sha256],
      )
      return rows[0] ?? null
    },
  }
}
