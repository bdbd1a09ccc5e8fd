// What a server that was asked to stop answers until it is gone.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody } from '../../lib/contract/error.ts'
import { Health } from '../../lib/contract/health.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { databaseEnv } from '../helpers/direct-url.ts'
import { type FakeAnthropic, startFakeAnthropic, text } from '../helpers/fake-anthropic.ts'
import { readFrames } from '../helpers/turn-client.ts'
import { startVoidProcess, type VoidProcess } from '../helpers/void-process.ts'
import { makeCrashDatabase } from '../tools/crash/crash-database.ts'

const token = 'owner_of-the-drain-test-0123456789'
const folder = makeDataFolder(await mkdtemp(join(tmpdir(), 'void-drain-')))
const { url: databaseUrl, drop } = await makeCrashDatabase()
/** The replies of the model, each held until the test lets it go. */
const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
let model: FakeAnthropic
let server: VoidProcess

beforeAll(async () => {
  model = await startFakeAnthropic(
    held.map(({ promise }, n) => async () => {
      await promise
      return text(`Answer ${n}.`)
    }),
  )
  server = await startVoidProcess({
    DATA_DIR: folder,
    OWNER_TOKEN: token,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'drain',
    ROUTER_MODEL: 'none',
    ...databaseEnv(databaseUrl),
  })
})

afterAll(async () => {
  server.kill()
  await server.gone
  await model.close()
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

/** Each on a connection of its own. */
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { ...headers, connection: 'close' } })

async function make(path: string, body: object): Promise<{ id: string }> {
  const response = await call(path, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as { id: string }
}

/** Asks in a conversation of its own; resolves when the model has been called. */
async function ask(spaceId: string, calls: number) {
  const conversation = await make(`/api/spaces/${spaceId}/conversations`, {})
  const response = await call(`/api/spaces/${spaceId}/companion/turn`, {
    method: 'POST',
    body: JSON.stringify({ text: 'Well?', conversation_id: conversation.id }),
  })
  const frames = readFrames(response)
  const first = (await frames.next()).value
  if (first?.type !== 'turn') throw new Error(`no turn: ${first?.type}`)
  await model.whenRequested(calls)
  return { frames: Array.fromAsync(frames), turnId: first.data.turn_id }
}

test('while turns end, new requests get a 503 and what runs can be read and stopped', async () => {
  const space = await make('/api/spaces', { name: 'Skerry' })
  const answered = await ask(space.id, 1)
  const stopped = await ask(space.id, 2)
  const live = await call('/api/events')

  server.terminate()
  await expect
    .poll(async () => Health.parse(await (await call('/health')).json()).status, { timeout: 10_000 })
    .toBe('draining')
  const ready = await call('/ready')
  const refused = await Promise.all([
    call('/api/spaces'),
    call('/'),
    call('/api/events'),
    call(`/api/spaces/${space.id}/companion/turn`, {
      method: 'POST',
      body: JSON.stringify({ text: 'More' }),
    }),
  ])
  const state = await call(`/api/turns/${answered.turnId}`)
  const reader = await call(`/api/turns/${answered.turnId}/events`)
  const stop = await call(`/api/turns/${stopped.turnId}/stop`, { method: 'POST' })
  held[0]!.resolve()
  const ends = (
    await Promise.all([answered.frames, Array.fromAsync(readFrames(reader)), stopped.frames])
  ).map((frames) => frames.at(-1))

  expect(ready.status).toBe(503)
  for (const response of [ready, ...refused]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(ErrorBody.parse(await response.json()).error.code).toBe('shutting_down')
  }
  expect(await state.json()).toMatchObject({ id: answered.turnId, status: 'running' })
  expect(await stop.json()).toMatchObject({ id: stopped.turnId, status: 'stopped' })
  expect(ends).toEqual([
    expect.objectContaining({ type: 'done' }),
    expect.objectContaining({ type: 'done' }),
    expect.objectContaining({ type: 'done' }),
  ])
  expect(await live.text()).toContain('retry: 500')
  expect(await server.gone).toBe(0)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const [error] = await once(socket, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
