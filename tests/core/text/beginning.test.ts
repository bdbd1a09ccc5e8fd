import { expect, test } from 'vitest'
import { beginningOf } from '../../../lib/core/text/beginning.ts'

const page = `---
tags: [light]
---

# The lamp

It burns paraffin.

## Care

Trim the wick. ^wick

### Daily

Wipe the glass.

## History

Lit in 1859.
`

test('the beginning is the first blocks, without front matter and a heading that repeats the title', () => {
  const { text, headings } = beginningOf(page, { title: 'The Lamp' })

  expect(text.startsWith('It burns paraffin.')).toBe(true)
  expect(headings).toEqual([])
})

test('a heading begins below it and ends before the next of its level', () => {
  expect(beginningOf(page, { title: 'The lamp', heading: 'care' })).toEqual({
    text: 'Trim the wick. ^wick\n\n### Daily\n\nWipe the glass.',
    headings: ['Care'],
  })
  expect(beginningOf(page, { title: 'The lamp', heading: 'Care#Daily' })).toEqual({
    text: 'Wipe the glass.',
    headings: ['Care', 'Daily'],
  })
  expect(beginningOf('## A\n\n## B\n\nText', { title: 'x', heading: 'A' }).text).toBe('')
})

test('a block and a passage are found with the headings above them', () => {
  const block = beginningOf(page, { title: 'The lamp', heading: '^wick' })
  const passage = beginningOf(page, { title: 'The lamp', passage: 'Wipe the' })

  expect(block.text.startsWith('Trim the wick.')).toBe(true)
  expect(block.headings).toEqual(['Care'])
  expect(passage.text.startsWith('Wipe the glass.')).toBe(true)
  expect(passage.headings).toEqual(['Care', 'Daily'])
  expect(beginningOf('One\n\nTwo\n\n^id\n\nThree', { title: 'x', heading: '^id' }).text).toMatch(/^Two/)
})

test('what is not there counts as not asked for', () => {
  const begin = beginningOf(page, { title: 'The lamp' })

  expect(beginningOf(page, { title: 'The lamp', heading: 'Care#Nowhere' })).toEqual(begin)
  expect(beginningOf(page, { title: 'The lamp', passage: 'zeppelin' })).toEqual(begin)
  expect(beginningOf('', { title: 'x', heading: '', passage: '\n' })).toEqual({ text: '', headings: [] })
})

test('no beginning is longer than its bound, and none is empty for being long', () => {
  const long = `${'word '.repeat(2000)}\n\nshort`
  const { text } = beginningOf(long, { title: 'x' })

  expect(text.length).toBeLessThanOrEqual(1201)
  expect(text.endsWith('word…')).toBe(true)
  expect(beginningOf('a paragraph\n\n'.repeat(500), { title: 'x' }).text.length).toBeLessThanOrEqual(1200)
})
