import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createModelLister } from '../../../lib/ai/models/list-models.ts'
import { createModelClient } from '../../../lib/ai/wires/call-model.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'

/** A provider whose list of models is answered by `answer`. */
async function provider(answer: RequestListener, timeoutMs = 5000) {
  const asked: string[] = []
  const url = await listen((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    answer(req, res)
  })
  const client = createModelClient({ apiKey: 'sk-test', baseURL: url })
  const clock = { now: new Date('2026-11-01T10:00:00Z') }
  const list = createModelLister({ client, now: () => clock.now, timeoutMs })
  const pass = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms)
  }
  return { list, asked, pass }
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_, res) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const model = (id: string, display_name?: unknown) => ({ type: 'model', id, display_name })

describe('the models of a provider', () => {
  test('are asked for once, and again after ten minutes', async () => {
    const { list, asked, pass } = await provider(json({ data: [model('claude-opus-5', 'Claude Opus 5')] }))

    const [one, two] = await Promise.all([list(), list()])
    pass(599_000)
    await list()
    pass(2000)
    await list()

    expect(one).toEqual({ models: [{ id: 'claude-opus-5', name: 'Claude Opus 5' }], problem: null })
    expect(two).toEqual(one)
    expect(asked).toEqual(['GET /v1/models?limit=200', 'GET /v1/models?limit=200'])
  })

  test('that fail are said to be missing, and asked for again soon', async () => {
    let broken = true
    const { list, pass } = await provider((req, res) =>
      (broken ? json({ error: {} }, 404) : json({ data: [model('llama')] }))(req, res),
    )

    const failed = await list()
    broken = false
    pass(31_000)

    expect(failed.models).toEqual([])
    expect(failed.problem).toMatch(/did not list its models/)
    expect((await list()).models).toEqual([{ id: 'llama', name: 'llama' }])
  })

  test.each<[string, RequestListener]>([
    ['no JSON', (_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')],
    ['another shape', json({ data: [{ name: 'x' }] })],
    ['no list', json({ data: 'everything' })],
    ['nothing, ever', () => {}],
    ['a redirect to elsewhere', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['more than a megabyte', json({ data: [model('x'.repeat(1_200_000))] })],
  ])('answered with %s are none', async (_, answer) => {
    const { list } = await provider(answer, 300)

    expect((await list()).models).toEqual([])
  })

  test('say how long an answer and how large the context is, in the words of each kind of server', async () => {
    const { list } = await provider(
      json({
        data: [
          { id: 'claude', max_tokens: 64_000, max_input_tokens: 200_000 },
          { id: 'router', context_length: 131_072, top_provider: { max_completion_tokens: 8192 } },
          { id: 'proxy', max_tokens: 128_000, max_output_tokens: 4096 },
          { id: 'vllm', max_model_len: 8192 },
          { id: 'odd', max_tokens: 'many', top_provider: 'none', context_length: -1 },
        ],
      }),
    )

    const { models } = await list()

    expect(models).toEqual([
      { id: 'claude', name: 'claude', max_tokens: 64_000, context: 200_000 },
      { id: 'router', name: 'router', max_tokens: 8192, context: 131_072 },
      { id: 'proxy', name: 'proxy', max_tokens: 4096 },
      { id: 'vllm', name: 'vllm', context: 8192 },
      { id: 'odd', name: 'odd' },
    ])
  })

  test('are cleaned, counted once and at most two hundred', async () => {
    const hostile = [
      model('one\u0000\n two', 'A\u202eb\n'),
      model(' '),
      model('x'.repeat(201)),
      model('one two'),
    ]
    const many = Array.from({ length: 300 }, (_, n) => model(`model-${n}`, 7))
    const { list } = await provider(json({ data: [...hostile, ...many] }))

    const { models } = await list()

    expect(models[0]!.id).toBe('one two')
    expect(models.filter(({ id }) => id === 'one two')).toHaveLength(1)
    expect(models.length).toBeLessThanOrEqual(200)
    expect(models.at(-1)).toMatchObject({ name: models.at(-1)!.id })
  })
})

describe('GET /api/models', () => {
  test('gives each model its price, where it has one', async () => {
    const models = [
      { id: 'claude-haiku-4-5-20251001', name: 'Claude Haiku 4.5' },
      { id: 'own-model', name: 'Own' },
    ]
    const { owner } = await buildApp({ listedModels: { models, problem: null } })

    const { body } = await owner.get('/api/models')

    expect(body.items).toEqual([
      {
        id: models[0]!.id,
        name: models[0]!.name,
        price: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 },
      },
      { ...models[1], price: null },
    ])
    expect(body).toMatchObject({ mode: 'offline', configured: 'offline', problem: null })
  })

  test('is empty offline and says why', async () => {
    const { owner } = await buildApp()

    const { status, body } = await owner.get('/api/models')

    expect(status).toBe(200)
    expect(body).toMatchObject({ items: [], mode: 'offline', problem: expect.stringMatching(/No model/) })
  })
})
