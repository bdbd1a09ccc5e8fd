import { expect, test } from 'vitest'
import { createHttpEmbedder, EmbeddingError } from '../../../lib/search/embed/embedder.ts'
import { fakeEmbeddings } from '../../helpers/fake-embeddings.ts'

const fake = await fakeEmbeddings(() => 8)
const { signal } = new AbortController()
const settings = { url: fake.url, model: 'small', readKey: () => 'key-4711' } as const
const voyage = createHttpEmbedder({ ...settings, provider: 'voyage' })
const openai = createHttpEmbedder({ ...settings, provider: 'openai', readKey: () => null })

async function failure(work: Promise<unknown>): Promise<EmbeddingError> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof EmbeddingError)) throw new Error(`expected an EmbeddingError, got ${error}`)
  return error
}

test('Voyage is told what a text is for, and given the key', async () => {
  const vectors = await voyage.embed(['one car', 'two'], 'passage', signal)
  await voyage.embed(['which car?'], 'question', signal)

  const [passages, question] = fake.requests.slice(-2)
  expect(vectors).toHaveLength(2)
  expect(vectors[0]?.[0]).toBeGreaterThan(1)
  expect(passages).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer key-4711' })
  expect(passages?.body).toEqual({ model: 'small', input: ['one car', 'two'], input_type: 'document' })
  expect(question?.body.input_type).toBe('query')
})

test('a server that needs no key is sent none, and no field of Voyage’s', async () => {
  await openai.embed(['text'], 'passage', signal)

  const sent = fake.requests.at(-1)
  expect(sent?.authorization).toBeUndefined()
  expect(sent?.body).toEqual({ model: 'small', input: ['text'], encoding_format: 'float' })
})

test('nothing is asked for no text', async () => {
  const before = fake.requests.length

  expect(await voyage.embed([], 'passage', signal)).toEqual([])
  expect(fake.requests).toHaveLength(before)
})

test.each([
  [{ status: 429, body: { detail: 'slow down' } }, 429, /429.*slow down/],
  [{ status: 500 }, 500, /500/],
  [{ status: 200, body: { data: [] } }, null, /0 vectors for 1/],
  [{ status: 200, body: { data: [{ index: 0, embedding: ['x'] }] } }, null, /no vectors/],
  [{ status: 200, body: { data: [{ index: 0, embedding: [] }] } }, null, /no vectors/],
  [{ status: 200, body: 'hello' }, null, /no vectors/],
])('%o is an error that says so', async (answer, status, message) => {
  fake.fail(answer)

  const error = await failure(voyage.embed(['text'], 'passage', signal))

  expect(error.status).toBe(status)
  expect(error.message).toMatch(message)
  expect(error.message).not.toContain('key-4711')
})

test('vectors of different lengths are refused', async () => {
  fake.fail({
    status: 200,
    body: {
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [1] },
      ],
    },
  })

  expect((await failure(voyage.embed(['a', 'b'], 'passage', signal))).message).toMatch(/vectors/)
})

test('nobody there', async () => {
  const nobody = createHttpEmbedder({ ...settings, provider: 'openai', url: 'http://127.0.0.1:1/v1' })

  expect((await failure(nobody.embed(['a'], 'passage', signal))).status).toBeNull()
})

test('a redirect is not followed: the key would go along', async () => {
  const before = fake.requests.length
  fake.fail({ status: 307, location: `${fake.url}/embeddings` })

  const error = await failure(voyage.embed(['a'], 'passage', signal))

  expect(error.status).toBeNull()
  expect(fake.requests).toHaveLength(before + 1)
})

test('an answer with more than vectors for what was asked is not parsed', async () => {
  fake.fail({ status: 200, body: { data: [], more: Array.from({ length: 20_000 }, () => 1) } })

  const error = await failure(voyage.embed(['a'], 'passage', signal))

  expect(error).toMatchObject({ message: expect.stringMatching(/invalid/), cause: expect.any(RangeError) })
})
