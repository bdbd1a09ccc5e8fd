// The guide, and twenty questions asked of the companion about it: what it answered quotes the guide, and must not stand
// before it.

import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SearchItem } from '../../lib/contract/space/search.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { offlineSpaceFrom } from '../companion/offline-space.ts'

const guide = fileURLToPath(new URL('../../docs/guide/', import.meta.url))
const { ask, owner, deps, space } = await offlineSpaceFrom(guide)

const asked: [question: string, page: string][] = [
  ['What does the guide say about approvals?', 'Pending changes'],
  ['How do I back up my data?', 'Backing up and your data'],
  ['backup power cut', 'Backing up and your data'],
  ['Can two processes use the same data folder?', 'Backing up and your data'],
  ['Which Postgres version do I need?', 'Backing up and your data'],
  ['What is a changeset?', 'Pending changes'],
  ['What happens when I reject a change?', 'Pending changes'],
  ['What is the inbox?', 'Pending changes'],
  ['How do I import my Obsidian vault?', 'Coming from other apps'],
  ['How do I connect Ollama?', 'Connecting a model'],
  ['What does an unchecked citation mean?', 'Citations'],
  ['How long do deleted things stay in the trash?', 'Spaces and kinds'],
  ['How do I write a link between pages?', 'Spaces and kinds'],
  ['Can an agent approve its own drafts?', 'Agents and tokens'],
  ['Can the companion change my notes by itself?', 'The companion'],
  ['What does the glance look at?', 'Glance'],
  ['How do I connect a mailbox over IMAP?', 'Mail'],
  ['How do I revoke a token?', 'Agents and tokens'],
  ['How do I rotate the master key of secrets?', 'Secrets'],
  ['How do I connect an MCP server as a source?', 'Sources'],
]

async function find(query: Record<string, string | number>): Promise<SearchItem[]> {
  const { body } = await owner.get('/api/search').query({ space_id: space.id, ...query })
  return body.items
}
const isSaid = ({ entity_type }: SearchItem) => entity_type === 'conversation'
const titlesOf = (items: readonly SearchItem[]) => items.map(({ title }) => title)

beforeAll(async () => {
  for (const [question] of asked) {
    const { body } = await owner.post(`/api/spaces/${space.id}/conversations`).send({})
    await ask(question, undefined, body.id)
  }
  const quiet_since = new Date(Date.now() + 1e12)
  expect(await indexConversations(deps, { quiet_since, limit: 100 })).toBe(asked.length)
})

describe.each([
  ['passages', 'passage'],
  ['things', 'entity'],
])('among %s', (_, group) => {
  test('the page that answers comes as it did before anything was asked', async () => {
    for (const [q] of asked) {
      const written = (await find({ q, group, limit: 20 })).filter((item) => !isSaid(item))
      const pages = await find({ q, group, limit: 20, kinds: 'page' })

      expect(titlesOf(written), q).toEqual(titlesOf(pages).slice(0, written.length))
      expect(written[0]).toBeDefined()
    }
  })

  test('conversations come last but for what scores less than half, few of them, whatever the length of the list', async () => {
    for (const [q] of asked) {
      for (const limit of [1, 6, 10]) {
        const found = await find({ q, group, limit })

        const first = found.findIndex(isSaid)
        const behind = found.slice(first === -1 ? found.length : first)
        expect(
          behind.every((item) => isSaid(item) || item.score < found[first]!.score),
          q,
        ).toBe(true)
        const pages = await find({ q, group, limit, kinds: 'page' })
        const most = Math.max(Math.floor(limit / 4), limit - pages.length)
        expect(found.filter(isSaid).length, q).toBeLessThanOrEqual(most)
      }
    }
  })
})

test('the page that answers is among the first three for nearly all, the first for most', async () => {
  const places = await Promise.all(
    asked.map(async ([q, page]) => titlesOf(await find({ q, group: 'entity' })).indexOf(page)),
  )

  expect(places.filter((place) => place === 0).length).toBeGreaterThanOrEqual(15)
  expect(places.filter((place) => place >= 0 && place < 3).length).toBeGreaterThanOrEqual(18)
})

test('the very words of a quotation find what it was quoted from', async () => {
  const phrases = ['stays in the trash for 30 days', 'refuses to start a second one', 'form a changeset']
  for (const phrase of phrases) {
    const found = await find({ q: `"${phrase}"` })

    expect(isSaid(found[0]!), phrase).toBe(false)
  }
})

test('what is asked for among conversations is found there', async () => {
  const found = await find({ q: 'How do I connect Ollama?', kinds: 'conversation', group: 'entity' })

  expect(found.length).toBeGreaterThan(0)
  expect(found.every(isSaid)).toBe(true)
})
