// What a server refuses by name is left out from then on, whatever it is, and the call goes through.

import { describe, expect, test } from 'vitest'
import {
  type Abilities,
  allAbilities,
  takesThinking,
  unknownAbilities,
} from '../../../lib/ai/adapt/abilities.ts'
import { adaptTo } from '../../../lib/ai/adapt/adapt-to.ts'
import type { ModelRequest } from '../../../lib/ai/model.ts'
import { createModelClient, makeCallModel } from '../../../lib/ai/wires/call-model.ts'
import { chatWire } from '../../../lib/ai/wires/chat-completions.ts'
import { messagesWire } from '../../../lib/ai/wires/messages.ts'
import type { WireName } from '../../../lib/ai/wires/wire.ts'
import { listen } from '../../helpers/listen.ts'

type Body = Record<string, unknown>

const asked: ModelRequest = {
  system: 'You keep a Space.',
  messages: [{ role: 'user', content: 'What does the lamp burn?' }],
  tools: [{ name: 'search', description: 'Search.', input_schema: { type: 'object', properties: {} } }],
}
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }

/** A server that says with which words it refuses a body; `null`: it answers. */
async function connect(
  wire: WireName,
  refuse: (body: Body) => string | null,
  start: Abilities = unknownAbilities,
  status = 400,
) {
  const bodies: Body[] = []
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: Body = JSON.parse(Buffer.concat(chunks).toString())
    bodies.push(body)
    const words = refuse(body)
    const answer =
      wire === 'chat'
        ? { choices: [{ message: { content: 'Oil.' }, finish_reason: 'stop' }] }
        : { content: [{ type: 'text', text: 'Oil.' }], stop_reason: 'end_turn' }
    response
      .writeHead(words ? status : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(words ? { error: { type: 'invalid_request_error', message: words } } : answer))
  })
  const client = createModelClient({
    wire: wire === 'chat' ? chatWire : messagesWire,
    apiKey: 'k',
    baseURL: url,
    maxRetries: 0,
  })
  let known = start
  const callModel = adaptTo(
    makeCallModel({ client, model: 'm', maxTokens: 16_384, maxOverloadRetries: 0, sleep: async () => {} }),
    {
      wire,
      abilities: () => known,
      learn: async (found) => {
        known = { ...known, ...found }
      },
    },
  )
  return { callModel, bodies, known: () => known }
}

const has = (body: Body, words: string) => JSON.stringify(body).includes(words)

type Case = [
  name: string,
  wire: WireName,
  request: Partial<ModelRequest>,
  refuse: (body: Body) => string | null,
  learned: Partial<Abilities>,
]

const effort = (body: Body, words: string) => ('reasoning_effort' in body ? words : null)

