import { expect, test } from 'vitest'
import { linkTargets } from '../../../../lib/core/text/links/link-targets.ts'

const found = (text: string) => linkTargets(text).map(({ kind, label, target }) => [kind, label, target])

test.each<[string, string, string[][]]>([
  ['a link', 'See [the bank](https://a.test/x).', [['link', 'the bank', 'https://a.test/x']]],
  ['a target in angle brackets', '[x](<a b>)', [['link', 'x', 'a b']]],
  ['parentheses in a target', '[x](a(b)c)', [['link', 'x', 'a(b)c']]],
  ['white space before a target', '[x]( \n a)', [['link', 'x', 'a']]],
  ['an image', '![x](a.png)', [['image', 'x', 'a.png']]],
  [
    'an image in a link',
    '[![x](a.png)](b)',
    [
      ['link', '![x](a.png)', 'b'],
      ['image', 'x', 'a.png'],
    ],
  ],
  ['code in a label', '[`x`](a)', [['link', '`x`', 'a']]],
  [
    'references, also in quotations, over lines, and with brackets in the name',
    '> [x][1] [y][\na\\]]\n>\n> - [1]: https://a.test\n\n[a\\]]: https://b.test',
    [
      ['link', 'x', 'https://a.test'],
      ['link', 'y', 'https://b.test'],
      ['link', '1', 'https://a.test'],
      ['link', 'a\\]', 'https://b.test'],
    ],
  ],
  ['an escaped bracket', '\\[x](a)', []],
  ['an escaped backslash before a bracket', '\\\\[x](a)', [['link', 'x', 'a']]],
  [
    'a wikilink and an embed',
    '[[Oil|the oil]] ![[Lamp]]',
    [
      ['wikilink', 'the oil', 'Oil'],
      ['embed', 'Lamp', 'Lamp'],
    ],
  ],
  ['a definition', '[x]:\n  https://a.test', [['link', 'x', 'https://a.test']]],
  [
    'attributes',
    '<a title="http://b.test" href="http://a.test"\n src=c>',
    [
      ['html', 'a', 'http://a.test'],
      ['html', 'a', 'c'],
    ],
  ],
  ['an autolink', '<https://a.test>', [['link', 'https://a.test', 'https://a.test']]],
  ['a bare address', 'At www.a.test/x...', [['link', 'www.a.test/x', 'http://www.a.test/x']]],
  ['code', '`[x](a)`\n```\n[x](a)\n```\n', []],
])('%s', (_, text, links) => {
  expect(found(text)).toEqual(links)
})

test('labels within labels add up to no more than a few times the text', () => {
  const text = `${'!['.repeat(20_000)}x${'](y)'.repeat(20_000)}`

  const links = linkTargets(text)

  expect(links).toHaveLength(20_000)
  expect(links.reduce((sum, { label }) => sum + label.length, 0)).toBeLessThan(20 * text.length)
})
