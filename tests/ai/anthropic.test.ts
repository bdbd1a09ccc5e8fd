import { afterEach, describe, expect, it } from 'vitest'
import type { CallModel, ModelMessage, ModelRequest } from '../../lib/ai/model.ts'
import { type CallModelOptions, createModelClient, makeCallModel } from '../../lib/ai/wires/call-model.ts'
import {
  type FakeAnthropic,
  type FakeReply,
  message,
  rawToolUse,
  redactedThinking,
  startFakeAnthropic,
  text,
  thinking,
  toolUse,
} from '../helpers/fake-anthropic.ts'
import { question, teaRegistry } from './tea-house.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function connect(
  replies: FakeReply[],
  over: Partial<CallModelOptions> = {},
): Promise<{ fake: FakeAnthropic; callModel: CallModel }> {
  const fake = await startFakeAnthropic(replies)
  cleanups.push(fake.close)
  const client = createModelClient({ apiKey: 'sk-tea-house', baseURL: fake.url })
  return { fake, callModel: makeCallModel({ client, model: 'sencha-1', maxTokens: 512, ...over }) }
}

const ask = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You keep the tea house.',
  messages: question,
  tools: teaRegistry().toAnthropicTools(),
  ...over,
})

const cited = { type: 'search_result_location', cited_text: 'Sencha is green', search_result_index: 0 }

describe('a call of the Messages API', () => {
  it('streams the text and gives back every block as it was sent', async () => {
    const { callModel } = await connect([
      [
        thinking('Sencha?'),
        redactedThinking('c2VjcmV0'),
        text('Sencha is.', { deltas: 5, citations: [cited] }),
        toolUse('search', { q: 'tea' }, { id: 'toolu_1' }),
      ],
    ])
    const deltas: string[] = []

    const response = await callModel(ask({ onTextDelta: (delta) => deltas.push(delta) }))

    const call = { id: 'toolu_1', name: 'search', input: { q: 'tea' } }
    expect(deltas).toEqual(['Se', 'nc', 'ha', ' i', 's.'])
    expect(response).toEqual({
      text: 'Sencha is.',
      content: [
        { type: 'thinking', thinking: 'Sencha?', signature: 'c2lnbmF0dXJl' },
        { type: 'redacted_thinking', data: 'c2VjcmV0' },
        { type: 'text', text: 'Sencha is.', citations: [cited] },
        { type: 'tool_use', ...call },
      ],
      toolUses: [call],
      stopReason: 'tool_use',
      usage: {
        input_tokens: 100,
        output_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    })
  })

  it.each([
    'end_turn',
    'stop_sequence',
    'max_tokens',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
    'tea_break',
    null,
  ])('passes on the stop reason %s', async (stopReason) => {
    const { callModel } = await connect([message([text('Tea.')], { stopReason })])

    expect((await callModel(ask())).stopReason).toBe(stopReason)
  })

  it('names the model, the key, the limit and the streaming', async () => {
    const { fake, callModel } = await connect([text('Tea.')])

    await callModel(ask())

    expect(fake.requests[0]?.body).toMatchObject({ model: 'sencha-1', max_tokens: 512, stream: true })
    expect(JSON.stringify(fake.requests[0]?.headers)).toContain('sk-tea-house')
  })

  it('gives the counts of the cache', async () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 40,
      cache_read_input_tokens: 500,
      output_tokens: 9,
    }
    const { callModel } = await connect([message([text('Tea.')], { usage })])

    expect((await callModel(ask())).usage).toEqual(usage)
  })

  it('never tells half of a surrogate pair', async () => {
    const { callModel } = await connect([text('🍵🍵', { deltas: 4 })])
    const deltas: string[] = []

    const response = await callModel(ask({ onTextDelta: (delta) => deltas.push(delta) }))

    expect(deltas).toEqual(['🍵', '🍵'])
    expect(response.text).toBe('🍵🍵')
  })

  it.each([
    ['broken off', '{"q": "te'],
    ['a list', '[1]'],
    ['a string', '"tea"'],
  ])('keeps arguments that are %s as the string that came, and sends an object back', async (_, json) => {
    const { callModel } = await connect([rawToolUse('search', json)])

    const { toolUses, content } = await callModel(ask())

    expect(toolUses[0]?.input).toBe(json)
    expect(content).toMatchObject([{ type: 'tool_use', input: { invalid_json: json } }])
  })

  it('takes a call without arguments as an empty object', async () => {
    const { callModel } = await connect([rawToolUse('context', '')])

    expect((await callModel(ask())).toolUses[0]?.input).toEqual({})
  })
})

