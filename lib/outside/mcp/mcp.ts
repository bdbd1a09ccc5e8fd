// Void as an MCP server: https://modelcontextprotocol.io/specification. Outside agents are offered tools of the same
// registry as the companion, held to the Spaces and the tier of their token; what they propose waits in the same Inbox.

import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolRegistry } from '../../ai/agent/registry.ts'
import { createAgentRegistry } from '../../ai/agent/tools/index.ts'
import { prompts as wordings } from '../../ai/prompts/prompts.ts'
import { canAct } from '../../auth/capability.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import { suggestTitles } from '../../search/suggest.ts'
import { answerCall, listTools } from './call-tool.ts'
import { appsExtension, draftAppUri, loadDraftApp } from './draft-app.ts'
import { createEndpoint, type Mcp, type McpRequest } from './endpoint.ts'
import { listSpaces } from './enter-space.ts'
import { serverIcons } from './icons.ts'
import type { McpDeps } from './mcp-deps.ts'
import type { Era, Offer } from './offer.ts'
import { createPrompts } from './prompts.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createDraftTasks } from './tasks.ts'

const modernCapabilities = {
  resources: { subscribe: true, listChanged: true },
  extensions: { [appsExtension]: {} },
}

/** Cache lifetime of the lists, in milliseconds: they change only with a release. */
const lists = { ttlMs: 3_600_000, cacheScope: 'public' } as const

export function createMcp(deps: McpDeps): Mcp {
  const registry = createAgentRegistry(deps.kinds.all)
  const tools = listTools(registry)
  const icons = serverIcons()
  const draftApp = loadDraftApp()

  const offerTo = ({ actor, baseUrl, onBegin, onCall }: McpRequest, era: Era): Offer => {
    const tasks = createDraftTasks(deps, { actor, baseUrl })
    return {
      info: { name: 'void', title: 'Void', version: deps.version, websiteUrl: baseUrl, icons },
      instructions: wordings['mcp-instructions'].text,
      // Only the newer revision has a stream to tell it on.
      capabilities: era === 'modern' ? modernCapabilities : {},
      lists,
      tools,
      tasks,
      callTool: ({ name, arguments: args = {} }, ctx) =>
        answerCall(deps, registry, { actor, baseUrl, onBegin, onCall, tasks, ctx, name, args }),
      listResources: (cursor) => listResources(deps, actor, cursor),
      resourceTemplates,
      readResource: async (uri) =>
        uri === draftAppUri ? { contents: [draftApp] } : await readResource(deps, actor, uri),
      ...createPrompts(deps.database, actor),
      complete: createCompletion(deps, actor),
    }
  }
  const endpoint = createEndpoint({ logger: deps.logger, offerTo, eventsOf: createSubscriptions(deps) })
  return {
    async answer(request) {
      if (request.mayAskToDraft) requireScope(registry, request.body)
      return await endpoint.answer(request)
    },
  }
}

/** Maximum number of completion values, set by the protocol. */
const maxValues = 100

/** Maximum length of the typed text, in characters. */
const maxTyped = 500

type Completion = (params: CompleteRequest['params']) => Promise<CompleteResult>

/**
 * Completes the arguments of prompts and of the resource template: Spaces, kinds, and what a Space holds by its title.
 * Of what the token may not read nothing is said.
 */
function createCompletion(deps: McpDeps, actor: AgentActor): Completion {
  const { database, kinds } = deps
  return async ({ argument, context }) => {
    const values = await complete(argument.name, argument.value.slice(0, maxTyped), context?.arguments ?? {})
    return {
      completion: {
        values: values.slice(0, maxValues),
        total: values.length,
        hasMore: values.length > maxValues,
      },
    }
  }

  async function complete(name: string, typed: string, given: Record<string, string>): Promise<string[]> {
    const begins = (value: string) => value.toLowerCase().startsWith(typed.toLowerCase())
    if (name === 'space') return (await listSpaces(database, actor)).map(({ slug }) => slug).filter(begins)
    if (name === 'kind') return kinds.all.map(({ type }) => type).filter(begins)
    if (name !== 'id' && name !== 'page') return []
    const found = await find(typed, { space: given.space, kind: name === 'page' ? 'page' : given.kind })
    return found.map(({ entity_id, title }) => (name === 'id' ? entity_id : title))
  }

  async function find(q: string, { space, kind }: { space?: string | undefined; kind?: string | undefined }) {
    if (canAct(actor, 'read', 'space') !== 'allow') return []
    const spaces = await listSpaces(database, actor)
    const space_ids = spaces
      .filter(({ id, slug }) => space === undefined || space === slug || space === id)
      .map(({ id }) => id)
    const suggested = await suggestTitles(database, deps, {
      space_ids,
      q,
      aliases: false,
      limit: maxValues,
    })
    return suggested.filter(({ entity_type }) => kind === undefined || entity_type === kind)
  }
}

const call = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string() }),
})

/**
 * For a token that only reads: throws a 403 `AppError` when the body calls a tool that drafts. A program can ask the owner
 * for more then, which the result of a tool could not say.
 */
function requireScope(registry: ToolRegistry, body: unknown): void {
  for (const message of [body].flat()) {
    const { data } = call.safeParse(message)
    const tool = data && registry.getTool(data.params.name)
    if (tool && tool.capability !== 'read' && tool.actionClass !== 'navigational')
      throw new AppError(
        'insufficient_scope',
        403,
        `${tool.name} requires the scope suggest. Ask the owner for it.`,
      )
  }
}
