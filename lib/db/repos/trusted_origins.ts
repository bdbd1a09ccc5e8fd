import type { OriginKind, TrustedOrigin, TrustLevel, VouchedBy } from '../../contract/trust.ts'
import { isAtPath } from '../../core/wildcards.ts'
import type { Queryable } from '../pool.ts'

/** The most origins of a Space that are listed. */
const maxListed = 500

type Origin = { space_id: string; kind: OriginKind; key: string }

/** A text that the owner vouches for, and by what. */
export type Vouched = { entity_type: string; entity_id: string; by: VouchedBy }

/** For which imports, mail accounts and sources the owner vouches. */
export function createTrustedOriginsRepo(db: Queryable) {
  return {
    /** The imports, mail accounts and sources of a Space, each with its level: imports first, by name. */
    async list(spaceId: string, one: Pick<Origin, 'kind' | 'key'> | null = null): Promise<TrustedOrigin[]> {
      const { rows } = await db.query<TrustedOrigin>(
        `select origin.kind, origin.key, origin.name,
           coalesce(trusted.trust, 'outside') as trust
         from (
           select 'import' as kind, source as key, source as name, 1 as rank
           from import_jobs
           where space_id = $1
           union
           select 'import', source, source, 1
           from import_files
           -- Void's own guide, which no job brought in.
           where space_id = $1 and source <> 'guide'
           union all
           select 'mail', id::text, address, 2
           from mail_accounts
           where space_id = $1
           union all
           select 'source', id::text, name, 3
           from sources
           where space_id = $1
         ) origin
         left join trusted_origins trusted
           on trusted.space_id = $1 and trusted.kind = origin.kind and trusted.key = origin.key
         where $2::text is null or (origin.kind = $2 and origin.key = $3)
         order by origin.rank, origin.name, origin.key
         limit $4`,
        [spaceId, one?.kind ?? null, one?.key ?? null, maxListed],
      )
      return rows
    },

    async set({ space_id, kind, key }: Origin, trust: TrustLevel): Promise<void> {
      await db.query(
        `insert into trusted_origins (space_id, kind, key, trust)
         values ($1, $2, $3, $4)
         on conflict (space_id, kind, key) do update
         set trust = excluded.trust`,
        [space_id, kind, key, trust],
      )
    },

    /** As `set`, where the owner has not said anything yet. */
    async propose({ space_id, kind, key }: Origin, trust: TrustLevel): Promise<void> {
      await db.query(
        `insert into trusted_origins (space_id, kind, key, trust)
         values ($1, $2, $3, $4)
         on conflict do nothing`,
        [space_id, kind, key, trust],
      )
    },

    /** Those of the given texts that come from an origin that the owner vouches for. */
    async listVouched(spaceId: string, ids: readonly string[]): Promise<Vouched[]> {
      const { rows } = await db.query<Vouched>(
        `select file.entity_type, file.entity_id, trusted.kind as by
         from import_files file
         join trusted_origins trusted
           on trusted.space_id = $1 and trusted.kind = 'import' and trusted.key = file.source and trusted.trust = 'own'
         where file.space_id = $1 and file.entity_id = any($2::uuid[])
         union
         select 'mail_message', message.id, trusted.kind
         from mail_messages message
         join trusted_origins trusted
           on trusted.space_id = $1 and trusted.kind = 'mail' and trusted.key = message.account_id::text
             and trusted.trust = 'own'
         where message.space_id = $1 and message.id = any($2::uuid[])
         union
         select given.type, given.id, trusted.kind
         from tool_results result
         join trusted_origins trusted
           on trusted.space_id = $1 and trusted.kind = 'source' and trusted.key = result.source_id::text
             and trusted.trust = 'own'
         cross join lateral (values ('tool_result', result.id), ('source_doc', result.kept_as)) given (type, id)
         where result.space_id = $1 and given.id = any($2::uuid[])`,
        [spaceId, ids],
      )
      return [...rows, ...(await listOwnPages(spaceId, ids))]
    },

    /** Patterns of the paths in the connected folder at which the owner's own words stand. */
    async listOwnPaths(spaceId: string): Promise<string[]> {
      const { rows } = await db.query<{ key: string }>(
        `select key from trusted_origins where space_id = $1 and kind = 'folder' and trust = 'own' order by key`,
        [spaceId],
      )
      return rows.map(({ key }) => key)
    },

    async setOwnPaths(spaceId: string, patterns: readonly string[]): Promise<void> {
      await db.query(`delete from trusted_origins where space_id = $1 and kind = 'folder'`, [spaceId])
      await db.query(
        `insert into trusted_origins (space_id, kind, key, trust)
         select distinct $1::uuid, 'folder', pattern, 'own' from unnest($2::text[]) pattern`,
        [spaceId, patterns],
      )
    },
  }
  async function listOwnPages(spaceId: string, ids: readonly string[]): Promise<Vouched[]> {
    const { rows } = await db.query<{ id: string; path: string; patterns: string[] }>(
      `select page.id, page.path, array_agg(trusted.key) as patterns
       from pages page
       join trusted_origins trusted
         on trusted.space_id = $1 and trusted.kind = 'folder' and trusted.trust = 'own'
       where page.space_id = $1 and page.id = any($2::uuid[]) and page.origin = 'folder' and page.path is not null
       group by page.id`,
      [spaceId, ids],
    )
    return rows.flatMap(({ id, path, patterns }): Vouched[] =>
      patterns.some((pattern) => isAtPath(pattern, path))
        ? [{ entity_type: 'page', entity_id: id, by: 'folder' }]
        : [],
    )
  }
}
