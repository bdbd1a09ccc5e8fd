// A Messages API whose answer follows from the last message alone, so that a turn may be taken up anywhere: a search,
// a draft, and then forty pieces of text. It refuses what the real one would, and remembers that it did.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { framesOf, message, text, toolUse } from '../../helpers/fake-messages.ts'
import { whyRefused } from '../../helpers/messages-api-rules.ts'

export type CrashModel = {
  url: string
  /** What was wrong with requests. */
  refusals: string[]
  close(): Promise<void>
}

export const finalText = Array.from({ length: 40 }, (_, n) => `piece ${n}`).join(' ')

type CrashModelOptions = {
  /** Awaited before each answer that calls no tool: holds turns where their draft is stored and nothing is said yet. */
  beforeAnswer?: () => Promise<unknown>
}

export async function startCrashModel({ beforeAnswer }: CrashModelOptions = {}): Promise<CrashModel> {
  const refusals: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    if (request.method !== 'POST') {
      // It lists no models.
      response.writeHead(404).end()
      return
    }
    const body = JSON.parse(raw)
    const why = whyRefused(body, raw)
    if (why) {
      refusals.push(why)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: why } }))
      return
    }
    const reply = replyTo(JSON.stringify(body.messages.at(-1)))
    if (reply.every(({ block }) => block.type === 'text')) await beforeAnswer?.()
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    await speak(response, framesOf(message(reply)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    refusals,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function replyTo(last: string) {
  if (last.includes('"draft '))
    return [text('Let me look.'), toolUse('search', { q: 'boat' }, { id: newId('search') })]
  if (last.includes('"tool_use_id":"search_')) {
    const title = `Boat ${Math.random().toString(36).slice(2)}`
    const draft = { entity_type: 'task', action: 'create', payload: { title }, reason: 'Asked.' }
    return [toolUse('propose_change', draft, { id: newId('draft') })]
  }
  return [text(finalText, { deltas: 40 })]
}

let calls = 0

const newId = (name: string) => {
  calls += 1
  return `${name}_${process.pid}_${calls}`
}

async function speak(response: ServerResponse, frames: readonly string[]): Promise<void> {
  for (const frame of frames) {
    if (response.destroyed) return
    if (frame.includes('text_delta')) await delay(8)
    response.write(frame)
  }
  response.end()
}
