// A turn through the whole server: real HTTP, the real SDK, a fake Messages API.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { buildApp } from '../helpers/build-app.ts'
import {
  type FakeAnthropic,
  type FakeReply,
  httpError,
  message,
  startFakeAnthropic,
  text,
  toolUse,
} from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { modelOver, wireNames } from '../helpers/over-wires.ts'
import { answerOf, type Frame, ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const url = await listen(app)

let fake: FakeAnthropic
let space_id: string
/** What the model's server speaks. */
let wire: (typeof wireNames)[number] = 'messages'
const fakes: FakeAnthropic[] = []
afterAll(async () => {
  for (const one of fakes) await one.close()
})

beforeEach(async () => {
  // A Space of its own for each test: a conversation nobody else talks in.
  const { body } = await owner.post('/api/spaces').send({ name: 'Quiet' })
  space_id = body.id
})

async function script(replies: FakeReply[]): Promise<CallModel> {
  fake = await startFakeAnthropic(replies)
  fakes.push(fake)
  const callModel = modelOver(wire, fake)
  app.locals.callModel = callModel
  return callModel
}

function overWire(name: typeof wire): void {
  beforeAll(() => {
    wire = name
  })
  afterAll(() => {
    wire = 'messages'
  })
}

const say = (words: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  takeTurn({ url, space_id, body: { text: words, ...more }, headers })

const companion = async (id = space_id) => (await owner.get(`/api/spaces/${id}/companion`)).body

describe.each(wireNames)('a turn over %s', (name) => {
  overWire(name)

  test('streams its events in order, each numbered, first turn and last done', async () => {
    space_id = world.space.id
    await script([
      [text('Let me look. ', { deltas: 2 }), toolUse('search', { q: 'oil for the lamp' })],
      [toolUse('read', { kind: 'page', id: world.lamp.id })],
      [text('It burns rapeseed oil.', { deltas: 3 })],
    ])

    const frames = await say('What does the lamp burn?')

    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => index + 1))
    // Text comes in pieces of any size.
    const types = frames.map(({ type }) => type)
    expect(types.filter((type, at) => type === 'tool' || type !== types[at - 1])).toEqual([
      ...['turn', 'delta', 'tool', 'tool', 'tool', 'tool', 'delta', 'done'],
    ])
    expect(ofType(frames, 'tool').map(({ data }) => [data.tool, data.status])).toEqual([
      ['search', 'running'],
      ['search', 'done'],
      ['read', 'running'],
      ['read', 'done'],
    ])
    expect(answerOf(frames)).toBe('Let me look. \n\nIt burns rapeseed oil.')
    expect(frames.at(-1)).toMatchObject({
      type: 'done',
      data: { stop_reason: 'end_turn', draft_ids: [], usage: { input_tokens: 300, output_tokens: 60 } },
    })
  })

  test('is an event stream that no proxy buffers', async () => {
    await script([[text('Yes.')]])

    const response = await postTurn({ url, space_id, body: { text: 'Here?' } })
    await response.text()

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': expect.stringContaining('no-transform'),
    })
  })

  test('leaves both messages in the conversation, the answer with what it took', async () => {
    await script([[toolUse('search', { q: 'anything' }, { id: 'toolu_a' })], [text('Nothing here.')]])

    const frames = await say('What do we have?')
    const { messages, conversation_id } = await companion()

    expect(messages).toMatchObject([
      { role: 'user', body: 'What do we have?', conversation_id },
      {
        role: 'assistant',
        body: 'Nothing here.',
        id: ofType(frames, 'done')[0]?.data.assistant_message_id,
        metadata: {
          tool_trace: [{ tool: 'search', tool_use_id: 'toolu_a', args: { q: 'anything' }, status: 'done' }],
          draft_ids: [],
          citations: [],
          usage: { input_tokens: 200 },
          stop_reason: 'end_turn',
        },
      },
    ])
  })

  test('gives the model the conversation so far, tool results included, and a valid history', async () => {
    await script([
      [toolUse('search', { q: 'one' }, { id: 'toolu_1' })],
      [text('First answer.')],
      [text('Second answer.')],
    ])

    const { conversation_id } = ofType(await say('First question'), 'turn')[0]!.data
    await say('Second question', { conversation_id })

    const last = fake.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] }
    expect(last.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(JSON.stringify(last.messages)).toContain('First answer.')
    expect(JSON.stringify(last.messages[2])).toContain('toolu_1')
    expect(fake.refused).toHaveLength(0)
  })

  test('tells the model the time with the message, outside of the cached part, and keeps the hash of the wording', async () => {
    space_id = world.space.id
    await script([[text('It is noon.')]])

    await say('What time is it?')

    const { system, messages } = fake.requests[0]!.body
    expect(JSON.stringify(messages.at(-1))).toMatch(
      /<message_time>\w+day, \d{1,2} \w+ \d{4} at \d\d:\d\d \([\w/]+\)<\/message_time>.*What time is it/,
    )
    expect(JSON.stringify(system)).not.toMatch(/message_time|\bat \d\d:\d\d/)
    const { body } = await owner.get(`/api/spaces/${space_id}/companion`)
    const { prompt_hash, model } = body.messages.at(-1).metadata
    expect(prompt_hash).toMatch(/^[0-9a-f]{12}$/)
    const activity = await owner.get(`/api/activity?space_id=${space_id}&source=message`).expect(200)
    const [answer, question] = activity.body.items
    expect([answer.arguments, question.arguments]).toEqual([{ model, prompt_hash }, null])
  })

  test('tells the model what the owner looks at', async () => {
    space_id = world.space.id
    await script([[toolUse('context', {})], [text('The lease.')]])

    await say('What is this?', { view: { entityType: 'page', entityId: world.lease.id } })

    const [first, second] = fake.requests.map(({ body }) => JSON.stringify(body))
    expect(first).toContain(`The owner is looking at the page “Lease of the keeper's house”`)
    expect(second).toContain('410 crowns a month')
  })

  test('drafts, and changes nothing until the draft is approved', async () => {
    space_id = world.space.id
    await script([
      [
        toolUse('propose_change', {
          entity_type: 'task',
          action: 'update',
          entity_id: world.paint.id,
          payload: { status: 'done' },
          reason: 'The rail is painted.',
        }),
      ],
      [text('I drafted that.')],
    ])

    const frames = await say('The rail is painted')
    const before = await owner.get(`/api/tasks/${world.paint.id}`)
    const draft = ofType(frames, 'draft')[0]!
    await owner.post(`/api/pending-changes/${draft.data.pending_change_id}/approve`).send({})
    const after = await owner.get(`/api/tasks/${world.paint.id}`)

    expect(draft.data).toMatchObject({
      summary: 'Change status of task ‘Paint the gallery rail’: open → done',
      card: { fields: [{ name: 'status', before: 'open', after: 'done' }], note: 'The rail is painted.' },
    })
    expect(ofType(frames, 'done')[0]?.data.draft_ids).toEqual([draft.data.pending_change_id])
    expect([before.body.status, after.body.status]).toEqual(['open', 'done'])
    await owner
      .patch(`/api/tasks/${world.paint.id}`)
      .send({ status: 'open', version: after.body.version })
      .expect(200)
  })

  test('may draft a project and a task in it before either exists', async () => {
    await script([
      [
        toolUse(
          'propose_change',
          { entity_type: 'project', action: 'create', payload: { title: 'New boat' }, reason: 'Asked.' },
          { id: 'toolu_p' },
        ),
      ],
      (request) => {
        const result = JSON.stringify(request.body)
        const project_id = /entity_id\\\\?":\\\\?"([0-9a-f-]{36})/.exec(result)?.[1] ?? 'missing'
        return [
          toolUse(
            'propose_change',
            {
              entity_type: 'task',
              action: 'create',
              payload: { title: 'Find a boat', project_id },
              reason: 'Asked.',
            },
            { id: 'toolu_t' },
          ),
        ]
      },
      [text('Drafted both.')],
    ])

    const frames = await say('Plan a new boat')
    const [project, task] = ofType(frames, 'draft').map(({ data }) => data)
    const tooEarly = await owner.post(`/api/pending-changes/${task?.pending_change_id}/approve`).send({})
    await owner.post(`/api/pending-changes/${project?.pending_change_id}/approve`).send({})
    const inOrder = await owner.post(`/api/pending-changes/${task?.pending_change_id}/approve`).send({})

    expect(project?.card).not.toBeNull()
    expect(project?.card?.changeset_id).toBe(task?.card?.changeset_id)
    expect([tooEarly.status, tooEarly.body.error.code]).toEqual([409, 'missing_reference'])
    expect(inOrder.status).toBe(200)
  })

  test('never sees into another Space, whatever the model asks for', async () => {
    await script([
      [toolUse('read', { kind: 'page', id: world.lamp.id }, { id: 'toolu_r' })],
      [toolUse('search', { q: 'rapeseed oil lamp' }, { id: 'toolu_s' })],
      [
        toolUse(
          'propose_change',
          { entity_type: 'page', action: 'delete', entity_id: world.lamp.id, reason: 'x' },
          { id: 'toolu_p' },
        ),
      ],
      [text('I cannot.')],
    ])

    const frames = await say('Read the lamp page')

    expect(
      ofType(frames, 'tool').flatMap(({ data }) => (data.status === 'running' ? [] : data.status)),
    ).toEqual(['error', 'done', 'error'])
    expect(JSON.stringify(fake.requests.at(-1)?.body)).not.toContain('rapeseed oil; the tank')
    expect(ofType(frames, 'draft')).toEqual([])
  })
})

