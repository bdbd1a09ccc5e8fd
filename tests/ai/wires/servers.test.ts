// The table of servers: what works with each of them, over each wire that it speaks. A cell is a test.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allAbilities, unknownAbilities } from '../../../lib/ai/adapt/abilities.ts'
import { adaptTo } from '../../../lib/ai/adapt/adapt-to.ts'
import { ModelError, type ModelRequest, type TextBlock } from '../../../lib/ai/model.ts'
import { silenceOf } from '../../../lib/ai/models/model-provider.ts'
import { probeServer } from '../../../lib/ai/models/probe-server.ts'
import { createModelClient, makeCallModel } from '../../../lib/ai/wires/call-model.ts'
import { chatWire } from '../../../lib/ai/wires/chat-completions.ts'
import { messagesWire } from '../../../lib/ai/wires/messages.ts'
import { readServerAddress } from '../../../lib/ai/wires/server-address.ts'
import { listen } from '../../helpers/listen.ts'
import { type Mind, profiles, startModelServer } from '../../helpers/model-servers.ts'

const lines = ['The lamp of the harbour.', 'It burns rapeseed oil.', 'It is lit at dusk.']
const tool = { name: 'search', description: 'Search.', input_schema: { type: 'object', properties: {} } }
const call = { type: 'tool_use', id: 'call_1', name: 'search', input: { q: 'oil' } }
const passage = {
  type: 'search_result' as const,
  source: 'void://page/0190a000-0000-7000-8000-000000000001',
  title: 'The lamp',
  content: [{ type: 'text' as const, text: lines.join('\n') }],
  citations: { enabled: true },
}
const searched: ModelRequest = {
  system: 'You keep a Space.',
  messages: [
    { role: 'user', content: 'What does the lamp burn?' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [passage] }] },
  ],
  tools: [tool],
}
const asked: ModelRequest = { ...searched, messages: searched.messages.slice(0, 1) }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }

/** It says what it read, and cites by the number of the line where it was shown one. */
const reader: Mind = ({ text }) => {
  const [, number, line, oil] = /(?:(\d+):(\d+)\| )?It burns (\w+)/.exec(text) ?? []
  if (!oil) return { text: 'I do not know.' }
  return { text: `It burns ${oil} oil${number ? ` [${number}:${line}]` : ''}.` }
}

const servers = profiles.flatMap((profile) =>
  profile.wires.map((wire) => ({ name: `${profile.name}, ${wire}`, profile, wire })),
)
type Server = (typeof servers)[number]

async function connect({ profile, wire }: Server, mind: Mind, silenceMs = 5000) {
  const server = await startModelServer(profile, mind)
  const client = createModelClient({
    wire: wire === 'chat' ? chatWire : messagesWire,
    apiKey: 'sk-harbour',
    baseURL: server.url,
    maxRetries: 0,
  })
  const raw = makeCallModel({ client, model: 'm', maxTokens: 512, silenceMs, sleep: async () => {} })
  const abilities = profile.seesBlocks ? allAbilities : unknownAbilities
  return {
    ...server,
    raw,
    callModel: adaptTo(raw, { wire, abilities: () => abilities, learn: async () => {} }),
  }
}

test('the table in the documentation says what the tests of each server hold', () => {
  const rows = profiles.map(
    ({ name, wires, seesBlocks, seesImages, thinkingIn, comment, overflow, names }) => [
      name,
      wires.map((wire) => (wire === 'chat' ? 'Chat Completions' : 'Messages')).join(', '),
      seesBlocks ? 'as blocks' : 'as text',
      seesBlocks ? 'by the API' : 'by number, checked',
      'yes, several at once',
      seesImages ? 'yes' : 'no; told so in words',
      seesBlocks ? 'marked, counted' : 'by the server, counted over Chat Completions',
      {
        tags: 'in tags, folded',
        reasoning: '`reasoning`, folded',
        reasoning_content: seesBlocks ? 'blocks, folded' : '`reasoning_content`, folded',
      }[thinkingIn],
      `${'status' in overflow ? overflow.status : 'an event of the stream'}${names.context ? ', with both numbers' : ''}`,
      `${seesBlocks ? '90 s' : '10 min'}${comment ? '; comments count as life' : ''}`,
    ],
  )

  const text = readFileSync('docs/models.md', 'utf8')

  for (const row of rows) expect(text).toContain(`| ${row.join(' | ')} |`)
  expect(text).toContain('| A proxy that answers HTML | either | no answer |')
})

