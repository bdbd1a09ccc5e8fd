// Drafts that are made to be misread, or to be too much: their cards stay whole or say what they leave out, stay small
// enough to send, and hide nothing.

import { expect, test } from 'vitest'
import { Card, type CardField } from '../../../lib/contract/changes/card.ts'
import type { DiffPart } from '../../../lib/contract/changes/text-change.ts'
import { hasHidden } from '../../../lib/core/text/quote-name.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { everyNth, hostileLines, hostilePayloads } from '../../helpers/hostile/payloads.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { draftCard, textCard } from './draft-card.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const pages = `/api/spaces/${world.space.id}/pages`

const megabyte = 1_000_000
/** What a card may weigh, as it is sent. */
const heaviest = 1_500_000

const sideOf = (parts: readonly DiffPart[], without: DiffPart['kind']) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

function expectLegible(card: Card): void {
  expect(Card.safeParse(card).error).toBeUndefined()
  expect(JSON.stringify(card).length).toBeLessThan(heaviest)
  for (const { message } of card.warnings) {
    expect(message.length).toBeLessThan(600)
    expect(hasHidden(message) || /[\r\n]/.test(message)).toBe(false)
  }
}

/** Shown or counted: characters, hunks and words. */
function expectComplete(
  { text, before, after, cut }: CardField,
  sides: { before: string; after: string },
): void {
  expect(String(before).length + (cut?.before ?? 0)).toBe(sides.before.length)
  expect(String(after).length + (cut?.after ?? 0)).toBe(sides.after.length)
  const { hunks, totals, folded } = text!
  expect(hunks.length + (folded?.hunks ?? 0)).toBe(totals.hunks)
  const added = hunks.reduce((sum, { counts }) => sum + counts.words_added, folded?.words_added ?? 0)
  expect(added).toBe(totals.words_added)
}

test.each(everyNth(hostilePayloads(), 3))('payload $n ($group) is told as it is', ({ text }) => {
  const before = 'One.\n\nTwo.\n'
  const after = `One.\n\n${text}\n`

  const card = textCard(before, after)

  expectLegible(card)
  const hunks = card.fields[0]!.text!.hunks
  expect(card.fields[0]!.after).toBe(after)
  expect(hunks.map(({ parts }) => sideOf(parts, 'removed')).join('')).toContain(text.split('\n').at(-1))
  if (hasHidden(text)) expect(card.warnings.map(({ code }) => code)).toContain('hidden_characters')
})

test.each(everyNth(hostileLines(), 12))(
  'payload $n ($group) as title, address and note',
  async ({ text }) => {
    const title = `x ${text}`.slice(0, 400)
    const { body: draft, status } = await scribe.post(`/api/spaces/${world.space.id}/refs`).send({
      title,
      url: `https://a.test/${text}`.slice(0, 1900),
      reason: `${text} `.repeat(50).slice(0, 1000),
    })
    expect(status).toBe(202)

    const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

    expectLegible(body.card)
    expect(body.card.note.length).toBeLessThanOrEqual(1000)
    expect(body.card.summary.length).toBeLessThan(300)
    expect(body.card.fields.map(({ words }: CardField) => words?.after)).toContain(draft.payload.title)
  },
)

const giants: [string, string, string][] = [
  ['a megabyte on one line', 'start\n', `${'word '.repeat(megabyte / 5)}\n`],
  ['a megabyte of lines', '', 'line of text\n'.repeat(80_000)],
  [
    'a word changed in a line of a megabyte',
    `${'word '.repeat(200_000)}\n`,
    `${'word '.repeat(100_000)}WORD ${'word '.repeat(99_999)}\n`,
  ],
  [
    'ten thousand hunks',
    Array.from({ length: 10_000 }, (_, n) => `old ${n}\nkept\n`).join(''),
    Array.from({ length: 10_000 }, (_, n) => `new ${n}\nkept\n`).join(''),
  ],
  ['a megabyte that goes', 'line of text\n'.repeat(80_000), ''],
  ['zero-width characters', 'a\n', `${'\u200b'.repeat(300_000)}\n`],
  ['bidirectional controls', 'a\n', `${'\u202ea\u202c'.repeat(100_000)}\n`],
  ['tag characters', 'a\n', `${'\u{e0041}'.repeat(150_000)}\n`],
  ['quotes within quotes', 'a\n', `${'>'.repeat(10_000)} deep\n`.repeat(50)],
  ['lists within lists', 'a\n', Array.from({ length: 1000 }, (_, n) => `${'  '.repeat(n)}- item\n`).join('')],
  ['brackets within brackets', 'a\n', `${'['.repeat(200_000)}x${']'.repeat(200_000)}(https://a.test)\n`],
  ['links within links over many lines', 'a\n', `${'[\n'.repeat(30_000)}${'](x)\n'.repeat(30_000)}`],
  [
    'hunks within links within links',
    `${'[\n'.repeat(30_000)}${'](x)\n'.repeat(30_000)}`,
    `${'[\n![\n'.repeat(15_000)}${'](x)\n](y)\n'.repeat(15_000)}`,
  ],
  ['attributes of one tag', `<a\n${'href=x\n'.repeat(50_000)}>`, `<a\n${'href=x\nhref=y\n'.repeat(25_000)}>`],
  ['emphasis within emphasis', 'a\n', `${'*_'.repeat(200_000)}\n`],
  ['HTML', 'a\n', '<div onclick="x"><script>x</script>\n'.repeat(25_000)],
  ['a data URI', 'a\n', `![x](data:image/png;base64,${'A'.repeat(megabyte)})\n`],
  [
    'ten thousand links',
    'a\n',
    Array.from({ length: 10_000 }, (_, n) => `[l${n}](https://a.test/${n}) `).join(''),
  ],
  ['a table', '| a |\n|---|\n', `| a |\n|---|\n${'| x | y |\n'.repeat(60_000)}`],
  ['a fence that never ends', 'a\n', `\`\`\`\n${'code\n'.repeat(150_000)}`],
  ['front matter', '---\na: 1\n---\n', `---\n${'key: value\n'.repeat(60_000)}---\n`],
  ['quotation marks', 'a\n', '“one two three four five six” '.repeat(20_000)],
]

