import type { Queryable } from '../pool.ts'

export type SecretRow = {
  name: string
  master_id: string
  wrapped_key: Buffer
  sealed: Buffer
  created_at: string
  updated_at: string
  last_used_at: string | null
}

type Sealed = Pick<SecretRow, 'name' | 'master_id' | 'wrapped_key' | 'sealed'>

const columns = 'name, master_id, wrapped_key, sealed, created_at, updated_at, last_used_at'

/** Secrets as they are stored: sealed. What Void keeps for a source has the source's id; the others are the owner's. */
export function createSecretsRepo(db: Queryable) {
  return {
    /** The owner's, by name. */
    async list(): Promise<SecretRow[]> {
      const { rows } = await db.query<SecretRow>(
        `select ${columns} from secrets where source_id is null order by name limit 1000`,
        [],
      )
      return rows
    },

    /** One of the owner's. */
    async find(name: string): Promise<SecretRow | null> {
      const { rows } = await db.query<SecretRow>(
        `select ${columns} from secrets where source_id is null and name = $1`,
        [name],
      )
      return rows[0] ?? null
    },

    /** Stores one, new or in place of the one of that name; `false` when it would be more than `max`. */
    async put({ name, master_id, wrapped_key, sealed }: Sealed, now: Date, max: number): Promise<boolean> {
      const { rows } = await db.query(
        `insert into secrets (name, master_id, wrapped_key, sealed, created_at, updated_at)
         select $1, $2, $3::bytea, $4::bytea, $5::timestamptz, $5::timestamptz
         where exists (select from secrets where name = $1) or (select count(*) from secrets where source_id is null) < $6
         on conflict (name) do update
         set master_id = excluded.master_id,
             wrapped_key = excluded.wrapped_key,
             sealed = excluded.sealed,
             updated_at = excluded.updated_at
         returning name`,
        [name, master_id, wrapped_key, sealed, now, max],
      )
      return rows.length > 0
    },

    /** What settings refer to outside of Void, as it is written: at least all of `file:`. */
    async listReferences(): Promise<string[]> {
      const { rows } = await db.query<{ value: string }>(
        `select distinct value
         from (
           select value from sources, jsonb_each_text(env)
           union all select value from sources, jsonb_each_text(headers)
           union all select oauth_client_secret from sources
           union all select key_reference from model_settings
           union all select password from mail_accounts
           union all select oauth ->> 'client_secret' from mail_accounts
         ) as settings (value)
         where value like '%file:%'
         limit 10000`,
        [],
      )
      return rows.map(({ value }) => value)
    },

    /** All of them, locked until the transaction ends; new ones wait too. */
    async lockAll(): Promise<SecretRow[]> {
      await db.query('lock table secrets in share row exclusive mode')
      const { rows } = await db.query<SecretRow>(`select ${columns} from secrets order by name`, [])
      return rows
    },

    /** Seals one anew: its value is the same. */
    async reseal({ name, master_id, wrapped_key, sealed }: Sealed): Promise<void> {
      await db.query('update secrets set master_id = $2, wrapped_key = $3, sealed = $4 where name = $1', [
        name,
        master_id,
        wrapped_key,
        sealed,
      ])
    },

    async noteUse(name: string, now: Date): Promise<void> {
      await db.query('update secrets set last_used_at = $2 where name = $1', [name, now])
    },

    /** Whether there was one. */
    async remove(name: string): Promise<boolean> {
      const { rows } = await db.query(
        'delete from secrets where source_id is null and name = $1 returning name',
        [name],
      )
      return rows.length > 0
    },

    async findOfSource(sourceId: string, name: string): Promise<SecretRow | null> {
      const { rows } = await db.query<SecretRow>(
        `select ${columns} from secrets where source_id = $1 and name = $2`,
        [sourceId, name],
      )
      return rows[0] ?? null
    },

    /** Stores one in place of the one of that name; nothing for a source that is gone. */
    async putOfSource(
      sourceId: string,
      { name, master_id, wrapped_key, sealed }: Sealed,
      now: Date,
    ): Promise<void> {
      await db.query(
        `insert into secrets (source_id, name, master_id, wrapped_key, sealed, created_at, updated_at)
         select id, $2, $3, $4::bytea, $5::bytea, $6::timestamptz, $6::timestamptz
         from sources
         where id = $1
         on conflict (name) do update
         set master_id = excluded.master_id,
             wrapped_key = excluded.wrapped_key,
             sealed = excluded.sealed,
             updated_at = excluded.updated_at`,
        [sourceId, name, master_id, wrapped_key, sealed, now],
      )
    },

    /** Removes one; whether it was this call that did. */
    async removeOfSource(sourceId: string, name: string): Promise<boolean> {
      const { rows } = await db.query(
        'delete from secrets where source_id = $1 and name = $2 returning name',
        [sourceId, name],
      )
      return rows.length > 0
    },
  }
}

