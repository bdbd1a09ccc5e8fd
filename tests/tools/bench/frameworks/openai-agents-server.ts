// The OpenAI Agents SDK as its makers intend: a streamed run of an agent with two tools. It speaks to the Messages API
// through its own adapter for models of the AI SDK.

import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent, type RunStreamEvent, run, setTracingDisabled, tool } from '@openai/agents'
import { aisdk } from '@openai/agents-extensions/ai-sdk'
import { z } from 'zod'
import { findPages, type Send, sendTurn, serveTurns } from '../turn-app.ts'

// Traces would go to OpenAI.
setTracingDisabled(true)

const anthropic = createAnthropic({ apiKey: 'bench', baseURL: `${process.env.MODEL_URL}/v1` })
const agent = new Agent({
  name: 'bench',
  model: aisdk(anthropic('bench')),
  modelSettings: { maxTokens: 8192 },
  tools: [
    tool({
      name: 'search',
      description: 'search',
      parameters: z.object({ q: z.string() }),
      execute: () => findPages('search'),
    }),
    tool({
      name: 'read',
      description: 'read',
      parameters: z.object({ kind: z.string(), id: z.string() }),
      execute: () => findPages('read'),
    }),
  ],
})

serveTurns((text, res) =>
  sendTurn(res, async (send) => {
    const result = await run(agent, text, { stream: true })
    for await (const event of result) sendEvent(event, send)
    await result.completed
  }),
)

function sendEvent(event: RunStreamEvent, send: Send): void {
  if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
    send('delta', { text: event.data.delta })
  } else if (event.type === 'run_item_stream_event') {
    if (event.name === 'tool_called') send('tool', { status: 'running', call: event.item.rawItem })
    if (event.name === 'tool_output') send('tool', { status: 'done', summary: '' })
  }
}
