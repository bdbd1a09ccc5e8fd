import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskCode, readLinks } from '../../../../lib/core/text/links/read-links.ts'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'

const extractLinks = (text: string) =>
  readLinks(text)
    .filter(({ kind }) => kind !== 'definition')
    .map(({ target, label, heading, embed }) => ({ name: normalizeName(target), label, heading, embed }))

const namesIn = (text: string) => extractLinks(text).map(({ name }) => name)

test.each([
  ['[[The Lamp]]', { name: 'the lamp', label: null, heading: null, embed: false }],
  ['[[The Lamp|light]]', { name: 'the lamp', label: 'light' }],
  ['[[The Lamp#Oil]]', { name: 'the lamp', heading: 'Oil' }],
  ['[[The Lamp#^block|here]]', { name: 'the lamp', heading: '^block', label: 'here' }],
  ['![[chart.png]]', { name: 'chart.png', embed: true }],
  ['[[#Oil]]', { name: '', heading: 'Oil' }],
  ['[[folder/Note.md]]', { name: 'folder/note' }],
  ['| [[The Lamp\\|light]] |', { name: 'the lamp', label: 'light' }],
  ['[the lamp](notes/The%20Lamp.md#Oil)', { name: 'notes/the lamp', label: 'the lamp', heading: 'Oil' }],
  ['[the lamp](<The Lamp.md>)', { name: 'the lamp' }],
  ['![chart](../img/chart.png)', { name: '../img/chart.png', embed: true }],
  ['[x](</The Lamp.md> "title")', { name: 'the lamp' }],
  ['[a\nlong label](a.md)', { name: 'a', label: 'a\nlong label' }],
  ['[see [1] here](a.md)', { name: 'a', label: 'see [1] here' }],
  ['[x](Plan%20(draft).md?raw=1#Part)', { name: 'plan (draft)', heading: 'Part' }],
  ['[x](R&amp;D\\_1.md)', { name: 'r&d_1' }],
  ['see [ref]\n\n[REF]: ./n.md "t"', { name: 'n', label: 'ref' }],
  ['[text][ref]\n\n[ref]:\n  <./n o.md>', { name: 'n o', label: 'text' }],
  ['<a class="x" href="n.md">n</a>', { name: 'n', embed: false }],
  ["<div>\n<img width=3 src='i/p.png'>\n</div>", { name: 'i/p.png', embed: true }],
  ['[[n|Array[0]]]', { name: 'n', label: 'Array[0]' }],
  ['[[n|a|b]]', { name: 'n', label: 'a|b' }],
  ['[[a^blk]]', { name: 'a', heading: '^blk' }],
  ['%% [[n]] %%', { name: 'n' }],
  ['a[^1]\n\n[^1]: one\n\n    two [[n]]', { name: 'n' }],
  ['a[^1]\n[^1]: one\nlazy [[n]]', { name: 'n' }],
  ['> a[^1]\n>\n> [^1]: one\n>\n>     - two [x](n.md)', { name: 'n' }],
])('%s is a link', (text, link) => {
  expect(extractLinks(text)).toMatchObject([link])
})

test.each([
  ['a web address', '[x](https://example.org/a.md)'],
  ['a mail address', '[x](mailto:a@b.c)'],
  ['an anchor', '[x](#here)'],
  ['an address of the application', '![x](/api/source-docs/00000000-0000-7000-8000-000000000000/original)'],
  ['a server', '[x](//example.org/a.md)'],
  ['an escaped bracket', '\\[x](a.md) \\[[x]]'],
  ['a reference without a definition', '[ref] [x][ref]'],
  ['a definition that nothing uses', '[ref]: a.md'],
  ['a footnote', 'x[^1]\n\n[^1]: a.md'],
  ['code in a footnote', 'x[^1]\n\n[^1]: one\n\n        [[x]]\n\n    ```\n    [[y]]\n    ```'],
  ['code behind a footnote', '[^1]: one\n\ntext\n\n    [[x]]'],
  ['a link in a link', '[a [b](https://x.example) c](d.md)'],
  ['a fence in a list', '1. Step\n\n    ```toml\n    [[x]]\n    ```\n'],
  ['a fence behind a marker', '- ```\n  [[x]]\n  ```'],
  ['a fence in a quotation', '> ```\n> [[x]]\n> ```'],
  ['a fence in a callout', '> [!tip] T\n> ~~~\n> [x](a.md)\n> ~~~'],
  ['a fence in a quotation in a list', '- a\n  > ```\n  > [[x]]\n  > ```'],
  ['indented code', 'a\n\n    [[x]]\n\tand [x](a.md)'],
  ['code by a tab', '\t[[x]]'],
  ['a span over lines', 'a `code [[x\n]] and [[y]]` b'],
  ['a span over lines of a quotation', '> a `code\n> [[y]]` b'],
  ['a pre', '<pre>\n[[x]]\n\n[[y]]\n</pre>'],
  ['a comment', '<!-- [[x]] --> a <!-- [y](a.md)\n -->'],
  ['a comment of many lines', '<!--\n\n[[x]]\n\n-->'],
  ['math', 'so $[[x]]$ and $$\n[[y]]\n$$'],
  ['inline code', '`[[x]]` and ``[[y]] ` [[z]]``'],
  ['fenced code', '```md\n[[x]]\n```'],
  ['a fence that never ends', '~~~\n[[x]]\n'],
  ['empty brackets', '[[]] [[ ]]'],
])('%s is none', (_, text) => {
  expect(extractLinks(text)).toEqual([])
})

