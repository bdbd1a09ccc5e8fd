import type { Request as ExpressRequest, Response as ExpressResponse } from 'express'
import { z } from 'zod'
import {
  authorizationServerMetadata,
  oauthUnavailable,
  protectedResourceMetadata,
  type Site,
  siteOf,
} from '../../auth/oauth/metadata.ts'
import {
  AuthorizationServerMetadata,
  OAuthError,
  ProtectedResourceMetadata,
  RegisteredClient,
} from '../../contract/auth.ts'
import { ErrorBody } from '../../contract/error.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError, forbidden } from '../../core/errors.ts'
import type { CallReport } from '../../outside/mcp/call-tool.ts'
import type { McpRequest } from '../../outside/mcp/endpoint.ts'
import type { Deps } from '../deps.ts'
import { type Call, longBody, ownAddress, type Route, route } from '../route.ts'

/** Bytes of a stream that wait for its client. */
const maxUnread = 1_000_000

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/** A JSON-RPC answer, or several; or the error of this API for what did not get so far. */
const Refusal = z.union([message, z.object({ error: z.looseObject({ code: z.string() }) })])

const maxBatch = 20

/** A batch counts as its messages; one that is too long is refused by its schema. */
const countCalls = (body: unknown) => (Array.isArray(body) && body.length <= maxBatch ? body.length : 1)

export const mcpRoutes = (['post', 'get', 'delete'] as const).map((method) =>
  route({
    method,
    path: '/mcp',
    access: 'agent',
    oauth: true,
    summary: 'Model Context Protocol over Streamable HTTP, for agent tokens',
    ...(method === 'post'
      ? { body: z.union([message, z.array(message).max(maxBatch)]), bodyLimit: longBody, calls: countCalls }
      : {}),
    answers: {
      200: z.union([message, z.array(message)]),
      202: 'Accepted; notifications have no response',
    },
    refusal: Refusal,
    stream: z.object({ type: z.literal('message'), data: message }),
    async handle({ server }, { actor, req, res, body }) {
      if (actor.kind !== 'agent') throw forbidden('Use a token created for this agent in Settings → Agents.')
      refuseForeignOrigin(req)
      const baseUrl = ownAddress(req, server.publicUrl)
      const request = toWebRequest(req, baseUrl)
      const calls: CallReport[] = []
      res.locals.calls = calls
      const onCall = (report: CallReport) => calls.push(report)
      const recheck = () => identifyAgain(server, req, res)
      const mayAskToDraft = res.locals.mayAskToDraft === true
      const onBegin: McpRequest['onBegin'] = res.locals.onBegin
      const asked = { request, body, actor, recheck, mayAskToDraft, baseUrl, onBegin, onCall }
      const { response, live } = await server.mcp.answer(asked)
      if (live) return { send: () => void sendLive(res, response) }
      const bytes = Buffer.from(await response.arrayBuffer())
      return { send: () => send(res, response, bytes) }
    },
  }),
) satisfies Route[]

/** A page elsewhere has no business here, whatever token it holds. */
function refuseForeignOrigin({ headers: { origin, host } }: ExpressRequest): void {
  if (origin !== undefined && !URL.canParse(origin)) throw forbidden('The Origin is not valid.')
  if (origin !== undefined && new URL(origin).host !== host)
    throw forbidden('Requests from another site are refused.')
}

/** The request without its body, which was read already. It is given up when the client goes. */
function toWebRequest(req: ExpressRequest, baseUrl: string): Request {
  const gone = new AbortController()
  req.res?.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') headers.set(name, value)
  }
  return new Request(`${baseUrl}/mcp`, { method: req.method, headers, signal: gone.signal })
}

/** Who sent the request, by the credentials as they are now; null when they are gone. */
async function identifyAgain(
  { authentication }: Deps['server'],
  { headers: { authorization } }: ExpressRequest,
  res: ExpressResponse,
): Promise<AgentActor | null> {
  const site: Site | null = res.locals.site
  try {
    const credentials = { authorization, session: undefined, resource: site?.resource }
    const { actor } = await authentication.identify(credentials)
    return actor.kind === 'agent' ? actor : null
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return null
    throw error
  }
}

function sendHead(res: ExpressResponse, { status, headers }: Response): void {
  res.status(status)
  for (const [name, value] of headers) res.setHeader(name, value)
}

function send(res: ExpressResponse, response: Response, body: Buffer): void {
  sendHead(res, response)
  res.end(body)
}

/** Sends a stream as it comes. A client that does not read it is let go. */
async function sendLive(res: ExpressResponse, response: Response): Promise<void> {
  sendHead(res, response)
  res.flushHeaders()
  try {
    for await (const chunk of response.body ?? []) {
      res.write(chunk)
      if (res.writableLength > maxUnread) throw new Error('the client does not read')
    }
    res.end()
  } catch {
    // It went, or it does not read.
    res.destroy()
  }
}

/** Where programs find out how to be connected. */
export const oauthRoutes = [
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'].map((path) =>
    route({
      method: 'get',
      path,
      access: 'public',
      summary: 'Get the protected resource metadata of /mcp (RFC 9728)',
      answers: { 200: ProtectedResourceMetadata },
      async handle(deps, { req }) {
        return { body: protectedResourceMetadata(requireSite(deps, req)) }
      },
    }),
  ),

  route({
    method: 'post',
    path: '/oauth/register',
    access: 'public',
    limit: { requests: 20, windowMs: 10 * 60_000 },
    summary: 'Register a public client (RFC 7591)',
    body: z.record(z.string(), z.unknown()),
    answers: { 201: RegisteredClient },
    refusal: z.union([OAuthError, ErrorBody]),
    async handle(deps, { req, res, body }) {
      requireSite(deps, req)
      try {
        return { status: 201, body: await deps.server.oauth.register(body) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { status, code, message } = error
        return { send: () => res.status(status).json({ error: code, error_description: message }) }
      }
    },
  }),

  route({
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    access: 'public',
    summary: 'Get the authorization server metadata (RFC 8414)',
    answers: { 200: AuthorizationServerMetadata },
    async handle(deps, { req }) {
      return { body: authorizationServerMetadata(requireSite(deps, req)) }
    },
  }),
]

function requireSite(
  { server: { publicUrl } }: Deps,
  { headers }: Call<never, never, never, never>['req'],
): Site {
  const site = siteOf(publicUrl, headers.host)
  if (site) return site
  throw oauthUnavailable(404)
}