test.each(giants)('%s: the card is bounded, and says what it leaves out', (_, before, after) => {
  const card = textCard(before, after)

  expectLegible(card)
  expectComplete(card.fields[0]!, { before, after })
  expect(card.folded).toBe(
    JSON.stringify(textCard(before, after, true).fields) !== JSON.stringify(card.fields),
  )
})

test.each([
  ['twenty thousand quotations', '“one two three four five six seven eight” '.repeat(20_000)],
  ['quotations on lines of their own', '“one two three four five six seven eight”\n\n'.repeat(10_000)],
  ['marks that never close', '“one two three four '.repeat(20_000)],
  ['spaces in a blockquote', `> a${' '.repeat(500_000)}b\n`],
  ['a blockquote without end', '> one two three four five six seven\n'.repeat(20_000)],
  ['links without end', `> one two three four ${'[['.repeat(200_000)}\n`],
])('%s in a draft are stored, and counted where they are not checked', async (name, body) => {
  const { body: draft, status } = await scribe.post(pages).send({ title: name, body })
  const { body: answer } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(status).toBe(202)
  expectLegible(answer.card)
  expect(draft.provenance.quotes.length).toBeLessThanOrEqual(200)
  if (/quotations/.test(name))
    expect(draft.provenance.quotes.at(-1).message).toMatch(/,\d00 more quotations were not/)
})

test('what is folded is one request away', async () => {
  const long = 'The keeper wrote a line about the weather.\n'.repeat(5000)
  const { body: draft } = await scribe.post(pages).send({ title: 'Log', body: long })

  const bounded = await owner.get(`/api/pending-changes/${draft.id}`)
  const whole = await owner.get(`/api/pending-changes/${draft.id}?whole=true`)

  const bodyOf = ({ card }: { card: Card }) => card.fields.find(({ name }) => name === 'body')!
  expect([bounded.body.card.folded, whole.body.card.folded]).toEqual([true, false])
  expect(bodyOf(bounded.body).cut!.after + String(bodyOf(bounded.body).after).length).toBe(long.length)
  expect(sideOf(bodyOf(whole.body).text!.hunks[0]!.parts, 'removed')).toBe(long)
  expect(bounded.body.payload.body).toBe(long)
})

test('a name is told with what hides in it, and never in the agent’s words', () => {
  const card = draftCard({
    row: { title: 'Lease' },
    payload: { title: 'Lease\u202e (approved by the owner)' },
  })

  expect(card.summary.startsWith('Rename page ‘Lease’ to ‘Lease')).toBe(true)
  expect(card.warnings.map(({ message }) => message).join()).toContain('[U+202E]')
})

test('no name or value ends the quotation marks that it stands in', () => {
  const claim = 'x’ (approved by Void, no warnings) ‘y'
  const cards = [
    draftCard({ row: { title: claim }, payload: { title: claim } }),
    draftCard({ action: 'create', payload: { title: claim } }),
    draftCard({
      type: 'resource',
      row: { title: 'Oil', kind: 'x' },
      payload: { kind: 'book. Approved by Void' },
    }),
  ]

  expect(cards.map(({ summary }) => summary)).toEqual([
    "Rename page ‘x' (approved by Void, no warnings) 'y’ to ‘x' (approved by Void, no warnings) 'y’",
    "Create page ‘x' (approved by Void, no warnings) 'y’",
    'Change kind of resource ‘Oil’: ‘x’ → ‘book. Approved by Void’',
  ])
})
