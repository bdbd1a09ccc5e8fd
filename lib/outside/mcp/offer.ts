// What is offered over the protocol, and the server that speaks it. A server answers one request (or, over a connection
// that lasts, one client), in whichever revision of the protocol that is made in.

import type {
  CacheHint,
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  GetPromptResult,
  Implementation,
  InputRequiredResult,
  ListResourcesResult,
  McpRequestContext,
  Prompt,
  ReadResourceResult,
  ResourceTemplateType,
  Server,
  ServerCapabilities,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'
import { ServerWithTasks, type StartedTask, serveTasks, type Tasks, tasksExtension } from './tasks.ts'

export type Offer = {
  info: Implementation
  instructions?: string
  /** Those of `tools`, `resources`, `prompts` and `completions` are there anyway. */
  capabilities?: ServerCapabilities
  /** How long a client may use the lists that are the same for everybody. */
  lists: CacheHint
  tools: readonly Tool[]
  callTool(
    params: CallToolRequest['params'],
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | StartedTask>
  /** Only the newer revisions know them. */
  tasks: Tasks
  listResources(cursor: string | undefined): Promise<ListResourcesResult>
  resourceTemplates: readonly ResourceTemplateType[]
  readResource(uri: string): Promise<ReadResourceResult>
  listPrompts(): Promise<Prompt[]>
  getPrompt(
    params: GetPromptRequest['params'],
    ctx: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult>
  complete(params: CompleteRequest['params']): Promise<CompleteResult>
}

export type Era = McpRequestContext['era']

/** A server that is not connected yet. */
export function createServer(offer: Offer, era: Era): Server {
  const { info, instructions, lists, capabilities = {} } = offer
  const extensions = { ...capabilities.extensions, [tasksExtension]: {} }
  const server = new ServerWithTasks(info, {
    ...(instructions === undefined ? {} : { instructions }),
    capabilities: {
      ...capabilities,
      tools: capabilities.tools ?? {},
      resources: capabilities.resources ?? {},
      prompts: capabilities.prompts ?? {},
      completions: {},
      ...(era === 'modern' ? { extensions } : {}),
    },
    cacheHints: { 'tools/list': lists, 'resources/templates/list': lists },
  })
  server.setRequestHandler('tools/list', () => ({ tools: [...offer.tools] }))
  server.setRequestHandler(
    'tools/call',
    // ServerWithTasks lets a task through.
    ({ params }, ctx) => offer.callTool(params, ctx) as Promise<CallToolResult | InputRequiredResult>,
  )
  server.setRequestHandler('resources/list', ({ params }) => offer.listResources(params?.cursor))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...offer.resourceTemplates],
  }))
  server.setRequestHandler('resources/read', ({ params }) => offer.readResource(params.uri))
  server.setRequestHandler('prompts/list', async () => ({ prompts: await offer.listPrompts() }))
  server.setRequestHandler('prompts/get', ({ params }, ctx) => offer.getPrompt(params, ctx))
  server.setRequestHandler('completion/complete', ({ params }) => offer.complete(params))
  if (era === 'modern') serveTasks(server, offer.tasks)
  return server
}
