// What the conformance suite expects to find, offered by the same endpoint as Void's own tools. The older revision has
// sessions here, which Void does not keep: without them a server cannot ask its client for anything.

import {
  InMemoryServerEventBus,
  isLegacyRequest,
  ResourceNotFoundError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { v7 as uuid } from 'uuid'
import { createEndpoint, type Mcp } from '../../../../lib/outside/mcp/endpoint.ts'
import { createServer, type Era, type Offer } from '../../../../lib/outside/mcp/offer.ts'
import { png } from './content.ts'
import { getPrompt, prompts } from './prompts.ts'
import { createFixtureTasks } from './tasks.ts'
import { createTools, listed } from './tools.ts'

const staticText = {
  uri: 'test://static-text',
  name: 'static-text',
  description: 'A text',
  mimeType: 'text/plain',
}
const staticBinary = {
  uri: 'test://static-binary',
  name: 'static-binary',
  description: 'An image',
  mimeType: 'image/png',
}

export function createFixture(): Mcp {
  const bus = new InMemoryServerEventBus()
  const { tasks, tools: taskTools } = createFixtureTasks()
  const events = {
    toolsChanged: () => bus.publish({ kind: 'tools_list_changed' }),
    promptsChanged: () => bus.publish({ kind: 'prompts_list_changed' }),
  }
  const tools = { ...createTools(events), ...taskTools }
  const offer: Offer = {
    info: { name: 'fixture', version: '1' },
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true },
      logging: {},
    },
    lists: { ttlMs: 1000, cacheScope: 'public' },
    tools: listed(Object.keys(tools)),
    callTool: async ({ name, arguments: args = {} }, ctx) => {
      const tool = tools[name as keyof typeof tools]
      if (!tool) return { content: [{ type: 'text', text: `There is no tool ${name}.` }], isError: true }
      return await tool(args, ctx)
    },
    tasks,
    listResources: async () => ({ resources: [staticText, staticBinary] }),
    resourceTemplates: [{ name: 'template', uriTemplate: 'test://template/{id}/data' }],
    readResource: async (uri) => ({ contents: [read(uri)] }),
    listPrompts: async () => [...prompts],
    getPrompt: async (params, ctx) => getPrompt(params, ctx),
    complete: async () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }),
  }
  const logger = { info: () => {}, error: () => {} }
  const endpoint = createEndpoint({ logger, offerTo: () => offer, eventsOf: () => bus })
  const sessions = createSessions(offer)

  return {
    async answer(request) {
      const isLegacy = await isLegacyRequest(request.request, request.body)
      if (isLegacy) return { response: await sessions(request.request, request.body), live: true }
      return { ...(await endpoint.answer(request)), live: true }
    },
  }
}

function read(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { uri, mimeType: 'application/json', text }
  }
  if (uri === staticText.uri)
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === staticBinary.uri) return { uri, mimeType: 'image/png', blob: png }
  throw new ResourceNotFoundError(uri)
}

const gone = { code: -32001, message: 'Session not found' }

/** One server for each client of the older revision, as long as it stays. */
function createSessions(offer: Offer): (request: Request, body: unknown) => Promise<Response> {
  const era: Era = 'legacy'
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()

  return async (request, parsedBody) => {
    const session = request.headers.get('mcp-session-id')
    const transport = session === null ? await open() : transports.get(session)
    if (!transport) return Response.json({ jsonrpc: '2.0', id: null, error: gone }, { status: 404 })
    const response = await transport.handleRequest(request, { parsedBody })
    return request.method === 'DELETE' && response.ok ? new Response(null, { status: 202 }) : response
  }

  async function open() {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: uuid,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    })
    const server = createServer(offer, era)
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
    await server.connect(transport)
    return transport
  }
}
