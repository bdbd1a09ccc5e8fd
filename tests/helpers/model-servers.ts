// Model servers as people run them, each answering byte by byte as the real one does: what of a request its model sees,
// how it streams, and how it says that a request is too long. Written after their public source and reports.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { WireName } from '../../lib/ai/wires/wire.ts'
import { type FakeMessage, framesOf, message, text, toolUse } from './fake-messages.ts'
import { listen } from './listen.ts'

type Dict = Record<string, unknown>

/** What the model is shown, and what it then says. */
type Seen = { text: string; tools: string[]; images: number; results: number }
export type Mind = (seen: Seen) => Said
type Said = {
  thinking?: string
  text?: string
  calls?: { name: string; input: Dict }[]
  overflow?: boolean
  slow?: boolean
}

export type Profile = {
  name: string
  wires: WireName[]
  /** Whether parts of the type `search_result` reach the model. */
  seesBlocks: boolean
  seesImages: boolean
  /** Where thinking stands in a stream of Chat Completions. */
  thinkingIn: 'reasoning_content' | 'reasoning' | 'tags'
  /** Whether calls come in one piece. */
  wholeCalls?: boolean
  /** Sent while nothing else is. */
  comment?: string
  /** How it says that a request is too long. */
  overflow: { status: number; body: unknown } | { event: unknown }
  /** What it says of numbers then. */
  names: { context: number | null; needed: number | null }
}

const error = (type: string | null, words: string, more: Dict = {}) => ({
  error: { type, message: words, ...more },
})
const named = { context: 4096, needed: 9300 }

export const profiles: readonly Profile[] = [
  {
    name: 'Anthropic',
    wires: ['messages'],
    ...{ seesBlocks: true, seesImages: true, thinkingIn: 'reasoning_content' },
    overflow: {
      status: 400,
      body: {
        type: 'error',
        ...error('invalid_request_error', 'prompt is too long: 9300 tokens > 4096 maximum'),
      },
    },
    names: named,
  },
  {
    name: 'Ollama',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: true, thinkingIn: 'reasoning', wholeCalls: true },
    overflow: {
      status: 400,
      body: error('invalid_request_error', 'the input length exceeds the context length'),
    },
    names: { context: null, needed: null },
  },
  {
    name: 'llama.cpp',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: false, thinkingIn: 'reasoning_content' },
    overflow: {
      status: 500,
      body: error(
        'exceed_context_size_error',
        'the request exceeds the available context size, try increasing it',
        {
          code: 500,
          n_prompt_tokens: 9300,
          n_ctx: 4096,
        },
      ),
    },
    names: named,
  },
  {
    name: 'LM Studio',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: true, thinkingIn: 'tags' },
    overflow: {
      event: error(
        null,
        'Trying to keep the first 9300 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      ),
    },
    names: named,
  },
  {
    name: 'LiteLLM',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: true, thinkingIn: 'reasoning_content' },
    overflow: {
      status: 400,
      body: error(
        null,
        "litellm.ContextWindowExceededError: This model's maximum context length is 4,096 tokens. However, you requested 9,300 tokens.",
        { code: '400' },
      ),
    },
    names: named,
  },
  {
    name: 'OpenRouter',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: true, thinkingIn: 'reasoning', comment: ': OPENROUTER PROCESSING' },
    overflow: {
      event: {
        id: 'gen-1',
        ...error(
          null,
          "This endpoint's maximum context length is 4096 tokens. However, you requested about 9300 tokens.",
          {
            code: 400,
          },
        ),
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
    },
    names: named,
  },
  {
    name: 'vLLM',
    wires: ['messages', 'chat'],
    ...{ seesBlocks: false, seesImages: true, thinkingIn: 'reasoning_content' },
    overflow: {
      status: 400,
      body: error(
        'BadRequestError',
        "This model's maximum context length is 4096 tokens. However, your request has 9300 input tokens. Please reduce the length of the input messages.",
        { code: 400, param: null },
      ),
    },
    names: named,
  },
]

export type ModelServer = { url: string; bodies: Dict[] }

