// A message that is moved to another conversation is found there and nowhere else, whichever message it was.

import { beforeEach, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { createRunningSummariesRepo } from '../../../lib/db/repos/messages.ts'
import { indexConversations } from '../../../lib/search/reindex.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'

let choice: object
const small: CallModel = async (request) => scriptedModel([{ text: JSON.stringify(choice) }])(request)
const big: CallModel = async (request) => scriptedModel([{ text: 'Aye.' }])(request)
const { app, owner, deps } = await buildApp({ callModel: big, smallModel: small })
const url = await listen(app)

let space_id: string
beforeEach(async () => {
  const { body } = await owner.post('/api/spaces').send({ name: 'Log room' })
  space_id = body.id
})

async function begin(text: string): Promise<string> {
  const { body } = await owner.post(`/api/spaces/${space_id}/conversations`)
  await say(text, body.id)
  return body.id
}

const say = (text: string, conversation_id?: string) =>
  takeTurn({ url, space_id, body: { text, ...(conversation_id ? { conversation_id } : {}) } })

/** Says something that the router answers so; the decision. */
async function route(text: string, answer: object): Promise<string> {
  choice = answer
  const [turn] = ofType(await say(text), 'turn')
  if (!turn?.data.routing) throw new Error('the turn was not routed')
  return turn.data.routing.decision_id
}

const move = (decision: string, to: string) =>
  owner.post(`/api/routing-decisions/${decision}/undo`).send({ to }).expect(200)
const index = () => indexConversations(deps, { quiet_since: new Date(Date.now() + 1e12), limit: 100 })

/** The conversations in which a word is found. */
async function find(q: string): Promise<string[]> {
  const { body } = await owner.get('/api/search').query({ space_id, q, kinds: 'conversation' })
  return [...new Set<string>(body.items.map(({ entity_id }: { entity_id: string }) => entity_id))]
}

test('one moved from the middle of a conversation into the middle of another', async () => {
  const boat = await begin('Planks for the boat')
  const lease = await begin('When does the lease end?')
  const decision = await route('Where is the halyard?', { choice: 'continue' })
  await say('And who signs it?', lease)
  await say('And nails for the planks?', boat)
  await index()

  await move(decision, boat)
  await index()

  expect(await find('halyard')).toEqual([boat])
  expect(await find('signs')).toEqual([lease])
})

test('one moved from the end of a conversation', async () => {
  const boat = await begin('Planks for the boat')
  const lease = await begin('When does the lease end?')
  const decision = await route('Where is the halyard?', { choice: 'continue' })
  await say('And nails for the planks?', boat)
  await index()

  await move(decision, boat)
  await index()

  expect(await find('halyard')).toEqual([boat])
  expect(await find('lease')).toEqual([lease])
})

test('the only one of a conversation that stays', async () => {
  const boat = await begin('Planks for the boat')
  await owner.post(`/api/spaces/${space_id}/conversations`)
  const decision = await route('Where is the halyard?', { choice: 'continue' })
  await index()

  await move(decision, boat)
  expect(await find('halyard')).toEqual([])
  await index()

  expect(await find('halyard')).toEqual([boat])
})

test('the short form of both conversations for the model is made anew when it reaches to the message', async () => {
  const boat = await begin('Planks for the boat')
  const lease = await begin('When does the lease end?')
  const decision = await route('Where is the halyard?', { choice: 'continue' })
  const summaries = createRunningSummariesRepo(deps.database)
  for (const conversation of [boat, lease]) {
    const said = await say('And then?', conversation)
    const until = ofType(said, 'done')[0]!.data.assistant_message_id
    await summaries.advance(conversation, null, { summary: 'Much was said.', until })
  }

  await move(decision, boat)

  for (const conversation of [boat, lease]) {
    expect(await summaries.find(conversation)).toEqual({ summary: '', until: null })
  }
})
