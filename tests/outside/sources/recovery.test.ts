// Sources whose server restarts or whose key is changed while they are in use.

import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSourcesRepo } from '../../../lib/db/repos/sources.ts'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { createCallTool } from '../../../lib/outside/sources/call-tool.ts'
import { createConnections } from '../../../lib/outside/sources/connections.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'
import { startServer } from './restarting-server.ts'
import { useProposed } from './source-helpers.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const callTool = createCallTool({ ...deps, now: () => new Date() })
afterAll(() => deps.connections.close())

let server: Awaited<ReturnType<typeof startServer>>
let count = 0
let id = ''

beforeEach(async () => {
  server = await startServer()
  id = await add(server.url)
})
afterEach(() => server.close())

/** A source in use: tested, its tools allowed as proposed. */
async function add(url: string): Promise<string> {
  const name = `restarting-${++count}`
  await owner.put(`/api/secrets/${name}`).send({ value: 'first' })
  const headers = { 'X-Api-Key': `secret:${name}` }
  const { body } = await owner
    .post(`/api/spaces/${world.space.id}/sources`)
    .send({ name, transport: 'http', url, headers })
    .expect(201)
  await useProposed(void_, body.id)
  await owner.patch(`/api/sources/${body.id}/tools/act`).send({ policy: 'ask' }).expect(200)
  return body.id
}

const keep = (value: string) => owner.put(`/api/secrets/restarting-${count}`).send({ value }).expect(204)

async function call(tool: 'look' | 'act') {
  const { body } = await owner.get(`/api/sources/${id}/tools`)
  const { sha256 } = body.items.find(({ name }: { name: string }) => name === tool)
  return await callTool(
    {
      space_id: world.space.id,
      source_id: id,
      tool,
      tool_sha256: sha256,
      policy: tool === 'look' ? 'read' : 'ask',
      arguments: {},
    },
    new AbortController().signal,
  )
}

const check = async () => (await owner.post(`/api/sources/${id}/test`).expect(200)).body
const status = async () => (await owner.get(`/api/sources/${id}`)).body.status

describe('a server that restarted', () => {
  test('has a new session with the next call, and nobody is told', async () => {
    server.restart()
    const before = server.opened()

    const answer = await call('act')

    expect(answer).toMatchObject({ text: 'Done.', sent: true, answered: true })
    expect(server.called).toEqual(['act'])
    expect(server.opened() - before).toBe(1)
    expect(await status()).toBe('ok')
  })

  test('has one where it answers 400 to a session that it does not know', async () => {
    server.close()
    server = await startServer(400)
    id = await add(server.url)
    server.restart()

    expect(await call('act')).toMatchObject({ text: 'Done.', answered: true })
  })

  test('is not sent a call that acts a second time; the next one works', async () => {
    server.onCall(() => server.restart())

    const lost = await call('act')
    const tries = server.methods.filter((method) => method === 'tools/call').length
    const next = await call('act')

    expect(lost).toMatchObject({ sent: true, answered: false })
    expect(tries).toBe(1)
    expect(next).toMatchObject({ text: 'Done.', answered: true })
  })

  test('is asked again what only reads', async () => {
    server.onCall(() => server.restart())

    expect(await call('look')).toMatchObject({ text: 'Done.', answered: true })
  })

  test('and forgets each session at once is asked twice, not for ever', async () => {
    server.restart()
    const restart = setInterval(() => server.restart())
    const before = server.opened()

    await call('look').finally(() => clearInterval(restart))

    expect(server.opened() - before).toBeLessThanOrEqual(2)
  })
})

describe('a key that was changed', () => {
  test('is used with the next call, whether the server refuses the old one or not', async () => {
    server.changeKey('second')
    await keep('second')

    expect(await call('act')).toMatchObject({ text: 'Done.', answered: true })
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1)
    expect(await status()).toBe('ok')
  })

  test('is used by the next call after one that was refused', async () => {
    server.changeKey('second')
    const refused = await call('act')
    await keep('second')

    expect(refused).toMatchObject({ sent: false, answered: false })
    expect(await call('act')).toMatchObject({ text: 'Done.', answered: true })
  })

  test('back to what it was, a refusal opens anew', async () => {
    let shown = 'first'
    const connections = createConnections({
      // As a password manager: what it said last is known, and asking it anew takes time.
      secrets: { resolve: async () => shown, current: () => 'first' },
      threads: createTextThreads(),
      version: '0',
    })
    const source = (await createSourcesRepo(deps.database).find(id))!
    await connections.use(source, ({ client }) => client.listTools())
    server.changeKey('second')
    shown = 'second'

    const { tools } = await connections.use(source, ({ client }) => client.listTools())

    expect(tools).toHaveLength(2)
    await connections.close()
  })

  test('changed settings are used by every server', async () => {
    const other = createConnections({ secrets: deps.secrets, threads: createTextThreads(), version: '0' })
    const repo = createSourcesRepo(deps.database)
    await other.use((await repo.find(id))!, ({ client }) => client.listTools())
    server.changeKey('plain')
    await owner.patch(`/api/sources/${id}`).send({ headers: { 'X-Api-Key': 'plain' } })
    const before = server.opened()

    await other.use((await repo.find(id))!, ({ client }) => client.listTools())

    expect(server.opened() - before).toBe(1)
    expect(server.methods.slice(-3)[0]).toBe('initialize')
    await other.close()
  })
})

test('Test opens anew, once for all who ask at once', async () => {
  const before = server.opened()

  const results = await Promise.all([check(), check(), check()])

  expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(server.opened() - before).toBe(1)
})

test('a failed try does not renew the idle time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connections = createConnections({
    secrets: deps.secrets,
    threads: createTextThreads(),
    version: '0',
    idleMs: 1000,
    connectMs: 5000,
  })
  try {
    const source = (await createSourcesRepo(deps.database).find(id))!
    const list = () => connections.use(source, ({ client }) => client.listTools())
    await list()
    const before = server.opened()
    server.setBroken(true)
    for (let tries = 0; tries < 3; tries += 1) {
      await vi.advanceTimersByTimeAsync(400)
      await expect(list()).rejects.toThrow()
    }
    server.setBroken(false)

    await list()

    expect(server.opened() - before).toBeGreaterThanOrEqual(1)
  } finally {
    vi.useRealTimers()
    await connections.close()
  }
})