describe.each(['chat', 'messages'] as const)('alternatives in a tool over %s', (wire) => {
  const shape = (name: string) => ({
    ...{ title: name, type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
  const payload = { anyOf: [shape('page'), shape('task')] }
  const draft = { type: 'object', properties: { payload } }
  const tools = [{ name: 'draft', description: 'Draft.', input_schema: draft }]

  test.each([
    'Invalid JSON payload received. Unknown name "anyOf" at \'tools[0].function.parameters.properties\'',
    'Unable to submit request: functionDeclaration `draft` parameters.payload specified other fields alongside any_of.',
    'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
    'JSON schema conversion failed: Unrecognized schema: {"anyOf":[]}',
    'failed to parse grammar',
    'json: cannot unmarshal array into Go struct field .tools.function.parameters.properties of type string',
  ])('refused with “%s” go out as one object from then on', async (words) => {
    const { callModel, bodies, known } = await connect(
      wire,
      (body) => (has(body, '"anyOf"') ? words : null),
      { ...unknownAbilities, unions: true },
    )

    const first = await callModel({ ...asked, tools })
    await callModel({ ...asked, tools })

    expect(first.text).toBe('Oil.')
    expect(bodies.map((body) => has(body, '"anyOf"'))).toEqual([true, false, false])
    expect(known()).toEqual({ ...unknownAbilities, unions: false })
  })

  test('are kept where something else is refused', async () => {
    const { callModel, bodies, known } = await connect(wire, () => 'This model does not support tools.', {
      ...unknownAbilities,
      unions: true,
    })

    await expect(callModel({ ...asked, tools })).rejects.toThrow('does not support tools')
    expect([bodies.length, known().unions]).toEqual([1, true])
  })
})

describe('refused by name, it is left out for good', () => {
  test.each<Case>([
    [
      'an effort',
      'chat',
      { thinking: 'high' },
      (body) => effort(body, 'Unrecognized request argument supplied: reasoning_effort'),
      { refused: ['effort'] },
    ],
    [
      'an effort, by what it does',
      'chat',
      { thinking: 'low' },
      (body) => effort(body, '"llama3.2" does not support thinking'),
      { refused: ['effort'] },
    ],
    [
      'an effort, by a proxy',
      'chat',
      { thinking: 'low' },
      (body) =>
        effort(
          body,
          "litellm.UnsupportedParamsError: hosted_vllm does not support parameters: ['reasoning_effort']",
        ),
      { refused: ['effort'] },
    ],
    [
      'no thinking',
      'chat',
      { thinking: 'off' },
      (body) =>
        body.reasoning_effort === 'none'
          ? "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', and 'high'."
          : null,
      { refused: ['off'] },
    ],
    [
      'no thinking',
      'messages',
      { thinking: 'off' },
      (body) => (has(body, 'disabled') ? 'thinking.type: disabled is not supported on this model' : null),
      { refused: ['off'] },
    ],
    [
      'both manners',
      'messages',
      { thinking: 'high' },
      (body) => ('thinking' in body ? 'thinking: Extra inputs are not permitted' : null),
      { refused: ['adaptive', 'budget'] },
    ],
    [
      'the effort of an adaptive model',
      'messages',
      { thinking: 'high' },
      (body) => ('output_config' in body ? 'output_config: Extra inputs are not permitted' : null),
      { refused: ['effort'] },
    ],
    [
      'prompt caching',
      'messages',
      {},
      (body) =>
        has(body, 'cache_control') ? 'system.0.cache_control: Extra inputs are not permitted' : null,
      { refused: ['caching'] },
    ],
    [
      'counts in the stream',
      'chat',
      {},
      (body) => ('stream_options' in body ? 'Unknown parameter: stream_options' : null),
      { refused: ['stream_options'] },
    ],
    [
      'the old name of the limit',
      'chat',
      {},
      (body) =>
        'max_tokens' in body
          ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
          : null,
      { refused: ['max_tokens'] },
    ],
    [
      'a limit beyond its own',
      'chat',
      {},
      (body) =>
        Number(body.max_tokens) > 4096
          ? 'max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas you provided 16384.'
          : null,
      { maxTokens: 4096 },
    ],
    [
      'a limit beyond its own',
      'messages',
      {},
      (body) =>
        Number(body.max_tokens) > 8192
          ? 'max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for m'
          : null,
      { maxTokens: 8192 },
    ],
    [
      'a choice of tools',
      'chat',
      { tools: [], withheldTools: asked.tools },
      (body) => ('tool_choice' in body ? '"none" is not supported for tool_choice' : null),
      { toolChoice: false },
    ],
    [
      'images',
      'chat',
      { messages: [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }] },
      (body) => (has(body, 'image_url') ? 'image input is not supported' : null),
      { images: false },
    ],
  ])('%s (%s)', async (_, wire, request, refuse, learned) => {
    const { callModel, bodies, known } = await connect(wire, refuse)

    const first = await callModel({ ...asked, ...request })
    const tries = bodies.length
    await callModel({ ...asked, ...request })

    expect(first.text).toBe('Oil.')
    expect(known()).toMatchObject(learned)
    expect(bodies.length - tries).toBe(1)
  })
})

test('images that a server refuses with an error of its own are left out, too', async () => {
  const messages = [{ role: 'user' as const, content: [image] }]
  const refuse = (body: Body) =>
    has(body, 'image_url') ? 'image input is not supported - hint: mmproj' : null
  const { callModel, known } = await connect('chat', refuse, unknownAbilities, 500)

  expect((await callModel({ ...asked, messages })).text).toBe('Oil.')
  expect(known().images).toBe(false)
})

test('an image that a server refuses which sees images is left out once', async () => {
  const messages = [{ role: 'user' as const, content: [image] }]
  const refuse = (body: Body) => (has(body, 'aGk=') ? 'image exceeds 5 MB maximum' : null)
  const { callModel, known } = await connect('messages', refuse, allAbilities)

  await callModel({ ...asked, messages })

  expect(known().images).toBe(true)
})

test('thinking that another server signed is left out once, and only what was thought before', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'b3RoZXI=' }
  const messages = [
    { role: 'user' as const, content: 'Oil?' },
    { role: 'assistant' as const, content: [thinking, { type: 'text' as const, text: 'Yes.' }] },
    { role: 'user' as const, content: 'Sure?' },
  ]
  const refuse = (body: Body) =>
    has(body, 'b3RoZXI=') ? 'messages.1.content.0: Invalid `signature` in `thinking` block' : null
  const { callModel, bodies, known } = await connect('messages', refuse, allAbilities)

  await callModel({ ...asked, messages, thinking: 'high' })

  expect(known()).toEqual(allAbilities)
  expect(bodies.at(-1)).toMatchObject({ thinking: { type: 'adaptive' } })
  expect(has(bodies.at(-1)!, 'Yes.')).toBe(true)
})

