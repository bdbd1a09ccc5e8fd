// Turns that outlive their reader, their server and their log.

import { beforeEach, describe, expect, test } from 'vitest'
import { createRetentionRepo } from '../../lib/db/repos/maintenance.ts'
import { createTurnStepsRepo } from '../../lib/db/repos/turn_steps.ts'
import { ownWords } from '../helpers/own-words.ts'
import { createPacedModel, type PacedModel } from '../helpers/paced-model.ts'
import { expireLeases, startServer, type TestServer } from '../helpers/servers.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, type Frame, followTurn, ofType, postTurn, readFrames } from '../helpers/turn-client.ts'

const database = await testDb()
let model: PacedModel
let first: TestServer
let second: TestServer
let space_id: string

beforeEach(async () => {
  model = createPacedModel()
  first = await startServer(database, model.callModel)
  second = await startServer(database, model.callModel)
  const { body } = await first.owner.post('/api/spaces').send({ name: 'Quiet' })
  space_id = body.id
  // A Postgres has only so many connections.
  return async () => {
    await first.disconnect()
    await second.disconnect()
  }
})

/** Begins a turn and reads up to its first event. */
async function begin(text = 'Hello?', more: Record<string, unknown> = {}) {
  const response = await postTurn({ url: first.url, space_id, body: { text, ...more } })
  expect(response.status).toBe(200)
  const frames = readFrames(response)
  const opening: Frame = (await frames.next()).value
  if (opening.type !== 'turn') throw new Error(`a turn began with ${opening.type}`)
  return { ...opening.data, frames }
}

const rest = (frames: AsyncGenerator<Frame>): Promise<Frame[]> => Array.fromAsync(frames)

const follow = async (url: string, id: string, query = '') =>
  await rest(readFrames(await followTurn(url, id, { query })))

/** The text that a reader has in the end who does what the events say. */
function assemble(frames: readonly Frame[], before = ''): string {
  return frames.reduce((text, { type, data }) => {
    if (type === 'snapshot') return data.text
    return type === 'delta' ? text + data.text : text
  }, before)
}

const turnOf = async (id: string) => (await first.owner.get(`/api/turns/${id}`)).body

const companion = async () => (await first.owner.get(`/api/spaces/${space_id}/companion`)).body

const logOf = (id: string) => createTurnStepsRepo(database).listEvents(id, 0, 1000)

