// Any JSON as any field of anything that a model says: the turn goes on, and what is stored and sent back is clean.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallModel, type ModelMessage, type ModelResponse, noUsage } from '../../../lib/ai/model.ts'
import { messagesWire } from '../../../lib/ai/wires/messages.ts'
import { createStreamFold } from '../../../lib/ai/wires/read-response.ts'
import { createCitationChecker } from '../../../lib/companion/reading/citations.ts'
import { whyRefused } from '../../helpers/messages-api-rules.ts'
import { question, teaRegistry, tellTurn } from '../tea-house.ts'

const dirty = fc.constantFrom('\0', 'sea\0rch', 'search', 'a\uD83D', '\uDE00', 'toolu_1', 'void://page/x')
const anyJson = fc.oneof(
  dirty,
  fc.jsonValue(),
  fc.constant({ toString: 5, valueOf: 5 }),
  fc.dictionary(dirty, fc.oneof(dirty, fc.jsonValue())),
)
const citation = fc.oneof(
  anyJson,
  fc.record({ type: anyJson, cited_text: anyJson, source: anyJson, title: anyJson }, { requiredKeys: [] }),
)
const type = fc.constantFrom(
  'text',
  'tool_use',
  'thinking',
  'redacted_thinking',
  'tool_result',
  'search_result',
)
const block = fc.record(
  {
    type: fc.oneof({ weight: 6, arbitrary: type }, anyJson),
    text: anyJson,
    id: anyJson,
    name: anyJson,
    input: anyJson,
    thinking: anyJson,
    signature: anyJson,
    data: anyJson,
    tool_use_id: anyJson,
    content: anyJson,
    source: anyJson,
    title: anyJson,
    citations: fc.oneof(anyJson, fc.array(citation, { maxLength: 3 })),
  },
  { requiredKeys: ['type'] },
)
const message = fc.record({
  content: fc.array(fc.oneof({ weight: 6, arbitrary: block }, anyJson), { maxLength: 4 }),
  stop_reason: fc.oneof(fc.constantFrom('end_turn', 'tool_use', 'pause_turn', 'max_tokens'), anyJson),
  usage: fc.constant(null),
})

function responseOf(whole: { content: unknown; stop_reason: unknown; usage: unknown }): ModelResponse {
  const fold = createStreamFold({ onText: () => {} })
  for (const event of messagesWire.startReader().whole(whole)) fold.add(event)
  return { ...fold.response(), usage: noUsage }
}

/** Says these in turn, the last one for ever. */
function says(script: readonly Parameters<typeof responseOf>[0][], requests: ModelMessage[][]): CallModel {
  return async ({ messages }) =>
    responseOf(structuredClone(script[Math.min(requests.push(messages), script.length) - 1]!))
}

const refusal = (messages: ModelMessage[]) => {
  const body = { model: 'm', max_tokens: 1, messages, tools: teaRegistry().toAnthropicTools() }
  return whyRefused(body, JSON.stringify(body))
}

// An even number of backslashes before it is text that merely looks like an escape.
const isClean = (value: unknown) => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value) ?? '')

test('whatever JSON a field of a block is, the turn ends in a history that the API takes, all of it clean', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 3 }), async (script) => {
      const requests: ModelMessage[][] = []
      const citations = createCitationChecker(async () => null)

      const { result, events, steps, toolErrors } = await tellTurn({
        callModel: says(script, requests),
        readCitations: citations.read,
        maxIterations: 3,
      })

      for (const messages of requests) expect(refusal(messages)).toBeNull()
      const next: ModelMessage = { role: 'user', content: 'And oolong?' }
      expect(refusal([...question, ...result.messages, next])).toBeNull()
      expect(toolErrors).toEqual([])
      for (const said of [events, result.toolTrace, result.stopReason, result.messages])
        expect(isClean(said)).toBe(true)
      for (const step of steps) expect(isClean('content' in step ? step.content : step)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('a NUL in a name, an id and an argument of a call costs the call nothing', async () => {
  const call = { type: 'tool_use', id: 'toolu\0_1', name: 'sea\0rch', input: { 'q\0': 'green\0 tea' } }
  const { events, result } = await tellTurn({
    callModel: says(
      [
        { content: [call], stop_reason: 'tool_use', usage: null },
        { content: [{ type: 'text', text: 'Sencha.' }], stop_reason: 'end_turn', usage: null },
      ],
      [],
    ),
  })

  expect(events.filter((event) => event.type === 'tool').at(-1)?.data).toMatchObject({
    tool: 'search',
    tool_use_id: 'toolu_1',
    args: { q: 'green tea' },
    status: 'done',
  })
  expect(result).toMatchObject({ stopReason: 'end_turn', error: null })
})
