import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../changes/payload.ts'
import { type SeenTools, type SourceTool, ToolDefinition, type ToolPolicy } from '../../contract/sources.ts'
import { AppError, conflict, notFound } from '../../core/errors.ts'
import { issuesOf, parseUntrusted } from '../../core/parse-untrusted.ts'
import { exceededBound } from '../../core/text/bounds.ts'
import { cleanDeep, cleanLine, cleanText } from '../../core/text/clean.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createSourceToolsRepo, type SourceRow, type SourceToolRow } from '../../db/repos/sources.ts'
import type { Connection } from './connect.ts'

/** The tools of a source, each with the owner's policy. Throw a 404 `AppError` for a source that is not there. */
export type SourceTools = {
  tools(id: string): Promise<SourceTool[]>
  /**
   * Sets a tool's policy and pins the definition with this hash. Throws a 409 `AppError` if the
   * server now offers another one. Default: the newest definition.
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
        throw conflict('tool_changed', 'This tool has changed. Review it again.', {
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
            throw conflict('tool_changed', 'A tool has changed. Review it again.', {
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

const listMs = 20_000

/**
 * Stores what the server offers now, and resolves to how many. Until the owner has set a policy, calls of the tools that
 * were there the first time wait for the owner, and those that come later are off.
 */
export async function refreshTools(
  database: Database,
  sourceId: string,
  { client }: Connection,
): Promise<number> {
  const offered = await listTools(client, listMs)
  await database.transaction(async (tx) => {
    const repo = createSourceToolsRepo(tx)
    const isFirst = (await repo.list(sourceId)).length === 0
    const tools = offered.map((tool) => ({ ...tool, policy: isFirst ? ('ask' as const) : ('off' as const) }))
    await repo.storeOffered(sourceId, tools)
  })
  return offered.length
}

// The tools that a server offers, held within bounds and brought into one form whose hash pins it.

export type OfferedTool = { name: string; definition: string; sha256: string }

const maxTools = 500

const maxPages = 50

const maxDefinitionBytes = 32_000

const maxAllBytes = 2_000_000

/** Each tool is read by itself. */
const ListPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

const toolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/)

const Listed = z.object({
  name: toolName,
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z
    .looseObject({
      type: z.literal('object').optional(),
      properties: z.record(z.string(), z.union([z.looseObject({}), z.boolean()])).optional(),
      required: z.array(z.string()).optional(),
    })
    .nullish(),
  annotations: z.record(z.string(), z.unknown()).nullish(),
})

const schemaBounds = { values: 5000, depth: 50 }

/**
 * A tool that is not usable is left out, as if it were not offered. Throws an `AppError` `source_failed` for a list that is
 * none, is too long, or has no other tools than such. `timeoutMs`: of all its pages.
 */
export async function listTools(client: Client, timeoutMs: number): Promise<OfferedTool[]> {
  const tools = new Map<string, OfferedTool>()
  const problems: string[] = []
  const ends = performance.now() + timeoutMs
  let bytes = 0
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const timeout = Math.max(1, ends - performance.now())
    const page = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ListPage,
      { timeout, maxTotalTimeout: timeout },
    )
    for (const given of page.tools) {
      const tool = toOffered(given)
      if (typeof tool === 'string') problems.push(tool)
      else {
        bytes += tool.definition.length
        tools.set(tool.name, tool)
      }
      if (tools.size + problems.length > maxTools) throw failed(`It offers more than ${maxTools} tools.`)
      if (bytes > maxAllBytes) throw failed('The definitions of its tools are too long.')
    }
    if (page.nextCursor && page.nextCursor === cursor) throw failed('Its list of tools repeats a page.')
    if (page.nextCursor) cursor = page.nextCursor
    else if (tools.size === 0 && problems[0]) throw failed(problems[0])
    else return [...tools.values()]
  }
  throw failed(`Its list of tools has more than ${maxPages} pages.`)
}

/** The tool; or why it is not usable. */
function toOffered(given: unknown): OfferedTool | string {
  const { data, error } = parseUntrusted(Listed, given)
  const named = z.object({ name: toolName }).safeParse(given).data
  if (!named) return 'One of its tools has no usable name.'
  if (!data) return `The definition of its tool ${named.name} is wrong at ${issuesOf(error)[0]?.path}.`
  const { name, title, description, inputSchema, annotations } = data
  const definition = canonicalJson({
    name,
    ...(title ? { title: cleanLine(title) } : {}),
    ...(description ? { description: cleanText(description) } : {}),
    input_schema: cleanDeep(inputSchema ?? { type: 'object' }),
    ...(annotations ? { annotations: cleanDeep(annotations) } : {}),
  })
  const bytes = Buffer.from(definition)
  if (exceededBound(bytes, schemaBounds)) return `The definition of its tool ${name} is too complex.`
  if (bytes.length > maxDefinitionBytes)
    return `The definition of its tool ${name} is longer than ${maxDefinitionBytes} bytes.`
  return { name, definition, sha256: sha256(definition) }
}

export const parseDefinition = (definition: string): ToolDefinition =>
  ToolDefinition.parse(JSON.parse(definition))

/** What annotations suggest. They are the server's own words, and count for nothing until the owner agrees. */
const proposePolicy = ({ annotations = {} }: ToolDefinition): ToolPolicy =>
  annotations.readOnlyHint === true && annotations.destructiveHint !== true ? 'read' : 'ask'

const failed = (message: string) => new AppError('source_failed', 502, message)

const maxNameTokens = 40

/** The name as it may stand in a sentence. */
export const quoteTool = (name: string): string => quoteName(name, maxNameTokens)

export const mayNotCall = (tool: string) =>
  new AppError(
    'forbidden',
    403,
    `The owner has not allowed calls of ${quoteTool(tool)}. Tell them what you need.`,
  )

export const hasChanged = (tool: string) =>
  new AppError(
    'tool_changed',
    409,
    `The tool ${quoteTool(tool)} has changed and is off until the owner reviews it in the Space’s sources.`,
  )
