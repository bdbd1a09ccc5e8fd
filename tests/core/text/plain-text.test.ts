import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainText, unmarked } from '../../../lib/core/text/markdown.ts'

test('Markdown without its marks is Markdown', () => {
  expect(unmarked('**[lit](x)** \\*now\\*')).toBe('lit \\*now\\*')
})

describe('Markdown as plain text', () => {
  test.each([
    ['## Oil', 'Oil'],
    ['It is *never* left, and **always** lit.', 'It is never left, and always lit.'],
    ['See [[The lamp|it]] and [the list](https://a.example/x).', 'See it and the list.'],
    ['Cut in [the list](https://a.exam', 'Cut in the list'],
    ['> [!warning] Mercury\n> Open both windows.', 'Mercury\nOpen both windows.'],
    ['- [x] scrape\n- [ ] prime', 'scrape\nprime'],
    ['---\nstatus: lit\n---\nIt burns.', '\nstatus: lit\n\nIt burns.'],
    ['```js\nlit()\n```', '\nlit()\n'],
    ['2 * 3 * 4, a snake_case_name', '2 * 3 * 4, a snake_case_name'],
    ['\\- no item, \\*no stress\\* and \\[no link\\](x)', '- no item, *no stress* and [no link](x)'],
    ['`a\\*b` and C:\\Users', 'a\\*b and C:\\Users'],
  ])('%j is %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain)
  })

  test('has the lines of the Markdown, whatever it holds', () => {
    const text = fc.string({ unit: fc.constantFrom('*', '`', '[', ']', '(', ')', '|', '-', ' ', '\n', 'a') })

    fc.assert(
      fc.property(text, (markdown) => {
        expect(plainText(markdown).split('\n').length).toBeLessThanOrEqual(markdown.split('\n').length)
      }),
    )
  })

  test('takes time in proportion to the text', () => {
    for (const piece of ['*', '*a ', '\\', '\\`', '\\* ', '[', '[a](', '[[', '| - ', '- ', '`', '---|']) {
      expect(plainText(piece.repeat(20_000)).length).toBeLessThanOrEqual(piece.length * 20_000)
    }
  })
})
