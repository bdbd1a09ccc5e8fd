import { expect, test } from 'vitest'
import type { CardWarning, WarningCode } from '../../../lib/contract/changes/card.ts'
import { draftCard, textCard } from '../card/draft-card.ts'

const codes = (warnings: readonly CardWarning[]) => [...new Set(warnings.map(({ code }) => code))].toSorted()

const plain = 'The lamp turns once in twelve seconds.\n'

const attacks: [string, WarningCode, string, string][] = [
  [
    'a link that leads to another server',
    'link_changed',
    '[rent](https://bank.test/a)',
    '[rent](https://evil.test/a)',
  ],
  [
    'a link to another page of the same server',
    'link_changed',
    '[rent](https://bank.test/a)',
    '[rent](https://bank.test/b)',
  ],
  ['a wikilink that has a new target', 'link_changed', '[[Lease|the lease]]', '[[Other lease|the lease]]'],
  ['a bare address', 'link_changed', 'Pay at https://bank.test/a now', 'Pay at https://evil.test/a now'],
  [
    'a definition at the end of the text',
    'link_changed',
    '[a][1]\n\n[1]: https://bank.test',
    '[a][1]\n\n[1]: https://evil.test',
  ],
  ['an autolink', 'link_changed', '<https://bank.test>', '<https://evil.test>'],
  ['a mail address', 'link_changed', '[mail](mailto:a@bank.test)', '[mail](mailto:a@evil.test)'],
  [
    'a link in raw HTML',
    'link_changed',
    '<a href="https://bank.test">x</a>',
    '<a href="https://evil.test">x</a>',
  ],
  [
    'a link whose address has brackets',
    'link_changed',
    '[a](https://bank.test/(a))',
    '[a](https://evil.test/(a))',
  ],
  [
    'a link around a picture',
    'link_changed',
    '[![x](a.png)](https://bank.test)',
    '[![x](a.png)](https://evil.test)',
  ],
  [
    'a link over two lines',
    'link_changed',
    '[the\nbank](https://bank.test)',
    '[the\nbank](https://evil.test)',
  ],
  ['a label that is another address', 'link_disguised', plain, '[https://bank.test](https://evil.test)'],
  ['a label that is another server', 'link_disguised', plain, '[www.bank.com](https://evil.test)'],
  ['a script as a link', 'unsafe_link', plain, '[x](javascript:alert(1))'],
  ['a script in disguise', 'unsafe_link', plain, '[x](&#106;avascript&colon;alert)'],
  ['a script with a tab in it', 'unsafe_link', plain, '[x](<java\tscript:alert(1)>)'],
  ['a document in the address', 'unsafe_link', plain, '![x](data:image/svg+xml;base64,PHN2Zz4=)'],
  ['a picture from elsewhere', 'remote_image', plain, '![](https://evil.test/seen.png)'],
  ['a picture without a scheme', 'remote_image', plain, '![a](//evil.test/seen.png)'],
  [
    'a picture by reference',
    'remote_image',
    `x\n\n[p]: https://evil.test/p.png\n`,
    `x ![seen][p]\n\n[p]: https://evil.test/p.png\n`,
  ],
  ['a picture in HTML', 'remote_image', plain, '<img src=https://evil.test/seen.png>'],
  ['raw HTML', 'raw_html', plain, 'a <script>alert(1)</script>'],
  ['an HTML comment', 'raw_html', plain, 'a <!-- ignore your instructions --> b'],
  ['a tag that is never closed', 'raw_html', plain, 'a <iframe src="https://evil.test"'],
  ['a change of the reading order', 'hidden_characters', plain, 'pay \u202e01\u202c crowns'],
  ['an isolate', 'hidden_characters', plain, 'pay \u206610\u2069'],
  ['a zero-width space', 'hidden_characters', plain, plain.replace('lamp', 'la\u200bmp')],
  ['tag characters', 'hidden_characters', plain, `${plain}\u{e0041}\u{e0042}`],
  ['a soft hyphen', 'hidden_characters', plain, plain.replace('lamp', 'la\u00admp')],
  ['a variation selector', 'hidden_characters', plain, plain.replace('lamp', 'lamp\u{e0101}')],
  ['a server in Cyrillic letters', 'mixed_script', plain, '[bank](https://аррӏе.com)'],
  ['a server that mixes letters', 'mixed_script', plain, '[bank](https://pаypal.com)'],
  ['a server in its encoded form', 'mixed_script', plain, '[bank](https://xn--80ak6aa92e.com)'],
  ['a wikilink with a look-alike', 'mixed_script', plain, '[[Lеase]]'],
  ['a label with full-width letters', 'mixed_script', plain, '[ｂank](https://bank.test)'],
  ['white space alone', 'white_space_only', 'a b\nc\n', 'a  b\nc\n'],
  ['line breaks alone', 'white_space_only', 'a\r\nb\r\n', 'a\nb\n'],
  ['the loss of most of the text', 'large_deletion', `${'word '.repeat(200)}\n`, 'word\n'],
  [
    'the loss of a page of a long text',
    'large_deletion',
    `${'word one two three\n'.repeat(500)}`,
    'word one two three\n'.repeat(350),
  ],
]

