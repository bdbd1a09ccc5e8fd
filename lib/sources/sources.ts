// The sources of Spaces: MCP servers that the owner added, and the policy for each of their tools.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import type { Source, SourceTest, SourceTool, ToolPolicy } from '../contract/sources.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database } from '../db/pool.ts'
import { createSourceToolsRepo, type SourceToolRow } from '../db/repos/source_tools.ts'
import { createSourcesRepo, type SourceRow } from '../db/repos/sources.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import type { Connections } from './connections.ts'
import { parseDefinition, proposePolicy } from './list-tools.ts'
import { refreshTools } from './refresh-tools.ts'
import {
  changeSettings,
  hideSecrets,
  type NewSource,
  type SourceChange,
  toSettings,
} from './source-settings.ts'

export type Sources = {
  /** Throws `AppError`: 404 for an unknown Space, 400 for settings that contradict each other, 409 for a taken name. */
  create(spaceId: string, given: NewSource): Promise<Source>
  /** Throws a 404 `AppError`. */
  list(spaceId: string): Promise<Source[]>
  /** Throws a 404 `AppError`, as all below. */
  find(id: string): Promise<Source>
  update(id: string, change: SourceChange): Promise<Source>
  remove(id: string): Promise<Source>
  /** Asks it for its tools, and notes how it answered. */
  test(id: string): Promise<SourceTest>
  tools(id: string): Promise<SourceTool[]>
  /**
   * Sets a tool's policy and pins the definition that it is for: the one with this hash. A 409 `AppError` when the
   * server offers another one by now; left out: the newest.
   */
  setPolicy(id: string, tool: string, policy: ToolPolicy, sha256?: string): Promise<SourceTool>
}

export type SourcesDeps = {
  database: Database
  connections: Connections
  /** Where processes have their folders. */
  folder: string
  now: () => Date
}

const maxSources = 50

export function createSources(deps: SourcesDeps): Sources {
  const { database, connections, now } = deps
  const repo = createSourcesRepo(database)
  const toolsRepo = createSourceToolsRepo(database)

  return {
    async create(spaceId, given) {
      await checkSpace(database, spaceId)
      const settings = { ...toSettings(given), id: uuid(), space_id: spaceId }
      const row = await unique(given.name, () => repo.insert(settings, now(), maxSources))
      if (!row) throw conflict('too_many_sources', `A Space has at most ${maxSources} sources.`)
      return hideSecrets(row)
    },

    async list(spaceId) {
      await checkSpace(database, spaceId)
      return (await repo.listOfSpace(spaceId)).map(hideSecrets)
    },

    find: async (id) => hideSecrets(await load(id)),

    async update(id, change) {
      const settings = changeSettings(await load(id), change)
      const row = await unique(settings.name, () => repo.update(id, settings, now()))
      await connections.drop(id)
      if (!row) throw notFound('source', id)
      return hideSecrets(row)
    },

    async remove(id) {
      const row = await load(id)
      await repo.remove(id)
      await connections.drop(id)
      await rm(join(deps.folder, id), { recursive: true, force: true })
      return hideSecrets(row)
    },

    async test(id) {
      const source = await load(id)
      try {
        const { server, count } = await connections.use(source, async (connection) => ({
          server: connection.server,
          count: await refreshTools(database, source.id, connection),
        }))
        await repo.noteCheck(id, null, now())
        return { ok: true, error: null, server, tools: count }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        await repo.noteCheck(id, error.message, now())
        return { ok: false, error: error.message, server: null, tools: 0 }
      }
    },

    async tools(id) {
      await load(id)
      return (await toolsRepo.list(id)).map(toTool)
    },

    async setPolicy(id, name, policy, sha256) {
      await load(id)
      const tool = await toolsRepo.find(id, name)
      if (!tool) throw notFound('tool', name)
      const pinned = sha256 ?? tool.new_sha256 ?? tool.sha256
      const row = await toolsRepo.setPolicy(id, name, { policy, sha256: pinned })
      if (!row)
        throw conflict('tool_changed', 'The tool has changed since. Look at it again.', {
          tool: toTool(tool),
        })
      return toTool(row)
    },
  }

  async function load(id: string): Promise<SourceRow> {
    const row = await repo.find(id)
    if (!row) throw notFound('source', id)
    return row
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
    active: isActive(row),
    offered: row.offered,
    definition,
    sha256: row.sha256,
    changed: changed && row.new_sha256 ? { definition: changed, sha256: row.new_sha256 } : null,
  }
}

async function checkSpace(database: Database, spaceId: string): Promise<void> {
  if (!(await createSpacesRepo(database).find(spaceId, null))) throw notFound('Space', spaceId)
}

async function unique<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('source_exists', `There is a source called ${name} in this Space already.`)
  }
}
