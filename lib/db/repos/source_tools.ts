import type { ToolPolicy } from '../../contract/sources.ts'
import type { Queryable } from '../pool.ts'

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

const columns = 'source_id, name, definition, sha256, new_definition, new_sha256, policy, decided, offered'

/** The tools of sources, as they were pinned. */
export function createSourceToolsRepo(db: Queryable) {
  return {
    /** By name. */
    async list(sourceId: string): Promise<SourceToolRow[]> {
      const { rows } = await db.query<SourceToolRow>(
        `select ${columns} from source_tools where source_id = $1 order by name limit 1000`,
        [sourceId],
      )
      return rows
    },

    async find(sourceId: string, name: string): Promise<SourceToolRow | null> {
      const { rows } = await db.query<SourceToolRow>(
        `select ${columns} from source_tools where source_id = $1 and name = $2`,
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
         returning ${columns}`,
        [sourceId, name, policy, sha256],
      )
      return rows[0] ?? null
    },
  }
}
