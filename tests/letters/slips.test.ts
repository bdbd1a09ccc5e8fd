// Slips in calls that models make: the obvious name is taken and the right one said; what has one correction is told it.

import { describe, expect, test } from 'vitest'
import { makeAgent, makeWorld } from '../helpers/world.ts'
import { createRawClient } from '../outside/mcp/raw-client.ts'
import { startLetters } from './turns.ts'

const letters = await startLetters()
const { turn } = letters
const world = await makeWorld(letters)
const space_id = world.space.id
const lamp = world.lamp.id

const call = async (name: string, input: unknown, body = {}) =>
  (await turn(space_id, [{ name, input }], body)).told[0]!

const correctedIn = (text: string): unknown => {
  const json = /^Corrected call: \w+ (\{.*\})$/m.exec(text)?.[1]
  return json === undefined ? null : JSON.parse(json)
}

describe('are taken, and the right name is said', () => {
  test.each([
    ['search', { search: 'lamp' }, '"q"'],
    ['search', { search_query: 'lamp' }, '"q"'],
    ['search', { keywords: 'lamp' }, '"q"'],
    ['search', { q: 'lamp', entity_types: ['page'] }, '"kinds"'],
    ['search', { q: 'lamp', after: '2001-01-01', before: '2101-01-01' }, '"changed_before"'],
    ['read', { uri: `void://page/${lamp}` }, 'kind and id'],
    ['read', { id: `void://page/${lamp}#2` }, 'kind and id'],
    ['read', { kind: 'page', id: `void://page/${lamp}` }, 'kind and id'],
    ['read', { kind: 'page', id: lamp, start_line: 1, end_line: 2 }, '"to_line"'],
    ['read', { kind: 'page', id: lamp, from: 1, to: 2 }, '"from_line"'],
    ['read', { kind: 'page', id: lamp, lines: '1-2' }, 'from_line 1 and to_line 2'],
    ['read', { kind: 'page', id: lamp, range: '2–2' }, 'from_line 2 and to_line 2'],
    ['read', { kind: 'page', id: lamp, lines: [1, 2] }, 'from_line 1 and to_line 2'],
    ['open', { page_id: lamp, kind: 'page' }, '"id"'],
    ['open', { uri: `void://page/${lamp}` }, 'kind and id'],
    ['open', { path: 'The lamp' }, 'Use id'],
    ['highlight', { uri: `void://page/${lamp}`, text: 'nine nights' }, 'kind and id'],
  ])('%s %j', async (name, input, right) => {
    const { text, isError } = await call(name, input)

    expect({ text, isError }).toMatchObject({ isError: false })
    expect(text.replaceAll('\\', '')).toContain(right)
  })

  test('the range of lines is the one that was sent', async () => {
    const { text } = await call('read', { kind: 'page', id: lamp, lines: '3' })

    expect(text).toMatch(/lines 3–3 of \d+/)
  })
})

describe('with one correction are told it', () => {
  test.each([
    ['search', { q: 'lamp', kinds: '["page","task"]' }, { q: 'lamp', kinds: ['page', 'task'] }],
    ['search', { q: 'lamp', kinds: 'page, task' }, { q: 'lamp', kinds: ['page', 'task'] }],
    ['search', { q: 'lamp', kinds: 'Pages' }, { q: 'lamp', kinds: ['page'] }],
    ['list', { kinds: ['task'] }, { kind: 'task' }],
    ['list', { kinds: ['tasks'] }, { kind: 'task' }],
    ['context', { flavour: 'sour' }, {}],
    [
      'propose_change',
      { entity_type: 'task', action: 'create', title: 'Oil', due_on: '2031-04-01' },
      { entity_type: 'task', action: 'create', payload: { title: 'Oil', due_on: '2031-04-01' } },
    ],
    [
      'propose_change',
      { entity_type: 'task', action: 'create', payload: { title: 'Oil' }, priority: 'high' },
      { entity_type: 'task', action: 'create', payload: { title: 'Oil', priority: 'high' } },
    ],
    [
      'propose_change',
      { entity_type: 'page', action: 'create', payload: { title: 'Wick', tags: 'sea, oil' } },
      { entity_type: 'page', action: 'create', payload: { title: 'Wick', tags: ['sea', 'oil'] } },
    ],
    [
      'propose_change',
      { entity_type: 'page', action: 'update', entity_id: lamp, edits: { append: 'More.' } },
      { entity_type: 'page', action: 'update', entity_id: lamp, edits: [{ append: 'More.' }] },
    ],
    [
      'propose_change',
      { entity_type: 'page', action: 'update', entity_id: lamp, edits: '[{"append":"More."}]' },
      { entity_type: 'page', action: 'update', entity_id: lamp, edits: [{ append: 'More.' }] },
    ],
  ])('%s %j', async (name, input, corrected) => {
    const { text, isError } = await call(name, input)

    expect(isError).toBe(true)
    expect(correctedIn(text)).toEqual(corrected)
    expect(await call(name, corrected)).toMatchObject({ isError: false })
  })

  test.each([
    ['a list that is cut off', { edits: '[{"append":"More.' }],
    ['a number', { edits: 7 }],
  ])('but none is made up for %s, nor another fault', async (_, more) => {
    const { text } = await call('propose_change', {
      ...{ entity_type: 'page', action: 'update', entity_id: lamp },
      ...more,
    })

    expect(text).toContain('edits: must be an array')
    expect(text).not.toContain('payload')
    expect(correctedIn(text)).toBeNull()
  })
})

