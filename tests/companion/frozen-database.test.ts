// A database that is frozen for longer than a lease holds, and comes back: the turns that run here go on as they were.

import { expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, postTurn, readFrames } from '../helpers/turn-client.ts'

/** Longer than a lease, once with models that end meanwhile, once with models that end afterwards. */
const pausesMs = [6500, 8500]
const runsEach = 25

test('no call is made twice, and readers hear the end when the database is back', {
  timeout: 120_000,
}, async () => {
  const shaky = createShakyDatabase(await testDb())
  const calls = new Map<string, number>()
  let released = Promise.withResolvers<void>()
  const callModel: CallModel = async (request) => {
    const asked = JSON.stringify(request.messages.at(-1)).match(/run \d+-\d+/)?.[0] ?? ''
    calls.set(asked, (calls.get(asked) ?? 0) + 1)
    request.onTextDelta?.('Half ')
    await released.promise
    return await scriptedModel([{ text: 'an answer.', deltas: 1 }])(request)
  }
  const { app, owner, deps } = await buildApp({ database: shaky.database, callModel, turnsAtOnce: 100 })
  const url = await listen(app)
  const stop = await deps.companion.startRecovery()

  const late: number[] = []
  for (const [round, pauseMs] of pausesMs.entries()) {
    released = Promise.withResolvers()
    const runs = await Promise.all(
      Array.from({ length: runsEach }, async (_, at) => {
        const { body: space } = await owner.post('/api/spaces').send({ name: `Run ${round}-${at}` })
        const response = await postTurn({ url, space_id: space.id, body: { text: `run ${round}-${at}` } })
        return readFrames(response)
      }),
    )
    // The model is asked by then, and says its first words.
    await expect
      .poll(() => [...calls].filter(([asked]) => asked.startsWith(`run ${round}-`)).length)
      .toBe(runsEach)
    const thaw = shaky.freeze()
    // The models end in the middle of the pause, or after it.
    setTimeout(() => released.resolve(), round % 2 === 0 ? pauseMs / 2 : pauseMs + 500)
    setTimeout(thaw, pauseMs)
    const thawsAt = performance.now() + pauseMs
    const heard = await Promise.all(
      runs.map(async (frames) => {
        const all = await Array.fromAsync(frames)
        late.push(performance.now() - thawsAt)
        return { end: all.at(-1)?.type, text: answerOf(all) }
      }),
    )
    expect(heard).toEqual(Array(runsEach).fill({ end: 'done', text: 'Half an answer.' }))
  }
  stop()

  expect([...calls.values()].filter((count) => count !== 1)).toEqual([])
  expect(calls.size).toBe(pausesMs.length * runsEach)
  const latest = Math.round(Math.max(...late))
  console.log(`${late.length} runs, the last reader ${latest} ms after the pause`)
})