describe('a server that speaks less of the protocol', () => {
  it('may leave out usage', async () => {
    const { callModel } = await connect([message([text('Tea.')], { usage: null })])

    expect((await callModel(ask())).usage.output_tokens).toBe(0)
  })

  it('may keep the connection open after the end', async () => {
    const { callModel } = await connect([message([text('Tea.')], { openEnd: true })])

    expect((await callModel(ask())).text).toBe('Tea.')
  })

  it('may answer in one piece', async () => {
    const whole = { type: 'message', content: [{ type: 'text', text: 'Tea.' }], stop_reason: 'end_turn' }
    const client = createModelClient({ apiKey: 'any', fetch: async () => Response.json(whole) })
    const deltas: string[] = []

    const response = await makeCallModel({ client, model: 'm', maxTokens: 1 })(
      ask({ onTextDelta: (t) => deltas.push(t) }),
    )

    expect(response).toMatchObject({ text: 'Tea.', stopReason: 'end_turn', content: whole.content })
    expect(deltas).toEqual(['Tea.'])
  })

  it('may send data without naming the events, comments, and a closing [DONE]', async () => {
    const lines = [
      ': keep-alive',
      'data: {"type":"message_start","message":{}}',
      'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Te"}}',
      'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"a."}}',
      'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}',
      'data: [DONE]',
    ]
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = async () => new Response(`${lines.join('\n\n')}\n\n`, { headers })
    const client = createModelClient({ apiKey: 'any', fetch })

    const response = await makeCallModel({ client, model: 'm', maxTokens: 1 })(ask())

    expect(response).toMatchObject({ content: [{ type: 'text', text: 'Tea.' }], stopReason: 'end_turn' })
  })
})

describe('the cache of the prompt', () => {
  const marker = { type: 'ephemeral' }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Notes' }
  const history: ModelMessage[] = [
    { role: 'user', content: 'Which tea is green?' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'tea' } }],
    },
    { role: 'user', content: [result, { type: 'text', text: 'Well?' }] },
  ]

  it('is marked on the tools, the system prompt, the last message and the owner’s before it', async () => {
    const { fake, callModel } = await connect([text('Sencha.')])

    await callModel(ask({ messages: history }))

    const body = fake.requests[0]?.body
    expect(body?.tools?.map((tool) => tool.cache_control)).toEqual([undefined, marker])
    expect(body?.system).toEqual([{ type: 'text', text: 'You keep the tea house.', cache_control: marker }])
    expect(body?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Which tea is green?', cache_control: marker }] },
      history[1],
      { role: 'user', content: [result, { type: 'text', text: 'Well?', cache_control: marker }] },
    ])
  })

  it('is marked behind what the system prompt begins with in every turn', async () => {
    const { fake, callModel } = await connect([text('Sencha.')])
    const system = 'You keep the tea house.\nIt is raining.'

    await callModel(ask({ system, systemFixed: 23 }))

    expect(fake.requests[0]?.body.system).toEqual([
      { type: 'text', text: 'You keep the tea house.', cache_control: marker },
      { type: 'text', text: '\nIt is raining.' },
    ])
  })

  it('is marked on copies: the caller’s own blocks stay as they are', async () => {
    const before = structuredClone(history)
    const request = ask({ messages: history })
    const { callModel } = await connect([text('Sencha.')])

    await callModel(request)

    expect(history).toEqual(before)
    expect(request.tools).toEqual(teaRegistry().toAnthropicTools())
  })

  it('is never marked on thinking, which the API refuses', async () => {
    const paused: ModelMessage[] = [
      ...question,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait' },
          { type: 'server_tool_use', id: 's' },
        ],
      },
    ]
    const { fake, callModel } = await connect([text('Sencha.')])

    await callModel(ask({ messages: paused }))

    expect(fake.requests[0]?.body.messages[1]?.content[1]).toEqual({
      type: 'server_tool_use',
      id: 's',
      cache_control: marker,
    })
    expect(fake.refused).toEqual([])
  })

  it('keeps withheld tools in place and forbids their use', async () => {
    const { fake, callModel } = await connect([text('Sencha.')])

    await callModel(ask({ messages: history, tools: [], withheldTools: teaRegistry().toAnthropicTools() }))

    expect(fake.requests[0]?.body).toMatchObject({
      tools: [{}, { cache_control: marker }],
      tool_choice: { type: 'none' },
    })
  })

  it('leaves out an empty system prompt and an empty list of tools', async () => {
    const { fake, callModel } = await connect([text('Sencha.')])

    await callModel(ask({ system: '', tools: [] }))

    expect(fake.requests[0]?.body).not.toHaveProperty('system')
    expect(fake.requests[0]?.body).not.toHaveProperty('tools')
  })
})
