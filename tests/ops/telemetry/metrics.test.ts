import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../../../lib/ai/model.ts'
import { createTelemetry } from '../../../lib/ops/telemetry/telemetry.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { takeTurn } from '../../helpers/turn-client.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const metricsToken = 'metrics_0123456789abcdefghij'

/** The value of a series; `undefined` when it is not there. */
function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const seriesOf = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))

describe('what a server counts', async () => {
  const void_ = await buildApp({
    metricsToken,
    callModel: scriptedModel([
      { text: 'The lamp turns once a minute.' },
      () => {
        throw new ModelError('model_unauthorized', 'The key was refused.', { retryable: false })
      },
    ]),
  })
  const { app, owner } = void_
  const url = await listen(app)
  const { space } = await makeWorld({ owner })
  const scrape = async () => (await owner.get('/metrics')).text
  const { body } = await owner.get(`/api/spaces/${space.id}/companion`)
  const ask = (text: string) =>
    takeTurn({ url, space_id: space.id, body: { text, conversation_id: body.conversation_id } })

  test('turns by how they ended, their first text, model calls and their errors', async () => {
    await ask('How often does the lamp turn?')
    await ask('And how bright is it?')

    await expect
      .poll(async () => readSeries(await scrape(), 'void_turn_duration_seconds_count{state="failed"}'))
      .toBe(1)
    const text = await scrape()
    expect(readSeries(text, 'void_turns_started_total')).toBe(2)
    expect(readSeries(text, 'void_turn_duration_seconds_count{state="done"}')).toBe(1)
    expect(readSeries(text, 'void_turn_first_text_seconds_count')).toBe(1)
    expect(readSeries(text, 'void_model_call_duration_seconds_count{role="answer",outcome="ok"}')).toBe(1)
    expect(
      readSeries(text, 'void_model_call_duration_seconds_count{role="answer",outcome="model_unauthorized"}'),
    ).toBe(1)
    expect(readSeries(text, 'void_turns_running')).toBe(0)
    expect(readSeries(text, 'void_turns_queued')).toBe(0)
  })

  test('searches, statements, transactions and requests', async () => {
    const before = await scrape()
    await owner.get('/api/search?q=lamp').expect(200)
    await owner.get('/api/pages/no-such').expect(404)

    const refused = 'void_http_request_duration_seconds_count{method="GET",status="4xx"}'
    // A request is counted when its connection has had all of the answer, which is after its client has.
    await expect
      .poll(async () => readSeries(await scrape(), refused))
      .toBe((readSeries(before, refused) ?? 0) + 1)
    const after = await scrape()
    const grown = (series: string) => (readSeries(after, series) ?? 0) - (readSeries(before, series) ?? 0)
    expect(grown('void_search_duration_seconds_count{outcome="ok"}')).toBe(1)
    expect(grown('void_db_statement_duration_seconds_count{outcome="ok"}')).toBeGreaterThan(0)
    expect(readSeries(after, 'void_db_transaction_duration_seconds_count{outcome="ok"}')).toBeGreaterThan(0)
    expect(readSeries(after, 'void_db_connections_max')).toBeGreaterThan(0)
  })

  test('drafts that wait', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe' })
    const before = readSeries(await scrape(), 'void_drafts_pending')
    await void_.as(token).post(`/api/spaces/${space.id}/pages`).send({ title: 'Fog signal' }).expect(202)

    // One reading serves all who ask within a moment.
    await expect.poll(async () => readSeries(await scrape(), 'void_drafts_pending')).toBe(Number(before) + 1)
  })

  test('an event stream counts while it is open and is not timed', async () => {
    const stop = new AbortController()
    const stream = await fetch(`${url}/api/events`, {
      headers: { authorization: `Bearer ${ownerToken}` },
      signal: stop.signal,
    })
    expect(stream.status).toBe(200)
    expect(readSeries(await scrape(), 'void_http_streams_open')).toBe(1)

    stop.abort()

    await expect.poll(async () => readSeries(await scrape(), 'void_http_streams_open')).toBe(0)
  })

  test('no label holds a name or an id, and there are few series, whatever was asked', async () => {
    for (const word of ['Zanzibar', '<script>', 'a'.repeat(500)]) {
      await owner.get(`/api/search?q=${encodeURIComponent(word)}`)
      await owner.get(`/${encodeURIComponent(word)}`)
      await owner.post('/api/spaces').send({ name: `Space ${word.slice(0, 50)}` })
    }
    const text = await scrape()

    expect(text).not.toMatch(/Zanzibar|script|aaaa|lamp/)
    expect(text).not.toContain(space.name)
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(seriesOf(text).length).toBeLessThan(600)
  })
})

describe('who may read them', async () => {
  const void_ = await buildApp({ metricsToken })
  const { app } = void_
  const asked = (path: string, token: string) =>
    request(app).get(path).set('Authorization', `Bearer ${token}`)

  test('the owner, and whoever has the token for metrics', async () => {
    const byOwner = await asked('/metrics', ownerToken)
    const byToken = await asked('/metrics', metricsToken)

    expect([byOwner.status, byToken.status]).toEqual([200, 200])
    expect(byToken.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  })

  test('the token for metrics opens nothing else', async () => {
    for (const path of ['/api/spaces', '/api/agents', '/api/audit', '/api/export']) {
      expect([path, (await asked(path, metricsToken)).status]).toEqual([path, expect.toBeOneOf([401, 404])])
    }
  })

  test('an agent is refused, and so is an empty token where none is configured', async () => {
    const { token } = await makeAgent(void_, { slug: 'prober' })
    const without = await buildApp()

    expect((await asked('/metrics', token)).status).toBe(403)
    expect((await request(without.app).get('/metrics').set('Authorization', 'Bearer ')).status).toBe(401)
    expect((await request(without.app).get('/metrics').set('Authorization', 'Bearer null')).status).toBe(401)
  })
})

test('a database that is away leaves its gauges out, and the rest is answered', async () => {
  const down = await buildApp({ metricsToken })
  const refused = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  down.deps.database.pool.query = refused
  down.deps.database.pool.connect = refused

  const answer = await request(down.app).get('/metrics').set('Authorization', `Bearer ${metricsToken}`)

  expect(answer.status).toBe(200)
  expect(readSeries(answer.text, 'void_turns_queued')).toBeUndefined()
  expect(readSeries(answer.text, 'void_turns_running')).toBe(0)
})

test('a started server measures its process, too', async () => {
  const telemetry = createTelemetry()
  telemetry.start()

  const text = await telemetry.metrics.register.metrics()

  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
})