/** `url` has no version at its end. */
export async function startModelServer(profile: Profile, mind: Mind): Promise<ModelServer> {
  const bodies: Dict[] = []
  const url = await listen(async (request, response) => {
    const body = await readBody(request)
    const wire = request.url?.startsWith('/v1/messages') ? 'messages' : 'chat'
    const isThere = request.url === (wire === 'messages' ? '/v1/messages' : '/v1/chat/completions')
    if (!isThere || !profile.wires.includes(wire)) return json(response, 404, { detail: 'Not Found' })
    bodies.push(body)
    const said = mind(seenIn(body, profile))
    if (said.overflow && 'status' in profile.overflow)
      return json(response, profile.overflow.status, profile.overflow.body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (said.slow && profile.comment) await comment(response, profile.comment)
    if (said.overflow && 'event' in profile.overflow) {
      response.end(`event: error\ndata: ${JSON.stringify(profile.overflow.event)}\n\n`)
      return
    }
    const frames = wire === 'messages' ? messagesFrames(said, profile) : chatFrames(said, profile)
    await writeInPieces(response, frames.join(''))
  })
  return { url, bodies }
}

async function readBody(request: IncomingMessage): Promise<Dict> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function comment(response: ServerResponse, words: string): Promise<void> {
  for (let count = 0; count < 6; count += 1) {
    response.write(`${words}\n\n`)
    await delay(60)
  }
}

/** Cut within characters, words of the protocol and JSON. */
async function writeInPieces(response: ServerResponse, frames: string): Promise<void> {
  const bytes = Buffer.from(frames)
  for (let at = 0; at < bytes.length; at += 97) {
    response.write(bytes.subarray(at, at + 97))
    if (at % (97 * 8) === 0) await new Promise(setImmediate)
  }
  response.end()
}

// What reaches the model: the texts of all messages, as the server's template would join them.

function seenIn(body: Dict, { seesBlocks, seesImages }: Profile): Seen {
  const seen: Seen = { text: '', tools: [], images: 0, results: 0 }
  const tools = body.tool_choice === 'none' ? [] : ((body.tools as Dict[] | undefined) ?? [])
  seen.tools = tools.map((tool) => String((tool.function as Dict | undefined)?.name ?? tool.name))
  see(body.system)
  for (const each of body.messages as Dict[]) {
    if (each.role === 'tool') seen.results += 1
    see(each.content)
  }
  return seen

  function see(content: unknown): void {
    if (typeof content === 'string') seen.text += `${content}\n`
    for (const part of Array.isArray(content) ? (content as Dict[]) : []) {
      if (part.type === 'text') seen.text += `${part.text}\n`
      if (part.type === 'tool_result') {
        seen.results += 1
        see(part.content)
      }
      if (part.type === 'search_result' && seesBlocks) {
        seen.text += `<source ${part.source}>\n`
        see(part.content)
      }
      if ((part.type === 'image' || part.type === 'image_url') && seesImages) seen.images += 1
    }
  }
}

function messagesFrames(said: Said, profile: Profile): string[] {
  const begin =
    said.thinking && profile.thinkingIn === 'tags'
      ? [text(`<think>\n${said.thinking}\n</think>\n\n${said.text ?? ''}`, { deltas: 9 })]
      : []
  const thought = {
    block: { type: 'thinking', thinking: '', signature: '' },
    deltas: [{ type: 'thinking_delta', thinking: said.thinking ?? '' }],
  }
  const blocks: FakeMessage['blocks'] = [
    ...(said.thinking && profile.thinkingIn !== 'tags' ? [thought] : []),
    ...(begin.length > 0 ? begin : said.text ? [text(said.text, { deltas: 5 })] : []),
    ...(said.calls ?? []).map(({ name, input }, at) => toolUse(name, input, { id: `toolu_${at}` })),
  ]
  return framesOf(message(blocks))
}

function chatFrames(said: Said, { thinkingIn, wholeCalls = false }: Profile): string[] {
  const chunk = (delta: Dict, finish_reason: string | null = null) =>
    frame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  const tagged = said.thinking && thinkingIn === 'tags' ? `<think>\n${said.thinking}\n</think>\n\n` : ''
  const calls = said.calls ?? []
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(said.thinking && thinkingIn !== 'tags'
      ? pieces(said.thinking).map((part) => chunk({ [thinkingIn]: part }))
      : []),
    ...pieces(tagged + (said.text ?? '')).map((part) => chunk({ content: part })),
    ...calls.flatMap(({ name, input }, index) => {
      const args = JSON.stringify(input)
      // Ollama sends each call whole, and calls all of them the first.
      if (wholeCalls)
        return [
          chunk({
            tool_calls: [
              { index: 0, id: `call_${index}x`, type: 'function', function: { name, arguments: args } },
            ],
          }),
        ]
      return [
        chunk({
          tool_calls: [{ index, id: `call_${index}x`, type: 'function', function: { name, arguments: '' } }],
        }),
        ...pieces(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]
    }),
    chunk({}, calls.length > 0 && !wholeCalls ? 'tool_calls' : 'stop'),
    frame({
      choices: [],
      usage: { prompt_tokens: 120, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } },
    }),
    'data: [DONE]\n\n',
  ]
}

const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const pieces = (value: string): string[] => value.match(/[\s\S]{1,5}/g) ?? []
