import { expect, test } from 'vitest'
import { hasHidden, splitHidden } from '../../../lib/core/text/quote-name.ts'

test('characters that turn the reading order around are written out', () => {
  expect(splitHidden('invoice\u202efdp.exe')).toEqual([
    'invoice',
    { code: 'U+202E', name: 'right-to-left override' },
    'fdp.exe',
  ])
})

test('zero-width, tag and control characters are written out', () => {
  const pieces = splitHidden('a\u200bb\u{e0041}c\u0007d\u3164')

  expect(pieces.filter((piece) => typeof piece !== 'string').map(({ code }) => code)).toEqual([
    'U+200B',
    'U+E0041',
    'U+0007',
    'U+3164',
  ])
})

test('what can be seen stays as it is: line breaks, letters of every script, emoji', () => {
  for (const text of ['one\n\ttwo\r\n', 'Größe 東京 שלום', '👩‍🔬 ❤️ 👍🏽 1️⃣', '']) {
    expect(splitHidden(text).join('')).toBe(text)
    expect(hasHidden(text)).toBe(false)
  }
})