describe('the log of a turn', () => {
  test('gives every reader the same events, during and after it, on either server', async () => {
    const turn = await begin()
    const during = follow(second.url, turn.turn_id)
    for (const piece of ['one ', 'two ', 'three']) await model.say(piece)
    model.end()
    const live = await rest(turn.frames)

    const readings = [
      await during,
      await follow(first.url, turn.turn_id),
      await follow(second.url, turn.turn_id),
    ]

    for (const frames of readings) {
      expect(assemble(frames)).toBe('one two three')
      expect(frames[0]?.type).toBe('turn')
      expect(frames.at(-1)).toEqual(live.at(-1))
    }
  })

  test('holds deltas in few rows, and a cursor inside of one gets exactly what is behind it', async () => {
    const turn = await begin()
    const pieces = Array.from({ length: 40 }, (_, n) => `${n}\ud83d`)
    for (const piece of pieces) await model.say(piece)
    model.end()
    const live = await rest(turn.frames)
    const deltas = ofType(live, 'delta')

    const rows = await logOf(turn.turn_id)

    expect(rows.filter(({ type }) => type === 'delta').length).toBeLessThan(10)
    for (const [index, { id }] of deltas.entries()) {
      const behind = await follow(second.url, turn.turn_id, `?after=${id}`)
      expect(assemble(behind)).toBe(pieces.slice(index + 1).join(''))
    }
  })

  test('has what the model thought: for whoever comes in the middle, later, or when it is pruned', async () => {
    const turn = await begin()
    for (const piece of ['Let me ', 'think']) await model.think(piece)
    const late = follow(second.url, turn.turn_id)
    for (const piece of [' of it.', ' So:']) await model.think(piece)
    await model.say('Yes.')
    model.end()
    const live = await rest(turn.frames)
    const thought = (frames: readonly Frame[]) =>
      ofType(frames, 'thinking')
        .map(({ data }) => data.text)
        .join('')
    const pieces = ofType(live, 'thinking')

    const rows = (await logOf(turn.turn_id)).filter(({ type }) => type === 'thinking')

    expect(thought(live)).toBe('Let me think of it. So:')
    expect(thought(await late)).toBe(thought(live))
    expect(rows.length).toBeLessThan(4)
    for (const [index, { id }] of pieces.entries()) {
      const behind = await follow(second.url, turn.turn_id, `?after=${id}`)
      expect(thought(behind)).toBe(['Let me ', 'think', ' of it.', ' So:'].slice(index + 1).join(''))
    }
    const { messages } = await companion()
    const { body, metadata } = messages.at(-1)
    expect(body).toBe('Yes.')
    expect(metadata.thinking).toEqual({ text: thought(live), duration_ms: expect.any(Number) })

    await createRetentionRepo(database).pruneLogs(
      { after: null, until: new Date(Date.now() + 1000).toISOString() },
      100,
    )
    const [state] = ofType(await follow(first.url, turn.turn_id, '?after=1'), 'snapshot')
    expect(state?.data.thinking).toEqual(metadata.thinking)
  })

  test('that was pruned is answered with the whole state, never with a gap', async () => {
    const turn = await begin()
    await model.say('Let me see.')
    model.end({ tools: [{ name: 'search', input: { q: 'anything' } }] })
    await model.whenCalled(2)
    await model.say('Nothing.')
    model.end()
    const live = await rest(turn.frames)

    await createRetentionRepo(database).pruneLogs(
      { after: null, until: new Date(Date.now() + 1000).toISOString() },
      100,
    )

    for (const after of [0, 1, 2, live.at(-1)!.id - 2]) {
      const frames = await follow(second.url, turn.turn_id, `?after=${after}`)
      const state = ofType(frames, 'snapshot')[0]?.data
      expect(state?.text).toBe('Let me see.\n\nNothing.')
      expect(state?.tools).toMatchObject([{ tool: 'search', status: 'done' }])
      expect(frames.at(-1)).toEqual(live.at(-1))
    }
    expect(await follow(second.url, turn.turn_id, `?after=${live.at(-1)!.id - 1}`)).toEqual([live.at(-1)])
  })

  test('is refused to a cursor of another conversation', async () => {
    const turn = await begin()
    model.end({ text: 'Yes.' })
    await rest(turn.frames)
    const other = '01900000-0000-7000-8000-000000000000'

    const answers = [
      await followTurn(first.url, turn.turn_id, { query: `?conversation_id=${other}` }),
      await followTurn(first.url, turn.turn_id, { headers: { 'last-event-id': `${other}:3` } }),
      await followTurn(first.url, turn.turn_id, { query: `?after=${turn.turn_id}:1` }),
      await followTurn(first.url, other),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 404])
    await Promise.all(answers.map((answer) => answer.text()))
  })
})

