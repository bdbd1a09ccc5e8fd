import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { createPacedModel } from '../helpers/paced-model.ts'
import { startServer } from '../helpers/servers.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, followTurn, postTurn, readFrames } from '../helpers/turn-client.ts'

test('a hundred readers on a server that does not run the turn cost its database what one does', async () => {
  const database = await testDb()
  const model = createPacedModel()
  const runs = await startServer(database, model.callModel)
  const shaky = createShakyDatabase(database)
  const reads = await listen((await buildApp({ database: shaky.database })).app)
  const space_id = (await runs.owner.post('/api/spaces').send({ name: 'Crowd' })).body.id
  const response = await postTurn({ url: runs.url, space_id, body: { text: 'Hello?' } })
  const opening = (await readFrames(response).next()).value
  const turnId = opening?.type === 'turn' ? opening.data.turn_id : ''

  const heard: string[] = []
  const readers = Array.from({ length: 100 }, async (_, n) => {
    heard[n] = ''
    const frames = readFrames(await followTurn(reads, turnId))
    for await (const frame of frames) heard[n] += frame.type === 'turn' ? 'begun ' : answerOf([frame])
  })
  const everybodyHas = (said: string) =>
    expect.poll(() => new Set(heard), { timeout: 20_000 }).toEqual(new Set([said]))
  await everybodyHas('begun ')
  const statements = await shaky.statementsOf(async () => {
    await model.say('one ')
    await everybodyHas('begun one ')
  })
  model.end({ text: 'two' })
  await Promise.all(readers)

  expect(new Set(heard)).toEqual(new Set(['begun one two']))
  // Those who were not waiting at that moment look once more; each by itself would be a hundred.
  expect(statements.filter((text) => text.includes('from turn_events')).length).toBeLessThan(20)
})
