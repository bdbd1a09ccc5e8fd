import { expect, test } from 'vitest'
import { findMention } from '../../../public/rail/composer/mention.ts'

const mark = (name: string) => ({ id: name, slug: name.toLowerCase(), name, color: null })
const companions = ['Companion', 'Ed', 'Editor', 'Reader of logs', 'Ünal (old)'].map(mark)
const named = (text: string) => findMention(text, companions)?.name ?? null

test.each([
  ['@Editor mend this', 'Editor'],
  ['@editor, mend this', 'Editor'],
  ['Please, @Reader of logs: when was it?', 'Reader of logs'],
  ['@Ed and @Editor', 'Ed'],
  ['new line\n@ed', 'Ed'],
  ['@Ünal (old) what now', 'Ünal (old)'],
  ['@nobody but @Editor', 'Editor'],
])('%j asks %s', (text, name) => {
  expect(named(text)).toBe(name)
})

test.each(['', '@', 'keeper@Editor', '@Editors mend this', '@Edna', 'Editor', '@ Editor', '@Reader of'])(
  '%j asks nobody',
  (text) => {
    expect(named(text)).toBeNull()
  },
)

test('a long text of nothing but signs is searched in linear time', () => {
  expect(named(' @'.repeat(50_000))).toBeNull()
})
