import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBlockSplitter } from '../../../public/rail/turn/blocks.ts'
import { blocksOf, markdownToHtml } from '../../../public/ui/markdown/markdown.ts'

const piece = fc.constantFrom(
  'The lamp turns once in twelve seconds.',
  '# The lamp',
  '- oil',
  '  - rapeseed',
  '1. first',
  '> said the keeper',
  '```ts',
  'const nights = 9',
  '```',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
  '---',
  '===',
  '    indented',
  '%%',
  '%% aside %%',
  'word %%',
  '$$',
  '$$ x + y $$',
  '+ z',
  '[^1]: a note',
  'see[^1]',
  '**bold',
  '',
  '',
  ' ',
)
const answer = fc.array(piece, { maxLength: 24 }).map((lines) => lines.join('\n'))

describe('a streaming answer', () => {
  test('cut into blocks as it grows is cut as the whole text is', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        const splitter = createBlockSplitter()
        const ends = [
          ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ]

        const last = ends.map((end) => splitter.split(text.slice(0, end))).at(-1)!

        expect(last.map((block) => block.text).join('')).toBe(text)
        expect(htmlOf(last.map((block) => block.text))).toBe(htmlOf(blocksOf(text)))
      }),
    )
  })

  test('keeps its closed blocks as they are, whatever follows', () => {
    const splitter = createBlockSplitter()
    const before = splitter.split('One.\n\nTwo.\n\nThr')

    const after = splitter.split('One.\n\nTwo.\n\nThree, and more.\n\nFour.')

    expect(after.slice(0, 2).map((block, index) => block === before[index])).toEqual([true, true])
    expect(after.filter(({ text }) => text.trim()).map(({ start, text }) => [start, text])).toEqual([
      [0, 'One.'],
      [6, 'Two.'],
      [12, 'Three, and more.'],
      [30, 'Four.'],
    ])
  })
})

const htmlOf = (blocks: readonly string[]) =>
  blocks
    .filter((block) => block.trim() !== '')
    .map((block) => markdownToHtml(block, { slug: 's' }))
    .join('')
