// The fake is trusted by every test of the companion, so it is itself held to the API's rules.

import { afterEach, describe, expect, it } from 'vitest'
import {
  type FakeAnthropic,
  httpError,
  startFakeAnthropic,
  text,
  thinking,
  toolUse,
} from '../helpers/fake-anthropic.ts'
import { whyRefused } from '../helpers/messages-api-rules.ts'

const tools = [{ name: 'search', description: '', input_schema: { type: 'object' } }]
const use = { type: 'tool_use', id: 't1', name: 'search', input: {} }
const answer = { type: 'tool_result', tool_use_id: 't1', content: 'Notes' }
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })

function refusal(messages: unknown[], over: Record<string, unknown> = {}): string | null {
  const body = { model: 'm', max_tokens: 1, messages, tools, ...over }
  return whyRefused(body, JSON.stringify(body))
}

describe('the rules of the API', () => {
  it.each<[string, unknown[]]>([
    ['a question', [user('Tea?')]],
    ['a call and its answer', [user('Tea?'), assistant([use]), user([answer])]],
    [
      'text behind an answer',
      [user('Tea?'), assistant([use]), user([answer, { type: 'text', text: 'Well?' }])],
    ],
    ['two messages of one role', [user('Tea?'), user('Green?')]],
    ['a paused answer', [user('Tea?'), assistant([{ type: 'server_tool_use', id: 's' }])]],
  ])('let pass: %s', (_, messages) => {
    expect(refusal(messages)).toBeNull()
  })

  it.each<[string, unknown[], RegExp]>([
    ['no message', [], /at least one message/],
    ['an assistant first', [assistant('Hello')], /first message/],
    ['another role', [{ role: 'system', content: 'Be kind' }], /role/],
    ['empty content', [user([])], /non-empty content/],
    ['an empty text', [user([{ type: 'text', text: '' }])], /non-empty/],
    ['a blank text', [user([{ type: 'text', text: ' \n' }])], /non-whitespace/],
    ['a call without an answer', [user('Tea?'), assistant([use]), user('Well?')], /without `tool_result`/],
    ['a call at the end', [user('Tea?'), assistant([use])], /without `tool_result`/],
    [
      'an answer behind text',
      [user('Tea?'), assistant([use]), user([{ type: 'text', text: 'a' }, answer])],
      /without/,
    ],
    ['an answer without a call', [user('Tea?'), assistant('Hm'), user([answer])], /unexpected `tool_use_id`/],
    ['two answers to one call', [user('Tea?'), assistant([use]), user([answer, answer])], /single result/],
    ['an id used twice', [user('Tea?'), assistant([use, use]), user([answer])], /unique/],
    [
      'arguments that are no object',
      [user('Tea?'), assistant([{ ...use, input: 'q' }]), user([answer])],
      /dictionary/,
    ],
    [
      'thinking at the end',
      [user('Tea?'), assistant([{ type: 'thinking', signature: 's' }]), user('Well?')],
      /final block/,
    ],
    [
      'thinking without a signature',
      [user('Tea?'), assistant([{ type: 'thinking' }, use]), user([answer])],
      /signature/,
    ],
    ['half a character', [user('\uD83D')], /surrogate/],
    ['trailing blanks at the end', [user('Tea?'), assistant('Sencha ')], /trailing whitespace/],
  ])('refuse %s', (_, messages, why) => {
    expect(refusal(messages)).toMatch(why)
  })

  it('refuse a history of calls without tools, and five markers of the cache', () => {
    const marked = Array.from({ length: 5 }, () => ({ type: 'text', text: 'a', cache_control: {} }))

    expect(refusal([user('Tea?'), assistant([use]), user([answer])], { tools: undefined })).toMatch(
      /must define tools/,
    )
    expect(refusal([user(marked)])).toMatch(/maximum of 4/)
  })
})

describe('the fake server', () => {
  let fake: FakeAnthropic
  afterEach(() => fake.close())

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${fake.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.stringify(body),
    })

  it('speaks server-sent events when asked to stream', async () => {
    fake = await startFakeAnthropic([text('Tea')])

    const response = await post({ model: 'm', max_tokens: 1, stream: true, messages: [user('Tea?')] })

    const events = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    expect(events).toEqual([
      ...['message_start', 'ping', 'content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ])
  })

  it('answers in one piece otherwise', async () => {
    fake = await startFakeAnthropic([
      [thinking('Hm'), text('Tea', { deltas: 3 }), toolUse('search', { q: 'tea' })],
    ])

    const response = await post({ model: 'm', max_tokens: 1, messages: [user('Tea?')] })

    expect(await response.json()).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ thinking: 'Hm' }, { text: 'Tea' }, { name: 'search', input: { q: 'tea' } }],
      usage: { input_tokens: 100, output_tokens: 20 },
    })
  })

  it('refuses an invalid history without using up the script', async () => {
    fake = await startFakeAnthropic([text('Tea')])

    const response = await post({ model: 'm', max_tokens: 1, messages: [assistant('Tea?')] })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect([fake.requests.length, fake.refused.length]).toEqual([0, 1])
  })

  it('refuses a missing and a wrong key', async () => {
    fake = await startFakeAnthropic([], { apiKey: 'right' })

    expect((await post({})).status).toBe(401)
    expect((await post({}, { 'x-api-key': '', authorization: 'Bearer wrong' })).status).toBe(401)
  })

  it('makes its replies from the request, and says when the script is over', async () => {
    fake = await startFakeAnthropic([
      (request, call) => httpError(418, 'teapot', `${request.body.model} ${call}`),
    ])
    const body = { model: 'm', max_tokens: 1, messages: [user('Tea?')] }

    expect(await (await post(body)).json()).toMatchObject({ error: { message: 'm 1' } })
    expect(await (await post(body)).json()).toMatchObject({
      error: { message: 'The script has no reply for call 2' },
    })
  })
})
