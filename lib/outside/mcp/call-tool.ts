import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Tool, ToolRegistry, ToolTarget } from '../../ai/agent/registry.ts'
import { runTool, type ToolOutcome } from '../../ai/agent/run-tool.ts'
import { parseSource } from '../../ai/agent/sources.ts'
import { numberLines, type SearchResultBlock, type ToolResultBlock } from '../../ai/model.ts'
import type { DraftEvent } from '../../contract/events/events.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import { appOf } from './draft-app.ts'
import { enterNamedSpace } from './enter-space.ts'
import { toolIcons } from './icons.ts'
import type { McpDeps } from './mcp-deps.ts'
import { resourceUri } from './resources.ts'
import { declaresTasks, type StartedTask, startedTask, type Tasks } from './tasks.ts'

/** UTF-8 bytes of a result. */
const maxBytes = 60_000

const space = { type: 'string', description: 'Slug or id of the Space; may be left out when you have one' }

/** What a call was, for the record of calls. */
export type CallReport = {
  /** Id of the record that was stored when it began. Default: none was. */
  id?: string
  name: string
  args: unknown
  space_id: string | null
  /** `cancelled`: the client withdrew it. */
  status: 'done' | 'error' | 'cancelled'
  summary: string
  target: ToolTarget | null
}

/** A call that has begun. */
export type BegunCall = Required<Pick<CallReport, 'id' | 'name' | 'args' | 'space_id'>>

type Call = {
  name: string
  args: Record<string, unknown>
  actor: AgentActor
  baseUrl: string
  tasks: Tasks
  ctx: ServerContext
  /** Stores that it has begun, before anything is done. */
  onBegin: (begun: BegunCall) => Promise<void>
  onCall: (report: CallReport) => void
}

/** The tools as the protocol lists them: the same for every connection. */
export function listTools(registry: ToolRegistry): McpTool[] {
  const wires = new Map(registry.toAnthropicTools().map((wire) => [wire.name, wire]))
  return registry.listTools().map((tool) => {
    const { input_schema } = wires.get(tool.name)!
    return {
      name: tool.name,
      title: tool.title ?? tool.name,
      description: tool.description,
      inputSchema: {
        ...input_schema,
        type: 'object',
        properties: { space, ...Object(input_schema.properties) },
      },
      ...(tool.structured ? { outputSchema: outputSchema(tool) } : {}),
      annotations: annotationsOf(tool),
      ...toolIcons(tool.name),
      ...appOf(tool.name),
    }
  })
}

function outputSchema({ structured }: Tool): NonNullable<McpTool['outputSchema']> {
  const { $schema, additionalProperties, ...schema } = z.toJSONSchema(structured!.schema)
  return { ...schema, type: 'object' }
}

// A draft changes nothing, so even the tool that proposes a deletion destroys nothing. Research uses the owner's budget.
const annotationsOf = ({ capability, name }: Tool): NonNullable<McpTool['annotations']> => ({
  readOnlyHint: (capability === 'read' && name !== 'research') || name === 'changes',
  destructiveHint: false,
  openWorldHint: false,
})

/**
 * Runs a call in the Space that it names. Whatever goes wrong is a result that says so; only an unknown tool is an error of
 * the protocol. A draft that waits is a task for a client that knows them.
 */
