// Taking a routing back: the message, its answer and its drafts move; nothing is lost and nothing else moves.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { type Frame, ofType, postTurn, readFrames, takeTurn } from '../../helpers/turn-client.ts'
import { readUndoRates, type UndoRate } from '../../tools/eval/router/recorded.ts'

let choice: object
let answers: ScriptedStep[]
const small: CallModel = async (request) => scriptedModel([{ text: JSON.stringify(choice) }])(request)
const big: CallModel = async (request) => scriptedModel([answers.shift() ?? { text: 'Aye.' }])(request)
const { app, owner, deps } = await buildApp({ callModel: big, smallModel: small })
const url = await listen(app)

let space_id: string
let boat: string
let lease: string
beforeEach(async () => {
  answers = []
  const { body } = await owner.post('/api/spaces').send({ name: 'Log room' })
  space_id = body.id
  boat = await begin('Planks for the boat')
  lease = await begin('When does the lease end?')
})

async function begin(text: string): Promise<string> {
  const { body } = await owner.post(`/api/spaces/${space_id}/conversations`)
  await say(text, { conversation_id: body.id })
  return body.id
}

const say = (text: string, more: Record<string, unknown> = {}) =>
  takeTurn({ url, space_id, body: { text, ...more } })

/** Says something that the router answers so; the decision. */
async function routed(text: string, answer: object) {
  choice = answer
  const frames = await say(text)
  return turnOf(frames)
}

function turnOf(frames: readonly Frame[]) {
  const [turn] = ofType(frames, 'turn')
  if (!turn?.data.routing) throw new Error('the turn was not routed')
  return { ...turn.data, decision: turn.data.routing.decision_id }
}

const undo = (decision: string, body?: object) =>
  owner.post(`/api/routing-decisions/${decision}/undo`).send(body)
const bodies = async (conversation: string) =>
  (await owner.get(`/api/conversations/${conversation}/messages`)).body.items?.map(
    ({ body }: { body: string }) => body,
  )
const inUse = async () => (await owner.get(`/api/spaces/${space_id}/companion`)).body