describe('are told in words', () => {
  test.each([
    ['search', { q: '' }, 'q: must not be empty.'],
    [
      'highlight',
      { kind: 'page', id: lamp, text: 'x'.repeat(601) },
      'text: must have at most 600 characters, not 601.',
    ],
    ['read', { kind: 'page', id: lamp, from_line: 0 }, 'from_line: must be at least 1, not 0.'],
    [
      'list',
      { kind: 'task', status: 'todo' },
      'status: "todo" is not allowed. Use one of: open, in_progress',
    ],
    [
      'propose_change',
      { entity_type: 'page', action: 'create', payload: { title: 'A', properties: { of: { in: 1 } } } },
      'payload.properties.of: must be a text, a number',
    ],
    [
      'propose_change',
      { entity_type: 'page', action: 'update', entity_id: lamp, payload: {} },
      'payload: is empty.',
    ],
  ])('%s %j', async (name, input, words) => {
    const { text, isError } = await call(name, input)

    expect(isError).toBe(true)
    expect(text).toContain(words)
  })
})

describe('the Space of a call', () => {
  const create = (space: unknown) => ({ space_id: space, title: 'Oil the lock' })

  test.each([
    ['in capitals', () => space_id.toUpperCase()],
    ['that is null', () => null],
  ])('is taken %s', async (_, id) => {
    const input = { entity_type: 'task', action: 'create', payload: create(id()) }

    expect(await call('propose_change', input)).toMatchObject({ isError: false })
  })

  test('is taken beside the arguments of any tool, another one refused', async () => {
    expect(await call('search', { q: 'lamp', space_id })).toMatchObject({ isError: false })
    expect(await call('search', { q: 'lamp', space_id: world.other.id })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`space_id: this call is in the Space ${space_id}`),
    })
  })

  test('is looked at for a deletion, too', async () => {
    const input = {
      entity_type: 'page',
      action: 'delete',
      entity_id: lamp,
      payload: { space_id: world.other.id },
    }

    expect(await call('propose_change', input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('payload.space_id'),
    })
  })
})

test('over MCP space_id names the Space, as space does', async () => {
  const { token } = await makeAgent(letters, { slug: 'caller', spaces: [space_id, world.other.id] })
  const client = createRawClient(letters.url, token, {})
  const args = { entity_type: 'task', action: 'create', payload: { space_id, title: 'Oil the gate' } }

  const { result } = await client.request('tools/call', {
    name: 'propose_change',
    arguments: { ...args, space_id },
  })

  expect(result).toMatchObject({ structuredContent: { status: 'pending' } })
  expect(JSON.stringify(result.content)).toContain('taken as')
})

describe('highlight', () => {
  test('without an id marks what is open', async () => {
    const view = { entityType: 'page', entityId: lamp }

    expect(await call('highlight', { text: 'nine nights' }, { view })).toMatchObject({ isError: false })
    expect(await call('highlight', { text: 'nine nights' })).toMatchObject({ isError: true })
    expect(await call('highlight', { text: 'nine nights' }, { view: { entityType: 'task' } })).toMatchObject({
      isError: true,
      text: expect.stringContaining('kind and id'),
    })
  })
})
