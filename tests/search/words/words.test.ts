import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../lib/search/words/words.ts'

test.each([
  ['createSearch()', 'create search createsearch'],
  ['lib/db/pool.ts', 'lib db pool ts'],
  ['HTTPServer', 'http server httpserver'],
  ['pg_trgm & co', 'pg trgm co'],
  ["Don't Café №5", 'don t cafe no5'],
  ['ﬁle ½', 'file 1 2'],
  ['暖房の圧力', '暖房 房の の圧 圧力'],
  ['猫', '猫'],
  ['2024-05-01', '2024 05 01'],
  ['ship 🚀', 'ship u1f680'],
])('the words of %s', (text, words) => {
  expect(wordsOf(text).join(' ')).toBe(words)
})

test('words are well-formed, lower-case, bounded and free of anything but letters, digits and marks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
        expect(word).toBe(word.toLowerCase())
        expect(word.length).toBeLessThanOrEqual(64)
        expect(word.isWellFormed()).toBe(true)
      }
    }),
  )
})
