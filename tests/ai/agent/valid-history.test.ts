// Whatever a model says, what goes back is a history that the API takes. A refused one is a thread that is dead.

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type CallModel, type ContentBlock, type ModelMessage, noUsage } from '../../../lib/ai/model.ts'
import {
  type FakeAnthropic,
  message,
  rawToolUse,
  startFakeAnthropic,
  text,
  thinking,
  toolUse,
} from '../../helpers/fake-anthropic.ts'
import { whyRefused } from '../../helpers/messages-api-rules.ts'
import { modelOver, wireNames } from '../../helpers/over-wires.ts'
import { question, searching, teaRegistry, tellTurn } from '../tea-house.ts'

const words = fc.oneof(fc.string(), fc.constantFrom('', ' ', '\0', '\uD83D', 'a\uDE00b', '🍵'))
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  words.map((value) => ({ type: 'text', text: value })),
  fc.record({
    type: fc.constant('tool_use'),
    id: fc.constantFrom('a', 'a', 'b', '', 'no good'),
    name: fc.constantFrom('search', 'propose', 'brew', '', 'no good!'),
    input: fc.oneof(
      fc.record({ q: words }),
      fc.record({ title: words }),
      words,
      fc.constant(null),
      fc.array(words),
    ),
  }),
  fc.constant({ type: 'thinking', thinking: 'Hmm', signature: 'c2ln' }),
  fc.constant({ type: 'redacted_thinking', data: 'c2VjcmV0' }),
)
const stopReason = fc.constantFrom(
  ...['end_turn', 'stop_sequence', 'tool_use', 'max_tokens', 'pause_turn', 'refusal', 'tea_break'],
  ...['model_context_window_exceeded', null],
)
const said = fc.record({
  content: fc.array(block, { maxLength: 4 }),
  stopReason,
  fails: fc.integer({ min: 0, max: 9 }),
})

/** Says each of these in turn, the last one for ever; 'fails' of 0 breaks the call off after the text was told. */
function babble(
  script: { content: ContentBlock[]; stopReason: string | null; fails: number }[],
  heard: ModelMessage[][],
): CallModel {
  return async ({ messages, onTextDelta }) => {
    const step = script[Math.min(heard.push(messages), script.length) - 1]
    const content = structuredClone(step?.content ?? [])
    const isText = (part: ContentBlock): part is { type: 'text'; text: string } => part.type === 'text'
    const value = content
      .filter(isText)
      .map((part) => part.text)
      .join('')
    onTextDelta?.(value)
    if (step?.fails === 0) throw new Error('down')
    return { text: value, content, toolUses: [], stopReason: step?.stopReason ?? null, usage: noUsage }
  }
}

/** Said once more when no call is left: without the call, the thinking would stand last. */
const thinkingBeforeCalls = {
  content: [
    { type: 'text', text: 'Let me see.' },
    { type: 'thinking', thinking: 'Hmm', signature: 'c2ln' },
    { type: 'tool_use', id: 'a', name: 'search', input: { q: 'tea' } },
  ],
  stopReason: 'end_turn',
  fails: 1,
}

const refusal = (messages: ModelMessage[]) => {
  const body = { model: 'm', max_tokens: 1, messages, tools: teaRegistry().toAnthropicTools() }
  return whyRefused(body, JSON.stringify(body))
}

describe('a history', () => {
  it('is valid in every request and at every end, whatever the model said', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 4 }), async (script) => {
        const heard: ModelMessage[][] = []

        const { result, events } = await tellTurn({
          callModel: babble(script, heard),
          compact: async (messages) => [...messages],
          maxIterations: 3,
        })

        for (const messages of heard) expect(refusal(messages)).toBeNull()
        const next: ModelMessage = { role: 'user', content: 'And oolong?' }
        expect(refusal([...(result.compacted ?? question), ...result.messages, next])).toBeNull()
        expect(events.map((event) => (event.type === 'delta' ? event.data.text : '')).join('')).toBe(
          result.text,
        )
      }),
      { examples: [[[thinkingBeforeCalls]]] },
    )
  })
})

describe.each(wireNames)('a turn over %s', (wire) => {
  let fake: FakeAnthropic
  afterEach(() => fake.close())

  async function modelOf(replies: Parameters<typeof startFakeAnthropic>[0]): Promise<CallModel> {
    fake = await startFakeAnthropic(replies)
    return modelOver(wire, fake)
  }

  it('passes all that the API checks, from thinking to the last answer without tools', async () => {
    const callModel = await modelOf([
      [
        thinking('Let me see'),
        text('One moment.'),
        toolUse('search', { q: 'tea' }),
        toolUse('brew', {}, { id: 'x' }),
      ],
      [rawToolUse('search', '{"q": "te', { id: 'cut' })],
      message([thinking('Hm'), toolUse('search', { q: 'a\uD83D\0' }, { id: 'x' })], {
        stopReason: 'max_tokens',
      }),
      [text('Sencha.')],
    ])

    const { result } = await tellTurn({ callModel, maxIterations: 3 })

    expect(fake.refused).toEqual([])
    expect(result).toMatchObject({
      text: 'One moment.\n\nSencha.',
      stopReason: 'iteration_limit',
      error: null,
    })
    expect(result.toolTrace.map((entry) => entry.status)).toEqual(['done', 'error', 'error', 'error'])
    const signed = { thinking: 'Let me see', signature: 'c2lnbmF0dXJl' }
    // Over Chat Completions until the next thing that is said to the model.
    expect(fake.requests[wire === 'chat' ? 1 : 3]?.body.messages[1]?.content[0]).toMatchObject(
      wire === 'chat' ? { reasoning: 'Let me see' } : signed,
    )
  })

  it('hangs up on the server when it is stopped', async () => {
    const stop = new AbortController()
    const callModel = await modelOf([message([text('Sencha is')], { silentAfter: 4 })])

    const { result } = await tellTurn({ callModel, signal: stop.signal, onEvent: () => stop.abort() })

    expect(result).toMatchObject({ text: 'Sencha is', stopReason: 'aborted' })
    await fake.whenAborted()
  })

  it.runIf(wire === 'messages')('gives search results to the model with citations on', async () => {
    const callModel = await modelOf([toolUse('search', { q: 'tea' }), text('Sencha.')])
    const registry = teaRegistry({
      ...searching(async () => ({ found: 'Sencha is green' })),
      render: ({ found }) => [
        {
          type: 'search_result',
          source: 'page:1',
          title: 'Tea',
          content: [{ type: 'text', text: found }],
          citations: { enabled: true },
        },
      ],
    })

    await tellTurn({ callModel, registry })

    expect(fake.requests[1]?.body.messages[2]?.content).toMatchObject([
      { type: 'tool_result', content: [{ type: 'search_result', content: [{ text: 'Sencha is green' }] }] },
    ])
  })
})