describe('undoing', () => {
  test('what was taken up elsewhere brings message and answer back to the conversation that was in use', async () => {
    const { decision } = await routed('How many planks?', { choice: 'resume', id: boat })

    const { status, body } = await undo(decision)

    expect([status, body.conversation.id, body.from]).toEqual([200, lease, boat])
    expect(await bodies(boat)).toEqual(['Planks for the boat', 'Aye.'])
    expect(await bodies(lease)).toEqual(['When does the lease end?', 'Aye.', 'How many planks?', 'Aye.'])
    expect((await inUse()).conversation_id).toBe(lease)
  })

  test('what went on begins a conversation of its own, named after the message', async () => {
    const { decision } = await routed('Who has the keys?', { choice: 'continue' })

    const { body } = await undo(decision)

    expect([boat, lease]).not.toContain(body.conversation.id)
    expect(body.conversation.title).toBe('Who has the keys?')
    expect(await bodies(body.conversation.id)).toEqual(['Who has the keys?', 'Aye.'])
    expect(await bodies(lease)).toEqual(['When does the lease end?', 'Aye.'])
  })

  test('what began anew goes back, and the conversation that is empty now goes away', async () => {
    const { decision, conversation_id } = await routed('Who has the keys?', { choice: 'new' })

    await undo(decision).expect(200)

    expect(await bodies(lease)).toContain('Who has the keys?')
    expect((await owner.get(`/api/spaces/${space_id}/conversations/${conversation_id}`)).status).toBe(404)
  })

  test('may name any conversation of the Space, and keeps a new one that has gone on', async () => {
    const { decision, conversation_id } = await routed('Who has the keys?', { choice: 'new' })
    await say('And the spare ones?', { conversation_id })

    await undo(decision, { to: boat }).expect(200)

    expect(await bodies(boat)).toEqual(['Planks for the boat', 'Aye.', 'Who has the keys?', 'Aye.'])
    expect(await bodies(conversation_id)).toEqual(['And the spare ones?', 'Aye.'])
  })

  test('moves the drafts with the answer, which stay as they were to be decided', async () => {
    answers = [
      {
        tools: [
          {
            name: 'propose_change',
            input: {
              entity_type: 'task',
              action: 'create',
              payload: { title: 'Ask Ingrid' },
              reason: 'Asked.',
            },
          },
        ],
      },
      { text: 'Drafted.' },
    ]
    const { decision } = await routed('Remind me to ask Ingrid', { choice: 'resume', id: boat })
    const { body: drafts } = await owner.get('/api/pending-changes').query({ space_id })

    await undo(decision).expect(200)

    const { body: after } = await owner.get(`/api/pending-changes/${drafts.items[0].id}`)
    expect([drafts.items[0].conversation_id, after.conversation_id]).toEqual([boat, lease])
    await owner.post(`/api/pending-changes/${after.id}/approve`).send({}).expect(200)
  })

  test('twice is done once', async () => {
    const { decision } = await routed('Who has the keys?', { choice: 'continue' })

    const [first, second] = await Promise.all([undo(decision), undo(decision)])
    const third = await undo(decision, { to: 'new' })

    expect(second.body.conversation.id).toBe(first.body.conversation.id)
    expect(third.body.conversation.id).toBe(first.body.conversation.id)
    const { body } = await owner.get(`/api/spaces/${space_id}/conversations`)
    expect(body.items).toHaveLength(3)
  })

  test('is thought better of: it may be moved on, and counts as undone once', async () => {
    const { decision } = await routed('Who has the keys?', { choice: 'continue' })
    await undo(decision)

    await undo(decision, { to: boat }).expect(200)

    const { body } = await owner.get('/api/routing-decisions').query({ space_id })
    expect(await bodies(boat)).toContain('Who has the keys?')
    expect(body.items[0]).toMatchObject({ id: decision, undone_to: boat, conversation_id: lease })
  })

  test('is refused where a message has other versions, or follows one that has', async () => {
    const { decision, turn_id } = await routed('How many planks?', { choice: 'resume', id: boat })
    const behind = await routed('And how many nails?', { choice: 'continue' })
    const more = { conversation_id: boat }
    const [edited] = ofType(await say('How many ropes?', { ...more, replaces: turn_id }), 'turn')

    for (const each of [decision, behind.decision]) {
      const { status, body } = await undo(each)
      expect([status, body.error.code]).toEqual([409, 'has_versions'])
    }

    expect(await bodies(boat)).toEqual(['Planks for the boat', 'Aye.', 'How many ropes?', 'Aye.'])
    await owner.post(`/api/turns/${turn_id}/show`).expect(200)
    expect((await bodies(boat)).length).toBe(6)
    expect(edited?.data.conversation_id).toBe(boat)
  })

  test('waits for the answer', async () => {
    choice = { choice: 'continue' }
    answers = [{ text: 'Well', hang: true }]
    const frames = readFrames(await postTurn({ url, space_id, body: { text: 'Who has the keys?' } }))
    const first = (await frames.next()).value as Frame
    const { decision, turn_id } = turnOf([first])

    const early = await undo(decision)
    await owner.post(`/api/turns/${turn_id}/stop`)
    await Array.fromAsync(frames)
    const late = await undo(decision)

    expect([early.status, early.body.error.code]).toEqual([409, 'turn_running'])
    expect(late.status).toBe(200)
  })

  test('never leads out of the Space, nor into what was deleted', async () => {
    const { decision } = await routed('Who has the keys?', { choice: 'continue' })
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Elsewhere' })
    const foreign = (await owner.post(`/api/spaces/${other.id}/conversations`)).body.id
    await owner.delete(`/api/spaces/${space_id}/conversations/${boat}`)

    expect([
      (await undo(decision, { to: foreign })).status,
      (await undo(decision, { to: boat })).status,
      (await undo(decision, { to: 'nowhere' })).status,
      (await undo('01900000-0000-7000-8000-00000000dead')).status,
    ]).toEqual([404, 404, 400, 404])
    expect(await bodies(lease)).toContain('Who has the keys?')
  })

  test('leaves a conversation in which the next message works, with what the model is told of it', async () => {
    const { decision } = await routed('How many planks?', { choice: 'resume', id: boat })
    await undo(decision)

    const frames = await say('And how long are they?')

    expect(turnOf(frames)).toMatchObject({ conversation_id: lease, routing: { by: 'obvious' } })
    expect(frames.at(-1)?.type).toBe('done')
  })
})

test('the rail is told how the last turn came, until that is undone', async () => {
  const { decision, turn_id } = await routed('How many planks?', { choice: 'resume', id: boat })

  const before = await inUse()
  await undo(decision)
  const after = await inUse()

  expect(before.last_routing).toEqual({
    turn_id,
    decision_id: decision,
    routed: 'resumed',
    by: 'model',
    title: 'Planks for the boat',
    from: lease,
  })
  expect(after.last_routing).toBe(null)
})

test('how often a routing was taken back can be read off a running server', async () => {
  const before = await readUndoRates(url, ownerToken)
  const { decision } = await routed('How many planks?', { choice: 'resume', id: boat })
  await routed('Who has the keys?', { choice: 'resume', id: lease })
  await undo(decision)

  const after = await readUndoRates(url, ownerToken)

  const resumedIn = (rates: UndoRate[]) =>
    rates.find(({ decided_by, choice: made }) => decided_by === 'model' && made === 'resume')
  expect(resumedIn(after)?.decisions).toBe((resumedIn(before)?.decisions ?? 0) + 2)
  expect(resumedIn(after)?.undone).toBe((resumedIn(before)?.undone ?? 0) + 1)
  await expect(readUndoRates(url, 'wrong')).rejects.toThrow('401')
})

test('a decision undone is still there with what was known', async () => {
  const { decision } = await routed('How many planks?', { choice: 'resume', id: boat })
  await undo(decision)

  const { rows } = await deps.database.query('select * from routing_decisions where id = $1', [decision])

  expect(rows[0]).toMatchObject({
    choice: 'resume',
    conversation_id: boat,
    undone_to: lease,
    undone_at: expect.any(String),
    known: { message: 'How many planks?' },
  })
})
