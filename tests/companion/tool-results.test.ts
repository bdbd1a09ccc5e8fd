// What tools answer a model: within their limits of tokens, over the guide and a vault of long and odd pages, with lines that
// edits and the owner can name, and with words for how to go on.

import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ToolContext } from '../../lib/ai/agent/registry.ts'
import { runTool } from '../../lib/ai/agent/run-tool.ts'
import { companionRegistry } from '../../lib/ai/agent/tools/index.ts'
import { createToolServices } from '../../lib/companion/reading/tool-services.ts'
import { countTokens } from '../../lib/core/text/count-tokens.ts'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()
const agent = await deps.companion.agent()
const services = createToolServices({ ...deps, ...deps.changes })
const guide = new URL('../../docs/guide/', import.meta.url)
let space_id: string
const pages = new Map<string, string>()

const vault: Record<string, string> = {
  Log: Array.from({ length: 412 }, (_, n) => `Entry ${n + 1}: wind from the west, sea moderate.`).join('\n'),
  雨樋: Array(60)
    .fill(`雨樋は五月に掃除します。${'雨樋は五月に掃除します。'.repeat(20)}`)
    .join('\n\n'),
  Signs: Array(60)
    .fill(`gutters ${'"\\\t{}'.repeat(200)}`)
    .join('\n\n'),
  Headings: Array.from(
    { length: 80 },
    (_, n) => `## The gutters of house ${n}\n\nThe gutters are cleaned in May.`,
  ).join('\n\n'),
  Rated:
    '---\nrating: 7\ntags: [sea, boat]\n---\n# Rated\n\nThe Tern is a fine boat.\n\nThe Skua is a boat, too.',
  'One line': 'gutters '.repeat(9000),
}

beforeAll(async () => {
  space_id = (await owner.post('/api/spaces').send({ name: 'The guide' })).body.id
  const files = readdirSync(guide).map((file) => [
    file.replace(/\.md$/, ''),
    readFileSync(new URL(file, guide), 'utf8'),
  ])
  for (const [title, body] of [...files, ...Object.entries(vault)]) {
    const made = await owner.post(`/api/spaces/${space_id}/pages`).send({ title, body }).expect(201)
    pages.set(title!, made.body.id)
  }
})

async function run(name: string, input: unknown, over: Partial<ToolContext> = {}) {
  const { result, call } = await runTool({
    call: { id: 'call-1', name, input },
    registry: companionRegistry,
    ctx: {
      ...{ agent, space_id, view: null, turn: null, services, signal: new AbortController().signal },
      actor: {
        kind: 'agent',
        agent_id: agent.id,
        slug: agent.slug,
        capabilities: agent.capabilities,
        spaces: [space_id],
      },
      ...over,
    },
    maxBytes: 50_000,
    onEvent: () => {},
    now: () => 0,
  })
  const text = typeof result.content === 'string' ? result.content : JSON.stringify(result.content)
  return { text, content: result.content, isError: result.is_error === true, summary: call.summary ?? '' }
}

const questions = [
  'How do drafts reach me?',
  'gutters',
  '雨樋',
  'backup restore',
  'entry 300 wind',
  'boat',
  'the',
  'agents tokens mail',
]

test.each(questions)('a search for %s costs at most 1,000 tokens', async (q) => {
  const { text, summary } = await run('search', { q })

  expect(countTokens(text)).toBeLessThanOrEqual(1000)
  expect(countTokens(summary)).toBeLessThan(500)
})

test('a page of read costs at most 2,000 tokens, and context at most 500, whatever is open', async () => {
  for (const [title, id] of pages) {
    const page = await run('read', { kind: 'page', id })
    const view = { entityType: 'page', entityId: id, selection: (vault[title] ?? '').slice(300, 900) }
    const seen = await run('context', {}, { view })
    const cost = {
      title,
      read: Math.max(2000, countTokens(page.text)),
      context: Math.max(500, countTokens(seen.text)),
    }

    expect(cost).toEqual({ title, read: 2000, context: 500 })
    expect(countTokens(page.summary) + countTokens(seen.summary)).toBeLessThan(500)
  }
})

describe('read', () => {
  test('numbers its lines, says which of how many they are, and goes on from there to the end', async () => {
    const found: string[] = []
    let from_line = 1
    for (let n = 0; n < 20; n += 1) {
      const { content } = await run('read', { kind: 'page', id: pages.get('Log'), from_line })
      const [facts, passage, place] = content as unknown as [
        { text: string },
        { content: { text: string }[]; lines: number[] },
        { text: string },
      ]
      expect(passage.lines[0]).toBe(from_line)
      found.push(...passage.content.flatMap(({ text }) => text.split('\n')))
      const [, first, last, next] =
        /^lines (\d+)–(\d+) of 412(?:; continue with from_line (\d+))?\.$/.exec(place.text) ?? []
      expect(Number(first)).toBe(from_line)
      expect(JSON.parse(facts.text).lines).toBe(`${first}-${last} of 412`)
      if (!next) break
      from_line = Number(next)
    }

    expect(found.join('\n')).toBe(vault.Log)
  })

  test('gives path, tags and properties as fields', async () => {
    const { body: below } = await owner
      .post(`/api/spaces/${space_id}/pages`)
      .send({ title: 'Below', parent_id: pages.get('Rated') })
    const rated = await run('read', { kind: 'page', id: pages.get('Rated') })
    const under = await run('read', { kind: 'page', id: below.id })

    expect(JSON.parse((rated.content as { text: string }[])[0]!.text)).toMatchObject({
      tags: ['sea', 'boat'],
      properties: { rating: 7 },
    })
    expect(JSON.parse((under.content as { text: string }[])[0]!.text).path).toBe('Rated/Below.md')
  })
})

describe('context', () => {
  test('has headings by line and no text, but for what is around the selection', async () => {
    const id = pages.get('Rated')!
    const plain = await run('context', {}, { view: { entityType: 'page', entityId: id } })
    const selected = await run(
      'context',
      {},
      { view: { entityType: 'page', entityId: id, selection: 'fine boat' } },
    )

    expect(plain.text).toContain('line 5: “Rated”')
    expect(plain.text).not.toContain('Skua')
    expect(plain.text).toContain('read returns the text.')
    expect(selected.text).toContain('The Tern is a fine boat.')
    expect(selected.text).toContain('"lines":[')
  })
})

test('a search without a result says what was tried, and two things to try', async () => {
  const { text } = await run('search', { q: 'zebra xylophone', kinds: ['task'], changed_after: '2026-01-01' })

  expect(text).toMatch(
    /matches “zebra xylophone”, with kinds task; changed_after 2026-01-01\. Try other words .*, or list,/,
  )
})

test('a search takes kinds ["message"] for conversations', async () => {
  const { text, isError } = await run('search', { q: 'zebra', kinds: ['message'] })

  expect(isError).toBe(false)
  expect(text).toContain('kinds conversation')
})

describe('highlight', () => {
  const mark = (text: string) => run('highlight', { kind: 'page', id: pages.get('Rated'), text })

  test('finds one word or two that stand once', async () => {
    expect((await mark('Tern')).isError).toBe(false)
    expect((await mark('fine boat')).isError).toBe(false)
  })

  test('says how many there are of others, and asks for more words', async () => {
    const { isError, text } = await mark('boat')

    expect(isError).toBe(true)
    expect(text).toMatch(/stand there 3 times\. Send more of the words/)
    expect((await mark('Puffin')).text).toMatch(/not found/)
  })
})
