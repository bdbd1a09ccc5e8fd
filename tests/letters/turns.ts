// A Void over HTTP whose model makes the calls that a test names, and what it is then told.

import { type CallModel, type ModelRequest, noUsage, type ToolResultBlock } from '../../lib/ai/model.ts'
import { buildApp, type TestApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { type Frame, takeTurn } from '../helpers/turn-client.ts'

type Call = { name: string; input: unknown }
type Told = { text: string; isError: boolean }

export type Letters = TestApp & {
  url: string
  /** What the model was asked last, call by call. */
  requests: ModelRequest[]
  /** Sends a message, for which the model makes these calls and ends; the frames, and what it was told of each call. */
  turn(
    space_id: string,
    calls: readonly Call[],
    body?: Record<string, unknown>,
  ): Promise<{ frames: Frame[]; told: Told[] }>
}

export async function startLetters(options: Parameters<typeof buildApp>[0] = {}): Promise<Letters> {
  const requests: ModelRequest[] = []
  let next: readonly Call[] = []
  const callModel: CallModel = async (request) => {
    requests.push({ ...request, messages: structuredClone(request.messages) })
    const calls = next.map((call, at) => ({ ...call, id: `call_${at + 1}_${requests.length}` }))
    next = []
    return {
      text: calls.length > 0 ? '' : 'Done.',
      content:
        calls.length > 0
          ? calls.map((call) => ({ type: 'tool_use' as const, ...call }))
          : [{ type: 'text', text: 'Done.' }],
      toolUses: calls,
      stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
      usage: { ...noUsage, input_tokens: 10, output_tokens: 5 },
    }
  }
  const app = await buildApp({ callModel, ...options })
  const url = await listen(app.app)
  return {
    ...app,
    url,
    requests,
    async turn(space_id, calls, body = {}) {
      requests.length = 0
      next = calls
      const frames = await takeTurn({ url, space_id, body: { text: 'Do it.', ...body } })
      return { frames, told: calls.length > 0 ? toldIn(requests.at(-1)) : [] }
    },
  }
}

function toldIn(request: ModelRequest | undefined): Told[] {
  const content = request?.messages.at(-1)?.content ?? []
  const blocks = typeof content === 'string' ? [] : content
  return blocks
    .filter((block): block is ToolResultBlock => block.type === 'tool_result')
    .map((block) => ({
      text: typeof block.content === 'string' ? block.content : JSON.stringify(block.content),
      isError: block.is_error === true,
    }))
}
