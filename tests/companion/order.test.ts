// Messages and turns keep the order in which the database took them, whatever the clocks of the servers say. Ids are
// times; here those of a later message are made older, as by a second server whose clock is late.

import { expect, test } from 'vitest'
import { createMessagesRepo } from '../../lib/db/repos/messages.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { takeTurn } from '../helpers/turn-client.ts'

const texts = ['One?', 'Two?', 'Three?']
const model = scriptedModel(texts.map((text) => ({ text: `${text} Yes.` })))
const { app, owner, deps } = await buildApp({ callModel: model })
const url = await listen(app)

/** Three questions with their answers, whose ids then run backwards. */
async function converse() {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Clocks' })
  const { conversation_id } = (await owner.get(`/api/spaces/${space.id}/companion`)).body
  for (const text of texts.slice(0, 2)) {
    await takeTurn({ url, space_id: space.id, body: { text, conversation_id } })
  }
  await deps.database.query(
    `update messages
     set id = overlay(id::text placing lpad(to_hex(100 - seq), 8, '0') from 1 for 8)::uuid
     where conversation_id = $1`,
    [conversation_id],
  )
  return { space_id: String(space.id), conversation_id }
}

test('with clocks that run backwards a conversation reads, and is given to the model, as it was said', async () => {
  const { space_id, conversation_id } = await converse()
  const { body } = await owner.get(`/api/conversations/${conversation_id}/messages`)
  expect(body.items.map((item: { body: string }) => item.body)).toEqual([
    'One?',
    'One? Yes.',
    'Two?',
    'Two? Yes.',
  ])

  await takeTurn({ url, space_id, body: { text: texts[2], conversation_id } })

  expect(model.requests.at(-1)?.messages.map(({ content }) => said(content))).toEqual([
    'One?',
    'One? Yes.',
    'Two?',
    'Two? Yes.',
    'Three?',
  ])
  const messages = createMessagesRepo(deps.database)
  const [, second] = await messages.listLatest(conversation_id, null, 5)
  const before = await messages.listLatest(conversation_id, second!.id, 10)
  expect(before.map((message) => message.body)).toEqual(['One?', 'One? Yes.'])
})

const said = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text?: string }[])
        .map(({ text = '' }) => text)
        .filter((text) => !text.startsWith('<message_time>'))
        .join('')
