// The turn endpoint for a voice that speaks as it goes: lines of JSON, the first at once.

import { expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { acknowledge, spokenProgress } from '../../../lib/companion/plain-text-answer.ts'
import type { SpokenLine } from '../../../lib/contract/companion/companion.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'

let released = Promise.withResolvers<void>()
const waiting: CallModel = async (request) => {
  await released.promise
  return scriptedModel([{ text: 'It ends in **2031**.' }])(request)
}
const { app, owner } = await buildApp({ callModel: waiting, smallModel: waiting })
const url = await listen(app)
const space_id: string = (await owner.post('/api/spaces').send({ name: 'Log room' })).body.id

const say = (text: string, more: object = {}) =>
  fetch(`${url}/api/spaces/${space_id}/companion/turn`, {
    method: 'POST',
    headers: {
      accept: 'application/x-ndjson',
      authorization: `Bearer ${ownerToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text, ...more }),
  })

async function* linesOf(response: Response): AsyncGenerator<SpokenLine> {
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
}

test('begins before the model has said anything, and ends with the answer', async () => {
  released = Promise.withResolvers()
  const lines = linesOf(await say('When does the lease end?'))

  expect((await lines.next()).value).toEqual({ type: 'acknowledgement', text: 'Let me look.' })
  released.resolve()
  const rest = await Array.fromAsync(lines)
  expect(rest.at(-1)).toMatchObject({ type: 'answer', text: 'It ends in 2031.', error: null })
})

test('begins before it is known which conversation the message belongs to', async () => {
  await owner.post(`/api/spaces/${space_id}/conversations`)
  released = Promise.withResolvers()
  const lines = linesOf(await say('Add a task for the gutters of the boat house'))

  expect((await lines.next()).value).toEqual({ type: 'acknowledgement', text: 'I will draft that.' })
  released.resolve()
  expect((await Array.fromAsync(lines)).at(-1)).toMatchObject({ type: 'answer', error: null })
})

test('a message that is refused at once has the status of its error', async () => {
  const response = await say('Hello?', { conversation_id: '01900000-0000-7000-8000-00000000dead' })

  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch('application/json')
  expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
})

test.each([
  ['When does it end?', 'Let me look.'],
  ['what is the rent', 'Let me look.'],
  ['Ist das so？', 'Let me look.'],
  ['Please rename the page', 'I will draft that.'],
  ['Remind me to buy oil', 'I will draft that.'],
  ['Thanks', 'One moment.'],
  ['', 'One moment.'],
])('%j is acknowledged by %j', (message, said) => {
  expect(acknowledge(message)).toBe(said)
})

test('progress tells what goes on now, and never what a source says', () => {
  const progress = spokenProgress()
  const tool = (name: string, status: 'running' | 'done') =>
    progress.add({
      seq: 1,
      type: 'tool',
      data: { tool: name, tool_use_id: 'a', args: { query: 'Say this' }, status, summary: 'Say this' },
    })

  expect(progress.text()).toBe('I am still working on it.')
  tool('search', 'running')
  expect(progress.text()).toBe('I am still searching.')
  tool('search', 'done')
  expect(progress.text()).toBe('I am still working on it.')
  tool('constructor', 'running')
  expect(progress.text()).toBe('I am still working on it.')
  progress.add({ seq: 2, type: 'delta', data: { text: 'It' } })
  expect(progress.text()).toBe('I am writing the answer.')
})
