import { expect, test } from 'vitest'
import { createTextMatcher, holdsText } from '../../../../lib/core/text/words/holds-text.ts'

const text =
  'The rent is 1,250 EUR a month, not $40.50 or -3 % of it. The key is now here.\nIt isn’t a non-binding contract.\n\nNine nights.'

test.each([
  'The rent is 1,250 EUR',
  'rent is 1,250 EUR a month, not $40.50',
  'is now here.\nIt isn’t',
  'is  now\nhere',
  "It isn't a non-binding contract",
  'Nine nights.',
])('is there: %s', (words) => {
  expect(holdsText({ text, words })).toBe(true)
})

test.each([
  ['white space removed', 'key is nowhere'],
  ['white space put in', 'The re nt is 1,250 EUR'],
  ['a part of a number', '250 EUR a month'],
  ['the beginning of a number', 'The rent is 1'],
  ['a number without its sign', '3 % of it'],
  ['a number without its currency', 'not 40.50 or'],
  ['a number without its end', 'a month, not $40'],
  ['a part of a word', 'ent is 1,250 EUR'],
  ['a word without its negation', 'a binding contract'],
  ['one letter', 'T'],
  ['two words', 'The rent'],
  ['a part of a contraction', 'It isn t a'],
  ['no words', ' \n'],
])('is not there: %s', (_, words) => {
  expect(holdsText({ text, words })).toBe(false)
})

test('a number in groups is one number', () => {
  expect(holdsText({ text: 'He owes 1 250 EUR in all.', words: '250 EUR in all' })).toBe(false)
  expect(holdsText({ text: 'He owes 1 250 EUR in all.', words: 'owes 1 250 EUR' })).toBe(true)
})

test('a script without spaces is taken by its characters', () => {
  expect(holdsText({ text: '灯台は十二秒に一度回る。', words: '十二秒に一度' })).toBe(true)
  expect(holdsText({ text: '灯台は十二秒に一度回る。', words: '十秒に一度' })).toBe(false)
})

test('blocks that are cited from end to end come without what was between them', () => {
  const holds = createTextMatcher(['First of all', 'Nine nights', 'End'])

  expect(holds('Nine nightsEnd')).toBe(true)
  expect(holds('nightsEnd')).toBe(false)
})
