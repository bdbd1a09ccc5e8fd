// The calls that the specification names, as a model makes them in a turn over HTTP.

import { describe, expect, test } from 'vitest'
import { withSourcesAsText } from '../../lib/ai/adapt/sources-as-text.ts'
import { type ModelRequest, noUsage } from '../../lib/ai/model.ts'
import { countTokens } from '../../lib/core/text/count-tokens.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { owner, turn } = letters
const world = await makeWorld(letters)
const space_id = world.space.id

const pending = async () =>
  (await owner.get(`/api/pending-changes?space_id=${space_id}&status=pending`)).body.items

describe('propose_change', () => {
  test('takes the specification’s call: entity_type, action, payload with space_id and title', async () => {
    const { told, frames } = await turn(space_id, [
      {
        name: 'propose_change',
        input: { entity_type: 'task', action: 'create', payload: { space_id, title: 'Oil the hinge' } },
      },
    ])

    expect(told).toEqual([{ text: expect.stringContaining('pending_change_id'), isError: false }])
    const draft = frames.find(({ type }) => type === 'draft')
    expect(draft?.data).toMatchObject({ card: { entity_type: 'task', operation: 'create' } })
    expect((await pending()).map((each: { payload: unknown }) => each.payload)).toContainEqual(
      expect.objectContaining({ title: 'Oil the hinge' }),
    )
  })

  test('takes a reason, too', async () => {
    const { told } = await turn(space_id, [
      {
        name: 'propose_change',
        input: {
          entity_type: 'task',
          action: 'create',
          payload: { title: 'Wax the door' },
          reason: 'It was asked for.',
        },
      },
    ])

    expect(told[0]!.isError).toBe(false)
    expect(await pending()).toContainEqual(expect.objectContaining({ reason: 'It was asked for.' }))
  })

  test.each([
    ['another Space', () => world.other.id],
    ['no Space at all', () => 'skerry'],
    ['a number', () => 7],
  ])('refuses the space_id of %s in words', async (_, id) => {
    const { told } = await turn(space_id, [
      {
        name: 'propose_change',
        input: { entity_type: 'task', action: 'create', payload: { space_id: id(), title: 'Nowhere' } },
      },
    ])

    expect(told).toEqual([{ text: expect.stringContaining('space_id'), isError: true }])
    expect(told[0]!.text).toContain(space_id)
    expect(await pending()).not.toContainEqual(
      expect.objectContaining({ payload: expect.objectContaining({ title: 'Nowhere' }) }),
    )
  })

  test.each(['task', 'page', 'ref', 'project', 'resource', 'source_doc'])(
    'names the unknown key of a %s with the known ones',
    async (entity_type) => {
      const { told } = await turn(space_id, [
        {
          name: 'propose_change',
          input: { entity_type, action: 'create', payload: { title: 'Wick', flavour: 'sour' } },
        },
      ])

      expect(told[0]!.isError).toBe(true)
      expect(told[0]!.text).toContain('flavour')
      expect(told[0]!.text).toContain('title')
    },
  )

  test('drafts a file from text, a new title of it, and its deletion', async () => {
    const payload = { title: 'Log of May', text: 'Calm.\nFog at night.', mime: 'text/plain' }
    await turn(space_id, [
      { name: 'propose_change', input: { entity_type: 'source_doc', action: 'create', payload } },
    ])
    const made = (await pending()).find((each: { entity_type: string }) => each.entity_type === 'source_doc')
    await owner.post(`/api/pending-changes/${made.id}/approve`).send({}).expect(200)
    const file = async () => (await owner.get(`/api/source-docs/${made.entity_id}`)).body
    expect(await file()).toMatchObject(payload)

    const call = { entity_type: 'source_doc', entity_id: made.entity_id }
    const { told } = await turn(space_id, [
      {
        name: 'propose_change',
        input: { ...call, action: 'update', payload: { title: 'Log of May 1907' } },
      },
    ])
    expect(told[0]!.isError).toBe(false)
    const update = (await pending()).find((each: { action: string }) => each.action === 'update')
    await owner.post(`/api/pending-changes/${update.id}/approve`).send({}).expect(200)
    expect(await file()).toMatchObject({ title: 'Log of May 1907', text: payload.text })

    const { told: fixed } = await turn(space_id, [
      { name: 'propose_change', input: { ...call, action: 'update', payload: { text: 'Storm.' } } },
    ])
    expect(fixed[0]).toMatchObject({ isError: true, text: expect.stringContaining('text') })

    await turn(space_id, [{ name: 'propose_change', input: { ...call, action: 'delete' } }])
    const removal = (await pending()).find((each: { action: string }) => each.action === 'delete')
    await owner.post(`/api/pending-changes/${removal.id}/approve`).send({}).expect(200)
    expect((await file()).deleted_at).not.toBeNull()
  })
})

describe('search', () => {
  test('finds conversations by the kind "message"', async () => {
    const begin = async () => (await owner.post(`/api/spaces/${space_id}/conversations`).send({})).body.id
    const id = await begin()
    await turn(space_id, [], { text: 'The cormorants nest below the gallery.', conversation_id: id })
    await indexConversations(letters.deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })

    const { told } = await turn(
      space_id,
      [{ name: 'search', input: { q: 'cormorants', kinds: ['message'] } }],
      { conversation_id: await begin() },
    )

    expect(told[0]!.isError).toBe(false)
    expect(told[0]!.text).toContain(`void://conversation/${id}`)
    expect(told[0]!.text).not.toContain('void://page/')
  })

  test('finds a page by the kind "page"', async () => {
    const { told } = await turn(space_id, [{ name: 'search', input: { q: 'lamp', kinds: ['page'] } }])

    expect(told[0]!.text).toContain(`void://page/${world.lamp.id}`)
  })
})

