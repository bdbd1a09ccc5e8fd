// What differs from one kind of model server to the next: the path, the request, and how a response is read. Everything
// else (retries, silence, errors) is the same, see call-model.ts.

import type { ModelRequest } from '../model.ts'

/** An event of the Messages API's stream, before any field of it has been validated. */
export type WireEvent = {
  type?: unknown
  index?: unknown
  message?: { stop_reason?: unknown; usage?: unknown } | null
  content_block?: WireBlock | null
  delta?: Record<string, unknown> | null
  usage?: unknown
}

export type WireBlock = { type: string; [field: string]: unknown }

/** Reads one response. What it returns are the Messages API's events, whatever the server speaks. */
export type WireReader = {
  /** One event of a stream, as parsed from JSON. */
  events(data: Record<string, unknown>): readonly WireEvent[]
  /** A response in one piece. Throws a `SyntaxError` for one that is no answer. */
  whole(body: Record<string, unknown>): readonly WireEvent[]
}

export type WireName = 'messages' | 'chat'

export type Wire = {
  name: WireName
  /** What it is called, within a sentence. */
  label: string
  /** Where the model is asked, below the address. */
  path: '/messages' | '/chat/completions'
  body(request: ModelRequest, model: { name: string; maxTokens: number }): object
  startReader(): WireReader
}
