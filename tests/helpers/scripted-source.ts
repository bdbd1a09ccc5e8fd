// An MCP server over http that answers each method as it is told: one tool that says "Done.", unless it is told otherwise.
// Plain JSON-RPC by hand: a library would not let it do most of this.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type SourceMessage = { id?: number; method: string; params?: { cursor?: string; name?: string } }

type Answer = (res: ServerResponse, message: SourceMessage) => void

/** By method; `GET` opens a stream of what nobody asked for. */
export type SourceScript = Record<string, Answer>

export const sourceTool = (name: string, more: object = {}) => ({
  name,
  description: 'Says it back.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  ...more,
})

export const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })

/** Answers with a result, as JSON. */
export const respond =
  (result: unknown): Answer =>
  (res, { id }) =>
    sendJson(res, rpc({ id, result }))

export function sendJson(res: ServerResponse, text: string): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

export function beginEvents(res: ServerResponse): ServerResponse {
  return res.writeHead(200, { 'content-type': 'text/event-stream' })
}

export const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'scripted', version: '1' },
}

const usual: SourceScript = {
  initialize: respond(initialized),
  'tools/list': respond({ tools: [sourceTool('echo')] }),
  'tools/call': respond({ content: [{ type: 'text', text: 'Done.' }] }),
}

export async function startScriptedSource(
  script: SourceScript = {},
): Promise<{ url: string; close(): void }> {
  const answers = { ...usual, ...script }
  const server = createServer(async (req, res) => {
    res.on('error', () => {})
    let body = ''
    for await (const chunk of req) body += chunk
    const message: SourceMessage = body === '' ? { method: req.method ?? '' } : JSON.parse(body)
    const answer = answers[message.method]
    if (answer) answer(res, message)
    else res.writeHead(message.id === undefined && req.method === 'POST' ? 202 : 405).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
