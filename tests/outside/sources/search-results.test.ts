import { describe, expect, test } from 'vitest'
import { readSearchResult } from '../../../lib/outside/sources/read-search-result.ts'
import { searchArgument } from '../../../lib/outside/sources/search-tools.ts'

describe('the answer of a search', () => {
  const expected = [
    { title: 'One', address: 'https://a.example/1', text: 'The first text.' },
    { title: 'Two', address: 'https://a.example/2', text: 'The second text.' },
  ]
  const results = expected.map(({ title, address, text }) => ({ title, url: address, content: text }))

  test.each([
    ['a list', JSON.stringify(results)],
    ['a list within an object', JSON.stringify({ query: 'x', web: { results } })],
    [
      'labelled lines',
      expected.map((one) => `Title: ${one.title}\nURL: ${one.address}\nText: ${one.text}`).join('\n\n'),
    ],
    [
      'labelled lines in bold',
      expected
        .map((one, at) => `${at + 1}. **Title:** ${one.title}\n**Link:** ${one.address}\n${one.text}`)
        .join('\n\n'),
    ],
  ])('is read as %s', (_form, text) => {
    expect(readSearchResult(text, 10)).toEqual(expected)
  })

  test('is passages of plain text where it is nothing else', () => {
    expect(readSearchResult('See https://a.example/x. The lamp turns.', 10)).toEqual([
      {
        title: '',
        address: 'https://a.example/x.',
        text: 'See https://a.example/x. The lamp turns.',
      },
    ])
    expect(readSearchResult('{"broken": ', 10)).toHaveLength(1)
    expect(readSearchResult('--- \n\n ***', 10)).toEqual([])
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:secret@a.example',
    '/relative',
    `https://a.example/${'x'.repeat(3000)}`,
    'https://a.example/<script>',
  ])('has no address that is none of a page: %s', (url) => {
    const [found] = readSearchResult(JSON.stringify([{ url, text: 'Words.' }]), 10)

    expect(found?.address ?? '').not.toMatch(/[<>]|^(?!https:|$)|secret/)
    expect((found?.address ?? '').length).toBeLessThan(2001)
  })

  test('is never more than asked for, nor longer than a passage', () => {
    const many = JSON.stringify(
      Array.from({ length: 500 }, () => ({ text: 'The lamp turns. '.repeat(1000) })),
    )
    const found = readSearchResult(many, 7)

    expect(found).toHaveLength(7)
    expect(found.every(({ text }) => text.length <= 2000)).toBe(true)
    expect(readSearchResult(`${'['.repeat(100_000)}`, 7).length).toBeLessThanOrEqual(7)
  })

  test('is without the tags of its matches, NUL and half characters', () => {
    const [found] = readSearchResult(
      JSON.stringify([{ text: 'The <strong>lamp</strong>\u0000 turns \ud800.' }]),
      5,
    )

    expect(found?.text).toBe('The lamp turns \ufffd.')
  })
})

describe('a tool', () => {
  const tool = (name: string, properties: object, more: object = {}) => ({
    name,
    input_schema: { type: 'object', properties, ...more },
  })
  const string = { type: 'string' }

  test.each([
    ['by its name', tool('web_search', { query: string }), 'query'],
    ['in camel case', tool('braveWebSearch', { q: string, count: { type: 'number' } }), 'q'],
    [
      'by its description',
      { ...tool('brave', { query: string }), description: 'Searches the web.' },
      'query',
    ],
    ['not without words to search for', tool('search', { text: string }), null],
    ['not when they are no string', tool('search', { query: { type: 'array' } }), null],
    ['not when more is needed', tool('search', { query: string, key: string }, { required: ['key'] }), null],
    ['not by part of a word', tool('research_notes', { query: string }), null],
    ['not when nothing says so', tool('run_sql', { query: string }), null],
    ['not with a schema that is none', { name: 'search', input_schema: { properties: 'query' } }, null],
    ['not by what every object has', { name: 'search', input_schema: { properties: {} } }, null],
  ])('searches %s, or does not', (_how, definition, argument) => {
    expect(searchArgument(definition)).toBe(argument)
  })
})