describe.each(servers)('$name', (server) => {
  test('reads sources', async () => {
    const { callModel } = await connect(server, reader)

    const shown: string[] = []
    const response = await callModel({ ...searched, onTextDelta: (piece) => shown.push(piece) })

    expect(response.text).toBe('It burns rapeseed oil.')
    expect(shown.join('')).toBe(response.text)
  })

  test('cites', async () => {
    const { callModel, bodies } = await connect(server, reader)

    const { content } = await callModel(searched)

    // Who takes blocks cites by itself.
    expect(JSON.stringify(bodies[0]).includes('"search_result"')).toBe(server.profile.seesBlocks)
    if (server.profile.seesBlocks) return

    const cited = content.filter((block): block is TextBlock => 'citations' in block)
    expect(cited).toMatchObject([
      { text: 'It burns rapeseed oil', citations: [{ cited_text: lines[1], source: passage.source }] },
    ])
  })

  test('calls a tool, and several at once', async () => {
    const calls = ['oil', 'wick'].map((q) => ({ name: 'search', input: { q } }))
    const { callModel } = await connect(server, () => ({ text: 'I look.', calls }))

    const { toolUses, text, stopReason } = await callModel(asked)

    expect(toolUses.map(({ name, input }) => ({ name, input }))).toEqual(calls)
    expect(new Set(toolUses.map(({ id }) => id)).size).toBe(2)
    expect({ text, stopReason }).toEqual({ text: 'I look.', stopReason: 'tool_use' })
  })

  test('calls no tool that is withheld', async () => {
    const { callModel, bodies } = await connect(server, ({ tools }) => ({ text: `${tools.length} tools` }))

    const { text } = await callModel({ ...searched, tools: [], withheldTools: [tool] })

    expect(bodies[0]).toMatchObject({ tools: [{}], tool_choice: expect.anything() })
    expect(text).toBe(server.wire === 'chat' ? '0 tools' : '1 tools')
  })

  test('sees images, or is known not to', async () => {
    const { raw } = await connect(server, ({ images, text }) => ({
      text: images > 0 ? 'Blue.' : (/password is (\w+)/.exec(text)?.[1] ?? 'No.'),
    }))

    const { images } = await probeServer(raw, { wire: server.wire, signal: AbortSignal.timeout(5000) })

    expect(images).toBe(server.profile.seesImages)
  })

  test('is found to read sources as what it reads them', async () => {
    const { raw } = await connect(server, ({ text }) => ({
      text: /password is (\w+)/.exec(text)?.[1] ?? 'No.',
    }))

    const found = await probeServer(raw, { wire: server.wire, signal: AbortSignal.timeout(5000) })

    expect(found).toMatchObject({ blocks: server.profile.seesBlocks, tools: true, several: false })
  })

  test('is found to do what its model does, of tools and thinking', async () => {
    const note = (name: string) => ({ name: 'read_note', input: { name } })
    const able: Mind = ({ text, tools }) => {
      if (text.includes('"south"')) return { calls: [note('north'), note('south')] }
      if (text.includes('"north" now')) return tools.length > 0 ? { calls: [note('north')] } : { text: 'No.' }
      if (text.includes('Tern'))
        return { calls: [{ name: 'register_vessel', input: { vessel: { boat_title: 'Tern', sail_no: 7 } } }] }
      if (text.includes('17 times')) return { thinking: '391, and 4.', text: '395' }
      return { text: /password is (\w+)/.exec(text)?.[1] ?? 'No.' }
    }
    const lost: Mind = (seen) => (seen.tools.length > 5 ? { text: 'Hello!' } : able(seen))
    const find = async (mind: Mind) => {
      const { raw } = await connect(server, mind)
      return await probeServer(raw, { wire: server.wire, signal: AbortSignal.timeout(5000) })
    }

    const found = await find(able)

    expect(found).toMatchObject({ tools: true, several: true, manyTools: true, unions: true, thinks: true })
    // Only a template that takes the choice keeps tools from the model.
    expect(found.toolChoice).toBe(server.wire === 'chat')
    expect(found).toMatchObject({ refused: [], maxTokens: null, countsTokens: false })
    expect((await find(lost)).manyTools).toBe(false)
  })

  test('thinks aside', async () => {
    const { callModel } = await connect(server, () => ({ thinking: 'Oil? Look.', text: 'Rapeseed oil.' }))
    const thought: string[] = []
    const shown: string[] = []

    const { text } = await callModel({
      ...asked,
      onThinkingDelta: (piece) => thought.push(piece),
      onTextDelta: (piece) => shown.push(piece),
    })

    expect(text).toBe('Rapeseed oil.')
    expect(shown.join('')).toBe('Rapeseed oil.')
    expect(thought.join('').trim()).toBe('Oil? Look.')
  })

  test('counts what it used, and what came from the cache', async () => {
    const { callModel } = await connect(server, reader)

    const { usage } = await callModel(searched)

    expect(usage.output_tokens).toBeGreaterThan(0)
    expect(usage.cache_read_input_tokens).toBe(server.wire === 'chat' ? 100 : 0)
  })

  test('says that a request is too long, with its numbers', async () => {
    const { callModel } = await connect(server, () => ({ overflow: true }))

    const response = await callModel(searched)

    expect(response).toMatchObject({ stopReason: 'model_context_window_exceeded', text: '', content: [] })
    expect(response.overflow).toEqual(server.profile.names)
  })

  test('has time to load a model', async () => {
    const isHosted = server.profile.name === 'Anthropic'
    const settings = { apiKey: null, model: 'm', maxTokens: 1, smallModel: null, wire: server.wire }

    expect(silenceOf({ ...settings, baseUrl: isHosted ? null : 'http://127.0.0.1:1' })).toBe(
      isHosted ? 90_000 : 600_000,
    )
    // What keeps a connection open is a sign of life.
    if (!server.profile.comment) return
    const { callModel } = await connect(server, () => ({ text: 'Awake.', slow: true }), 200)
    expect((await callModel(asked)).text).toBe('Awake.')
  })
})

