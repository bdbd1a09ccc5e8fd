// A client without a library, in the revision of 2026-07-28: the library refuses answers that are tasks.

import { createEventReader } from '../../../lib/core/text/event-stream.ts'

const prefix = 'io.modelcontextprotocol'

export type RawAnswer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  result?: any
  error?: { code: number; message: string; data?: unknown }
}

/** `capabilities`: what it declares; left out: that it knows tasks. */
export function createRawClient(
  url: string,
  token: string,
  capabilities: object = { extensions: { [`${prefix}/tasks`]: {} } },
) {
  let id = 0

  async function post(method: string, params: Record<string, unknown>, signal?: AbortSignal) {
    id += 1
    const name = params.name ?? params.uri ?? params.taskId
    const _meta = {
      [`${prefix}/protocolVersion`]: '2026-07-28',
      [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
      [`${prefix}/clientCapabilities`]: capabilities,
    }
    return await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
      ...(signal ? { signal } : {}),
    })
  }

  const request = async (method: string, params: Record<string, unknown> = {}): Promise<RawAnswer> => {
    const response = await post(method, params)
    return { status: response.status, ...((await response.json()) as object) }
  }

  return {
    request,
    callTool: (name: string, args: Record<string, unknown>) =>
      request('tools/call', { name, arguments: args }),
    task: (taskId: string) => request('tasks/get', { taskId }),

    /** Opens a stream of news; `received` grows as it comes, `ended` resolves when the server ends it. */
    async listen(notifications: Record<string, unknown>) {
      const stop = new AbortController()
      const response = await post('subscriptions/listen', { notifications }, stop.signal)
      const received: { method?: string; params?: { uri?: string }; result?: unknown; error?: unknown }[] = []
      const reader = createEventReader()
      const read = async () => {
        for await (const chunk of response.body ?? [])
          for (const { data } of reader.push(chunk)) received.push(JSON.parse(data))
      }
      return {
        response,
        received,
        ended: read().catch(() => {}),
        stop: () => stop.abort(),
      }
    },
  }
}
