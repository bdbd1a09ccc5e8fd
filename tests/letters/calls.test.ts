// A call of a tool stands in Activity from its beginning, and is seen when it was cut off.

import { describe, expect, test } from 'vitest'
import { createToolCallsRepo } from '../../lib/db/repos/tool_calls.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'
import { createRawClient } from '../outside/mcp/raw-client.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { owner, turn, deps } = letters
const world = await makeWorld(letters)
const space_id = world.space.id

const calls = async () =>
  (await owner.get(`/api/activity?space_id=${space_id}&source=call`)).body.items.map(
    ({ status, action }: { status: string; action: string }) => ({ status, action }),
  )

/** Holds the database's answer to one statement of the tool until it is released. */
async function withHeldSearch(run: (release: () => void) => Promise<void>): Promise<void> {
  const gate = Promise.withResolvers<void>()
  const search = deps.search.show
  deps.search.show = async (...given) => {
    await gate.promise
    return await search(...given)
  }
  try {
    await run(gate.resolve)
  } finally {
    deps.search.show = search
    gate.resolve()
  }
}

test('pending while it runs, then done, in one row', async () => {
  await withHeldSearch(async (release) => {
    const running = turn(space_id, [{ name: 'search', input: { q: 'lamp' } }])
    await expect.poll(calls).toEqual([{ action: 'search', status: 'pending' }])
    expect((await owner.get(`/api/activity?space_id=${space_id}&status=unfinished`)).body.items).toEqual([])

    release()
    await running

    expect(await calls()).toEqual([{ action: 'search', status: 'done' }])
  })
})

test('cancelled when the turn is stopped meanwhile', async () => {
  await withHeldSearch(async () => {
    const running = turn(space_id, [{ name: 'search', input: { q: 'oil' } }])
    await expect.poll(async () => (await calls())[0]?.status).toBe('pending')
    const { body } = await owner.get(`/api/activity?space_id=${space_id}&status=pending`)
    expect(body.items).toHaveLength(1)

    await owner.post(`/api/turns/${body.items[0].turn_id}/stop`).expect(200)
    await running

    expect((await calls())[0]).toEqual({ action: 'search', status: 'cancelled' })
    expect(await calls()).toHaveLength(2)
  })
})

test('error when it fails', async () => {
  await turn(space_id, [{ name: 'search', input: { flavour: 'sour' } }])

  expect((await calls())[0]).toEqual({ action: 'search', status: 'error' })
})

describe('over MCP', () => {
  const connected = makeAgent(letters, { slug: 'reader', spaces: [space_id] }).then(({ token }) => ({
    token,
    client: createRawClient(letters.url, token, {}),
  }))
  const first = async () => (await calls())[0]

  test('pending while it runs, then done, in one row', async () => {
    const { client } = await connected
    const before = (await calls()).length
    await withHeldSearch(async (release) => {
      const answer = client.callTool('search', { q: 'lamp' })
      await expect.poll(first).toEqual({ action: 'search', status: 'pending' })

      release()
      await answer

      expect(await first()).toEqual({ action: 'search', status: 'done' })
      expect(await calls()).toHaveLength(before + 1)
    })
  })

  test('error when it fails, also for what nobody expected', async () => {
    const { client } = await connected
    await client.callTool('search', { flavour: 'sour' })
    expect(await first()).toEqual({ action: 'search', status: 'error' })

    const { show } = deps.search
    deps.search.show = async () => {
      throw new Error('the index is gone')
    }
    await client.callTool('search', { q: 'lamp' }).finally(() => {
      deps.search.show = show
    })
    expect(await first()).toEqual({ action: 'search', status: 'error' })
  })

  test('cancelled when its client goes', async () => {
    const { token } = await connected
    await withHeldSearch(async (release) => {
      const gone = new AbortController()
      const sent = fetch(`${letters.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search', arguments: { q: 'oil' } },
        }),
        signal: gone.signal,
      }).catch(() => null)
      await expect.poll(first).toEqual({ action: 'search', status: 'pending' })

      gone.abort()
      await sent
      release()

      await expect.poll(first).toEqual({ action: 'search', status: 'cancelled' })
    })
  })

  test('cancelled when its server died, which a later one sees by its age', async () => {
    const { client } = await connected
    await withHeldSearch(async (release) => {
      const answer = client.callTool('search', { q: 'lamp' })
      await expect.poll(first).toMatchObject({ status: 'pending' })
      const repo = createToolCallsRepo(deps.database)

      expect(await repo.cancelAbandoned(new Date(Date.now() - 900_000))).toBe(0)
      expect(await repo.cancelAbandoned(new Date(Date.now() + 1000))).toBe(1)
      expect(await first()).toMatchObject({ status: 'cancelled' })

      release()
      await answer
    })
    expect(await first()).toMatchObject({ status: 'done' })
  })
})
