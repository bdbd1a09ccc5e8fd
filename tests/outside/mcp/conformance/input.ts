// Asking the client for something in the middle of a call: the answer says what is asked for, and the client calls again
// with its responses.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

type InputRequests = NonNullable<InputRequiredResult['inputRequests']>

export const askFor = (inputRequests: InputRequests, requestState?: string): InputRequiredResult => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
})

export const form = (message: string, properties: Record<string, object>, required: string[] = []) => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message,
    requestedSchema: { type: 'object', properties, required } as never,
  },
})

export const sample = (text: string, maxTokens = 100) => ({
  method: 'sampling/createMessage' as const,
  params: { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }], maxTokens },
})

export const roots = { method: 'roots/list' as const, params: {} }

export const responsesOf = ({ mcpReq }: ServerContext): Record<string, unknown> => mcpReq.inputResponses ?? {}

const capabilities = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}) })

/** What the client of a request declared that it can do, in either revision of the protocol. */
export function declares({ mcpReq: { envelope } }: ServerContext, name: string): boolean {
  const parsed = capabilities.safeParse(envelope)
  return parsed.data?.[CLIENT_CAPABILITIES_META_KEY][name] !== undefined
}

const sampled = z.looseObject({
  content: z.union([z.looseObject({ text: z.string() }), z.array(z.unknown())]),
})

/** The text that was sampled. */
export function sampledText(response: unknown): string {
  const { content } = sampled.parse(response)
  return Array.isArray(content) ? JSON.stringify(content) : content.text
}
