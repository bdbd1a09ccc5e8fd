import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChats } from '../../../lib/files/import/chats/read-chats.ts'
import { claudeConversation, foghornChat, gptConversation, lampChat } from './chat-exports.ts'

const read = (value: unknown) => readChats(JSON.stringify(value))
const said = (value: unknown) =>
  read(value)!.chats.map(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`))

test('a conversation of ChatGPT is its shown path, and its other versions from where they part', () => {
  const { chats, problems } = read([lampChat])!

  expect(problems).toEqual([])
  expect(chats.map(({ title, branch, key }) => [title, branch?.number ?? 1, key.split('/')[0]])).toEqual([
    ['Lamp oil', 1, 'gpt-lamp'],
    ['Lamp oil', 2, 'gpt-lamp'],
  ])
  expect(said([lampChat])).toEqual([
    [
      'user: How much oil does the lamp burn?\n\nAttached: lamp manual.pdf',
      'assistant: Forty litres in a winter.',
      'user: And in a year?',
      'assistant: Ninety litres.',
    ],
    ['user: And which wick?', 'assistant: A cotton wick.'],
  ])
  expect(chats[0]!.messages.map(({ at }) => at)).toEqual([
    ...['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:20.000Z'],
    ...['2023-11-14T22:14:10.000Z', '2023-11-14T22:14:20.000Z'],
  ])
})

test('a conversation of Claude has its texts and the names of its files, and no thinking', () => {
  const { chats } = read([foghornChat])!

  expect(chats).toHaveLength(1)
  expect(chats[0]).toMatchObject({ product: 'claude', title: 'Foghorn repair', key: 'claude-foghorn' })
  expect(said([foghornChat])[0]).toEqual([
    'user: Why is the foghorn silent?\n\nAttached: horn.jpg',
    'assistant: Its diaphragm is torn.',
  ])
})

test('Claude’s branches follow the messages that they name', () => {
  const message = (uuid: string, parent: string, sender: string) => ({
    ...{ uuid, sender, text: uuid, created_at: '2025-01-01T00:00:00Z', parent_message_uuid: parent },
  })
  const root = '00000000-0000-4000-8000-000000000000'
  const chat = {
    ...claudeConversation('c', 'Two ways', [
      message('q', root, 'human'),
      message('a', 'q', 'assistant'),
      message('b', 'q', 'assistant'),
    ]),
    current_leaf_message_uuid: 'a',
  }

  expect(said([chat])).toEqual([['user: q', 'assistant: a'], ['assistant: b']])
})

test.each([
  ['not JSON', '{"a":'],
  ['no list', '{}'],
  ['another list', '[{"title":"x"}]'],
  ['an empty list', '[]'],
  ['names without things', '[null, 1, "mapping"]'],
])('%s is no export', (_, text) => {
  expect(readChats(text)).toBe(null)
})

describe('one bad conversation', () => {
  test.each([
    ['that is none', 'a string', 'it is not a conversation'],
    ['without a mapping', { title: 'Bad', mapping: 7 }, 'not in a mapping'],
    ['with a mapping that is a list', { title: 'Bad', mapping: [1] }, 'not in a mapping'],
    ['without messages', { title: 'Bad', mapping: {} }, 'it has no messages'],
    [
      'with odd nodes',
      { title: 'Bad', mapping: { a: null, b: 3, c: { message: { author: 7 } } } },
      'no messages',
    ],
    [
      'with too many nodes',
      { title: 'Bad', mapping: Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [n, {}])) },
      'more than 20000',
    ],
  ])('%s is named and spoils no other', (_, bad, reason) => {
    const { chats, problems } = read([bad, lampChat, bad])!

    expect(chats).toHaveLength(2)
    expect(problems).toHaveLength(2)
    expect(problems[0]!.reason).toContain(reason)
    expect(problems[0]!.name).toBe(typeof bad === 'string' ? 'conversation 1' : 'Bad')
  })

  test('a tree with circles ends, and says what is left out', () => {
    const chat = gptConversation({ id: 'c', title: 'Circle', current: 'b' }, [
      { id: 'a', parent: 'b', role: 'user', text: 'one' },
      { id: 'b', parent: 'a', role: 'assistant', text: 'two' },
      { id: 'x', parent: 'y', role: 'user', text: 'lost' },
      { id: 'y', parent: 'x', role: 'assistant', text: 'lost, too' },
      { id: 'self', parent: 'self', role: 'user', text: 'myself' },
    ])

    expect(said([chat])).toEqual([['user: one', 'assistant: two']])
    expect(read([chat])!.chats[0]!.warnings[0]).toContain('3 messages follow each other in a circle')
  })

  test('many branches are bounded and counted', () => {
    const nodes = Array.from({ length: 80 }, (_, n) => ({
      ...{ id: `q${n}`, parent: 'root', role: 'user', text: `Version ${n}` },
    }))
    const { chats } = read([
      gptConversation({ id: 'c', title: 'Fan' }, [{ id: 'root', parent: null }, ...nodes]),
    ])!

    expect(chats).toHaveLength(51)
    expect(chats[0]!.warnings).toEqual(['29 branches were left out'])
  })

  test('a huge text is cut, and names of prototypes are names', () => {
    const chat = JSON.parse(
      JSON.stringify(
        gptConversation({ id: '__proto__', title: 'x'.repeat(100_000) }, [
          { id: 'constructor', parent: null, role: 'user', text: 'y'.repeat(5_000_000) },
        ]),
      ),
    )
    const [only] = read([chat])!.chats

    expect(only!.title).toHaveLength(200)
    expect(only!.messages[0]!.text.length).toBeLessThan(200_100)
    expect(only!.messages[0]!.text).toContain('[Cut at import]')
  })
})

test('whatever stands in the fields, nothing is thrown', () => {
  const values = fc.jsonValue({ maxDepth: 4 })
  const message = fc.record(
    {
      author: fc.oneof(values, fc.record({ role: fc.constantFrom('user', 'assistant', 'tool') })),
      content: fc.oneof(values, fc.record({ content_type: fc.constant('text'), parts: values })),
      create_time: values,
      metadata: values,
      recipient: values,
    },
    { requiredKeys: [] },
  )
  const node = fc.record(
    { parent: fc.oneof(fc.constantFrom('a', 'b', 'c', null), values), message },
    { requiredKeys: [] },
  )
  const entry = fc.record(
    {
      title: values,
      conversation_id: values,
      current_node: values,
      mapping: fc.dictionary(fc.constantFrom('a', 'b', 'c'), node),
    },
    { requiredKeys: ['mapping'] },
  )
  const claude = fc.record(
    {
      name: values,
      uuid: values,
      chat_messages: fc.array(
        fc.oneof(
          values,
          fc.record({ sender: fc.constant('human'), text: values, content: values, files: values }),
        ),
      ),
    },
    { requiredKeys: ['chat_messages'] },
  )

  fc.assert(
    fc.property(fc.array(fc.oneof(entry, claude, values), { minLength: 1 }), (list) => {
      const result = read([lampChat, ...list])!
      expect(result.chats.length).toBeGreaterThanOrEqual(2)
    }),
    { numRuns: 300 },
  )
})
