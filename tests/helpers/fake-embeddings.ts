// An embedding provider on this machine: real HTTP, and vectors in which words of one meaning fall together.

import { createServer, type IncomingMessage } from 'node:http'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { wordsOf } from '../../lib/core/text/words/words.ts'

const meanings = [
  ['car', 'automobile', 'vehicle', 'sedan'],
  ['doctor', 'physician', 'surgeon', 'medic'],
  ['rent', 'lease', 'tenancy'],
  ['boat', 'vessel', 'ship', 'dinghy'],
]
const body = z.object({
  model: z.string(),
  input: z.array(z.string().min(1)),
  input_type: z.enum(['document', 'query']).optional(),
  encoding_format: z.literal('float').optional(),
})

export type FakeEmbeddings = {
  url: string
  /** What came in, the latest last. */
  requests: { path: string; authorization: string | undefined; body: z.infer<typeof body> }[]
  /** The next answers, one for each failure. Afterwards it answers well. */
  fail: (...failures: Failure[]) => void
  /** Answers the nth request for a model only once the function returned is called. */
  hold: (model: string, nth: number) => () => void
}

/** A status that is not 200, or another body. */
type Failure = { status: number; body?: unknown; location?: string }

/** Listens until the test file ends. Vectors have `dimensions` numbers, as many for each model. */
export async function fakeEmbeddings(
  dimensions: (model: string) => number = () => 64,
): Promise<FakeEmbeddings> {
  const requests: FakeEmbeddings['requests'] = []
  const failures: Failure[] = []
  const held = new Map<string, Promise<void>>()
  const server = createServer(async (request, response) => {
    const asked = body.parse(JSON.parse(await textOf(request)))
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body: asked })
    await held.get(`${asked.model} ${requests.filter(({ body }) => body.model === asked.model).length}`)
    const failure = failures.shift()
    const data = asked.input.map((text, index) => ({
      index,
      embedding: embed(text, dimensions(asked.model)),
    }))
    response.writeHead(failure?.status ?? 200, {
      'content-type': 'application/json',
      ...(failure?.location && { location: failure.location }),
    })
    response.end(JSON.stringify(failure ? (failure.body ?? {}) : { data: data.reverse() }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    fail: (...more) => failures.push(...more),
    hold(model, nth) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(`${model} ${nth}`, promise)
      return resolve
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

function embed(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const word of wordsOf(text)) {
    const meaning = meanings.findIndex((words) => words.includes(word))
    const at = meaning === -1 ? meanings.length + (hash(word) % (dimensions - meanings.length)) : meaning
    vector[at]! += meaning === -1 ? 0.3 : 2
  }
  return vector
}

const hash = (word: string) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
