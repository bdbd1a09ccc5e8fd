// The turn endpoint for a channel without a screen: one JSON, always with something to say.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { plainTextAnswer, toPlainText } from '../../../lib/companion/plain-text-answer.ts'
import type { PlainTextAnswer } from '../../../lib/contract/companion/companion.ts'
import { createTurnsRepo } from '../../../lib/db/repos/turns.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'

let steps: ScriptedStep[] = []
const callModel: CallModel = async (request) => scriptedModel([steps.shift() ?? { text: 'Aye.' }])(request)
const { owner, deps } = await buildApp({ callModel })

let at: string
let space_id: string
beforeEach(async () => {
  steps = []
  const { body } = await owner.post('/api/spaces').send({ name: 'Log room' })
  space_id = body.id
  at = `/api/spaces/${body.id}`
})

async function say(
  text: string,
  more: object = {},
): Promise<{ status: number; body: PlainTextAnswer; type: string }> {
  const { status, body, type } = await owner
    .post(`${at}/companion/turn`)
    .set('Accept', 'application/json')
    .set('Host', 'localhost:4321')
    .send({ text, ...more })
  return { status, body, type }
}

const task = (title: string): ScriptedStep => ({
  tools: [
    {
      name: 'propose_change',
      input: { entity_type: 'task', action: 'create', payload: { title }, reason: 'Asked.' },
    },
  ],
})

describe('a spoken turn', () => {
  test('is one JSON with the answer as plain text', async () => {
    steps = [
      {
        text: '## The lease\n\nIt ends in **2031**, see [the page](https://void.example/lease):\n\n- rent\n- deposit',
      },
    ]

    const { status, type, body } = await say('When does the lease end?')

    expect([status, type]).toEqual([200, 'application/json'])
    expect(body).toEqual({
      text: 'The lease. It ends in 2031, see the page: rent. deposit.',
      open_in_browser: null,
      turn_id: expect.any(String),
      conversation_id: expect.any(String),
      routed: 'new',
      draft_ids: [],
      stop_reason: 'end_turn',
      error: null,
    })
  })

  test('says that a draft waits and where, and changes nothing', async () => {
    steps = [task('Buy oil'), { text: 'I drafted a task.' }]

    const { body } = await say('Remind me to buy oil')
    const { body: tasks } = await owner.get(`${at}/tasks`)

    expect(body.draft_ids).toHaveLength(1)
    expect(body.text).toBe('I drafted a task. One change waits for your approval.')
    expect(body.open_in_browser).toBe(`http://localhost:4321/inbox/${body.draft_ids[0]}`)
    expect(tasks.items).toEqual([])
  })

  test('has something to say when the model says nothing but drafts', async () => {
    steps = [task('Buy oil'), { text: '' }]

    const { body } = await say('Remind me to buy oil')

    expect(body.text).toBe('I drafted what you asked for. One change waits for your approval.')
  })

  test('has something to say when the model fails, and still tells of the draft made before', async () => {
    steps = [task('Buy oil'), { text: 'I dr', error: new Error('no network') }]

    const { status, body } = await say('Remind me to buy oil')

    expect(status).toBe(200)
    expect(body.error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    expect(body.text).toMatch(/^I could not finish the answer\..* One change waits for your approval\.$/)
    expect(body.open_in_browser).not.toBe(null)
  })

  test('has something to say when the message is not taken, beside the usual error', async () => {
    const nowhere = '01900000-0000-7000-8000-00000000dead'

    const lost = await say('Hello?', { conversation_id: nowhere })
    const empty = await say('   ')

    expect([lost.status, empty.status]).toEqual([404, 400])
    expect(lost.body).toMatchObject({
      text: 'I cannot find that Space or that conversation.',
      error: { code: 'not_found', request_id: expect.any(String) },
    })
    expect(empty.body.text).toBe('I did not understand that message.')
  })

  test('is not held up by another answer', async () => {
    const written = Promise.withResolvers<void>()
    const slow: CallModel = async (request) => {
      await written.promise
      return scriptedModel([{ text: 'At last.' }])(request)
    }
    const agent = await deps.companion.agent()
    const actor = { kind: 'owner' as const }
    const first = await deps.companion.start(actor, {
      space_id,
      message: { text: 'Slowly' },
      idempotency_key: null,
      queue: false,
      callModel: slow,
    })

    const { status, body } = await say('Hello?')
    const late = await plainTextAnswer(
      {
        database: deps.database,
        companion: deps.companion,
        baseUrl: 'https://void.example',
        onWaiting: async () => {},
      },
      first,
      { timeoutMs: 20, signal: new AbortController().signal },
    )
    written.resolve()
    await expect.poll(async () => (await createTurnsRepo(deps.database).find(first.id))?.status).toBe('done')

    expect(agent.id).toBe(first.agent_id)
    expect([status, body.text]).toEqual([
      409,
      'I am still answering your last message. Please try again in a moment.',
    ])
    expect(late.text).toBe('I am still working on it. The answer will be in the conversation.')
  })

  test('is a stream for everybody who does not ask for JSON', async () => {
    const accepting = async (accept: string) =>
      (await owner.post(`${at}/companion/turn`).set('Accept', accept).send({ text: 'Hello' })).type

    expect(await accepting('*/*')).toBe('text/event-stream')
    expect(await accepting('text/event-stream, application/json;q=0.5')).toBe('text/event-stream')
  })

  test('is the same turn again for the same Idempotency-Key', async () => {
    const send = () =>
      owner
        .post(`${at}/companion/turn`)
        .set('Accept', 'application/json')
        .set('Idempotency-Key', `spoken-${space_id}`)
        .send({ text: 'Once' })

    const [first, second] = [await send(), await send()]

    expect(second.body).toEqual(first.body)
  })
})

describe('spoken text', () => {
  test.each([
    ['*One* _two_ `three`', 'One two three.'],
    ['| a | b |\n| --- | --- |\n| 1 | 2 |', 'a, b. 1, 2.'],
    ['Look:\n\n```js\nconst x = 1\n```\n\nDone.', 'Look: Done.'],
    ['See https://void.example/x and [[Lease|the lease]].', 'See and the lease.'],
    ['1. First\n2. [ ] Second', 'First. Second.'],
    ['snake_case stays', 'snake_case stays.'],
    ['', ''],
  ])('of %j is %j', (markdown, spoken) => {
    expect(toPlainText(markdown)).toBe(spoken)
  })

  test('is cut at the end of a sentence and says that there is more', () => {
    const spoken = toPlainText('The lamp turns once in twelve seconds. '.repeat(40))

    expect(spoken.length).toBeLessThanOrEqual(600)
    expect(spoken).toMatch(/seconds\. There is more in the conversation\.$/)
  })

  test('is short and without marks, whatever was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (markdown) => {
        const spoken = toPlainText(markdown)

        expect(spoken.length).toBeLessThanOrEqual(600)
        expect(spoken).not.toMatch(/[*`<>\n]/)
      }),
    )
  })
})
