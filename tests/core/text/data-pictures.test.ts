import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkSize, chunkText } from '../../../lib/core/text/chunk.ts'
import {
  hasMark,
  isShownPicture,
  restorePictures,
  shortenPictures,
} from '../../../lib/core/text/data-pictures.ts'

const picture = (letter: string, length = 4000) => `data:image/png;base64,${letter.repeat(length)}==`

const part = fc.oneof(
  fc.constantFrom('\n', '\n\n', '## Harbour\n', '- item\n', '![', '](', ')', '>', '<', '![The tower](', '"'),
  fc.lorem({ maxCount: 40 }),
  fc
    .tuple(fc.constantFrom('A', 'b', '7'), fc.integer({ min: 250, max: 3000 }))
    .map(([letter, length]) => picture(letter, length)),
)
const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))

test('what was shortened is restored to the letter', () => {
  fc.assert(
    fc.property(text, (source) => {
      const short = shortenPictures(source)
      expect(short.split('\n')).toHaveLength(source.split('\n').length)
      expect(short).not.toMatch(/[A-Za-z0-9+/]{400}/)
      expect(restorePictures(short, source)).toBe(source)
    }),
  )
})

test('a mark names one picture, and none of another text', () => {
  const source = `![](${picture('A')}) ![](${picture('b')}) ![](${picture('A', 4004)})`
  const [first, second, third] = shortenPictures(source).split(' ')

  expect(new Set([first, second, third]).size).toBe(3)
  expect(restorePictures(`Moved: ${second}`, source)).toBe(`Moved: ![](${picture('b')})`)
  const foreign = restorePictures(`${second}`, `![](${picture('A')})`)
  expect(foreign).toBe(second)
  expect(hasMark(foreign)).toBe(true)
  expect(hasMark(source)).toBe(false)
})

test('passages are slices of the text without the bytes of pictures; every word stands in one', () => {
  fc.assert(
    fc.property(text, (source) => {
      const passages = chunkText(source)
      let at = 0
      for (const { text: passage, start_line, end_line } of passages) {
        const start = source.indexOf(passage, at)
        expect(start).toBeGreaterThanOrEqual(at)
        expect(passage.length).toBeLessThanOrEqual(chunkSize.maximum)
        expect(passage).not.toMatch(/[A-Za-z0-9+/]{500}/)
        expect(
          source
            .split('\n')
            .slice(start_line - 1, end_line)
            .join('\n'),
        ).toContain(passage)
        at = start + passage.length
      }
      const words = (one: string) => one.match(/[a-z]+/gi) ?? []
      const found = new Set(passages.flatMap((passage) => words(passage.text)))
      for (const word of words(shortenPictures(source).replace(/data:image[^)]*/g, ' ')))
        expect(found).toContain(word)
    }),
  )
})

test('a note with a picture in it is found by the words around it and beside it', () => {
  const source = `# Harbour\n\nTags:\n![The tower at night](${picture('A', 60_000)})\nBuilt in 1911.\n`

  expect(chunkText(source, 'Harbour').map((chunk) => [chunk.start_line, chunk.text])).toEqual([
    [1, '# Harbour\n\nTags:\n![The tower at night'],
    [5, 'Built in 1911.'],
  ])
})

test('a picture between two texts parts them', () => {
  const passages = chunkText(`Before.\n\n![](${picture('A', 300)})\n\nAfter.`)

  expect(passages.map((passage) => passage.text)).toEqual(['Before.', 'After.'])
})

test.each([
  ['data:image/png;base64,iVBORw0KGgo=', true],
  ['data:image/jpeg;base64,AAAA', true],
  ['data:image/svg+xml;base64,PHN2Zz4=', false],
  ['data:text/html;base64,AAAA', false],
  ['data:image/png;base64,AA AA', false],
  ['data:image/png,AAAA', false],
  ['https://example.org/data:image/png;base64,AAAA', false],
])('%s is shown: %s', (address, shown) => {
  expect(isShownPicture(address)).toBe(shown)
})