test('a model that shows an image to none but who sees it gets a note in its place', async () => {
  const server = servers.find(({ name }) => name === 'llama.cpp, chat')!
  const { raw, bodies } = await connect(server, reader)
  const blind = adaptTo(raw, {
    wire: 'chat',
    abilities: () => ({ ...unknownAbilities, images: false }),
    learn: async () => {},
  })

  await blind({
    ...asked,
    messages: [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }],
  })

  expect(JSON.stringify(bodies[0])).not.toContain('aGk=')
})

test('a refusal that names passages is remembered, and they go out as text', async () => {
  const server = servers[0]!
  const learned: unknown[] = []
  const { raw } = await connect(server, reader)
  const picky: typeof raw = async (request) => {
    const has = JSON.stringify(request.messages).includes('"search_result"')
    if (!has) return await raw(request)
    throw new ModelError('model_bad_request', 'no', {
      retryable: false,
      cause: new Error("400 : Input tag 'search_result' found using 'type' does not match"),
    })
  }

  const { text } = await adaptTo(picky, {
    wire: 'messages',
    abilities: () => allAbilities,
    learn: async (found) => void learned.push(found),
  })(searched)

  expect(text).toContain('rapeseed')
  expect(learned).toEqual([{ blocks: false }])
})

describe.each(['messages', 'chat'] as const)('A proxy that answers HTML, %s', (wire) => {
  const page = '<!doctype html><html><head><title>Sign in to the harbour</title></head><body>x</body></html>'
  const proxied = async (status: number, silenceMs = 5000) => {
    const url = await listen((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    })
    const client = createModelClient({
      wire: wire === 'chat' ? chatWire : messagesWire,
      apiKey: 'sk-harbour',
      baseURL: url,
      maxRetries: 0,
    })
    const raw = makeCallModel({
      client,
      model: 'm',
      maxTokens: 512,
      maxOverloadRetries: 0,
      silenceMs,
      sleep: async () => {},
    })
    return { url, raw }
  }

  test.each([
    ['asks for a sign-in', 200],
    ['finds nothing', 404],
    ['has no server behind it', 502],
    ['has a server that is too slow', 504],
  ])('says its title with the address, and no markup, when it %s', async (_, status) => {
    const { url, raw } = await proxied(status)
    const shown: string[] = []

    const failure = await raw({ ...searched, onTextDelta: (piece) => shown.push(piece) }).catch(
      (error: unknown) => error,
    )

    expect(failure).toBeInstanceOf(ModelError)
    expect(String(failure)).toContain('Sign in to the harbour')
    expect(String(failure)).toContain(url.replace('http://', ''))
    expect(String(failure)).not.toMatch(/[<>]|doctype|sk-harbour/)
    expect(shown).toEqual([])
  })

  test('is no server that reads, calls tools, sees or thinks', async () => {
    const { raw } = await proxied(502)

    const found = await probeServer(raw, { wire, signal: AbortSignal.timeout(5000) }).catch(
      (error: unknown) => error,
    )

    if (found instanceof ModelError) expect(found.message).toContain('Sign in to the harbour')
    else
      expect(found).toMatchObject({
        blocks: false,
        tools: false,
        several: false,
        images: false,
        thinks: false,
      })
  })

  test('is known at once, however long a server may be silent', async () => {
    const { raw } = await proxied(200, 600_000)

    await expect(raw(asked)).rejects.toBeInstanceOf(ModelError)
  })
})

