// The tools of a Space's sources as an agent uses them: found by words, called by name. What comes back is text from
// outside: it is stored as it came, and nobody vouches for it.

import { v7 as uuid } from 'uuid'
import type { FoundTools, OutsideCall, OutsideResult, OutsideTool } from '../ai/agent/services.ts'
import { canonicalJson } from '../changes/payload.ts'
import type { Database } from '../db/pool.ts'
import { createSourceToolsRepo, type SourceToolRow } from '../db/repos/source_tools.ts'
import { createSourcesRepo, type SourceRow } from '../db/repos/sources.ts'
import { createToolResultsRepo } from '../db/repos/tool_results.ts'
import { AppError, invalid } from '../errors.ts'
import { quoteName } from '../text/quote-name.ts'
import type { Connections } from './connections.ts'
import { parseDefinition } from './list-tools.ts'
import { rankTools } from './rank-tools.ts'
import { refreshTools } from './refresh-tools.ts'
import { toResultText } from './result-text.ts'
import { isActive, type Sources } from './sources.ts'

export type OutsideTools = {
  /** The tools that may be used and match the words. A source that nobody has tested yet is asked for its tools. */
  find(request: { space_id: string; q: string }): Promise<FoundTools>
  /**
   * Calls a tool that may be called freely. Throws an `AppError`: 400 for a name that is none or arguments that are too
   * long, 403 for a tool that may not be called. A source that fails is a result that says so.
   */
  call(agentId: string, call: OutsideCall): Promise<OutsideResult>
}

export type OutsideToolsDeps = {
  database: Database
  connections: Connections
  sources: Pick<Sources, 'test'>
  now: () => Date
}

const maxFound = 5
const maxNameTokens = 40
const maxArgumentBytes = 100_000
const callMs = 60_000

export function createOutsideTools(deps: OutsideToolsDeps): OutsideTools {
  const { database, connections, sources, now } = deps

  return {
    async find({ space_id, q }) {
      const untested = (await enabledIn(database, space_id)).filter(({ status }) => status === 'untested')
      await Promise.all(untested.slice(0, 5).map(({ id }) => sources.test(id)))
      const all = await enabledIn(database, space_id)
      const usable = (await Promise.all(all.map((source) => usableTools(database, source)))).flat()
      const ranked = rankTools(usable, q)
      const problems = all.filter(({ status }) => status === 'failed').map(({ name }) => name)
      return { tools: ranked.slice(0, maxFound), total: usable.length, matching: ranked.length, problems }
    },

    async call(agentId, call) {
      const { source, tool } = await findUsable(database, call)
      if (tool.policy !== 'read') throw mayNotCall(call)
      const args = canonicalJson(call.arguments)
      if (Buffer.byteLength(args) > maxArgumentBytes) {
        throw invalid(`The arguments are longer than ${maxArgumentBytes} bytes.`)
      }
      const answer = await run(source, tool, call)
      const result = { ...answer, id: uuid(), source_name: source.name, tool: tool.name, arguments: args }
      await createToolResultsRepo(database).insert(
        {
          ...result,
          space_id: call.space_id,
          source_id: source.id,
          agent_id: agentId,
          turn_id: call.turn?.id ?? null,
          tool_use_id: call.tool_use_id,
        },
        now(),
      )
      const { id, text, cut, failed } = result
      return { id, source_id: source.id, title: `${source.name} › ${tool.name}`, text, cut, failed }
    },
  }

  async function run(source: SourceRow, tool: SourceToolRow, call: OutsideCall) {
    try {
      return await connections.use(source, async (connection) => {
        // What was pinned is what is called: a server may change its tools between two calls.
        await refreshTools(database, source.id, connection)
        const fresh = await createSourceToolsRepo(database).find(source.id, tool.name)
        if (!fresh || !isActive(fresh) || fresh.sha256 !== tool.sha256) throw hasChanged(call)
        const answer = await connection.client.callTool(
          { name: tool.name, arguments: call.arguments },
          { timeout: callMs, maxTotalTimeout: callMs, signal: call.signal },
        )
        return toResultText(answer)
      })
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(error instanceof AppError) || error.code !== 'source_failed') throw error
      await createSourcesRepo(database).noteCheck(source.id, error.message, now())
      return { text: `The source failed: ${error.message}`, cut: false, failed: true }
    }
  }
}

async function enabledIn(database: Database, spaceId: string): Promise<SourceRow[]> {
  return (await createSourcesRepo(database).listOfSpace(spaceId)).filter(({ enabled }) => enabled)
}

async function usableTools(database: Database, source: SourceRow): Promise<OutsideTool[]> {
  const rows = await createSourceToolsRepo(database).list(source.id)
  return rows.filter((row) => isActive(row) && row.policy === 'read').map((row) => toOutside(source, row))
}

function toOutside(source: SourceRow, row: SourceToolRow): OutsideTool {
  const { title, description, input_schema } = parseDefinition(row.definition)
  return { source_id: source.id, source: source.name, name: row.name, title, description, input_schema }
}

async function findUsable(
  database: Database,
  { space_id, source: named, tool: name }: OutsideCall,
): Promise<{ source: SourceRow; tool: SourceToolRow }> {
  const all = await enabledIn(database, space_id)
  const source = all.find((one) => one.name.toLowerCase() === named.trim().toLowerCase())
  if (!source)
    throw invalid(`There is no source ${quoteName(named, maxNameTokens)} in this Space. Use find_tool first.`)
  const tool = await createSourceToolsRepo(database).find(source.id, name)
  if (!tool) throw invalid(`The source has no tool ${quoteName(name, maxNameTokens)}. Use find_tool first.`)
  if (!isActive(tool)) throw tool.new_definition ? hasChanged({ tool: name }) : mayNotCall({ tool: name })
  return { source, tool }
}

const mayNotCall = ({ tool }: Pick<OutsideCall, 'tool'>) =>
  new AppError(
    'forbidden',
    403,
    `The owner has not allowed calls of ${quoteName(tool, maxNameTokens)}. Tell them what you would need.`,
  )

const hasChanged = ({ tool }: Pick<OutsideCall, 'tool'>) =>
  new AppError(
    'tool_changed',
    409,
    `The tool ${quoteName(tool, maxNameTokens)} has changed and is off until the owner has looked at it in the Space’s sources.`,
  )
