// The AI SDK as its makers intend: streamText with two tools, and its UI message stream through Express.

import { createAnthropic } from '@ai-sdk/anthropic'
import { isStepCount, pipeUIMessageStreamToResponse, streamText, tool, toUIMessageStream } from 'ai'
import { z } from 'zod'
import { findPages, serveTurns } from '../turn-app.ts'

const anthropic = createAnthropic({ apiKey: 'bench', baseURL: `${process.env.MODEL_URL}/v1` })
const tools = {
  search: tool({
    description: 'search',
    inputSchema: z.object({ q: z.string() }),
    execute: async () => findPages('search'),
  }),
  read: tool({
    description: 'read',
    inputSchema: z.object({ kind: z.string(), id: z.string() }),
    execute: async () => findPages('read'),
  }),
}

serveTurns((text, response) => {
  const { stream } = streamText({
    model: anthropic('bench'),
    maxOutputTokens: 8192,
    messages: [{ role: 'user', content: text }],
    tools,
    stopWhen: isStepCount(10),
    telemetry: { isEnabled: false },
  })
  pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) })
})