describe('an address', () => {
  test.each([
    ['http://h:1', 'messages', 'http://h:1/v1'],
    ['http://h:1/', 'messages', 'http://h:1/v1'],
    ['http://h:1/v1', 'messages', 'http://h:1/v1'],
    ['http://h:1/v1/', 'chat', 'http://h:1/v1'],
    ['http://h:1/v1/messages', 'messages', 'http://h:1/v1'],
    ['http://h:1/v1/messages?beta=true', 'messages', 'http://h:1/v1'],
    ['http://h:1/v1/chat/completions', 'chat', 'http://h:1/v1'],
    ['http://h:1/chat/completions', 'chat', 'http://h:1'],
    ['https://api.deepseek.com/anthropic', 'messages', 'https://api.deepseek.com/anthropic/v1'],
    ['https://openrouter.ai/api/v1', 'chat', 'https://openrouter.ai/api/v1'],
    ['https://g.example/v1beta/openai/', 'chat', 'https://g.example/v1beta/openai'],
    ['https://a.example/openai/v1?api-version=1', 'chat', 'https://a.example/openai/v1'],
    [null, 'messages', 'https://api.anthropic.com/v1'],
    [null, 'chat', 'https://api.openai.com/v1'],
  ] as const)('%s, %s', (baseUrl, wire, root) => {
    expect(readServerAddress(baseUrl, wire).root).toBe(root)
  })
})

describe('what a server says when it fails is said on, in whatever shape', () => {
  test.each<[string, number, string, unknown, string, string]>([
    [
      'an error',
      400,
      'application/json',
      { error: { message: 'No such brew' } },
      'model_bad_request',
      'No such brew',
    ],
    ['a string', 400, 'application/json', { error: 'No such brew' }, 'model_bad_request', 'No such brew'],
    ['flat', 400, 'application/json', { message: 'No such brew' }, 'model_bad_request', 'No such brew'],
    ['detail', 422, 'application/json', { detail: 'No such brew' }, 'model_bad_request', 'No such brew'],
    [
      'a list',
      422,
      'application/json',
      { detail: [{ loc: ['body'], msg: 'No such brew' }] },
      'model_bad_request',
      'No such brew',
    ],
    [
      'in a list',
      400,
      'application/json',
      [{ error: { message: 'No such brew' } }],
      'model_bad_request',
      'No such brew',
    ],
    ['text', 500, 'text/plain', 'No such brew', 'model_failed', 'No such brew'],
    [
      '200',
      200,
      'application/json',
      { error: { message: 'No such brew', type: 'invalid_request_error' } },
      'model_bad_request',
      'No such brew',
    ],
    [
      'HTML',
      502,
      'text/html',
      '<html><head><title>502 Bad Gateway</title></head><body>x</body>',
      'model_failed',
      '502 Bad Gateway',
    ],
    [
      'HTML, 200',
      200,
      'text/html',
      '<!doctype html><title>Sign in to Tea</title>',
      'model_failed',
      'Sign in to Tea',
    ],
    [
      'a limit as 503',
      503,
      'application/json',
      { error: { message: 'Slow down', type: 'rate_limit_error' } },
      'model_rate_limited',
      'rate limit',
    ],
    [
      'no credit',
      429,
      'application/json',
      { error: { message: 'Top up', code: 'insufficient_quota' } },
      'model_unauthorized',
      'Top up',
    ],
    [
      'a limit per minute',
      413,
      'application/json',
      { error: { message: 'Request too large: 9300 tokens per minute (TPM)', code: 'rate_limit_exceeded' } },
      'model_rate_limited',
      'rate limit',
    ],
  ])('%s', async (_, status, type, body, code, words) => {
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      request.resume()
      response
        .writeHead(status, { 'content-type': type })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const client = createModelClient({
      wire: chatWire,
      apiKey: 'sk-x',
      baseURL: `http://127.0.0.1:${port}`,
      maxRetries: 0,
    })

    const failure = await makeCallModel({ client, model: 'm', maxTokens: 1, maxOverloadRetries: 0 })(
      asked,
    ).catch((error: unknown) => error)

    server.close()
    expect(failure).toMatchObject({ code, message: expect.stringContaining(words) })
    if (code !== 'model_rate_limited')
      expect(failure).toMatchObject({ message: expect.stringMatching(/127\.0\.0\.1|Top up/) })
  })
})