describe('a citation', () => {
  const location = (over: Record<string, unknown>) => ({
    type: 'search_result_location',
    search_result_index: 0,
    start_block_index: 0,
    end_block_index: 1,
    title: 'The lamp',
    ...over,
  })

  test('is checked against the stored text of what the turn was given', async () => {
    space_id = world.space.id
    const oil = 'The lamp burns rapeseed oil; the tank holds 40 litres and lasts for nine nights.'
    const source = `void://page/${world.lamp.id}`
    const { body: unread } = await owner
      .post(`/api/spaces/${space_id}/pages`)
      .send({ title: 'Wages', body: 'The keeper earns 900 crowns.' })
    await script([
      [toolUse('read', { kind: 'page', id: world.lamp.id })],
      [
        text('Nine nights.', { citations: [location({ source, cited_text: oil })] }),
        text(' Or ten.', { citations: [location({ source, cited_text: 'It lasts for ten nights.' })] }),
        text(' The rent is low.', {
          citations: [
            location({
              source: `void://page/${unread.id}`,
              cited_text: 'The keeper earns 900 crowns.',
            }),
          ],
        }),
        text(' Trust me.', { citations: [location({ source: 'https://evil.example', cited_text: 'x' })] }),
      ],
    ])

    const frames = await say('How long does the oil last?')
    const { messages } = await companion()
    const citations = ofType(frames, 'citation').map(({ data }) => data)

    expect(citations).toMatchObject([
      {
        n: 1,
        kind: 'page',
        id: world.lamp.id,
        title: 'The lamp',
        cited_text: oil,
        checked: true,
        start: 0,
        end: 12,
      },
      { n: 2, id: world.lamp.id, checked: false, start: 12, end: 20 },
      { n: 3, id: unread.id, checked: false },
    ])
    expect(messages.at(-1).metadata.citations).toEqual(citations)
  })
})

