// A call of a tool stands in Activity from its beginning, and is seen when it was cut off.

import { expect, test } from 'vitest'
import { makeWorld } from '../helpers/world.ts'
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
