import { expect, test } from 'vitest'
import { quoteShown, quoteShownSingly } from '../../../lib/core/text/quote-name.ts'

test.each([
  ['Lamp', '“Lamp”', '‘Lamp’'],
  ['Lamp” approved · „no ‟warnings', '“Lamp" approved · "no "warnings”', '‘Lamp” approved · „no ‟warnings’'],
  ['Lamp’ approved by ‚Void', '“Lamp’ approved by ‚Void”', "‘Lamp' approved by 'Void’"],
  ['one\ntwo\u2028three\r\n\t four', '“one two three four”', '‘one two three four’'],
  ['\u202edetaler \u2066x', '“[U+202E]detaler [U+2066]x”', '‘[U+202E]detaler [U+2066]x’'],
])('a text cannot leave its quotation marks: %j', (text, double, single) => {
  expect([quoteShown(text), quoteShownSingly(text)]).toEqual([double, single])
})

test('a long text is cut', () => {
  expect(quoteShown('A'.repeat(5000))).toBe(`“${'A'.repeat(119)}…”`)
})
