// The view that comes with a message may be partial.

import { expect, test } from 'vitest'
import { postTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { turn } = letters
const world = await makeWorld(letters)
const space_id = world.space.id

test('a kind alone is the list of its entities', async () => {
  const { told } = await turn(space_id, [{ name: 'context', input: {} }], { view: { entityType: 'task' } })

  expect(told[0]).toMatchObject({ isError: false, text: expect.stringContaining('Paint the gallery rail') })
})

test.each(['view', 'mail_message', 'lighthouse'])('%j alone says nothing', async (entityType) => {
  const { told } = await turn(space_id, [{ name: 'context', input: {} }], { view: { entityType } })

  expect(told[0]!.text).toContain('nothing open')
})

test.each([
  [{ entityId: crypto.randomUUID() }],
  [{ entityType: 7 }],
  [{}],
  [{ entityType: 'task', flavour: 'sour' }],
])('%j is refused', async (view) => {
  const { status } = await postTurn({ url: letters.url, space_id, body: { text: 'What is this?', view } })

  expect(status).toBe(400)
})