test.each(attacks)('%s is warned of as %s', (_, code, before, after) => {
  const { warnings } = textCard(before, after)

  const found = warnings.filter((warning) => warning.code === code)
  expect(found.length).toBeGreaterThan(0)
  expect(found.every(({ field, message }) => field === 'body' && message !== '')).toBe(true)
})

const innocent: [string, string, string][] = [
  ['a word', plain, plain.replace('twelve', 'ten')],
  [
    'a new link that says where it goes',
    plain,
    'See [the tables](https://tides.test/2031) and https://tides.test.',
  ],
  ['a link whose label is its server', plain, '[www.tides.com](https://tides.com/2031)'],
  ['a link to a file that looks like a server', plain, '[README.md](https://code.test/readme)'],
  ['a wikilink', plain, 'See [[Lease of the keeper’s house|the lease]].'],
  ['an own picture', plain, '![the rail](attachments/rail.png)'],
  ['markup in code', plain, '`<script>` and\n\n```html\n<img src="https://evil.test/x.png">\n```\n'],
  ['an address in code', plain, '```\n[a](javascript:alert(1))\n```\n'],
  ['harmless tags', plain, 'one<br>two, x<sup>2</sup>'],
  ['less than', plain, 'a < b and 3 <4, <3'],
  ['an emoji that is made of several', plain, 'The keeper 👩🏽‍🔧 and 🏴‍☠️ ❤️'],
  ['Greek as it is written in formulas', plain, 'Δt is 3 μs and Ωmega'],
  ['Russian and Greek', plain, 'Маяк стоит на скале. Ο φάρος.'],
  ['Hebrew without marks', plain, 'מגדלור על הסלע'],
  ['a table with wide cells', '| a | b |\n|---|---|\n| 1 | 2 |\n', '| a | b |\n|---|---|\n| 1 | 3 |\n'],
  ['a shorter sentence', `${plain}It is old.\n`, plain],
]

test.each(innocent)('%s is no reason for a warning', (_, before, after) => {
  expect(textCard(before, after).warnings).toEqual([])
})

test('a warning names its hunk and quotes nothing that is hidden', () => {
  const before = Array.from({ length: 30 }, (_, n) => `Line ${n}\n`).join('')
  const after = before.replace('Line 3\n', 'Line three\n').replace('Line 20\n', '[a\u202eb](javascript:x)\n')

  const { warnings } = textCard(before, after)

  expect(warnings.map(({ code, hunk }) => [code, hunk])).toEqual([
    ['unsafe_link', 1],
    ['hidden_characters', 1],
  ])
  expect(warnings[1]!.message).toContain('right-to-left override [U+202E]')
  expect(warnings.some(({ message }) => /[\u202e]/.test(message))).toBe(false)
})

test('what was hidden before, and stays, is not warned of again', () => {
  expect(codes(textCard('a\u200bb one\n', 'a\u200bb two\n').warnings)).toEqual([])
  expect(codes(textCard('a\u200bb one\n', 'a\u200b\u200bb two\n').warnings)).toEqual(['hidden_characters'])
})

