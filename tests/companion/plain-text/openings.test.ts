// What a channel without a screen has drafted, on its way to a browser.

import { expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'

const draft = (title: string) => ({
  name: 'propose_change',
  input: { entity_type: 'task', action: 'create', payload: { title }, reason: 'Asked.' },
})

async function drafted(accept: string) {
  const { owner } = await buildApp({
    callModel: scriptedModel([{ tools: [draft('Oil'), draft('Wick')] }, { text: 'Drafted.' }]),
  })
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Light' })
  await owner
    .post(`/api/spaces/${space.id}/companion/turn`)
    .set('accept', accept)
    .send({ text: 'Remind me of oil and wick' })
  const list = async () => (await owner.get('/api/openings').expect(200)).body.items
  return { owner, list, space }
}

test.each(['application/json', 'application/x-ndjson'])(
  'a draft made over %s is stored as an opening, and one browser takes it',
  async (accept) => {
    const { owner, list, space } = await drafted(accept)
    const [opening, ...more] = await list()

    const answers = await Promise.all(
      [1, 2, 3].map(() => owner.post(`/api/openings/${opening.id}/take`).send({})),
    )

    expect(more).toEqual([])
    expect(opening).toMatchObject({ space_id: space.id })
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(opening)
    expect(await list()).toEqual([])
  },
)

test('a turn that streams to a screen leaves none', async () => {
  const { list } = await drafted('text/event-stream')

  expect(await list()).toEqual([])
})

test('one whose draft is decided is not offered any more', async () => {
  const { owner, list } = await drafted('application/json')
  const [{ pending_change_id }] = await list()

  await owner.post(`/api/pending-changes/${pending_change_id}/reject`).send({}).expect(200)

  expect(await list()).toEqual([])
})

test('one that a caller did not wait for is stored when it is drafted', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, owner } = await buildApp({
    callModel: scriptedModel([
      async () => {
        await gate.promise
        return { tools: [draft('Oil')] }
      },
      { text: 'Drafted.' },
    ]),
  })
  const url = await listen(app)
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Light' })
  const caller = new AbortController()
  const call = fetch(`${url}/api/spaces/${space.id}/companion/turn`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ownerToken}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'Remind me of oil' }),
    signal: caller.signal,
  })
  const running = async () => (await owner.get(`/api/spaces/${space.id}/companion`)).body.running_turn_id
  await expect.poll(running, { timeout: 20_000 }).not.toBeNull()

  caller.abort()
  await expect(call).rejects.toThrow()
  gate.resolve()

  const list = async () => (await owner.get('/api/openings')).body.items.length
  await expect.poll(list, { timeout: 20_000 }).toBe(1)
})
