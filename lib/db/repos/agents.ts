import type { Capabilities } from '../../actor.ts'
import type { Agent } from '../../contract/agents.ts'
import type { Queryable } from '../pool.ts'

export type AgentRow = Agent

const columns = 'id, slug, name, kind, model, capabilities, scopes, created_at, updated_at'

export function createAgentsRepo(db: Queryable) {
  return {
    async find(id: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(`select ${columns} from agents where id = $1`, [id])
      return rows[0] ?? null
    },

    /** Lets one transaction at a time count and add what belongs to the agent. References to it are not held up. */
    async lock(id: string): Promise<void> {
      await db.query('select id from agents where id = $1 for no key update', [id])
    },

    /** What the given ones are called, by id. */
    async listNames(ids: readonly string[]): Promise<Map<string, Pick<AgentRow, 'slug' | 'name'>>> {
      const { rows } = await db.query<Pick<AgentRow, 'id' | 'slug' | 'name'>>(
        'select id, slug, name from agents where id = any($1)',
        [ids],
      )
      return new Map(rows.map(({ id, slug, name }) => [id, { slug, name }]))
    },

    async findBySlug(slug: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(`select ${columns} from agents where slug = $1`, [slug])
      return rows[0] ?? null
    },

    /** Newest first. */
    async list(filter: { before_id: string | null; limit: number }): Promise<AgentRow[]> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns}
         from agents
         where $1::uuid is null or id < $1
         order by id desc
         limit $2`,
        [filter.before_id, filter.limit],
      )
      return rows
    },

    /** Adds an agent of Void's own, unless it is there. */
    async insertOnce(
      agent: Readonly<Pick<AgentRow, 'id' | 'slug' | 'name'>> & {
        capabilities: Capabilities
        scopes: object
      },
    ): Promise<void> {
      await db.query(
        `insert into agents (id, slug, name, kind, capabilities, scopes)
         values ($1, $2, $3, 'external', $4, $5)
         on conflict do nothing`,
        [agent.id, agent.slug, agent.name, agent.capabilities, agent.scopes],
      )
    },

    async insert(
      agent: Pick<AgentRow, 'id' | 'slug' | 'name' | 'capabilities' | 'scopes'>,
    ): Promise<AgentRow> {
      const { rows } = await db.query<AgentRow>(
        `insert into agents (id, slug, name, kind, capabilities, scopes)
         values ($1, $2, $3, 'external', $4, $5)
         returning ${columns}`,
        [agent.id, agent.slug, agent.name, agent.capabilities, agent.scopes],
      )
      return rows[0]!
    },

    async update(id: string, fields: Pick<AgentRow, 'name' | 'capabilities' | 'scopes'>): Promise<AgentRow> {
      const { rows } = await db.query<AgentRow>(
        `update agents
         set name = $2, capabilities = $3, scopes = $4, updated_at = now()
         where id = $1
         returning ${columns}`,
        [id, fields.name, fields.capabilities, fields.scopes],
      )
      return rows[0]!
    },
  }
}
