import type { SeenTools, SourceTool, ToolPolicy } from '../../contract/sources.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createSourceToolsRepo, type SourceRow, type SourceToolRow } from '../../db/repos/sources.ts'
import { parseDefinition, proposePolicy } from './list-tools.ts'

/** The tools of a source, each with the owner's policy. Throw a 404 `AppError` for a source that is not there. */
export type SourceTools = {
  tools(id: string): Promise<SourceTool[]>
  /**
   * Sets a tool's policy and pins the definition that it is for: the one with this hash. A 409 `AppError` when the
   * server offers another one by now; left out: the newest.
   */
  setPolicy(id: string, tool: string, policy: ToolPolicy, sha256?: string): Promise<SourceTool>
  /**
   * Sets the proposed policy for each of these tools that the owner has not decided on: all, or with a 409 `AppError` none
   * when one of them is not as it was looked at.
   */
  useProposed(id: string, seen: SeenTools['tools']): Promise<SourceTool[]>
}

export function createSourceTools({
  database,
  load,
}: {
  database: Database
  /** Throws for a source that is not there. */
  load: (id: string) => Promise<SourceRow>
}): SourceTools {
  const repo = createSourceToolsRepo(database)
  return {
    async tools(id) {
      await load(id)
      return (await repo.list(id)).map(toTool)
    },

    async setPolicy(id, name, policy, sha256) {
      await load(id)
      const tool = await repo.find(id, name)
      if (!tool) throw notFound('tool', name)
      const pinned = sha256 ?? tool.new_sha256 ?? tool.sha256
      const row = await repo.setPolicy(id, name, { policy, sha256: pinned })
      if (!row)
        throw conflict('tool_changed', 'The tool has changed since. Look at it again.', {
          tool: toTool(tool),
        })
      return toTool(row)
    },

    async useProposed(id, seen) {
      await load(id)
      return await database.transaction(async (tx) => {
        const within = createSourceToolsRepo(tx)
        const tools = new Map((await within.list(id)).map((row) => [row.name, row]))
        for (const { name, sha256 } of seen) {
          const tool = tools.get(name)
          if (!tool) throw notFound('tool', name)
          const policy = proposePolicy(parseDefinition(tool.definition))
          const isAsSeen = tool.new_definition === null && tool.sha256 === sha256
          if (!isAsSeen) {
            throw conflict('tool_changed', 'A tool has changed since. Look at it again.', {
              tool: toTool(tool),
            })
          }
          if (!tool.decided) await within.setPolicy(id, name, { policy, sha256 })
        }
        return (await within.list(id)).map(toTool)
      })
    },
  }
}

/** Whether a tool may be used as it is: the owner knows it, and wants it. */
export const isActive = ({ policy, offered, new_definition }: SourceToolRow): boolean =>
  policy !== 'off' && offered && new_definition === null

function toTool(row: SourceToolRow): SourceTool {
  const definition = parseDefinition(row.definition)
  const changed = row.new_definition === null ? null : parseDefinition(row.new_definition)
  return {
    name: row.name,
    policy: row.policy,
    proposed: proposePolicy(changed ?? definition),
    decided: row.decided,
    active: isActive(row),
    offered: row.offered,
    definition,
    sha256: row.sha256,
    changed: changed && row.new_sha256 ? { definition: changed, sha256: row.new_sha256 } : null,
  }
}