describe('a server that dies', () => {
  test('while it answers an edited message: another one answers it, and reads nothing of the old version', async () => {
    const old = await begin('Where is the key?')
    await model.whenCalled(1)
    model.end({ text: 'Under the mat.' })
    await rest(old.frames)
    const { conversation_id } = old
    const edited = await begin('Where is the boat?', { conversation_id, replaces: old.turn_id })
    await model.whenCalled(2)
    await model.say('In the ')
    first.kill()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    await model.whenCalled(3)
    model.end({ text: 'In the boathouse.' })
    await follow(second.url, edited.turn_id)
    stop()

    expect(JSON.stringify(model.requests[2]!.messages)).not.toContain('Where is the key?')
    const { messages } = (await second.owner.get(`/api/spaces/${space_id}/companion`)).body
    expect(messages.map(({ body }: { body: string }) => body)).toEqual([
      'Where is the boat?',
      'In the boathouse.',
    ])
    expect(messages[0].versions).toEqual([old.turn_id, edited.turn_id])
  })

  test('before the first step: another one begins the turn anew, and its reader sees the answer once', async () => {
    const turn = await begin()
    await model.say('The first ha')
    const cursor = 2
    first.kill()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    const reading = follow(second.url, turn.turn_id, `?after=${cursor}`)
    await model.whenCalled(2)
    await model.say('All of ')
    model.end({ text: 'it.' })
    const frames = await reading
    stop()

    expect(frames[0]?.type).toBe('snapshot')
    expect(assemble(frames, 'The first ha')).toBe('All of it.')
    expect(frames.at(-1)?.type).toBe('done')
    expect(assemble(await follow(second.url, turn.turn_id))).toBe('All of it.')
    expect((await second.owner.get(`/api/turns/${turn.turn_id}`)).body).toMatchObject({
      status: 'done',
      attempt: 2,
    })
  })

  test('behind a step: the step is not done again', async () => {
    const turn = await begin()
    await model.say('Let me see.')
    model.end({ tools: [{ name: 'search', input: { q: 'anything' }, id: 'toolu_a' }] })
    await model.whenCalled(2)
    await model.say('Half of ')
    first.kill()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    await model.whenCalled(3)
    await model.say('The whole ')
    model.end({ text: 'answer.' })
    const frames = await follow(second.url, turn.turn_id)
    stop()
    const { messages } = (await second.owner.get(`/api/spaces/${space_id}/companion`)).body

    expect(assemble(frames)).toBe('Let me see.\n\nThe whole answer.')
    expect(messages.at(-1)).toMatchObject({
      body: 'Let me see.\n\nThe whole answer.',
      metadata: { tool_trace: [{ tool: 'search', tool_use_id: 'toolu_a', status: 'done' }] },
    })
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages)
  })

  test('with the tabs that were open when it was asked', async () => {
    const desk = { active: 'left', tabs: [{ side: 'left', shown: true, view: 'search', q: 'rent' }] }
    const turn = await begin('Go on.', { desk })
    await model.whenCalled(1)
    first.kill()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    await model.whenCalled(2)
    model.end({ text: 'Gone on.' })
    await follow(second.url, turn.turn_id)
    stop()

    expect(model.requests[1]?.system).toContain('- left, in view: the view search for “rent”')
    expect(model.requests[1]?.system).toBe(model.requests[0]?.system)
  })

  test('between a call and its result: the call is answered, and run once for each attempt that saw it', async () => {
    const turn = await begin()
    model.end({ tools: [{ name: 'search', input: { q: 'anything' }, id: 'toolu_a' }] })
    await model.whenCalled(2)
    first.kill()
    await database.query('delete from turn_steps where turn_id = $1 and seq = 2', [turn.turn_id])
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    await model.whenCalled(3)
    model.end({ text: 'Nothing there.' })
    const frames = await follow(second.url, turn.turn_id)
    stop()

    expect(frames.at(-1)?.type).toBe('done')
    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('toolu_a')
  })

  test('behind the last message: only the end is stored, and the model is not asked again', async () => {
    const turn = await begin()
    const storing = createTurnStepsRepo(database)
    await model.say('All ')
    const { rows } = await database.query<{ lease_owner: string }>(
      'select lease_owner from turns where id = $1',
      [turn.turn_id],
    )
    const lease = { turn_id: turn.turn_id, attempt: 1, owner: rows[0]!.lease_owner }
    const content = JSON.stringify([{ type: 'text', text: 'All said.' }])
    const delta = { seq: 3, type: 'delta', data: JSON.stringify(['All ', 'said.']) }
    const step = {
      turn_id: turn.turn_id,
      seq: 1,
      role: 'assistant' as const,
      content,
      given: null,
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 7,
        output_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      event_seq: 3,
    }
    await storing.storeSteps(lease, [delta], { steps: [step], calls: [] })
    first.kill()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    const frames = await follow(second.url, turn.turn_id)
    stop()

    expect(assemble(frames)).toBe('All said.')
    expect(frames.at(-1)).toMatchObject({ type: 'done', data: { usage: { input_tokens: 7 } } })
    expect(model.requests).toHaveLength(1)
  })

  test('three times: the turn ends as failed with its text kept, and the next message works', async () => {
    const turn = await begin()
    await model.say('Three times I')
    let stop = () => {}
    await expect.poll(async () => (await logOf(turn.turn_id)).length).toBeGreaterThan(1)
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      await expireLeases(database)
      const next = await startServer(database, model.callModel)
      first.kill()
      stop()
      stop = await next.companion.startRecovery()
      first = next
      if (attempt === 4) break
      await model.whenCalled(attempt)
      await model.say(`try ${attempt}`)
      await expect.poll(async () => JSON.stringify(await logOf(turn.turn_id))).toContain(`try ${attempt}`)
    }
    const frames = await follow(first.url, turn.turn_id)
    stop()
    const { messages } = await companion()
    const next = begin('And now?')
    await model.whenCalled(4)
    model.end({ text: 'Fine.' })

    expect(frames.at(-1)).toMatchObject({ type: 'error', data: { code: 'interrupted', retryable: true } })
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', body: 'try 3' })
    expect(answerOf(await rest((await next).frames))).toBe('Fine.')
  })

  test('in order, however often: a turn that was handed over is not taken for one that kills its server', async () => {
    const turn = await begin()
    await model.say('So far')
    let server = first
    for (let restart = 1; restart <= 5; restart += 1) {
      await server.companion.drain(0, 5000)
      server = await startServer(database, model.callModel)
      const stop = await server.companion.startRecovery()
      await model.whenCalled(restart + 1)
      stop()
    }
    model.end({ text: 'Done at last.' })

    const frames = await follow(server.url, turn.turn_id)

    expect(frames.at(-1)?.type).toBe('done')
    expect(assemble(frames)).toBe('Done at last.')
  })

  test('only seemingly: what it writes after it lost the lease is refused', async () => {
    const turn = await begin()
    await model.say('From the ')
    await expireLeases(database)
    const stop = await second.companion.startRecovery()
    await model.whenCalled(2)
    model.end({ text: 'zombie.' }, 1)
    await model.say('From the living.')
    model.end()
    const frames = await rest(turn.frames)
    stop()
    const steps = await createTurnStepsRepo(database).list([turn.turn_id])

    expect(steps).toHaveLength(1)
    expect(steps[0]?.content).toContain('living')
    expect(assemble(frames)).toBe('From the living.')
    expect(frames.at(-1)?.type).toBe('done')
    expect((await companion()).messages.map(({ body }: { body: string }) => body)).toEqual([
      'Hello?',
      'From the living.',
    ])
  })
})

