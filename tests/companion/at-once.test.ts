// The same thing from many sides at once: one server, and two on one database.

import { beforeEach, describe, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { startServer, type TestServer } from '../helpers/servers.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'

const database = await testDb()
const model = scriptedModel(Array.from({ length: 200 }, (_, n) => ({ text: `Answer ${n + 1}.` })))
const one = await startServer(database, model)
const two = await startServer(database, model)
let space_id: string

beforeEach(async () => {
  space_id = (await one.owner.post('/api/spaces').send({ name: 'Crowd' })).body.id
})

const messages = async (): Promise<{ role: string; body: string }[]> =>
  (await one.owner.get(`/api/spaces/${space_id}/companion?limit=200`)).body.messages

describe.each<[string, TestServer[]]>([
  ['one server', [one]],
  ['two servers on one database', [one, two]],
])('on %s', (_, servers) => {
  const urlOf = (n: number) => servers[n % servers.length]!.url

  test.each([true, false])(
    'the same message twenty times at once is one turn (conversation named: %s)',
    async (named) => {
      const { conversation_id } = (await one.owner.get(`/api/spaces/${space_id}/companion`)).body
      const body = { text: 'Same', ...(named ? { conversation_id } : {}) }
      const headers = { 'idempotency-key': `same ${servers.length} ${named}` }
      const asked = model.requests.length

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => takeTurn({ url: urlOf(n), space_id, body, headers })),
      )
      const heard = new Set(answers.map(answerOf))
      const turns = new Set(answers.map((frames) => ofType(frames, 'turn')[0]?.data.turn_id))
      const next = await takeTurn({ url: urlOf(1), space_id, body: { text: 'And now?' } })

      expect([turns.size, heard.size, model.requests.length - asked]).toEqual([1, 1, 2])
      expect((await messages()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
      expect(next.at(-1)?.type).toBe('done')
    },
  )

  test.each([false, true])(
    'the first messages of a Space, and whoever asks for its conversation, get one (the first one deleted: %s)',
    async (isDeleted) => {
      const path = `/api/spaces/${space_id}`
      const find = async (n: number): Promise<string> =>
        (await servers[n % servers.length]!.owner.get(`${path}/companion`)).body.conversation_id
      if (isDeleted) await one.owner.delete(`${path}/conversations/${await find(0)}`).expect(200)
      const say = async (n: number): Promise<string> => {
        const response = await postTurn({
          url: urlOf(n),
          space_id,
          body: { text: `Word ${n}`, queue: n < 5 },
        })
        if (response.status !== 200) return String(response.status)
        return ofType(await Array.fromAsync(readFrames(response)), 'turn')[0]!.data.conversation_id
      }

      const [asked, said] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, (_, n) => find(n))),
        Promise.all(Array.from({ length: 20 }, (_, n) => say(n))),
      ])

      expect(new Set([...asked, ...said])).toEqual(new Set([await find(0), '409']))
      expect((await messages()).filter(({ role }) => role === 'user')).toHaveLength(
        said.filter((to) => to !== '409').length,
      )
    },
  )

  test('of a hundred different messages at once those that are acknowledged are answered, once, and no other', async () => {
    const { conversation_id } = (await one.owner.get(`/api/spaces/${space_id}/companion`)).body
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        postTurn({
          url: urlOf(n),
          space_id,
          body: { text: `message ${n}`, conversation_id, queue: n % 10 === 0 },
        }),
      ),
    )
    const statuses = responses.map(({ status }) => status)
    const ends = await Promise.all(
      responses.map(async (response) => (await Array.fromAsync(readFrames(response))).at(-1)?.type),
    )
    const said = (await messages()).filter(({ role }) => role === 'user').map(({ body }) => body)
    const next = await takeTurn({ url: urlOf(1), space_id, body: { text: 'And now?', conversation_id } })

    const taken = statuses.flatMap((status, n) => (status === 200 ? [`message ${n}`] : []))
    expect(new Set(statuses)).toEqual(new Set([200, 409]))
    expect(said.toSorted()).toEqual(taken.toSorted())
    expect(ends.filter((type) => type === 'done')).toHaveLength(taken.length)
    expect(next.at(-1)?.type).toBe('done')
  })
})
