// Research without a model: evidence, quoted and checked, that says what it is.

import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { answerOf, ofType } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'
import { createResearchClient, endOf, runOf, stagesOf } from './research-client.ts'

const { app, owner } = await buildApp({ namingQuietMs: 3_600_000 })
const url = await listen(app)

test('plans by rules, waits, and drafts a page of evidence', async () => {
  const world = await makeWorld({ owner })
  const client = createResearchClient({ url, owner, space_id: world.space.id })
  const first = await client.ask(
    '/research How often does the lamp turn? How many crowns is the rent a month?',
  )
  const second = await client.ask('go on')

  expect(endOf(first)).toBe('paused')
  expect(answerOf(first)).toContain('1. How often does the lamp turn\n2. How many crowns is the rent a month')
  expect(stagesOf(second)).toContain('synthesize skipped')
  expect(answerOf(second)).toMatch(/^Quotations only\. Nothing was concluded\./)
  expect(answerOf(second)).toContain('The lamp turns once in twelve seconds.')
  expect(answerOf(second)).toContain('410 crowns')
  const run = await client.find(runOf(first))
  expect(run).toMatchObject({ outcome: 'checked', status: 'done', cost: { usd: null, tokens: 0 } })
  expect(run.claims.every(({ verdict }) => verdict === 'quoted')).toBe(true)
  expect(ofType(second, 'draft')).toHaveLength(1)
})

test('a run stays within its Space', async () => {
  const world = await makeWorld({ owner })
  const client = createResearchClient({ url, owner, space_id: world.other.id })
  const run = runOf(await client.ask('/research quick How often does the lamp turn?'))
  await client.ask('yes')

  expect(await client.find(run)).toMatchObject({ outcome: 'nothing_found', depth: 'quick' })
})

test('without a model every message to a run that waits is for it, and later ones are answered as ever', async () => {
  const world = await makeWorld({ owner })
  const client = createResearchClient({ url, owner, space_id: world.space.id })
  const run = runOf(await client.ask('/research quick How often does the lamp turn?'))
  const changed = await client.ask('When is the rent of the boathouse due?')

  expect(endOf(changed)).toBe('paused')
  expect(await client.find(run)).toMatchObject({ status: 'paused', pause: 'plan', break_out: null })
  expect((await client.find(run)).plan?.sub_questions.at(-1)).toContain('rent of the boathouse')
  await client.ask('go on')
  const later = await client.ask('How many crowns is the rent a month?')

  expect(ofType(later, 'research')).toEqual([])
  expect(answerOf(later)).toContain('410 crowns')
})

test('quotes whole sentences, each of which its own passage supports', async () => {
  const world = await makeWorld({ owner })
  const long = 'The rota names who winds the clock, who trims the wick and who writes the log. '.repeat(6)
  const body = `## Winding\n\nWinding\n\n- The clock is wound by hand each evening. It must not be wound twice.\n\n${long}`
  await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'The clock', body }).expect(201)
  const client = createResearchClient({ url, owner, space_id: world.space.id })
  const run = runOf(await client.ask('/research quick Who winds the clock each evening?'))
  await client.ask('go on')

  const { claims } = await client.find(run)
  expect(claims.map(({ text }) => text)).toContain('The clock is wound by hand each evening.')
  expect(claims.every(({ text }) => /^\p{Lu}.*[.!?]$/u.test(text) && text.split(' ').length >= 4)).toBe(true)
  expect(claims.map(({ verdict }) => verdict)).toEqual(claims.map(() => 'quoted'))
})