describe('stopping', () => {
  test('works from a server that does not run the turn, and keeps the text', async () => {
    const turn = await begin()
    await model.say('So far')

    const stopped = await second.owner.post(`/api/turns/${turn.turn_id}/stop`)
    const frames = await rest(turn.frames)

    expect(stopped.body).toMatchObject({ status: 'stopped', stop_reason: 'aborted' })
    expect(frames.at(-1)).toMatchObject({ type: 'done', data: { stop_reason: 'aborted' } })
    expect((await companion()).messages.at(-1)).toMatchObject({ body: 'So far' })
  })

  test('is not forgotten when the server of the turn has died', async () => {
    const turn = await begin()
    await model.say('So far')
    await expect.poll(async () => (await logOf(turn.turn_id)).length).toBe(2)
    first.kill()
    await database.query('update turns set stop_requested_at = now() where id = $1', [turn.turn_id])
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    stop()

    const { body } = await second.owner.get(`/api/turns/${turn.turn_id}`)
    expect(body).toMatchObject({ status: 'stopped', attempt: 2 })
    expect(model.requests).toHaveLength(1)
  })
})

describe('a call that is cut off', () => {
  const callsOf = async (turnId: string) =>
    (await first.owner.get(`/api/activity?source=call&turn_id=${turnId}`)).body.items.map(
      ({ action, status, result, entity_id, duration_ms }: Record<string, unknown>) => ({
        ...{ action, status, result, entity_id, duration_ms },
      }),
    )
  const lamp = '01900000-0000-7000-8000-00000000000a'
  const read = { name: 'read', input: { kind: 'page', id: lamp }, id: 'toolu_a' }

  /** Asks the model's calls while the database does not answer what the tool asks of it. */
  async function hang() {
    const turn = await begin()
    await model.whenCalled(1)
    const lift = first.holdPages()
    model.end({ tools: [read] })
    await expect.poll(async () => JSON.stringify(await logOf(turn.turn_id))).toContain('toolu_a')
    return { ...turn, lift }
  }

  test('by a stop has a record that says so', async () => {
    const turn = await hang()

    await first.owner.post(`/api/turns/${turn.turn_id}/stop`).expect(200)
    await rest(turn.frames)
    turn.lift()

    expect(await callsOf(turn.turn_id)).toEqual([
      {
        action: 'read',
        status: 'cancelled',
        result: 'The turn was stopped before this call had finished.',
        entity_id: lamp,
        duration_ms: expect.any(Number),
      },
    ])
  })

  test('by the end of its server has one when the turn ends, beside those of the next attempt', async () => {
    const turn = await hang()
    first.kill()
    turn.lift()
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    await model.whenCalled(2)
    model.end({ tools: [{ name: 'search', input: { q: 'lamp' }, id: 'toolu_b' }] })
    await model.whenCalled(3)
    model.end({ text: 'No lamp.' })
    await follow(second.url, turn.turn_id)
    stop()

    first = second
    expect(await callsOf(turn.turn_id)).toMatchObject([
      { action: 'read', status: 'cancelled', duration_ms: null },
      { action: 'search', status: 'done' },
    ])
  })

  test('has one when its turn is given up, and a call that ended keeps its own', async () => {
    const turn = await begin()
    await model.whenCalled(1)
    model.end({ tools: [{ name: 'search', input: { q: 'lamp' }, id: 'toolu_s' }] })
    await model.whenCalled(2)
    const lift = first.holdPages()
    model.end({ tools: [read] })
    await expect.poll(async () => JSON.stringify(await logOf(turn.turn_id))).toContain('toolu_a')
    first.kill()
    lift()
    await database.query('update turns set stop_requested_at = now() where id = $1', [turn.turn_id])
    await expireLeases(database)

    const stop = await second.companion.startRecovery()
    stop()

    first = second
    expect(await callsOf(turn.turn_id)).toMatchObject([
      { action: 'read', status: 'cancelled', entity_id: lamp },
      { action: 'search', status: 'done' },
    ])
  })
})

