// What can go wrong in a turn, through the whole server: real HTTP, the real SDK, a fake Messages API that refuses what
// the real one would. After each of them the next message works.

import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import {
  type FakeAnthropic,
  type FakeReply,
  httpError,
  message,
  overloaded,
  rateLimited,
  rawToolUse,
  startFakeAnthropic,
  text,
  toolUse,
} from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { modelOver, wireNames } from '../helpers/over-wires.ts'
import { answerOf, followTurn, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'

const { app, owner, deps } = await buildApp()
const url = await listen(app)
const fakes: FakeAnthropic[] = []
let fake: FakeAnthropic
let space_id: string
/** What the model's server speaks. */
let wire: (typeof wireNames)[number] = 'messages'

beforeEach(async () => {
  space_id = (await owner.post('/api/spaces').send({ name: 'Rough' })).body.id
})
afterAll(() => Promise.all(fakes.map((one) => one.close())))

async function script(replies: FakeReply[], silenceMs = 60_000): Promise<void> {
  fake = await startFakeAnthropic(replies)
  fakes.push(fake)
  app.locals.callModel = modelOver(wire, fake, { maxRetries: 2, silenceMs })
}

const say = (words: string) => takeTurn({ url, space_id, body: { text: words } })

const draft = { entity_type: 'task', action: 'create', payload: { title: 'Oil' }, reason: 'Asked.' }
const drafts = async () => (await owner.get(`/api/pending-changes?space_id=${space_id}`)).body.items

const mishaps: [string, FakeReply[], string][] = [
  ['a rate limit that passes', [rateLimited('0'), [text('Here.')]], 'done end_turn'],
  ['an overload that passes', [overloaded(), [text('Here.')]], 'done end_turn'],
  ['an overload that stays', [overloaded(), overloaded(), overloaded()], 'error model_overloaded'],
  [
    'an overload inside of a stream that had begun',
    [message([text('Half of it', { deltas: 4 })], { errorAfter: { events: 4 } })],
    'error model_overloaded',
  ],
  [
    'a stream that is cut',
    [message([text('Half of it', { deltas: 4 })], { cutAfter: 4 })],
    'error model_unreachable',
  ],
  [
    'a server that is broken',
    [500, 500, 500].map((status) => httpError(status, 'api_error', 'x')),
    'error model_failed',
  ],
  [
    'a pause',
    [message([text('One moment.')], { stopReason: 'pause_turn' }), [text(' Here.')]],
    'done end_turn',
  ],
  ['a refusal', [message([text('I')], { stopReason: 'refusal' })], 'done refusal'],
  ['the length limit', [message([text('Half')], { stopReason: 'max_tokens' })], 'done max_tokens'],
  [
    'a full context, with nothing before it that could be summed up',
    [message([text('')], { stopReason: 'model_context_window_exceeded' })],
    'error model_bad_request',
  ],
  ['a stop for a reason unheard of', [message([text('Half')], { stopReason: 'moonrise' })], 'done moonrise'],
  [
    'a call with a broken input, three times',
    [...[1, 2, 3].map((n) => [rawToolUse('search', '{"q": 7}', { id: `toolu_${n}` })]), [text('I give up.')]],
    'done end_turn',
  ],
  [
    'a call with arguments that are no JSON, three times',
    [
      ...[1, 2, 3].map((n) => [rawToolUse('search', '{"q": "oi', { id: `toolu_${n}` })]),
      [text('I give up.')],
    ],
    'done end_turn',
  ],
  [
    'a call that was cut off by the length limit',
    [
      message([rawToolUse('propose_change', JSON.stringify(draft).slice(0, 40), { id: 'toolu_cut' })], {
        stopReason: 'max_tokens',
      }),
      [text('Too long.')],
    ],
    'done end_turn',
  ],
]

describe.each(wireNames)('over %s', (name) => {
  beforeAll(() => {
    wire = name
  })
  afterAll(() => {
    wire = 'messages'
  })

  test.each(mishaps)('after %s the next message is answered', async (_, replies, end) => {
    await script([...replies, [text('Fine again.')]])

    const last = (await say('Hello?')).at(-1)
    const next = await say('And now?')

    const how = last?.type === 'done' ? last.data.stop_reason : last?.type === 'error' ? last.data.code : ''
    expect(`${last?.type} ${how}`).toBe(end)
    expect(answerOf(next)).toBe('Fine again.')
    expect(fake.refused).toEqual([])
    expect(await drafts()).toEqual([])
  })

  test('a model that falls silent is given up, its text kept, and the next message is answered', async () => {
    await script([message([text('So far', { deltas: 2 })], { silentAfter: 4 }), [text('Fine again.')]], 300)

    const frames = await say('Hello?')
    const next = await say('And now?')

    expect(frames.at(-1)).toMatchObject({ type: 'error', data: { code: 'model_silent' } })
    expect(answerOf(frames)).not.toBe('')
    expect(answerOf(next)).toBe('Fine again.')
  })

  test('NUL and half surrogate pairs in a call and in a text are cleaned, and the next message is answered', async () => {
    const dirty = { ...draft, payload: { title: 'O\u0000il \ud83d' }, reason: 'Be\u0000cause \udc00.' }
    await script([[toolUse('propose_change', dirty)], [text('Dra\u0000fted \ud83d.')], [text('Fine again.')]])

    await say('Draft \u0000 it \udfff')
    const next = await say('And now?')

    expect(await drafts()).toMatchObject([{ payload: { title: 'Oil \ufffd' } }])
    expect(answerOf(next)).toBe('Fine again.')
    expect(fake.refused).toEqual([])
  })

  test('a full context: the beginning is summed up, which is said when it is so, and the answer comes', async () => {
    const full = message([text('')], { stopReason: 'model_context_window_exceeded' })
    await script([[text('In the log room.')], full, [text('It is blue.')], full, full, [text('Fine again.')]])
    const summingUp = (frames: Awaited<ReturnType<typeof say>>) =>
      frames.filter(({ type, data }) => type === 'status' && JSON.stringify(data).includes('Summing up'))
    await say('Where is the chart?')

    const answered = await say('And what colour is its cover?')
    const given = JSON.stringify(fake.requests.at(-1)!.body.messages)
    const failed = await say('Sure?')
    const next = await say('And now?')

    expect([summingUp(answered).length, summingUp(failed).length, summingUp(next).length]).toEqual([1, 1, 0])
    expect(answerOf(answered)).toBe('It is blue.')
    expect(given).toMatch(/<earlier_conversation>.*Owner: Where is the chart\?/)
    expect(given).toContain('And what colour is its cover?"')
    expect(failed.at(-1)).toMatchObject({ type: 'error' })
    expect(answerOf(next)).toBe('Fine again.')
    expect(fake.refused).toEqual([])
  })
})

test('a reader that takes nothing holds nothing up', async () => {
  const long = 'x'.repeat(20_000)
  await script([message([text(long.repeat(200), { deltas: 200 })], { delayMs: 1 }), [text('Fine again.')]])
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  const body = JSON.stringify({ text: 'A lot, please' })
  socket.write(
    `POST /api/spaces/${space_id}/companion/turn HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
      `authorization: Bearer ${ownerToken}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
  socket.pause()
  await fake.whenRequested(1)
  const { running_turn_id } = (await owner.get(`/api/spaces/${space_id}/companion`)).body

  await expect
    .poll(async () => (await owner.get(`/api/turns/${running_turn_id}`)).body.status, { timeout: 25_000 })
    .toBe('done')
  socket.destroy()

  const { items } = (
    await owner.get(
      `/api/conversations/${(await owner.get(`/api/turns/${running_turn_id}`)).body.conversation_id}/messages`,
    )
  ).body
  expect(items.at(-1).body).toHaveLength(4_000_000)
  expect(answerOf(await say('And now?'))).toBe('Fine again.')
})

test('a reader that comes back for a long answer gets all of it, though it is more than one may leave unread', async () => {
  const long = Array.from({ length: 300 }, (_, n) => `${n} ${'y'.repeat(10_000)}`).join('')
  await script([[text(long, { deltas: 300 })]])
  const live = postTurn({ url, space_id, body: { text: 'A lot, please' } }).then((response) =>
    response.text(),
  )
  // Whether this one keeps up is not the point.
  await live.catch(() => {})
  const latest = async () => (await owner.get(`/api/spaces/${space_id}/companion`)).body.messages.at(-1)
  await expect.poll(async () => (await latest()).role, { timeout: 25_000 }).toBe('assistant')
  const turnId = (await latest()).turn_id

  const again = await Array.fromAsync(readFrames(await followTurn(url, turnId)))
  fake.push([text('Fine again.')])
  const next = await say('And now?')

  expect(answerOf(again)).toBe(long)
  expect(answerOf(next)).toBe('Fine again.')
})

test('a resumption that breaks off before its first event changes nothing', async () => {
  await script([message([text('one two three', { deltas: 3 })], { delayMs: 30 }), [text('Fine again.')]])
  const response = await postTurn({ url, space_id, body: { text: 'Slowly' } })
  const frames = readFrames(response)
  const opening = (await frames.next()).value
  const leaving = new AbortController()
  const resumed = followTurn(url, opening?.type === 'turn' ? opening.data.turn_id : '', {
    signal: leaving.signal,
  })
  leaving.abort()
  await resumed.catch(() => {})

  const rest = await Array.fromAsync(frames)
  const next = await say('And now?')

  expect(answerOf(rest)).toBe('one two three')
  expect(answerOf(next)).toBe('Fine again.')
})

test('a tab that is closed in the middle of an answer changes nothing', async () => {
  await script([message([text('one two three', { deltas: 3 })], { delayMs: 30 }), [text('Fine again.')]])
  const tab = new AbortController()
  const response = await postTurn({ url, space_id, body: { text: 'Slowly' }, signal: tab.signal })
  const frames = readFrames(response)
  const opening = (await frames.next()).value
  await frames.next()
  tab.abort()
  const turnId = opening?.type === 'turn' ? opening.data.turn_id : ''

  const all = await Array.fromAsync(readFrames(await followTurn(url, turnId)))
  const next = await say('And now?')

  expect(answerOf(all)).toBe('one two three')
  expect(answerOf(next)).toBe('Fine again.')
  expect(fake.aborted).toBe(0)
})

test('a cursor of another conversation is refused, and that costs neither of them anything', async () => {
  await script([[text('First.')], [text('Second.')], [text('Fine again.')]])
  const [first] = await say('One')
  const elsewhere = (await owner.post(`/api/spaces/${space_id}/conversations`)).body.id
  const body = { text: 'Two', conversation_id: elsewhere }
  const [second] = await takeTurn({ url, space_id, body })
  const turns = [first, second].map((frame) => (frame?.type === 'turn' ? frame.data : null))

  const answer = await followTurn(url, turns[0]?.turn_id ?? '', {
    query: `?conversation_id=${turns[1]?.conversation_id}`,
  })
  const crossed = await followTurn(url, turns[0]?.turn_id ?? '', {
    headers: { 'last-event-id': `${turns[1]?.turn_id}:1` },
  })

  expect([answer.status, crossed.status]).toEqual([403, 403])
  expect(answerOf(await takeTurn({ url, space_id, body }))).toBe('Fine again.')
})

test.runIf(deps.database.engine === 'postgres')(
  'connections that are killed in the middle of a turn cost it nothing',
  async () => {
    await script([
      [text('Let me see.'), toolUse('search', { q: 'oil' }, { id: 'toolu_a' })],
      message([text('Here it is, at last.', { deltas: 5 })], { delayMs: 60 }),
      [text('Fine again.')],
    ])
    const response = await postTurn({ url, space_id, body: { text: 'Hello?' } })
    const frames = readFrames(response)
    const heard = [(await frames.next()).value!]
    await fake.whenRequested(2)
    await deps.database
      .query(
        `select pg_terminate_backend(pid)
         from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => {})
    for await (const frame of frames) heard.push(frame)

    expect(heard.at(-1)?.type).toBe('done')
    expect(answerOf(heard)).toBe('Let me see.\n\nHere it is, at last.')
    expect(answerOf(await say('And now?'))).toBe('Fine again.')
  },
)
