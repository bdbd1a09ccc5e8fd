import type { Request as ExpressRequest, Response as ExpressResponse } from 'express'
import { z } from 'zod'
import { forbidden } from '../../errors.ts'
import type { CallReport } from '../../mcp/call-tool.ts'
import { ownAddress } from '../own-address.ts'
import { type Route, route } from '../route.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/** A JSON-RPC answer, or several; or the error of this API for what did not get so far. */
const Refusal = z.union([message, z.object({ error: z.looseObject({ code: z.string() }) })])

export const mcpRoutes = (['post', 'get', 'delete'] as const).map((method) =>
  route({
    method,
    path: '/mcp',
    access: 'agent',
    oauth: true,
    summary: 'The Model Context Protocol over Streamable HTTP, for agents with a token',
    ...(method === 'post' ? { body: z.union([message, z.array(message).max(50)]) } : {}),
    answers: {
      200: z.union([message, z.array(message)]),
      202: 'Taken; there is no answer to a notification',
    },
    refusal: Refusal,
    stream: z.object({ type: z.literal('message'), data: message }),
    async handle({ server }, { actor, req, res, body }) {
      if (actor.kind !== 'agent')
        throw forbidden('Make a token for this agent in Settings → Agents, and use that.')
      refuseForeignOrigin(req)
      const baseUrl = ownAddress(req, server.publicUrl)
      const request = toWebRequest(req, baseUrl)
      const calls: CallReport[] = []
      res.locals.calls = calls
      const onCall = (report: CallReport) => calls.push(report)
      const answer = await server.mcp.answer({ request, body, actor, baseUrl, onCall })
      // No answer is a stream without end: see createMcp.
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { send: () => send(res, answer, bytes) }
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
  return new Request(new URL('/mcp', baseUrl), { method: req.method, headers, signal: gone.signal })
}

function send(res: ExpressResponse, { status, headers }: Response, body: Buffer): void {
  res.status(status)
  for (const [name, value] of headers) res.setHeader(name, value)
  res.end(body)
}
