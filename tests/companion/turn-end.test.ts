// How the end of a turn comes into the database, and out of it again.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurnLog } from '../../lib/companion/stream/read-turn.ts'
import { type Interruption, TurnStorage } from '../../lib/companion/turn/running-turn.ts'
import { createEventStore } from '../../lib/companion/turn/turn-runners.ts'
import { databaseUnavailable } from '../../lib/core/errors.ts'
import { createLogger } from '../../lib/core/logger.ts'
import type { Database } from '../../lib/db/pool.ts'
import { createTurnStepsRepo } from '../../lib/db/repos/turn_steps.ts'
import { createTurnsRepo } from '../../lib/db/repos/turns.ts'
import { buildApp } from '../helpers/build-app.ts'
import { createPacedModel } from '../helpers/paced-model.ts'
import { expireLeases, startServer } from '../helpers/servers.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, type Frame, followTurn, postTurn, readFrames } from '../helpers/turn-client.ts'

const database = await testDb()
const { loadCards } = (await buildApp({ database })).deps.changes

async function begin(db = database) {
  const model = createPacedModel()
  const server = await startServer(db, model.callModel)
  const { body: space } = await server.owner.post('/api/spaces').send({ name: 'Quiet' })
  const frames = readFrames(await postTurn({ url: server.url, space_id: space.id, body: { text: 'Hello?' } }))
  const opening = (await frames.next()).value
  return { model, server, frames, turn_id: String(opening.data.turn_id) }
}

const stepsOf = (turnId: string) => createTurnStepsRepo(database).list([turnId])

test('the last message of a turn is a step like the others', async () => {
  const { model, frames, turn_id } = await begin()
  model.end({ tools: [{ name: 'search', input: { q: 'anything' } }] })
  await model.whenCalled(2)
  model.end({ text: 'Nothing.' })
  await Array.fromAsync(frames)

  const steps = await stepsOf(turn_id)

  expect(steps.map(({ seq, role, stop_reason }) => [seq, role, stop_reason])).toEqual([
    [1, 'assistant', 'tool_use'],
    [2, 'user', null],
    [3, 'assistant', 'end_turn'],
  ])
  expect(JSON.parse(steps[2]!.content)).toMatchObject([{ type: 'text', text: 'Nothing.' }])
})

test('a turn that is left behind its last message leaves that message', async () => {
  const { turn_id } = await begin()
  const { rows } = await database.query<{ owner: string }>(
    'select lease_owner as owner from turns where id = $1',
    [turn_id],
  )
  const interruptions: Interruption[] = []
  const storage = new TurnStorage({
    database,
    logger: createLogger('silent'),
    lease: { turn_id, attempt: 1, owner: rows[0]!.owner },
    onInterruption: (interruption) => interruptions.push(interruption),
    storeEvents: createEventStore(database),
    onStored: () => {},
  })
  const content = JSON.stringify([{ type: 'text', text: 'All said.' }])
  storage.add({ type: 'delta', seq: 2, data: { text: 'All said.' } })
  storage.holdStep({ seq: 1, role: 'assistant', content, stop_reason: 'end_turn', usage: null, given: null })

  await storage.flush()

  storage.close()
  expect(await stepsOf(turn_id)).toMatchObject([{ seq: 1, content, stop_reason: 'end_turn', event_seq: 2 }])
  expect((await createTurnsRepo(database).find(turn_id))?.status).toBe('running')
  expect(interruptions).toEqual([])
})

test('an answer whose events were stored without anybody knowing is finished all the same', async () => {
  const cut: Database = {
    ...database,
    async query(text, values) {
      const result = await database.query<never>(text, values)
      if (text.includes('cross join lateral json_to_recordset(held.events)')) throw databaseUnavailable(null)
      return result
    },
  }
  const { model, frames, turn_id } = await begin(cut)
  model.say('Well said.')
  while ((await createTurnStepsRepo(database).listEvents(turn_id, 1, 10)).length === 0) await wait(20)
  model.end({})

  const rest = await Array.fromAsync(frames)

  expect(rest.at(-1)?.type).toBe('done')
  expect(answerOf(rest)).toBe('Well said.')
  expect((await createTurnsRepo(database).find(turn_id))?.status).toBe('done')
})

test('a reader that looked just before the end is told what came with it', async () => {
  const { model, frames, turn_id } = await begin()
  let live: Frame[] = []
  const log = createTurnLog({
    loadCards,
    database: {
      ...database,
      async query(text, values) {
        const found = await database.query<never>(text, values)
        if (!text.includes('from turn_events') || live.length > 0) return found
        model.end({ text: 'Yes.' })
        live = await Array.fromAsync(frames)
        return found
      },
    },
  })

  const page = await log.read((await createTurnsRepo(database).find(turn_id))!, 1)

  expect(page.events.map(({ type, seq, data }) => ({ id: seq, type, data }))).toEqual(live)
})

test('a server that is told to stop does not wait for a database that is away', async () => {
  const { model, server, frames, turn_id } = await begin()
  await model.say('Almost ')
  server.kill()
  model.end({ text: 'done.' })

  await server.companion.drain(0, 50)
  const heard = await Array.fromAsync(frames)
  await expireLeases(database)
  const next = await startServer(database, model.callModel)
  const stop = await next.companion.startRecovery()
  await model.whenCalled(2)
  model.end({ text: 'Done.' })
  const taken = await Array.fromAsync(readFrames(await followTurn(next.url, turn_id)))
  stop()

  expect(heard.map(({ type }) => type)).not.toContain('done')
  expect(taken.at(-1)?.type).toBe('done')
  expect(answerOf(taken)).toBe('Done.')
})
