// What the owner has set of the rules of research, for each companion.

import { ResearchOverrides } from '../../contract/companion/research-settings.ts'
import type { Queryable } from '../pool.ts'

export function createResearchSettingsRepo(db: Queryable) {
  return {
    /** What is no longer valid counts as not set. */
    async find(agentId: string): Promise<ResearchOverrides> {
      const { rows } = await db.query<{ overrides: unknown }>(
        'select overrides from research_settings where agent_id = $1',
        [agentId],
      )
      return ResearchOverrides.safeParse(rows[0]?.overrides ?? {}).data ?? {}
    },

    /** Locks them until the transaction ends, so that of two changes at once the second sees the first. */
    async lock(agentId: string): Promise<ResearchOverrides> {
      await db.query('select id from agents where id = $1 for update', [agentId])
      return await this.find(agentId)
    },

    async save(agentId: string, overrides: ResearchOverrides): Promise<void> {
      await db.query(
        `insert into research_settings (agent_id, overrides)
         values ($1, $2)
         on conflict (agent_id) do update set overrides = excluded.overrides, updated_at = now()`,
        [agentId, JSON.stringify(overrides)],
      )
    },

    async remove(agentId: string): Promise<void> {
      await db.query('delete from research_settings where agent_id = $1', [agentId])
    },
  }
}