describe.each(wireNames)('when the model fails over %s', (name) => {
  overWire(name)

  test('the turn ends with an error, the question and the text so far are kept, and the next turn works', async () => {
    await script([message([text('The first half of', { deltas: 4 })], { cutAfter: 5 }), [text('All well.')]])

    const failed = await say('Tell me')
    const { messages } = await companion()
    const next = await say('And now?')

    expect(failed.at(-1)).toMatchObject({
      type: 'error',
      data: { code: 'model_unreachable', retryable: true },
    })
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
    expect(messages[1].body).not.toBe('')
    expect(messages[1].metadata.error.code).toBe('model_unreachable')
    expect(answerOf(next)).toBe('All well.')
    expect(fake.refused).toHaveLength(0)
  })

  test.each([
    [401, 'authentication_error', 'model_unauthorized'],
    [404, 'not_found_error', 'model_not_found'],
    [529, 'overloaded_error', 'model_overloaded'],
    [500, 'api_error', 'model_failed'],
  ])('with %i, the owner is told what it was, without the key', async (status, type, code) => {
    await script([httpError(status, type, 'no sk-test today'), [text('Back.')]])

    const frames = await say('Hello?')
    const next = await say('Hello again?')

    expect(frames.at(-1)).toMatchObject({ type: 'error', data: { code } })
    expect(JSON.stringify(frames)).not.toContain('sk-test')
    expect(answerOf(next)).toBe('Back.')
  })

  test('a refusal is said in plain words and the next turn works', async () => {
    await script([message([text('I')], { stopReason: 'refusal' }), [text('Gladly.')]])

    const refused = await say('Something bad')
    const next = await say('Something good')

    expect(answerOf(refused).length).toBeGreaterThan(10)
    expect(refused.at(-1)).toMatchObject({ type: 'done', data: { stop_reason: 'refusal' } })
    expect(answerOf(next)).toBe('Gladly.')
    expect(fake.refused).toHaveLength(0)
  })
})

