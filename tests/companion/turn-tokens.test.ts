// What a turn sends to the model besides its history, in tokens of the Messages API’s JSON: tools, system prompt, the
// calls and their results. Every call of a turn sends all of it again.

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelClient, makeCallModel } from '../../lib/ai/wires/call-model.ts'
import { countTokens } from '../../lib/core/text/count-tokens.ts'
import { buildApp } from '../helpers/build-app.ts'
import { type FakeAnthropic, startFakeAnthropic, text, toolUse } from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { takeTurn } from '../helpers/turn-client.ts'

const guide = new URL('../../docs/guide/', import.meta.url)
const { app, owner } = await buildApp()
const url = await listen(app)
const fakes: FakeAnthropic[] = []
let space_id: string
const pages = new Map<string, string>()

beforeAll(async () => {
  space_id = (await owner.post('/api/spaces').send({ name: 'The guide' })).body.id
  for (const file of readdirSync(guide)) {
    const title = file.replace(/\.md$/, '')
    const body = readFileSync(new URL(file, guide), 'utf8')
    pages.set(title, (await owner.post(`/api/spaces/${space_id}/pages`).send({ title, body })).body.id)
  }
})
afterAll(() => Promise.all(fakes.map((fake) => fake.close())))

const read = (title: string) => toolUse('read', { kind: 'page', id: pages.get(title) })

/** Takes a turn with these calls, one after the other; the tokens of its last request without the owner's words. */
async function sentWith(...calls: ReturnType<typeof toolUse>[]): Promise<number> {
  const fake = await startFakeAnthropic([...calls, text('It is in the guide.')])
  fakes.push(fake)
  const client = createModelClient({ apiKey: 'sk-test', baseURL: fake.url, maxRetries: 0 })
  app.locals.callModel = makeCallModel({ client, model: 'test', maxTokens: 1000, silenceMs: 60_000 })
  const conversation_id = (await owner.post(`/api/spaces/${space_id}/conversations`)).body.id
  await takeTurn({ url, space_id, body: { text: 'How do drafts reach me?', conversation_id } })
  const { tools, system, messages } = fake.requests.at(-1)!.body
  return countTokens(JSON.stringify({ tools, system, messages: messages.slice(1) }))
}

/** Tools, the prompt with what is in the Space, and what a call and a result cost around their own limits. */
const fixed = 2500 + 1200 + 500 + 300
const maxSearch = 1000
const maxPage = 2000

test.each([
  [
    'a search and a page',
    fixed + maxSearch + maxPage,
    () => [toolUse('search', { q: 'How do drafts reach me?' }), read('Citations')],
  ],
  [
    'two searches',
    fixed + 2 * maxSearch,
    () => [toolUse('search', { q: 'Who approves a draft?' }), toolUse('search', { q: 'model key' })],
  ],
])('a turn with %s sends at most %i tokens', async (_, maxTokens, calls) => {
  expect(await sentWith(...calls())).toBeLessThanOrEqual(maxTokens)
})

test('what is not connected to the Space costs nothing', async () => {
  await sentWith(read('Search'))
  const names = fakes.at(-1)!.requests[0]!.body.tools?.map(({ name }) => name)

  expect(names).toEqual(['search', 'read', 'context', 'propose_change', 'list', 'open', 'highlight'])
})
