// A message that waits in a Space or a conversation that is put into the trash waits there, and is answered when that is
// restored.

import { expect, test } from 'vitest'
import { createConversationsRepo } from '../../lib/db/repos/conversations.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expireLeases } from '../helpers/servers.ts'
import { postTurn, readFrames } from '../helpers/turn-client.ts'

const hanging = [{ text: 'Let me', hang: true }, { text: 'Aye.' }]
const { app, owner, deps } = await buildApp({ namingQuietMs: 3_600_000 })
const url = await listen(app)

/** One message that is being answered, and one behind it. */
async function queueBehind() {
  app.locals.callModel = scriptedModel(hanging)
  const space = (await owner.post('/api/spaces').send({ name: 'Log room' })).body
  const conversation = (await owner.post(`/api/spaces/${space.id}/conversations`)).body
  const send = async (text: string) => {
    const body = { text, conversation_id: conversation.id, queue: true }
    const frames = readFrames(await postTurn({ url, space_id: space.id, body }))
    return { frames, id: (await frames.next()).value.data.turn_id as string }
  }
  return { space, conversation, running: await send('One'), queued: await send('Two') }
}

const statusOf = async (id: string) => {
  const { rows } = await deps.database.query<{ status: string }>('select status from turns where id = $1', [
    id,
  ])
  return rows[0]!.status
}

async function sweep(): Promise<void> {
  const stop = await deps.companion.startRecovery()
  stop()
}

test('in a Space', async () => {
  const { space, running, queued } = await queueBehind()
  await owner.delete(`/api/spaces/${space.id}`).expect(200)

  await deps.companion.stop(running.id)
  await Array.fromAsync(running.frames)
  await sweep()
  const trashed = await statusOf(queued.id)
  await owner.post(`/api/spaces/${space.id}/restore`).expect(200)
  await sweep()
  await Array.fromAsync(queued.frames)

  expect([trashed, await statusOf(queued.id)]).toEqual(['queued', 'done'])
})

test('in a conversation whose turns were not ended when it was deleted', async () => {
  const { space, conversation, running, queued } = await queueBehind()
  await createConversationsRepo(deps.database).remove(space.id, conversation.id)

  await deps.companion.stop(running.id)
  await Array.fromAsync(running.frames)
  await sweep()
  const trashed = await statusOf(queued.id)
  await owner.post(`/api/spaces/${space.id}/conversations/${conversation.id}/restore`).expect(200)
  await sweep()
  await Array.fromAsync(queued.frames)

  expect([trashed, await statusOf(queued.id)]).toEqual(['queued', 'done'])
})

test('a running one whose server is gone fails at once in a Space that is in the trash', async () => {
  const { space, running } = await queueBehind()
  await owner.delete(`/api/spaces/${space.id}`).expect(200)
  await deps.database.query("update turns set lease_owner = 'gone' where id = $1", [running.id])
  await expireLeases(deps.database)
  // Its own turns are no dead server's, so another one looks.
  const other = await buildApp({ database: deps.database })

  const stop = await other.deps.companion.startRecovery()
  stop()

  expect(await statusOf(running.id)).toBe('failed')
})
