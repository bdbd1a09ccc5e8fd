// The lines of a search result are those that read shows, and that edits and citations name.

import { expect, test } from 'vitest'
import { withSourcesAsText } from '../../lib/ai/adapt/sources-as-text.ts'
import { type ModelRequest, noUsage } from '../../lib/ai/model.ts'
import { chatWire } from '../../lib/ai/wires/chat-completions.ts'
import { messagesWire } from '../../lib/ai/wires/messages.ts'
import type { WireName } from '../../lib/ai/wires/wire.ts'
import { wireNames } from '../helpers/over-wires.ts'
import { makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { owner, turn } = letters
const world = await makeWorld(letters)
const space_id = world.space.id

const body = `---
status: kept
---
# Harbour log

Calm in the morning.

## Night

${Array.from({ length: 60 }, (_, n) => (n === 41 ? 'A guillemot struck the lantern.' : `Hour ${n}: wind from the west.`)).join('\n')}
`

test('a search result has the number of each line, as read has it', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${space_id}/pages`)
    .send({ title: 'Log', body })
    .expect(201)

  const { told } = await turn(space_id, [
    { name: 'search', input: { q: 'guillemot lantern' } },
    { name: 'read', input: { kind: 'page', id: page.id, from_line: 40 } },
  ])

  const [found, read] = told.map(({ text }) => blocksIn(text))
  const inRead = read!.find((line) => line.text.includes('guillemot'))
  expect(inRead?.number).toBeGreaterThan(40)
  expect(found!.find((line) => line.text.includes('guillemot'))).toEqual(inRead)
  expect(body.split('\n')[inRead!.number - 1]).toBe(inRead!.text)
})

test.each(wireNames)('over %s the model reads the numbers', async (wire) => {
  await turn(space_id, [{ name: 'search', input: { q: 'guillemot lantern' } }])

  const sent = await renderOver(wire, letters.requests.at(-1)!)

  expect(sent).toMatch(/\D51\| A guillemot struck the lantern\./)
})

async function renderOver(wire: WireName, request: ModelRequest): Promise<string> {
  const names = { name: 'm', maxTokens: 512 }
  if (wire === 'messages') return JSON.stringify(messagesWire.body(request, names))
  let sent = ''
  await withSourcesAsText(async (asText) => {
    sent = JSON.stringify(chatWire.body(asText, names))
    return { text: '', content: [], toolUses: [], stopReason: 'end_turn', usage: noUsage }
  })(request)
  return sent
}

type Line = { number: number; text: string }

/** The lines of the passages of a result, with their numbers. */
function blocksIn(json: string): Line[] {
  const blocks: { type: string; content?: { text: string }[]; lines?: number[] }[] = JSON.parse(json)
  return blocks.flatMap(({ content = [], lines = [] }) =>
    content.flatMap(({ text }, part) =>
      text.split('\n').map((line, at) => ({ number: (lines[part] ?? 0) + at, text: line })),
    ),
  )
}