test('links stand in the order of the text, front matter first', () => {
  expect(namesIn('---\nup: "[[Top]]"\n---\n[[b]] `[[no]]` [a](a.md) ```[[no]]``` [[c]]')).toEqual([
    'top',
    'b',
    'a',
    'c',
  ])
})

test('masking keeps every line and column where it was', () => {
  const piece = fc.constantFrom('`', '``', '```', '~~~', '\n', 'a', ' ', '[[x]]')
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        const masked = maskCode(text)

        expect(masked).toHaveLength(text.length)
        expect(masked.split('\n').map(({ length }) => length)).toEqual(
          text.split('\n').map(({ length }) => length),
        )
      },
    ),
  )
})

test('a note of Dendron says the label first, and may name a vault', () => {
  const head = '---\nid: a1\ntitle: T\ndesc: ""\nupdated: 1626563273451\ncreated: 1626563273451\n---\n'
  const text = `${head}[[Some label|a.b#x]] [[a.c]] [[L|dendron://main/a.d]]`

  expect(
    readLinks(text).map(({ target, label, heading, place }) => [
      target,
      label,
      heading,
      text.slice(place.start, place.end),
    ]),
  ).toEqual([
    ['a.b', 'Some label', 'x', 'a.b'],
    ['a.c', null, null, 'a.c'],
    ['a.d', 'L', null, 'a.d'],
  ])
  expect(readLinks('[[a|b]]').map(({ target }) => target)).toEqual(['a'])
  expect(readLinks('[[a|b]]', { labelFirst: true }).map(({ target }) => target)).toEqual(['b'])
})

test('a hostile text takes no longer than any other', () => {
  for (const piece of [
    '`',
    '`x',
    '[',
    '[[',
    '[a](',
    '[a](<',
    '```\n',
    '~~~\n',
    '!',
    '[[a|',
    '[[a#',
    '[^a]: ',
    '- [^a]: ',
    '[^a]:\n  ',
  ]) {
    expect(extractLinks(piece.repeat(300_000)).length).toBeLessThanOrEqual(300_000)
  }
})

test('code in a list and links around it are told apart, each in its place', () => {
  const text = '- [[a]]\n  ```\n  [[no]]\n  ```\n  > [b](b.md) `[[no]]`\n  > [[c]]\n\nend [[d]]'

  expect(readLinks(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    '[[a]]',
    '[b](b.md)',
    '[[c]]',
    '[[d]]',
  ])
})

test('a picture in a link is a link and a picture', () => {
  expect(namesIn('[![alt](p.png)](n.md)')).toEqual(['n', 'p.png'])
})

test('reads references to blocks and embeds of Logseq', () => {
  const id = '5F3A1B2C-1111-4222-8333-123456789abc'
  const text = `((${id})) \`((${id}))\` {{embed ((${id}))}} {{embed [[Page]]}} [x](((${id}))) ((not one))`

  expect(readLinks(text).map(({ target, heading, embed, kind }) => [target, heading, embed, kind])).toEqual([
    [id.toLowerCase(), `^${id.toLowerCase()}`, true, 'block'],
    [id.toLowerCase(), `^${id.toLowerCase()}`, true, 'block'],
    ['Page', null, true, 'wiki'],
    [id.toLowerCase(), `^${id.toLowerCase()}`, false, 'inline'],
  ])
})

test.each([
  ['a: "[[Light: \\"x\\" \\\\ y|it]]"', 'Light: "x" \\ y'],
  ["a: '[[Bob''s]]'", "Bob's"],
  ["a: [one, '[[Bob''s]]']", "Bob's"],
  ["a: [[Bob''s]]", "Bob''s"],
])('reads a link in front matter as its value says it: %s', (yaml, target) => {
  expect(readLinks(`---\n${yaml}\n---\n`).map((link) => link.target)).toEqual([target])
})