describe('every tool', () => {
  test('refuses an unknown key by name, and says the known ones', async () => {
    await turn(space_id, [{ name: 'search', input: { q: 'lamp' } }])
    const tools = letters.requests[0]!.tools
    expect(tools.length).toBeGreaterThan(5)
    for (const { name, input_schema } of tools) {
      const { told } = await turn(space_id, [{ name, input: { flavour: 'sour' } }])

      expect(told[0], name).toMatchObject({ isError: true, text: expect.stringContaining('flavour') })
      const known = Object.keys(input_schema.properties ?? {})
      if (known.length > 0) expect(told[0]!.text, name).toContain(known[0])
    }
  })

  test.each([
    ['search', { query: 'lamp' }, 'q'],
    ['read', { type: 'page', id: () => world.lamp.id }, 'kind'],
    ['read', { kind: 'page', page_id: () => world.lamp.id }, 'id'],
    ['read', { path: 'The lamp' }, 'id'],
    ['highlight', { kind: 'page', id: () => world.lamp.id, quote: 'nine nights' }, 'text'],
  ] as const)('%s takes %j, and says %s', async (name, input, right) => {
    const named = Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, typeof value === 'function' ? value() : value]),
    )

    const { told } = await turn(space_id, [{ name, input: named }])

    expect(told[0]!.isError).toBe(false)
    expect(told[0]!.text).toContain(right)
  })
})

describe('highlight', () => {
  const highlight = async (text: string) =>
    (await turn(space_id, [{ name: 'highlight', input: { kind: 'page', id: world.lamp.id, text } }])).told[0]!

  test.each(['rapeseed', 'nautical miles', '40 litres'])(
    'finds %j, which stands there once',
    async (words) => {
      expect(await highlight(words)).toMatchObject({ isError: false })
    },
  )

  test('says how often words stand there, and asks for more of them', async () => {
    const told = await highlight('the')

    expect(told.isError).toBe(true)
    expect(told.text).toMatch(/\b[2-9]\d* times\b.*more/s)
  })

  test('has the rule in its description', () => {
    const tool = letters.requests[0]!.tools.find(({ name }) => name === 'highlight')

    expect(tool?.description).toMatch(/once/)
  })
})

describe('results', () => {
  test('are short: search 1,000 tokens, context 500, a page of read 2,000 with its lines', async () => {
    const body = Array.from({ length: 412 }, (_, n) => `Line ${n + 1}: the wind came from the west.`).join(
      '\n',
    )
    const { body: long } = await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'Weather', body })
    const view = { entityType: 'page', entityId: long.id, selection: 'wind' }

    const { told } = await turn(
      space_id,
      [
        { name: 'search', input: { q: 'wind west' } },
        { name: 'context', input: {} },
        { name: 'read', input: { kind: 'page', id: long.id } },
      ],
      { view },
    )

    const [search, context, read] = told.map(({ text }) => countTokens(text))
    expect(search).toBeLessThanOrEqual(1000)
    expect(context).toBeLessThanOrEqual(500)
    expect(read).toBeLessThanOrEqual(2000)
    expect(told[2]!.text).toMatch(/lines 1–\d+ of 412/)
    expect(told[1]!.text).not.toContain('Line 40:')
    const { body: activity } = await owner.get(`/api/activity?space_id=${space_id}`)
    for (const { result } of activity.items) expect(countTokens(String(result ?? ''))).toBeLessThan(500)
  })

  test('context stays within 500 tokens where lines are many and short, over both wires', async () => {
    const list = Array.from({ length: 90 }, (_, n) => `  - port: ${n}`).join('\n')
    const values = Array.from({ length: 12 }, (_, n) => `place_${n}: "Isle number ${n} of the sound"`)
    const body = `---\n${values.join('\n')}\n---\n\n# Ports\n\n${list}`
    const { body: ports } = await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'Ports', body })
    for (const n of [1, 2, 3, 4])
      await owner.post(`/api/spaces/${space_id}/pages`).send({ title: `Pilot ${n}`, body: 'See [[Ports]].' })

    for (const [selection, first] of [
      ['port: 44', 'port: 44'],
      [list.slice(299, 1199), 'port: 24'],
    ] as const) {
      const view = { entityType: 'page', entityId: ports.id, selection }
      const { told } = await turn(space_id, [{ name: 'context', input: {} }], { view })
      const asText: ModelRequest[] = []
      await withSourcesAsText(async (request) => {
        asText.push(request)
        return { text: '', content: [], toolUses: [], stopReason: 'end_turn', usage: noUsage }
      })(letters.requests.at(-1)!)

      expect(told[0]!.text).toContain(first)
      expect(told[0]!.text).toMatch(/place_0.*place_1[^0-9].*properties_more/s)
      expect(countTokens(told[0]!.text)).toBeLessThanOrEqual(500)
      expect(countTokens(JSON.stringify(contentOf(asText[0]!)))).toBeLessThanOrEqual(500)
    }
  })
})

const contentOf = ({ messages }: ModelRequest) => {
  const [result] = (messages.at(-1)?.content ?? []) as { content?: unknown }[]
  return result?.content
}