export async function answerCall(
  deps: McpDeps,
  registry: ToolRegistry,
  call: Call,
): Promise<CallToolResult | StartedTask> {
  const { named, args, note } = takeSpace(call.args)
  if (!registry.getTool(call.name)) {
    const message = `There is no tool ${call.name.slice(0, 100)}.`
    call.onCall({ ...call, args, space_id: null, status: 'error', summary: message, target: null })
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  let space_id: string | null = null
  let id: string | undefined
  try {
    const entered = await enterNamedSpace(
      deps.database,
      call.actor,
      typeof named === 'string' ? named : undefined,
    )
    space_id = entered.id
    id = uuid()
    await call.onBegin({ id, name: call.name, args, space_id })
    const outcome = await run(deps, registry, { ...call, args, space_id })
    const { status, summary } = outcome.call
    call.onCall({
      ...call,
      id,
      args,
      space_id,
      status: status === 'done' ? 'done' : call.ctx.mcpReq.signal.aborted ? 'cancelled' : 'error',
      summary: summary ?? '',
      target: outcome.target,
    })
    const task = outcome.draft && declaresTasks(call.ctx) ? await startTask(call.tasks, outcome.draft) : null
    const result = toResult(outcome, registry.getTool(call.name), { ...call, slug: entered.slug })
    return task ?? { ...result, content: [...result.content, ...note] }
  } catch (error) {
    const summary = error instanceof AppError ? error.message : 'Internal server error.'
    call.onCall({ ...call, ...(id ? { id } : {}), args, space_id, status: 'error', summary, target: null })
    if (!(error instanceof AppError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

type Taken = { named: unknown; args: Record<string, unknown>; note: { type: 'text'; text: string }[] }

/** The Space that a call names, and its other arguments; `space_id`, as the HTTP API has it, is taken too. */
function takeSpace({ space, space_id, ...args }: Record<string, unknown>): Taken {
  if (space_id === undefined || (space !== undefined && space !== null))
    return { named: space, args: space_id === undefined ? args : { ...args, space_id }, note: [] }
  return {
    named: space_id,
    args,
    note: [{ type: 'text', text: 'Note: "space_id" was taken as "space". Use "space".' }],
  }
}

/** Null when the call decided nothing that is still open. */
async function startTask(tasks: Tasks, draft: DraftEvent): Promise<StartedTask | null> {
  const task = await tasks.find(draft.pending_change_id)
  return task?.status === 'working' ? startedTask(task) : null
}

async function run(
  { services, logger }: McpDeps,
  registry: ToolRegistry,
  { name, args, actor, space_id, ctx }: Call & { space_id: string },
): Promise<ToolOutcome> {
  const { agent_id, slug } = actor
  return await runTool({
    call: { id: uuid(), name, input: args },
    registry,
    ctx: {
      agent: { id: agent_id, slug, name: slug },
      space_id,
      view: null,
      actor,
      turn: null,
      signal: ctx.mcpReq.signal,
      services,
    },
    maxBytes,
    onEvent: () => {},
    onError: (tool, error) => logger.error({ err: error, tool }, 'tool failed'),
    now: () => performance.now(),
  })
}

type Place = { baseUrl: string; slug: string }

function toResult(
  { result, value, draft, call }: ToolOutcome,
  tool: Tool | undefined,
  place: Place,
): CallToolResult {
  const failed = call.status !== 'done'
  const url = draft && `${place.baseUrl}/inbox/${draft.pending_change_id}`
  const structured = !failed && tool?.structured?.of(value)
  return {
    content: [
      ...toBlocks(result.content, place.slug),
      ...(url
        ? [
            {
              type: 'resource_link' as const,
              uri: url,
              name: 'Draft',
              description: 'Nothing has been applied: its owner decides here.',
            },
          ]
        : []),
    ],
    ...(structured ? { structuredContent: { ...structured, ...(url ? { url } : {}) } } : {}),
    ...(failed ? { isError: true } : {}),
  }
}

function toBlocks(content: ToolResultBlock['content'], slug: string): CallToolResult['content'] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'text' as const, text: block.text }] : toPassage(block, slug),
  )
}

/** A passage as text under its title, and a link to the whole of it. */
function toPassage(block: SearchResultBlock, slug: string): CallToolResult['content'] {
  const { title, source, content } = numberLines(block)
  const text = `${title}\n${source}\n\n${content.map((piece) => piece.text).join('\n\n')}`
  const found = parseSource(source)
  const link = found && {
    type: 'resource_link' as const,
    uri: resourceUri(slug, found),
    name: title,
    mimeType: 'text/markdown',
  }
  return [{ type: 'text', text }, ...(link ? [link] : [])]
}
