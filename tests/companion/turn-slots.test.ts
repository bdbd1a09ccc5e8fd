// A server answers so many messages at once; the others wait in the order they came.

import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createTurnSlots } from '../../lib/companion/turn/turn-runners.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { ownWords } from '../helpers/own-words.ts'
import { createPacedModel } from '../helpers/paced-model.ts'
import { testDb } from '../helpers/test-db.ts'
import { type Frame, postTurn, readFrames } from '../helpers/turn-client.ts'

const database = await testDb()

async function start(maxTurns: number) {
  const model = createPacedModel()
  const { app, owner } = await buildApp({ database, callModel: model.callModel, turnsAtOnce: maxTurns })
  const url = await listen(app)

  /** Sends a message to a Space of its own. */
  async function ask(text: string) {
    const { body: space } = await owner.post('/api/spaces').send({ name: text })
    const frames = readFrames(await postTurn({ url, space_id: space.id, body: { text } }))
    return { space_id: String(space.id), frames, first: (await frames.next()).value as Frame }
  }
  return { model, ask, url, owner }
}

const questions = (requests: readonly { messages: readonly { content: unknown }[] }[]) =>
  requests.map(({ messages }) => String(ownWords(messages.at(-1)?.content)))

test('messages beyond the limit wait, are told so, and are answered in the order they came', async () => {
  const { model, ask } = await start(2)
  const running = [await ask('One'), await ask('Two')]
  await model.whenCalled(2)

  const waiting = [await ask('Three'), await ask('Four')]
  const told = await Promise.all(waiting.map(async ({ frames }) => (await frames.next()).value as Frame))
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['status', { message: 'Waiting for other answers to finish.' }],
    ['status', { message: 'Waiting for other answers to finish.' }],
  ])
  expect(model.requests).toHaveLength(2)

  model.end({ text: 'First.' }, 1)
  await model.whenCalled(3)
  const late = await ask('Five')
  model.end({ text: 'Second.' }, 2)
  await model.whenCalled(4)
  model.end({ text: 'Third.' }, 3)
  await model.whenCalled(5)
  model.end({ text: 'Fourth.' }, 4)
  model.end({ text: 'Fifth.' }, 5)

  const all = [...running, ...waiting, late]
  const ends = await Promise.all(all.map(async ({ frames }) => (await Array.fromAsync(frames)).at(-1)?.type))
  expect(ends).toEqual(['done', 'done', 'done', 'done', 'done'])
  expect(questions(model.requests)).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
})

test('where too many wait, the next is refused with the time to come back, and stores nothing', async () => {
  const { model, ask, url, owner } = await start(1)
  const { first, frames } = await ask('Busy')
  await model.whenCalled(1)
  const { turn_id } = first.data as { turn_id: string }
  const ids = Array.from({ length: 1000 }, () => uuid())
  await database.query(
    `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, model, asked)
     select queued, space_id, conversation_id, agent_id, 'queued', '', model, '{"text": "later"}'
     from turns, unnest($2::uuid[]) as queued
     where id = $1`,
    [turn_id, ids],
  )
  const { body: other } = await owner.post('/api/spaces').send({ name: 'Other' })

  const refused = await postTurn({ url, space_id: other.id, body: { text: 'And me?' } })

  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ error: { code: 'too_busy' } })
  const { rows } = await database.query(
    'select from messages join conversations c on c.id = conversation_id where c.space_id = $1',
    [other.id],
  )
  expect(rows).toHaveLength(0)
  await database.query('delete from turns where id = any($1)', [ids])
  model.end({ text: 'Done.' }, 1)
  expect((await Array.fromAsync(frames)).at(-1)?.type).toBe('done')
})

test('turns of a server that died take a part of the slots, and a new message does not wait behind them', () => {
  let running = { all: 0, resumed: 0 }
  const slots = createTurnSlots(32, () => running)
  expect(slots.freeForResumed()).toBe(2)

  running = { all: 2, resumed: 2 }
  expect(slots.freeForResumed()).toBe(0)
  expect(slots.isFull()).toBe(false)

  running = { all: 32, resumed: 1 }
  expect(slots.freeForResumed()).toBe(0)
  expect(slots.isFull()).toBe(true)
})

test('a newcomer does not overtake those that wait', () => {
  const slots = createTurnSlots(2, () => ({ all: 1, resumed: 0 }))
  expect(slots.isFull()).toBe(false)

  slots.setWaiting(true)
  expect(slots.isFull()).toBe(true)
  expect(slots.free()).toBe(1)
})
