import { expect, test } from 'vitest'
import { splitNote } from '../../../lib/core/text/split-note.ts'

test.each([
  ['One line', { title: 'One line', body: '' }],
  ['\n\n# Heading\n\nText\nmore\n', { title: 'Heading', body: 'Text\nmore' }],
  ['- [ ] Order oil', { title: 'Order oil', body: '' }],
  ['#tag stays', { title: '#tag stays', body: '' }],
  ['  ', { title: '', body: '' }],
])('%j is split', (note, expected) => {
  expect(splitNote(note)).toEqual(expected)
})

test('a first line that is too long for a title is cut at a word, and the text stays whole', () => {
  const note = 'word '.repeat(60).trim()

  const { title, body } = splitNote(note)

  expect(title).toMatch(/^(word )+word…$/)
  expect(title.length).toBeLessThanOrEqual(120)
  expect(body).toBe(note)
})
