// The protocol over HTTP. Stateless: each request is answered by a server of its own, in whichever revision it speaks.
// Only `subscriptions/listen` lasts.

import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { AgentActor } from '../../core/actor.ts'
import { AppError, databaseUnavailable } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { isConnectionFailure } from '../../db/pg-errors.ts'
import type { BegunCall, CallReport } from './call-tool.ts'
import { createServer, type Era, type Offer } from './offer.ts'

export type McpRequest = {
  request: Request
  /** The JSON of the body, when there was one. */
  body: unknown
  actor: AgentActor
  /** Who it is that asks by now, for what lasts; null when the token is gone. */
  recheck: () => Promise<AgentActor | null>
  /** Whether the owner could allow it to draft, which its token of OAuth does not. */
  mayAskToDraft: boolean
  /** Where people reach this server, without a slash at its end. */
  baseUrl: string
  /** Stores that a call of a tool has begun. */
  onBegin: (begun: BegunCall) => Promise<void>
  /** Told of each call of a tool that was answered. */
  onCall: (report: CallReport) => void
}

/** `live`: it has no end of its own, and is sent as it comes. */
type McpAnswer = { response: Response; live: boolean }

export type Mcp = {
  /** Throws a 403 `AppError` `insufficient_scope` for a call that the owner would have to allow first. */
  answer(request: McpRequest): Promise<McpAnswer>
}

/** The events of one who listens. `end` must be called when there are no more. */
export type EventsOf = (request: McpRequest, end: () => void) => ServerEventBus

type EndpointDeps = {
  logger: Pick<Logger, 'info' | 'error'>
  offerTo: (request: McpRequest, era: Era) => Offer
  eventsOf: EventsOf
  /** Maximum concurrent streams of all clients. Default: 512. */
  maxListeners?: number
}

export function createEndpoint({ logger, offerTo, eventsOf, maxListeners = 512 }: EndpointDeps): Mcp {
  const asked = new WeakMap<Request, McpRequest>()
  const onerror = (error: Error) => logger.info({ err: error }, 'MCP request refused')
  const handler = createMcpHandler(serve, { maxSubscriptions: 0, onerror })
  let listeners = 0

  return {
    async answer(mcpRequest) {
      const { request, body } = mcpRequest
      asked.set(request, mcpRequest)
      if (Object(body).method !== 'subscriptions/listen' || listeners >= maxListeners)
        return { response: await handler.fetch(request, { parsedBody: body }), live: false }
      return await listen(mcpRequest)
    },
  }

  function serve({ requestInfo, era }: { requestInfo?: Request; era: Era }) {
    return createServer(guardOffer(offerTo(asked.get(requestInfo!)!, era), logger), era)
  }

  /** With a handler of its own: what is told to one client is not for the others. */
  async function listen(mcpRequest: McpRequest): Promise<McpAnswer> {
    const { request, body } = mcpRequest
    const bus = eventsOf(mcpRequest, () => void handler.close())
    let counted = false
    const leave = () => {
      if (counted) listeners -= 1
      counted = false
    }
    const handler = createMcpHandler(serve, {
      maxSubscriptions: 1,
      onerror,
      bus: {
        publish: (event) => bus.publish(event),
        subscribe(listener) {
          const unsubscribe = bus.subscribe(listener)
          listeners += 1
          counted = true
          return () => {
            leave()
            unsubscribe()
          }
        },
      },
    })
    const response = await handler.fetch(request, { parsedBody: body })
    return { response, live: isStream(response) }
  }
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** The same offer; what nobody expected is logged whole, and its client is told no more than over REST. */
function guardOffer(offer: Offer, logger: Pick<Logger, 'error'>): Offer {
  const guard =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args)
      } catch (error) {
        throw toProtocolError(error)
      }
    }
  const { find, update, cancel } = offer.tasks
  return {
    ...offer,
    callTool: guard(offer.callTool),
    listResources: guard(offer.listResources),
    readResource: guard(offer.readResource),
    getPrompt: guard(offer.getPrompt),
    complete: guard(offer.complete),
    tasks: { find: guard(find), update: guard(update), cancel: guard(cancel) },
  }

  function toProtocolError(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error
    if (error instanceof AppError && error.status < 500)
      return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    logger.error({ err: error }, 'MCP request failed')
    const message = isConnectionFailure(error) ? databaseUnavailable(error).message : 'Internal server error.'
    return new ProtocolError(ProtocolErrorCode.InternalError, message)
  }
}
