import { expect, test } from 'vitest'
import { readClippedHtml, readShared } from '../../../public/features/capture/shared-content.ts'

const url = 'https://example.org/lamp'

test.each([
  ['?title=Lamp&url=https%3A%2F%2Fexample.org%2Flamp', '', { title: 'Lamp', url, text: '' }],
  ['?title=Lamp&text=https%3A%2F%2Fexample.org%2Flamp', '', { title: 'Lamp', url, text: '' }],
  [
    '',
    '#clip&title=Lamp&url=https%3A%2F%2Fexample.org%2Flamp&text=%3E+x',
    { title: 'Lamp', url, text: '> x' },
  ],
  ['?text=Just%20words', '', { title: '', url: null, text: 'Just words' }],
  ['?url=javascript%3Aalert(1)', '', { title: '', url: null, text: 'javascript:alert(1)' }],
  ['', '', { title: '', url: null, text: '' }],
])('%s%s is read', (search, hash, expected) => {
  expect(readShared({ search, hash })).toEqual(expected)
})

test('a page hands over its own HTML, and nobody else does', () => {
  const opener = {} as Window
  const message = { data: { voidClip: '<p>x</p>' }, origin: 'https://example.org', source: opener }

  expect(readClippedHtml(message, { opener, url })).toBe('<p>x</p>')
  expect(readClippedHtml({ ...message, source: {} as Window }, { opener, url })).toBe(null)
  expect(readClippedHtml({ ...message, origin: 'https://evil.example' }, { opener, url })).toBe(null)
  expect(readClippedHtml({ ...message, data: 'x' }, { opener, url })).toBe(null)
  expect(readClippedHtml({ ...message, source: null }, { opener: null, url })).toBe(null)
  const huge = { ...message, data: { voidClip: 'x'.repeat(3_000_000) } }
  expect(readClippedHtml(huge, { opener, url })).toHaveLength(2_000_000)
})