describe('further messages', () => {
  test('wait in order, can be changed and taken back, and are answered one after the other', async () => {
    const turn = await begin('one')
    const second_ = await begin('two', { queue: true })
    const third = await begin('three', { queue: true })
    const fourth = await begin('four', { queue: true })

    const edited = await second.owner.patch(`/api/turns/${third.turn_id}`).send({ text: 'THREE' })
    const taken = await second.owner.delete(`/api/turns/${second_.turn_id}`)
    const { queued } = await companion()
    model.end({ text: 'First.' })
    await model.whenCalled(2)
    model.end({ text: 'Third.' })
    await model.whenCalled(3)
    model.end({ text: 'Fourth.' })

    expect([edited.status, taken.status]).toEqual([200, 200])
    expect(queued.map(({ text }: { text: string }) => text)).toEqual(['THREE', 'four'])
    expect(answerOf(await rest(turn.frames))).toBe('First.')
    expect((await rest(second_.frames)).at(-1)).toMatchObject({ type: 'error', data: { code: 'withdrawn' } })
    expect(answerOf(await rest(third.frames))).toBe('Third.')
    expect(answerOf(await rest(fourth.frames))).toBe('Fourth.')
    const late = await first.owner.patch(`/api/turns/${third.turn_id}`).send({ text: 'x' })
    expect([late.status, late.body.error.code]).toEqual([409, 'not_queued'])
    expect((await companion()).messages.map(({ body }: { body: string }) => body)).toEqual([
      'one',
      'First.',
      'THREE',
      'Third.',
      'four',
      'Fourth.',
    ])
    expect(model.requests.at(-1)?.messages.map(({ content }) => ownWords(content))).toEqual([
      'one',
      [{ type: 'text', text: 'First.' }],
      'THREE',
      [{ type: 'text', text: 'Third.' }],
      'four',
    ])
  })

  test('of a hundred at once one runs, five wait and the others are refused; nothing is lost', async () => {
    const { conversation_id } = await companion()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        postTurn({
          url: n % 2 === 0 ? first.url : second.url,
          space_id,
          body: { text: `message ${n}`, conversation_id, queue: true },
        }),
      ),
    )
    for (let call = 1; call <= 6; call += 1) {
      await model.whenCalled(call)
      model.end({ text: `answer ${call}` })
    }
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    const { messages } = await companion()

    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(6).fill(200), ...Array(94).fill(409)])
    expect(bodies.filter((body) => body.includes('queue_full'))).toHaveLength(94)
    expect(messages).toHaveLength(12)
    expect(new Set(messages.map(({ body }: { body: string }) => body)).size).toBe(12)
  })
})

describe('a server that is told to stop', () => {
  test('lets a turn end within the grace time', async () => {
    const turn = await begin()
    await model.say('Almost ')
    const drained = first.companion.drain(20_000, 5000)
    const refused = await postTurn({ url: first.url, space_id, body: { text: 'Another?' } })
    model.end({ text: 'done.' })
    const frames = await rest(turn.frames)
    await drained

    expect(refused.status).toBe(503)
    expect(assemble(frames)).toBe('Almost done.')
    expect(await turnOf(turn.turn_id)).toMatchObject({ status: 'done', attempt: 1 })
  })

  test('leaves a longer one to the next server at its last step, and tells its readers to come back', async () => {
    const response = await postTurn({ url: first.url, space_id, body: { text: 'Long?' } })
    const body = response.text()
    await model.whenCalled(1)
    model.end({ tools: [{ name: 'search', input: { q: 'anything' } }] })
    await model.whenCalled(2)
    await model.say('In the middle')

    await first.companion.drain(0, 5000)
    const stop = await second.companion.startRecovery()
    await model.whenCalled(3)
    model.end({ text: 'In the end.' })
    const text = await body
    const id = /"turn_id":"([^"]+)/.exec(text)![1]!
    const frames = await follow(second.url, id)
    stop()

    expect(text).toMatch(/retry: \d+\n\n$/)
    expect(text).not.toContain('event: done')
    expect(assemble(frames)).toBe('In the end.')
    expect(model.requests[2]?.messages).toHaveLength(3)
  })
})
