import type { Agent, AgentMark } from '../../contract/agents.ts'
import type { Capabilities } from '../../core/actor.ts'
import type { Queryable } from '../pool.ts'

export type AgentRow = Agent

/** What the owner sets of an agent. */
export type AgentFields = Pick<
  AgentRow,
  | 'name'
  | 'capabilities'
  | 'scopes'
  | 'instructions'
  | 'model'
  | 'thinking'
  | 'tools'
  | 'color'
  | 'research_tokens'
>

/** Where a message goes: to a companion, to a conversation, or to the one that is shown. */
export type Addressee = {
  space_id: string | null
  agent_id: string | null
  conversation_id: string | null
}

const columns = `id, slug, name, kind, instructions, model, thinking, tools, color, research_tokens, capabilities, scopes,
  created_at, updated_at`

/** Of `pg_advisory_xact_lock`: any number that nobody else uses. */
const namesLock = 7_261_884_021

/** A companion that answers in the Space of the parameter; the first one does in all. */
const answersIn = (space: string) =>
  `kind = 'companion' and deleted_at is null and (
     slug = 'companion' or scopes -> 'spaces' = 'null' or scopes -> 'spaces' ? ${space}::text
   )`

export function createAgentsRepo(db: Queryable) {
  return {
    async find(id: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns} from agents where id = $1 and deleted_at is null`,
        [id],
      )
      return rows[0] ?? null
    },

    /**
     * Lets one transaction at a time count and add what belongs to the agent, and returns what it may do now; `null`
     * when it is deleted. References to it are not held up.
     */
    async lock(id: string): Promise<Capabilities | null> {
      const { rows } = await db.query<Pick<AgentRow, 'capabilities'>>(
        'select capabilities from agents where id = $1 and deleted_at is null for no key update',
        [id],
      )
      return rows[0]?.capabilities ?? null
    },

    /**
     * Lets one transaction at a time choose names and slugs: what is free stays free until it ends. An advisory lock, so
     * that nobody else who uses a row of an agent is held up; the embedded engine runs one transaction at a time anyway.
     */
    async lockNames(): Promise<void> {
      await db.query('select pg_advisory_xact_lock($1)', [namesLock])
    },

    /** How the given ones are called and marked, deleted ones too. */
    async listMarks(ids: readonly string[]): Promise<AgentMark[]> {
      const { rows } = await db.query<AgentMark>(
        'select id, slug, name, color from agents where id = any($1)',
        [ids],
      )
      return rows
    },

    /**
     * The companion that a message is for: the one it names, else that of the conversation, else that of the conversation
     * in use in the Space. The first companion where that one does not answer there.
     */
    async findAddressed({ space_id, agent_id, conversation_id }: Addressee): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns}
         from agents
         where ${answersIn('$1')} and (slug = 'companion' or id = coalesce(
           $2::uuid,
           (select agent_id
            from conversations
            where space_id = $1::uuid and conversations.id = $3::uuid and deleted_at is null),
           (select latest.agent_id
            from agents companion
            cross join lateral (
              select agent_id, last_activity_at
              from conversations
              where space_id = $1::uuid and agent_id = companion.id and status = 'active' and deleted_at is null
              order by last_activity_at desc
              limit 1
            ) latest
            where companion.kind = 'companion' and companion.deleted_at is null
            order by latest.last_activity_at desc
            limit 1)
         ))
         order by slug = 'companion'
         limit 1`,
        [space_id, agent_id, conversation_id],
      )
      return rows[0] ?? null
    },

    /** The companions that answer in a Space, the first one first. */
    async listAnswering(spaceId: string): Promise<AgentRow[]> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns}
         from agents
         where ${answersIn('$1')}
         order by slug <> 'companion', id`,
        [spaceId],
      )
      return rows
    },

    /** What the companions are called. */
    async listCompanionNames(): Promise<Pick<AgentRow, 'id' | 'name'>[]> {
      const { rows } = await db.query<Pick<AgentRow, 'id' | 'name'>>(
        "select id, name from agents where kind = 'companion' and deleted_at is null",
      )
      return rows
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
         where deleted_at is null and ($1::uuid is null or id < $1)
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

    async insert(agent: Pick<AgentRow, 'id' | 'slug' | 'kind'> & AgentFields): Promise<AgentRow> {
      const { rows } = await db.query<AgentRow>(
        `insert into agents (id, slug, kind, name, capabilities, scopes, instructions, model, tools, color, thinking,
           research_tokens)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         returning ${columns}`,
        [agent.id, agent.slug, agent.kind, ...valuesOf(agent)],
      )
      return rows[0]!
    },

    async update(id: string, fields: AgentFields): Promise<AgentRow> {
      const { rows } = await db.query<AgentRow>(
        `update agents
         set name = $2, capabilities = $3, scopes = $4, instructions = $5, model = $6, tools = $7, color = $8,
             thinking = $9, research_tokens = $10, updated_at = now()
         where id = $1
         returning ${columns}`,
        [id, ...valuesOf(fields)],
      )
      return rows[0]!
    },

    /** Deleted companions, the last deleted first. */
    async listDeletedCompanions(limit: number): Promise<AgentRow[]> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns}
         from agents
         where kind = 'companion' and deleted_at is not null
         order by deleted_at desc, id desc
         limit $1`,
        [limit],
      )
      return rows
    },

    /** Locked until the transaction ends. */
    async findDeletedCompanion(id: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(
        `select ${columns}
         from agents
         where id = $1 and kind = 'companion' and deleted_at is not null
         for no key update`,
        [id],
      )
      return rows[0] ?? null
    },

    /** With its conversations in the Spaces where it answers. Its tokens stay revoked. */
    async restore(id: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(
        `with given_back as (
           update conversations
           set agent_id = former_agent_id, former_agent_id = null
           from agents
           where agents.id = $1 and former_agent_id = $1
             and (scopes -> 'spaces' = 'null' or scopes -> 'spaces' ? conversations.space_id::text)
         )
         update agents
         set deleted_at = null, updated_at = now()
         where id = $1 and deleted_at is not null
         returning ${columns}`,
        [id],
      )
      return rows[0] ?? null
    },

    /** Its row stays, for what it said and drafted; its tokens work no more. */
    async remove(id: string): Promise<AgentRow | null> {
      const { rows } = await db.query<AgentRow>(
        `with revoked as (
           update agent_tokens
           set revoked_at = now()
           where agent_id = $1 and revoked_at is null
         )
         update agents
         set deleted_at = now()
         where id = $1 and deleted_at is null
         returning ${columns}`,
        [id],
      )
      return rows[0] ?? null
    },
  }
}

const valuesOf = (fields: AgentFields) => [
  fields.name,
  fields.capabilities,
  fields.scopes,
  fields.instructions,
  fields.model,
  fields.tools,
  fields.color,
  fields.thinking,
  fields.research_tokens,
]