describe('while a turn runs', () => {
  const slowly = message([text('one two three four five six', { deltas: 6 })], { delayMs: 40 })

  test('a second one in the conversation is 409 with the running turn’s id, and the first goes on', async () => {
    await script([slowly])
    const first = await postTurn({ url, space_id, body: { text: 'Slowly' } })
    const frames = readFrames(first)
    const opening = (await frames.next()).value as Frame

    const second = await postTurn({ url, space_id, body: { text: 'Quick!' } })
    const rest: Frame[] = await Array.fromAsync(frames)

    expect(second.status).toBe(409)
    expect(await second.json()).toMatchObject({
      error: {
        code: 'turn_running',
        details: { turn_id: opening.type === 'turn' ? opening.data.turn_id : '' },
      },
    })
    expect(rest.at(-1)?.type).toBe('done')
  })

  test('of twenty at once one runs and nineteen are 409', async () => {
    // Slow enough for a busy machine to take in all twenty while the first is being answered.
    await script([message([text('one two three', { deltas: 3 })], { delayMs: 700 })])

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => postTurn({ url, space_id, body: { text: `at once ${n}` } })),
    )
    await Promise.all(answers.map((answer) => answer.text()))
    const { messages } = await companion()

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(messages).toHaveLength(2)
  })

  test('a reader that goes away does not lose the answer', async () => {
    await script([slowly])
    const leaving = new AbortController()
    const response = await postTurn({ url, space_id, body: { text: 'Bye' }, signal: leaving.signal })
    await readFrames(response).next()
    const { running_turn_id } = await companion()

    leaving.abort()
    await expect.poll(async () => (await owner.get(`/api/turns/${running_turn_id}`)).body.status).toBe('done')

    expect((await companion()).messages.at(-1)).toMatchObject({
      role: 'assistant',
      body: 'one two three four five six',
    })
  })

  test('stopping it keeps the text so far, aborts the call upstream, and frees the conversation', async () => {
    await script([message([text('one two three four', { deltas: 4 })], { silentAfter: 4 }), [text('Again.')]])
    const response = await postTurn({ url, space_id, body: { text: 'Go on' } })
    const frames = readFrames(response)
    const turn = (await frames.next()).value as Frame
    await frames.next()

    const id = turn.type === 'turn' ? turn.data.turn_id : ''
    const stopped = await owner.post(`/api/turns/${id}/stop`)
    const rest: Frame[] = await Array.fromAsync(frames)
    const { messages } = await companion()

    expect(stopped.body.status).toBe('stopped')
    expect(rest.at(-1)).toMatchObject({ type: 'done', data: { stop_reason: 'aborted' } })
    expect(messages.at(-1).body).toMatch(/^one/)
    await fake.whenAborted(1)
    expect(answerOf(await say('Again'))).toBe('Again.')
    expect(JSON.stringify(fake.requests.at(-1)?.body.messages[1])).toMatch(/one.*broken off here/)
  })
})