export type ModelSettingsRow = {
  /** `null`: that of the provider itself. */
  wire: 'messages' | 'chat'
  base_url: string | null
  /** Where to find the key; `null`: none. */
  key_reference: string | null
  /** The key is that of the configuration, as long as the address is. */
  configured_key: boolean
  model: string
  /** `null`: rules do it. */
  small_model: string | null
  /** Of the longest answer; `null`: the model's own. */
  max_tokens: number | null
}

/** What a server was found to take; `null`: not known. */
export type ModelServerRow = {
  wire: 'messages' | 'chat'
  /** Without credentials; empty: the provider's own. */
  address: string
  model: string
  reads_blocks: boolean
  calls_tools: boolean | null
  calls_several: boolean | null
  sees_images: boolean | null
  takes_unions: boolean | null
  thinks: boolean | null
  obeys_tool_choice: boolean | null
  calls_of_many: boolean | null
  counts_tokens: boolean | null
  refused: string[]
  max_tokens: number | null
}

const serverFields = `wire, address, model, reads_blocks, calls_tools, calls_several, sees_images, thinks, obeys_tool_choice,
  calls_of_many, counts_tokens, refused, max_tokens, takes_unions`

const maxServers = 1000

/** The owner’s choice of a model, one for all Spaces. */
export function createModelSettingsRepo(db: Queryable) {
  return {
    async find(): Promise<ModelSettingsRow | null> {
      const { rows } = await db.query<ModelSettingsRow>(
        'select wire, base_url, key_reference, configured_key, model, small_model, max_tokens from model_settings',
      )
      return rows[0] ?? null
    },

    async save(row: ModelSettingsRow): Promise<void> {
      await db.query(
        `insert into model_settings (wire, base_url, key_reference, configured_key, model, small_model, max_tokens)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (only_row) do update
         set wire = excluded.wire, base_url = excluded.base_url, key_reference = excluded.key_reference,
             configured_key = excluded.configured_key, model = excluded.model, small_model = excluded.small_model,
             max_tokens = excluded.max_tokens`,
        [
          row.wire,
          row.base_url,
          row.key_reference,
          row.configured_key,
          row.model,
          row.small_model,
          row.max_tokens,
        ],
      )
    },

    async remove(): Promise<void> {
      await db.query('delete from model_settings')
    },

    /** What servers were found to take, at most `maxServers`. */
    async listServers(): Promise<ModelServerRow[]> {
      const { rows } = await db.query<ModelServerRow>(`select ${serverFields} from model_servers limit $1`, [
        maxServers,
      ])
      return rows
    },

    async saveServer(row: ModelServerRow): Promise<void> {
      await db.query(
        `insert into model_servers (${serverFields})
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (wire, address, model) do update
         set reads_blocks = excluded.reads_blocks, calls_tools = excluded.calls_tools,
             calls_several = excluded.calls_several, sees_images = excluded.sees_images, thinks = excluded.thinks,
             obeys_tool_choice = excluded.obeys_tool_choice, calls_of_many = excluded.calls_of_many,
             counts_tokens = excluded.counts_tokens, refused = excluded.refused, max_tokens = excluded.max_tokens,
             takes_unions = excluded.takes_unions`,
        [
          row.wire,
          row.address,
          row.model,
          row.reads_blocks,
          row.calls_tools,
          row.calls_several,
          row.sees_images,
          row.thinks,
          row.obeys_tool_choice,
          row.calls_of_many,
          row.counts_tokens,
          row.refused,
          row.max_tokens,
          row.takes_unions,
        ],
      )
    },
  }
}
