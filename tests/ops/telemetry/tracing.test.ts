import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { createTelemetry } from '../../../lib/ops/telemetry/telemetry.ts'
import { createTracing } from '../../../lib/ops/telemetry/tracing.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { takeTurn } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code?: number }
}
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

const logger = createLogger('silent')

/** A collector on the loopback that keeps what it is sent. */
async function startCollector(status = 200) {
  const exports: { path: string; body: Export }[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      exports.push({ path: String(req.url), body: JSON.parse(Buffer.concat(chunks).toString()) })
      res.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { exports, url: `http://127.0.0.1:${port}` }
}

const tracingTo = (endpoint: string) =>
  createTracing({ endpoint, serviceName: 'void-test', version: '0', instance: 'one', logger })

test('a turn is one trace, from the request to the statements and the model call in it', async () => {
  const collector = await startCollector()
  const tracing = tracingTo(`${collector.url}/`)
  const { app, owner } = await buildApp({
    telemetry: createTelemetry(tracing),
    callModel: scriptedModel([{ text: 'Once a minute.' }]),
  })
  const url = await listen(app)
  const { space } = await makeWorld({ owner })
  const { body } = await owner.get(`/api/spaces/${space.id}/companion`)
  const text = 'How often does the Zanzibar lamp turn?'
  await takeTurn({ url, space_id: space.id, body: { text, conversation_id: body.conversation_id } })
  await expect.poll(async () => (await owner.get('/metrics')).text).toMatch(/state="done"} 1/)

  await tracing.close()

  const spans = collector.exports.flatMap(({ body: sent }) =>
    sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
  const attributesOf = (span: Span) =>
    Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
  const turn = spans.find(({ name }) => name === 'turn')!
  const inTrace = spans.filter(({ traceId }) => traceId === turn.traceId)
  const request = inTrace.find(({ spanId }) => spanId === turn.parentSpanId)!
  const model = inTrace.find(({ name }) => name === 'model.call')!
  const ancestors = (span: Span | undefined): string[] =>
    span ? [span.name, ...ancestors(inTrace.find(({ spanId }) => spanId === span.parentSpanId))] : []

  expect(collector.exports[0]!.path).toBe('/v1/traces')
  expect(request.name).toBe('http.request')
  expect(attributesOf(request)['http.route']).toBe('/api/spaces/:space_id/companion/turn')
  expect(ancestors(model)).toEqual(['model.call', 'turn', 'http.request'])
  expect(inTrace.some(({ name }) => name === 'db.statement')).toBe(true)
  expect(JSON.stringify(collector.exports)).not.toContain('Zanzibar')
  expect(JSON.stringify(collector.exports[0]!.body.resourceSpans[0]!.resource)).toContain('void-test')
})

test('a step that fails carries the code of its error, and the error is passed on', async () => {
  const collector = await startCollector()
  const tracing = tracingTo(collector.url)
  const cause = Object.assign(new Error('the secret is hunter2'), { code: '23505' })

  await expect(tracing.trace('step', {}, () => Promise.reject(cause))).rejects.toBe(cause)
  await tracing.close()

  const sent = JSON.stringify(collector.exports)
  expect(sent).toContain('23505')
  expect(sent).not.toContain('hunter2')
})

test('a collector that is away, or fails, costs nothing but the traces', async () => {
  const broken = await startCollector(500)
  for (const endpoint of ['http://127.0.0.1:9', broken.url]) {
    const tracing = tracingTo(endpoint)

    const result = await tracing.trace('step', {}, async () => 42)

    expect(result).toBe(42)
    await tracing.close()
  }
}, 30_000)
