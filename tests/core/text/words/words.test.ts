import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../../lib/core/text/words/words.ts'
import { indexWordsOf } from '../../../../lib/search/words/index-words.ts'

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

test.each([
  ['Version 1.9.7, out', 'version 1 9 7 1v9v7 out'],
  ['v2.0', 'v2 0 2v0'],
  ['The end.Next 3. 4', 'the end next 3 4'],
  ['1.2.3.4.5.6.7', '1 2 3 4 5 6 7'],
  ['.obsidian/app.json and ./here ...', 'obsidian dotobsidian app json and here'],
  ['50mb or 50MB or gpt4', '50 mb 50mb or 50 mb 50mb or gpt4'],
  ['🇫🇴 flag', 'u1f1ebu1f1f4 flag'],
])('the words that %s is indexed by', (text, words) => {
  expect(indexWordsOf(text).join(' ')).toBe(words)
})

test('words are well-formed, lower-case, bounded and free of anything but letters, digits and marks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const word of [...wordsOf(text), ...indexWordsOf(text)]) {
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
        expect(word).toBe(word.toLowerCase())
        expect(word.length).toBeLessThanOrEqual(64)
        expect(word.isWellFormed()).toBe(true)
      }
    }),
  )
})
