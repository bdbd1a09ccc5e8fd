import { afterEach, describe, expect, it } from 'vitest'
import type { ModelResponse } from '../../lib/ai/model.ts'
import { type CallModelOptions, makeCallModel } from '../../lib/ai/wires/call-model.ts'
import {
  type FakeAnthropic,
  type FakeReply,
  httpError,
  message,
  overloaded,
  rateLimited,
  startFakeAnthropic,
  text,
  thinking,
} from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { clientOver, wireNames } from '../helpers/over-wires.ts'
import { question } from './tea-house.ts'

describe.each(wireNames)('over %s', (wire) => {
  const apiKey = 'tea-house-secret'
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup()
  })

  type Told = {
    response: ModelResponse | null
    error: unknown
    deltas: string[]
    statuses: string[]
    waits: number[]
    fake: FakeAnthropic
  }

  /** Makes one call and keeps all that came of it. */
  async function call(
    replies: FakeReply[],
    over: Partial<CallModelOptions> & { signal?: AbortSignal; onTextDelta?: () => void } = {},
  ): Promise<Told> {
    const fake = await startFakeAnthropic(replies, { apiKey })
    cleanups.push(fake.close)
    const client = over.client ?? clientOver(wire, { apiKey, baseURL: fake.url })
    const told: Told = { response: null, error: null, deltas: [], statuses: [], waits: [], fake }
    const sleep = async (ms: number) => void told.waits.push(ms)
    const callModel = makeCallModel({ model: 'sencha-1', maxTokens: 512, sleep, ...over, client })
    const request = {
      system: 'You keep the tea house.',
      messages: question,
      tools: [],
      onTextDelta: (delta: string) => {
        told.deltas.push(delta)
        over.onTextDelta?.()
      },
      onStatus: (status: string) => told.statuses.push(status),
      ...(over.signal ? { signal: over.signal } : {}),
    }
    told.response = await callModel(request).catch((error: unknown) => {
      told.error = error
      return null
    })
    return told
  }

  const tea = text('Sencha.')

  describe('before the answer begins', () => {
    it('waits as long as a rate limit says, and tells the owner', async () => {
      const { response, statuses, fake } = await call([rateLimited('0.01'), tea])

      expect(response?.text).toBe('Sencha.')
      expect(statuses).toEqual(['The model provider’s rate limit was reached. Trying again.'])
      expect(fake.requests).toHaveLength(2)
    })

    it('gives up at once on a wait that nobody would sit out', async () => {
      const { error, statuses, fake } = await call([rateLimited('3600'), tea])

      expect(error).toMatchObject({ code: 'model_rate_limited', retryable: true })
      expect(error).toHaveProperty(
        'message',
        expect.stringMatching(/Try again at \d\d:\d\d UTC, in 60 min\./),
      )
      expect(statuses).toEqual([])
      expect(fake.requests).toHaveLength(1)
    })

    it('tries again when the model is overloaded', async () => {
      const { response, statuses } = await call([overloaded(), overloaded(), tea])

      expect(response?.text).toBe('Sencha.')
      expect(statuses).toEqual([
        'The model is overloaded. Trying again.',
        'The model is overloaded. Trying again.',
      ])
    })

    it('ends when it stays overloaded', async () => {
      const { error, fake } = await call([overloaded(), overloaded(), overloaded(), tea])

      expect(error).toMatchObject({ name: 'ModelError', code: 'model_overloaded', retryable: true })
      expect(fake.requests).toHaveLength(3)
    })

    it('tries again when the server has an error', async () => {
      const quick = { 'retry-after-ms': '1' }

      const { response, statuses } = await call([httpError(500, 'api_error', 'Internal', quick), tea])

      expect(response?.text).toBe('Sencha.')
      expect(statuses).toEqual(['The model provider had an error (500). Trying again.'])
    })

    it.each([
      [401, 'authentication_error', 'model_unauthorized'],
      [403, 'permission_error', 'model_unauthorized'],
      [404, 'not_found_error', 'model_not_found'],
      [400, 'invalid_request_error', 'model_bad_request'],
    ])('answers a %i with an error that is not tried again', async (status, type, code) => {
      const { error, fake, statuses } = await call([httpError(status, type, 'No tea today'), tea])

      expect(error).toMatchObject({ name: 'ModelError', code, retryable: false })
      expect(fake.requests).toHaveLength(1)
      expect(statuses).toEqual([])
    })

    it('names the model that is not known, and what the server did not like', async () => {
      expect((await call([httpError(404, 'not_found_error', 'x')])).error).toHaveProperty(
        'message',
        expect.stringContaining('"sencha-1"'),
      )
      expect(
        (await call([httpError(400, 'invalid_request_error', 'max_tokens: too large')])).error,
      ).toHaveProperty('message', expect.stringContaining('max_tokens: too large'))
    })

    it('never repeats the key, also when the server does', async () => {
      const { error } = await call([
        httpError(
          400,
          'invalid_request_error',
          `Bad ${apiKey}, ${Buffer.from(`x-api-key: ${apiKey}`).toString('base64')}, or sk-ant-0123456789?`,
        ),
      ])

      const shown = error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : ''
      expect(shown).toContain('[key]')
      expect(shown).not.toMatch(/tea-house-secret|0123456789|dGVhLWhv|RlYS1ob|0ZWEtaG/)
    })

    it.each([
      [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
      [413, 'Request exceeds the maximum size'],
      [400, 'the request exceeds the available context size, try increasing it'],
    ])('takes a %i for a prompt that is too long as a full context', async (status, words) => {
      const { response } = await call([httpError(status, 'invalid_request_error', words)])

      expect(response).toMatchObject({ stopReason: 'model_context_window_exceeded', content: [], text: '' })
    })

    it('says that nobody is there', async () => {
      const gone = await startFakeAnthropic([])
      await gone.close()
      // Another test may listen at that port by now, but on no other address of this machine.
      const baseURL = gone.url.replace('127.0.0.1', '127.7.7.7')
      const client = clientOver(wire, { apiKey, baseURL, maxRetries: 0 })

      const { error } = await call([], { client })

      expect(error).toMatchObject({ code: 'model_unreachable', retryable: true })
      expect(error).toHaveProperty('message', expect.stringContaining(new URL(baseURL).host))
    })

    it('says that the base URL leads to a web page', async () => {
      const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
      const client = clientOver(wire, { apiKey, baseURL: 'http://tea.example/shop', fetch })

      const { error } = await call([], { client })

      expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining('tea.example') })
    })

    it('follows no redirect, because the key would go along', async () => {
      const paths: (string | undefined)[] = []
      const url = await listen((request, response) => {
        paths.push(request.url)
        response.writeHead(307, { location: '/elsewhere' }).end()
      })

      const { error } = await call([], { client: clientOver(wire, { apiKey, baseURL: url }) })

      expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining('redirected') })
      expect(paths).toEqual([wire === 'chat' ? '/v1/chat/completions' : '/v1/messages'])
    })

    it('ends when the server takes the request and says nothing', async () => {
      const { error } = await call([() => new Promise(() => {})], { silenceMs: 30 })

      expect(error).toMatchObject({ code: 'model_silent', retryable: true })
    })
  })

  describe('within the answer', () => {
    it.each(['overloaded_error', 'api_error'])(
      'tries again after %s, as long as no text was told',
      async (type) => {
        const broken = message([thinking('Hmm'), tea], { errorAfter: { events: 4, type } })

        const { response, statuses, deltas, waits } = await call([broken, broken, tea])

        expect(response?.content).toEqual([{ type: 'text', text: 'Sencha.' }])
        expect(deltas).toEqual(['Sencha.'])
        expect(waits).toEqual([1000, 2000])
        expect(statuses).toEqual([1, 2].map((s) => `The model is overloaded. Trying again in ${s} s.`))
      },
    )

    it('gives up after three more tries', async () => {
      const broken = message([tea], { errorAfter: { events: 1 } })

      const { error, fake } = await call([broken, broken, broken, broken, tea])

      expect(error).toMatchObject({ code: 'model_overloaded', retryable: true })
      expect(fake.requests).toHaveLength(4)
    })

    it('does not say twice what was told once: after text, an overload is an error', async () => {
      const { error, deltas, fake } = await call([message([tea], { errorAfter: { events: 4 } }), tea])

      expect(error).toMatchObject({ code: 'model_overloaded', retryable: true })
      expect(deltas).toEqual(['Sencha.'])
      expect(fake.requests).toHaveLength(1)
    })

    it('does not try again what will not pass', async () => {
      const { error, fake } = await call([
        message([tea], { errorAfter: { events: 1, type: 'invalid_request_error' } }),
        tea,
      ])

      expect(error).toMatchObject({ code: 'model_bad_request', retryable: false })
      expect(fake.requests).toHaveLength(1)
    })

    it.each([1, 3, 4, 5])(
      'calls it broken off when the connection ends after %i events',
      async (cutAfter) => {
        const { error } = await call([message([tea], { cutAfter })])

        expect(error).toMatchObject({ code: 'model_unreachable', retryable: true })
      },
    )

    it('calls it broken off when the stream ends politely and too early', async () => {
      const headers = { 'content-type': 'text/event-stream' }
      const fetch = async () =>
        new Response('event: message_start\ndata: {"type":"message_start"}\n\n', { headers })

      const { error } = await call([], { client: clientOver(wire, { apiKey, fetch }) })

      expect(error).toMatchObject({ code: 'model_unreachable', retryable: true })
    })

    it('ends a stream that has gone silent, and hangs up', async () => {
      const { error, fake, deltas } = await call([message([tea], { silentAfter: 4 })], { silenceMs: 500 })

      expect(error).toMatchObject({ code: 'model_silent', retryable: true })
      expect(deltas).toEqual(['Sencha.'])
      await fake.whenAborted()
    })

    it('is patient with a slow stream that keeps moving', async () => {
      const slow = message([text('Sencha is a green tea.', { deltas: 20 })], { delayMs: 100 })

      // Shorter than the whole takes, and long enough for a piece on a busy machine.
      const { response } = await call([slow], { silenceMs: 1500 })

      expect(response?.text).toBe('Sencha is a green tea.')
    })

    it('says so when an event is no JSON', async () => {
      const headers = { 'content-type': 'text/event-stream' }
      const fetch = async () => new Response('event: message_start\ndata: {"type": oops\n\n', { headers })

      const { error } = await call([], { client: clientOver(wire, { apiKey, fetch }) })

      expect(error).toMatchObject({ code: 'model_failed', retryable: false })
    })
  })

  describe('stopping', () => {
    it('hangs up on the server in the middle of the answer', async () => {
      const stop = new AbortController()
      const reason = new Error('The owner pressed stop')
      const silent = message([tea], { silentAfter: 4 })

      const { error, deltas, fake } = await call([silent], {
        signal: stop.signal,
        onTextDelta: () => stop.abort(reason),
      })

      expect(error).toBe(reason)
      expect(deltas).toEqual(['Sencha.'])
      await fake.whenAborted()
      expect(fake.aborted).toBe(1)
    })

    it('hangs up on a server that has not answered yet', async () => {
      const stop = new AbortController()
      const reason = new Error('The owner pressed stop')
      const stopThenHang = () => {
        stop.abort(reason)
        return new Promise<never>(() => {})
      }

      const { error, fake } = await call([stopThenHang], { signal: stop.signal })

      expect(error).toBe(reason)
      await fake.whenAborted()
    })

    it('does not wait out the pause before another try', async () => {
      const stop = new AbortController()
      const reason = new Error('The owner pressed stop')
      const sleep = (_: number, signal: AbortSignal | undefined) => {
        stop.abort(reason)
        return Promise.reject(signal?.reason)
      }

      const { error, fake } = await call([message([tea], { errorAfter: { events: 1 } }), tea], {
        signal: stop.signal,
        sleep,
      })

      expect(error).toBe(reason)
      expect(fake.requests).toHaveLength(1)
    })

    it('before the call sends nothing', async () => {
      const { error, fake } = await call([tea], { signal: AbortSignal.abort('stopped') })

      expect(error).toBe('stopped')
      expect(fake.requests).toHaveLength(0)
    })
  })
})
