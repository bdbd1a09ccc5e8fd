// A plain `EventSource` on a turn: it connects again whenever a stream ends, and stops only at a 204.

import { expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { ownerToken } from '../../helpers/owner-token.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { answerOf, ofType, readFrames, takeTurn } from '../../helpers/turn-client.ts'

const callModel: CallModel = (request) => scriptedModel([{ text: 'Oil.', deltas: 3 }])(request)
const { app, owner, deps } = await buildApp({ callModel })
const url = await listen(app)

async function finishedTurn() {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Quiet' })
  const frames = await takeTurn({ url, space_id: space.id, body: { text: 'What?' } })
  const [turn] = ofType(frames, 'turn')
  return { id: turn!.data.turn_id, last: frames.at(-1)!.id }
}

/** As a browser does: with the last id that it has had. */
const connect = (id: string, lastEventId?: number) =>
  fetch(`${url}/api/turns/${id}/events`, {
    headers: {
      authorization: `Bearer ${ownerToken}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  })

test('gets the events once, and is then told to stop', async () => {
  const { id, last } = await finishedTurn()

  const frames = await Array.fromAsync(readFrames(await connect(id)))
  const again = await connect(id, frames.at(-1)!.id)
  const before = await Array.fromAsync(readFrames(await connect(id, last - 1)))

  expect(answerOf(frames)).toBe('Oil.')
  expect(frames.at(-1)).toMatchObject({ type: 'done', id: last })
  expect(again.status).toBe(204)
  expect(before.map(({ type }) => type)).toEqual(['done'])
})

test('does so, too, when the log is gone', async () => {
  const { id } = await finishedTurn()
  await deps.database.query('delete from turn_events where turn_id = $1', [id])

  const frames = await Array.fromAsync(readFrames(await connect(id)))
  const again = await connect(id, frames.at(-1)!.id)

  expect(frames.map(({ type }) => type)).toEqual(['turn', 'snapshot', 'done'])
  expect(again.status).toBe(204)
})

test('nothing below /.well-known is a page', async () => {
  const paths = [
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/x',
  ]
  const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`, { redirect: 'manual' })))

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})