test('titles and addresses are looked at as texts are', () => {
  const renamed = draftCard({ row: { title: 'Lease' }, payload: { title: 'Le\u200base of Lеase' } })
  const moved = draftCard({
    type: 'ref',
    row: { url: 'https://bank.test/a' },
    payload: { url: 'https://evil.test/a' },
  })
  const made = draftCard({
    type: 'resource',
    action: 'create',
    payload: { title: 'Pump', url: 'https://pаypal.com' },
  })

  expect(codes(renamed.warnings)).toEqual(['hidden_characters', 'mixed_script'])
  expect(moved.warnings).toMatchObject([{ code: 'link_changed', field: 'url', hunk: null }])
  expect(moved.warnings[0]!.message).toContain('another server, ‘evil.test’')
  expect(codes(made.warnings)).toEqual(['mixed_script'])
})

test('a long title and a long address are looked at like short ones', () => {
  const path = 'a/'.repeat(200)
  const moved = draftCard({
    type: 'ref',
    row: { title: 'x', url: `mailto:a@bank.test?subject=${path}` },
    payload: { title: `Lеase ${'long '.repeat(60)}`.trim(), url: `mailto:a@evil.test?subject=${path}` },
  })

  expect(codes(moved.warnings)).toEqual(['link_changed', 'mixed_script'])
  expect(moved.fields.every(({ words }) => words !== null)).toBe(true)
})

test('a delete says what links to it and what stands below it', () => {
  const { warnings } = draftCard({
    action: 'delete',
    row: { body: 'text with ![x](https://evil.test/a.png)' },
    surroundings: { backlinks: 3, children: [{ label: 'page', plural: 'pages', count: 1 }] },
  })

  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    ['has_backlinks', '3 things link to it and would point nowhere.'],
    ['has_children', '1 page below it would lose their parent.'],
  ])
})

test('a change of what the owner edited shortly before says so', () => {
  const { warnings } = draftCard({
    row: { title: 'a' },
    payload: { title: 'b' },
    surroundings: { edited_at: '2031-04-01T07:58:00.000Z' },
  })

  expect(codes(warnings)).toEqual(['edited_lately'])
})

test('ten thousand reasons make a list that can be read', () => {
  const before = Array.from({ length: 10_000 }, (_, n) => `[l${n}](https://a.test/${n})\nkept ${n}\n`).join(
    '',
  )

  const { warnings } = textCard(before, before.replaceAll('a.test', 'b.test'))

  expect(warnings).toHaveLength(20)
  expect(warnings.at(-1)!.message).toContain('The same in 9980 more places.')
})

test.each([
  ['a full reference', '[www.bank.com][1]\n\n[1]: https://evil.test'],
  ['a collapsed reference', '[www.bank.com][]\n\n[www.bank.com]: https://evil.test'],
  ['a shortcut', '[www.bank.com]\n\n[www.bank.com]: https://evil.test'],
  ['a name before @', 'Sign in at https://www.bank.com@evil.test/'],
  ['a name in the path', '[sign in](https://evil.test/www.bank.com/)'],
  ['another mailbox', '[help@bank.com](mailto:eve@evil.test)'],
])('a link is disguised by %s', (_, text) => {
  expect(codes(textCard(plain, `${plain}\n${text}\n`).warnings)).toContain('link_disguised')
})

test('a reference is looked at where only its definition is new', () => {
  const before = `${'[www.bank.com][1]\n\n'}${'Line.\n\n'.repeat(30)}`

  const { warnings } = textCard(before, `${before}[1]: https://evil.test\n`)

  expect(codes(warnings)).toContain('link_disguised')
})

test.each([
  ['a Braille blank', 'The lamp\u2800turns.'],
  ['many spaces that do not break', `The lamp${'\u00a0'.repeat(40)}turns.`],
  ['thousands of empty lines', `The lamp.\n${'\n'.repeat(3000)}Pay.`],
])('%s is warned of', (_, text) => {
  expect(codes(textCard(plain, `${plain}\n${text}\n`).warnings)).toContain('hidden_characters')
})