test('what names nothing that was sent is an error, and nothing is learned', async () => {
  const { callModel, bodies, known } = await connect(
    'messages',
    () => 'thinking about reasoning_effort is hard',
  )

  await expect(callModel(asked)).rejects.toMatchObject({ code: 'model_bad_request' })
  expect(bodies).toHaveLength(1)
  expect(known()).toEqual(unknownAbilities)
})

describe('thinking', () => {
  const sent = async (wire: WireName, thinking: ModelRequest['thinking'], abilities = allAbilities) => {
    const { callModel, bodies } = await connect(wire, () => null, abilities)
    await callModel({ ...asked, ...(thinking ? { thinking } : {}) })
    const { thinking: how, output_config, reasoning_effort } = bodies[0]!
    return JSON.parse(JSON.stringify({ how, output_config, reasoning_effort }))
  }
  const adaptive = { type: 'adaptive', display: 'summarized' }

  test('is asked for as the Messages API has it', async () => {
    expect(await sent('messages', undefined)).toEqual({})
    expect(await sent('messages', 'auto')).toEqual({ how: adaptive })
    expect(await sent('messages', 'medium')).toEqual({ how: adaptive, output_config: { effort: 'medium' } })
    expect(await sent('messages', 'off')).toEqual({ how: { type: 'disabled' } })
    const older = { ...allAbilities, refused: ['adaptive'] as const }
    expect(await sent('messages', 'medium', older)).toEqual({ how: { type: 'enabled', budget_tokens: 8192 } })
    expect(await sent('messages', 'auto', older)).toEqual({})
    const short = { ...older, maxTokens: 3000 }
    expect(await sent('messages', 'high', short)).toEqual({ how: { type: 'enabled', budget_tokens: 1500 } })
    expect(await sent('messages', 'high', { ...older, maxTokens: 2000 })).toEqual({})
  })

  test('is asked for as Chat Completions have it', async () => {
    expect(await sent('chat', 'auto')).toEqual({})
    expect(await sent('chat', 'off')).toEqual({ reasoning_effort: 'none' })
    expect(await sent('chat', 'high')).toEqual({ reasoning_effort: 'high' })
  })

  test('is not asked for where a probe says that it is not taken, nor of a stranger without being told', async () => {
    for (const level of ['auto', 'off', 'high'] as const)
      expect(await sent('messages', level, { ...unknownAbilities, thinks: false })).toEqual({})
    expect(await sent('messages', 'auto', unknownAbilities)).toEqual({})
    expect(takesThinking({ ...unknownAbilities, refused: ['effort'] }, 'chat')).toBe(false)
    expect(takesThinking({ ...unknownAbilities, refused: ['adaptive'] }, 'messages')).toBeNull()
  })

  test('by a budget waits until a message whose tools are answered has begun with it', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Oil' }
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const { callModel, bodies } = await connect('messages', () => null, {
      ...allAbilities,
      refused: ['adaptive'],
    })

    for (const content of [[call], [thought, call]])
      await callModel({
        ...asked,
        thinking: 'low',
        messages: [...asked.messages, { role: 'assistant', content }, { role: 'user', content: [result] }],
      })

    expect(bodies.map((body) => 'thinking' in body)).toEqual([false, true])
    expect(has(bodies[1]!, '"signature":"c2ln"')).toBe(true)
  })
})

test('thinking that a server leaves out of what it counts is counted by the total', async () => {
  const wire = chatWire.startReader()
  const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 357 }

  const counted = [usage, { ...usage, total_tokens: 107 }, { ...usage, completion_tokens: -5 }].map(
    (each) => wire.events({ choices: [], usage: each })[0]?.usage,
  )

  expect(counted).toMatchObject([{ output_tokens: 257 }, { output_tokens: 7 }, {}])
})
