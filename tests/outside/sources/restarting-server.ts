// An MCP server over http that is restarted, and whose key is changed: it forgets its sessions, and refuses other keys.

import { createServer } from 'node:http'

type Message = { id?: number; method: string; params?: { name?: string } }

/** Close it with `close`. */
export async function startServer(refusal = 404) {
  let sessions = new Set<string>()
  let key = 'first'
  let broken = false
  /** Runs once before the next call of a tool is answered. */
  let beforeCall = () => {}
  const methods: string[] = []
  const called: string[] = []

  const http = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    if (req.method !== 'POST') return res.writeHead(405).end()
    const message: Message = JSON.parse(body)
    methods.push(message.method)
    if (message.method === 'tools/call') beforeCall()
    if (req.headers['x-api-key'] !== key) return res.writeHead(401).end()
    if (broken) return res.writeHead(500).end('broken')
    const session = String(req.headers['mcp-session-id'] ?? '')
    if (message.method !== 'initialize' && !sessions.has(session)) {
      return res.writeHead(refusal).end('no such session')
    }
    if (message.id === undefined) return res.writeHead(202).end()
    const own = message.method === 'initialize' ? crypto.randomUUID() : session
    sessions.add(own)
    if (message.method === 'tools/call') called.push(message.params?.name ?? '')
    res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': own })
    res.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answers[message.method] ?? {} }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as { port: number }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    methods,
    called,
    opened: () => methods.filter((method) => method === 'initialize').length,
    restart() {
      sessions = new Set()
    },
    changeKey(next: string) {
      key = next
    },
    setBroken(next: boolean) {
      broken = next
    },
    onCall(act: () => void) {
      beforeCall = () => {
        beforeCall = () => {}
        act()
      }
    },
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

const tool = (name: string) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: name === 'look' },
})

const answers: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'restarting', version: '1' },
  },
  'tools/list': { tools: [tool('look'), tool('act')] },
  'tools/call': { content: [{ type: 'text', text: 'Done.' }] },
}
