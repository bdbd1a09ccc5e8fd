// The baseline: the least that streams the same turn. Express, the SDK, a loop, two tools over an array, the same
// server-sent events as Void.

import Anthropic from '@anthropic-ai/sdk'
import { findPages, type Send, sendTurn, serveTurns } from './turn-app.ts'

const client = new Anthropic({ apiKey: 'bench', baseURL: process.env.MODEL_URL ?? null, maxRetries: 2 })
const toolSchema = { type: 'object' as const, properties: {} }
const tools = ['search', 'read'].map((name) => ({ name, description: name, input_schema: toolSchema }))

serveTurns((text, res) => sendTurn(res, (send) => runLoop([{ role: 'user', content: text }], send)))

async function runLoop(messages: Anthropic.MessageParam[], send: Send): Promise<void> {
  for (;;) {
    const content = await callModel(messages, send)
    messages.push({ role: 'assistant', content })
    const uses = content.filter((block) => block.type === 'tool_use')
    if (uses.length === 0) return
    messages.push({ role: 'user', content: uses.map((use) => runTool(use, send)) })
  }
}

type Content = (Anthropic.TextBlockParam | Anthropic.ToolUseBlockParam)[]

async function callModel(messages: Anthropic.MessageParam[], send: Send): Promise<Content> {
  const content: Content = []
  let json = ''
  const stream = await client.messages.create({
    model: 'bench',
    max_tokens: 8192,
    stream: true,
    tools,
    messages,
  })
  for await (const event of stream) {
    const last = content.at(-1)
    if (event.type === 'content_block_start') {
      const { content_block: block } = event
      if (block.type === 'text') content.push({ type: 'text', text: block.text })
      if (block.type === 'tool_use')
        content.push({ type: 'tool_use', id: block.id, name: block.name, input: {} })
      json = ''
    } else if (event.type === 'content_block_delta') {
      if (event.delta.type === 'text_delta' && last?.type === 'text') {
        last.text += event.delta.text
        send('delta', { text: event.delta.text })
      }
      if (event.delta.type === 'input_json_delta') json += event.delta.partial_json
    } else if (event.type === 'content_block_stop' && last?.type === 'tool_use') {
      last.input = JSON.parse(json || '{}')
    }
  }
  return content
}

function runTool(use: Anthropic.ToolUseBlockParam, send: Send): Anthropic.ToolResultBlockParam {
  send('tool', { tool: use.name, tool_use_id: use.id, args: use.input, status: 'running' })
  const results = findPages(use.name).map(({ source, title, body }) => ({
    type: 'search_result' as const,
    source,
    title,
    content: [{ type: 'text' as const, text: body }],
  }))
  send('tool', { tool: use.name, tool_use_id: use.id, args: use.input, status: 'done', summary: '' })
  return { type: 'tool_result', tool_use_id: use.id, content: results }
}
