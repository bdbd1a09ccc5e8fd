// A note that holds the bytes of its pictures, as a model reads and changes it in a turn over HTTP.

import { expect, test } from 'vitest'
import { makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { owner, turn } = letters
const world = await makeWorld(letters)
const space_id = world.space.id

const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(6000)}==`
const body = `Tags: lamps\n![The tower](${picture})\nBuilt in 1911.\nLit in 1912.\n`

const makePage = async (title: string, text = body) =>
  (await owner.post(`/api/spaces/${space_id}/pages`).send({ title, body: text })).body

const propose = async (input: Record<string, unknown>) =>
  await turn(space_id, [
    { name: 'propose_change', input: { entity_type: 'page', action: 'update', ...input } },
  ])

/** The text that a turn has drafted. */
async function draftedBody({ frames }: { frames: readonly { type: string; data: unknown }[] }) {
  const drafts = frames.filter(({ type }) => type === 'draft')
  expect(drafts).toHaveLength(1)
  const { card } = drafts[0]!.data as { card: { pending_change_id: string } }
  return (await owner.get(`/api/pending-changes/${card.pending_change_id}`)).body.payload.body
}

test('the model reads the text without the bytes, and a picture that it names keeps them', async () => {
  const page = await makePage('Tower')
  const { told } = await turn(space_id, [{ name: 'read', input: { kind: 'page', id: page.id } }])
  const mark = /data:image\/png;base64,…\d+kB-[0-9a-f]{8}/.exec(told[0]!.text)?.[0] ?? ''

  expect(told[0]!.text).toContain('Lit in 1912.')
  expect(told[0]!.text.length).toBeLessThan(3000)
  expect(mark).not.toBe('')

  const whole = await propose({
    entity_id: page.id,
    payload: { body: `![The tower](${mark})\nBuilt in 1910.\n` },
  })
  expect(await draftedBody(whole)).toBe(`![The tower](${picture})\nBuilt in 1910.\n`)

  const other = await makePage('Tower again')
  const lines = await propose({
    entity_id: other.id,
    version: 1,
    edits: [{ lines: '2-3', new_text: `![A tower](${mark})\nBuilt in 1910.` }],
  })
  expect(await draftedBody(lines)).toBe(`Tags: lamps\n![A tower](${picture})\nBuilt in 1910.\nLit in 1912.\n`)

  const third = await makePage('Tower a third time')
  const words = await propose({
    entity_id: third.id,
    edits: [{ old_text: `![The tower](${mark})\nBuilt`, new_text: `![The tower](${mark})\n\nErected` }],
  })
  expect(await draftedBody(words)).toBe(body.replace('\nBuilt', '\n\nErected'))
})

test('a picture of another page cannot be named, and the refusal says so', async () => {
  const page = await makePage('Without pictures', 'Nothing here.\n')
  const { told } = await propose({
    entity_id: page.id,
    payload: { body: '![](data:image/png;base64,…49kB-0badcafe)\n' },
  })

  expect(told[0]).toMatchObject({ isError: true, text: expect.stringContaining('does not have') })
})
