import type { Queryable } from '../pool.ts'

export type ModelSettingsRow = {
  /** `null`: that of the provider itself. */
  base_url: string | null
  /** Where to find the key; `null`: none. */
  key_reference: string | null
  /** The key is that of the configuration, as long as the address is. */
  configured_key: boolean
  model: string
  /** `null`: rules do it. */
  small_model: string | null
}

/** The owner’s choice of a model, one for all Spaces. */
export function createModelSettingsRepo(db: Queryable) {
  return {
    async find(): Promise<ModelSettingsRow | null> {
      const { rows } = await db.query<ModelSettingsRow>(
        'select base_url, key_reference, configured_key, model, small_model from model_settings',
      )
      return rows[0] ?? null
    },

    async save(row: ModelSettingsRow): Promise<void> {
      await db.query(
        `insert into model_settings (base_url, key_reference, configured_key, model, small_model)
         values ($1, $2, $3, $4, $5)
         on conflict (only_row) do update
         set base_url = excluded.base_url, key_reference = excluded.key_reference,
             configured_key = excluded.configured_key, model = excluded.model, small_model = excluded.small_model`,
        [row.base_url, row.key_reference, row.configured_key, row.model, row.small_model],
      )
    },

    async remove(): Promise<void> {
      await db.query('delete from model_settings')
    },
  }
}