describe('an Idempotency-Key', () => {
  test('gives the same turn for the same message, also when it has ended, and the model is asked once', async () => {
    await script([[text('Once.')]])
    const key = { 'Idempotency-Key': 'abc' }

    const first = await say('Only once', {}, key)
    const again = await say('Only once', {}, key)

    expect(answerOf(again)).toBe('Once.')
    expect(ofType(again, 'turn')[0]?.data.turn_id).toBe(ofType(first, 'turn')[0]?.data.turn_id)
    expect(again.at(-1)).toEqual({ ...first.at(-1), id: expect.any(Number) })
    expect(fake.requests).toHaveLength(1)
  })

  test('is 422 for another message', async () => {
    await script([[text('Once.')]])
    const key = { 'Idempotency-Key': 'def' }
    await say('This', {}, key)

    const other = await postTurn({ url, space_id, body: { text: 'That' }, headers: key })

    expect(other.status).toBe(422)
  })

  test('sent twenty times at once makes one turn', async () => {
    await script([message([text('Once only.', { deltas: 3 })], { delayMs: 20 })])
    const key = { 'Idempotency-Key': 'ghi' }

    const answers = await Promise.all(Array.from({ length: 20 }, () => say('Same', {}, key)))

    expect(new Set(answers.map((frames) => ofType(frames, 'turn')[0]?.data.turn_id)).size).toBe(1)
    expect(answers.every((frames) => answerOf(frames) === 'Once only.')).toBe(true)
    expect(fake.requests).toHaveLength(1)
  })
})

test('a turn of a server that died is closed with its text, and the conversation goes on', async () => {
  await script([[text('Fine.')]])
  const { conversation_id, agent } = await companion()
  const turn = '01900000-0000-7000-8000-00000000dead'
  await deps.database.query(
    `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, lease_owner, lease_until)
     values ($1, $2, $3, $4, 'running', '', 'a dead server', now() - interval '1 second')`,
    [turn, space_id, conversation_id, agent.id],
  )
  await deps.database.query(
    `insert into messages (id, conversation_id, turn_id, role, body) values ($1, $2, $1, 'user', 'Still there?')`,
    [turn, conversation_id],
  )
  await deps.database.query('insert into turn_steps (turn_id, seq, role, content) values ($1, 1, $2, $3)', [
    turn,
    'assistant',
    JSON.stringify([
      { type: 'text', text: 'I was just saying' },
      { type: 'tool_use', id: 'toolu_cut', name: 'search', input: { q: 'x' } },
    ]),
  ])

  const frames = await say('Hello?')
  const { messages } = await companion()

  expect(answerOf(frames)).toBe('Fine.')
  expect(messages.map(({ body }: { body: string }) => body)).toContain('I was just saying')
  expect(fake.refused).toHaveLength(0)
})

test('what is no message is refused before anything is stored', async () => {
  await script([])
  const send = async (body: Record<string, unknown>) => (await postTurn({ url, space_id, body })).status

  expect([
    await send({}),
    await send({ text: '  ' }),
    await send({ text: 7 }),
    await send({ text: 'x', surprise: true }),
    await send({ text: 'x'.repeat(100_001) }),
    await send({ text: 'x', conversation_id: world.lamp.id }),
  ]).toEqual([400, 400, 400, 400, 400, 404])
  expect((await companion()).messages).toEqual([])
})

test('NUL and lone surrogates from the owner and from the model are cleaned, and the thread lives', async () => {
  await script([[text('a\u0000b\ud800c')], [text('fine')]])

  await say('x\u0000y\udfff')
  const next = await say('next')

  expect((await companion()).messages.map(({ body }: { body: string }) => body)).toEqual([
    'xy\ufffd',
    expect.stringMatching(/^ab\ufffdc$/),
    'next',
    'fine',
  ])
  expect(answerOf(next)).toBe('fine')
})
