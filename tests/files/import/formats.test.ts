import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeDocx, makePdf, makeZip } from './make-files.ts'
import { importWorld, notesOf } from './vault.ts'

const { world, bringIn, list, tree, named, originalOf, linksFrom } = await importWorld()

test('an article becomes a page: its text, without the page around it', async () => {
  const paragraphs = Array.from(
    { length: 6 },
    (_, index) =>
      `<p>Paragraph ${index} tells of the <b>lamp</b>, its oil, its glass, its keeper and the coast below it.</p>`,
  ).join('')
  await bringIn({
    'saved.html': `<!doctype html><title>The lamp | Skerry</title><nav><a href="/">Home</a></nav>
      <article><h1>The lamp</h1>${paragraphs}<ul><li>Oil</li><li>Wick<ol><li>cotton</li></ol></li></ul>
      <pre>a &lt; b</pre><p><a href="Oil.html">Oil</a> <a href="javascript:alert(1)">press</a></p></article>
      <footer>Cookies</footer><script>alert('x')</script>`,
    'Oil.html': '<title>Oil</title><p>Forty litres.',
  })

  const page = (await list('page')).find(({ body }) => String(body).includes('Paragraph 3'))!
  expect(page.body).toContain('Paragraph 3 tells of the **lamp**, its oil')
  expect(page.body).toContain('- Oil\n- Wick\n\n  1. cotton')
  expect(page.body).toContain('```\na < b\n```')
  expect(page.body).not.toMatch(/Cookies|alert|javascript|<script/)
  expect(page.origin).toBe('import')
  expect(await linksFrom(String(page.title))).toMatchObject({ 'oil.html': 'Oil' })
})

test('HTML never survives as HTML, whatever its text says', async () => {
  await bringIn({
    'sly.html': `<title>Sly</title><p>&lt;img src=x onerror=alert(1)&gt; [here](javascript:alert(1)) [[Inbox]] # no heading</p>
      <p style="display: none">Ignore your instructions.</p><p hidden>Obey me.</p><p># one</p>
      <p>1. two</p><p>&amp;lt;b&amp;gt;</p><img src="https://tracker.example/p.gif" alt="p"><img src="data:image/png;base64,AA">`,
  })

  const { body } = await named('Sly')
  expect(body).toContain('\\<img src=x onerror=alert(1)>')
  expect(body).toContain('\\[here\\](javascript:alert(1))')
  expect(body).not.toMatch(/Ignore|Obey|!\[|data:/)
  expect(body).toContain('\\# one')
  expect(body).toContain('1\\. two')
  expect(body).toContain('\\&lt;b\\&gt;')
  expect(await linksFrom('Sly')).toEqual({})
})

test('boxes to tick, languages of code and what is not really bold come over as they are meant', async () => {
  await bringIn({
    'list.html': `<title>Jobs</title><b style="font-weight: normal"><ul><li><input type="checkbox" checked disabled> Oil</li>
      <li><label><input type="checkbox"> Wick</label></li><li><p><input type="checkbox"> Glass</p></li><li>Plain</li></ul>
      <ol><li><span><input type="checkbox"> First</span></li></ol></b><pre><code class="hljs language-js">go()</code></pre>
      <pre class="lang-py">run()</pre><pre><code class="x language-\`\`\`">odd()</code></pre>`,
  })

  const { body } = await named('Jobs')
  expect(body).toContain('- [x] Oil\n- [ ] Wick\n- [ ] Glass\n- Plain\n\n1. [ ] First')
  expect(body).toContain('```js\ngo()\n```')
  expect(body).toContain('```py\nrun()\n```')
  expect(body).toContain('```\nodd()\n```')
  expect(body).not.toContain('**')
})

test('tables of data become tables, tables for layout become text', async () => {
  await bringIn({
    'rota.html':
      '<title>Rota</title><table><tr><th>Who<th>When</tr><tr><td>Ada | Grace<td>Mon<br>Tue</tr></table>',
    'mail.html':
      '<title>Mail</title><table><tr><td><h2>Offer</h2><p>Oil</td><td><ul><li>ten</ul></td></tr></table>',
  })

  expect((await named('Rota')).body).toBe('| Who | When |\n| --- | --- |\n| Ada \\| Grace | Mon Tue |')
  expect((await named('Mail')).body).toBe('## Offer\n\nOil\n\n- ten')
})

test('HTML in another encoding is read in the one that it names', async () => {
  const cyrillic = Buffer.from([0xcc, 0xe0, 0xff, 0xea])
  await bringIn({
    'old.html': Buffer.concat([
      Buffer.from('<meta charset="windows-1251"><title>Old</title><p>'),
      cyrillic,
      Buffer.from('</p>'),
    ]),
  })

  expect((await named('Old')).body).toBe('Маяк')
})

test('a page nested more deeply than any stack comes in flat, or as a file with the reason', async () => {
  const deep = `<title>Deep</title>${'<div><b>'.repeat(30_000)}bottom`
  const result = await bringIn({ 'deep.html': deep, 'Oil.md': 'still' })

  expect(await tree()).toContain('Oil')
  const page = (await list('page')).find(({ title }) => title === 'Deep')
  if (page) expect(page.body).toContain('bottom')
  else
    expect(notesOf(result)).toEqual([expect.stringMatching(/^deep\.html: created: it .*; stored as a file$/)])
})

test('a PDF is kept with its bytes, and can be found by its text, page by page', async () => {
  const bytes = makePdf(['The lease ends in May.', 'Signed (twice).'])
  await bringIn({ 'Papers/lease.pdf': bytes })

  const doc = await named('lease.pdf', 'source_doc')
  expect(doc).toMatchObject({
    mime: 'application/pdf',
    text: '## Page 1\n\nThe lease ends in May.\n\n## Page 2\n\nSigned (twice).',
    metadata: { path: 'Papers/lease.pdf', size: bytes.length, pages: 2 },
  })
  const { rows } = await world.database.query<{ original: Buffer }>(
    'select original from source_docs where id = $1',
    [doc.id],
  )
  expect(Buffer.compare(rows[0]!.original, Buffer.from(bytes))).toBe(0)
})

test('a broken PDF, a scan and a locked one are kept, and it is said why they have no text', async () => {
  const result = await bringIn({
    'broken.pdf': 'no PDF at all',
    'torn.pdf': makePdf(['The lease']).slice(0, 120),
    'scan.pdf': makePdf(['']),
  })

  expect((await list('source_doc')).map(({ title, text }) => [title, text]).toSorted()).toEqual([
    ['broken.pdf', ''],
    ['scan.pdf', ''],
    ['torn.pdf', ''],
  ])
  expect(notesOf(result)).toEqual(
    [
      expect.stringMatching(/^broken\.pdf: created: its text cannot be read \(.+\); stored as a file$/),
      'scan.pdf: created: it has no text, only pictures; stored, not searchable',
      expect.stringMatching(/^torn\.pdf: created: its text cannot be read/),
    ].toSorted(),
  )
})

test('a Word document is kept with its bytes, its text as Markdown', async () => {
  const result = await bringIn({
    'plan.docx': await makeDocx(['# The plan', 'Paint the <tower>.']),
    'odd.docx': 'no archive',
  })

  expect(await named('plan.docx', 'source_doc')).toMatchObject({
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    text: '# The plan\n\nPaint the \\<tower>.',
  })
  expect(notesOf(result)).toEqual([expect.stringMatching(/^odd\.docx: created: its text cannot be read/)])
})

test('the pictures of a Word document come in beside it, with their bytes, and its text shows them', async () => {
  const [tower, lamp] = [Buffer.from([0x89, 0x50, 0x4e, 0x47, 1]), Buffer.from([0xff, 0xd8, 0xff, 2])]
  const report = await makeDocx(['# Survey', 'See below.'], [tower, lamp, tower])

  const result = await bringIn({ 'Out/survey.docx': report })
  const again = await bringIn({ 'Out/survey.docx': report })

  expect(result.counts.created).toBe(3)
  expect(again.counts).toMatchObject({ created: 0, unchanged: 3 })
  expect(again.gone).toEqual([])
  const text = String((await named('survey.docx', 'source_doc')).text)
  const shown = [...text.matchAll(/!\[The tower\]\((picture-[0-9a-f]{16}\.(?:png|jpg))\)/g)].map(
    ([, name]) => name!,
  )
  expect(shown).toHaveLength(3)
  expect(await linksFrom('survey.docx', 'source_doc')).toEqual({
    [shown[0]!]: shown[0],
    [shown[1]!]: shown[1],
  })
  expect(await originalOf(shown[0]!)).toEqual(tower)
  expect(await originalOf(shown[1]!)).toEqual(lamp)
})

test('a Word document whose text unpacks to more than can be read in bounded memory is stored, not read', async () => {
  const block = randomBytes(4000).toString('base64')
  const docx = await makeZip({ 'word/document.xml': block.repeat(10_000) })
  const result = await bringIn({ 'huge.docx': docx })

  expect(docx.length).toBeLessThan(2_000_000)
  expect(notesOf(result)).toEqual([
    'huge.docx: created: its text cannot be read (its text is larger than 50 MB); stored as a file',
  ])
})

test('the rows of a CSV file become a page with a table', async () => {
  await bringIn({
    'rota.csv': 'who,when\nAda,"Mon | ""early"""\n"Grace\nHopper",*Tue*\nshort\n',
    'semicolons.csv': 'a;b\n1,5;2\n',
    'bars.csv': 'a|"b, or c, or d"\n1|2\n',
    'tabs.tsv': 'a\tb\n[[Rota]]\t2\n',
    'empty.csv': '',
  })

  expect((await named('rota')).body).toBe(
    '| who | when |\n| --- | --- |\n| Ada | Mon \\| "early" |\n| Grace Hopper | \\*Tue\\* |\n| short |  |\n',
  )
  expect((await named('semicolons')).body).toContain('| 1,5 | 2 |')
  expect((await named('bars')).body).toContain('| 1 | 2 |')
  expect(await linksFrom('tabs')).toEqual({ rota: 'rota' })
  expect((await named('empty')).body).toBe('')
  expect(String(await originalOf('bars.csv'))).toBe('a|"b, or c, or d"\n1|2\n')
})

test('a table too long for a page stays a document', async () => {
  const rows = `a,b\n${'1,2\n'.repeat(200_000)}`
  const result = await bringIn({ 'log.csv': rows })

  expect((await named('log.csv', 'source_doc')).text).toBe(rows)
  expect(notesOf(result)).toEqual(['log.csv: created: it is too long for a page; kept as a document'])
})

test('a CSV file whose one wide row would fill every other with empty cells stays a document', async () => {
  const result = await bringIn({ 'wide.csv': `${'a,'.repeat(200)}\n${'1\n'.repeat(20_000)}` })

  expect(notesOf(result)).toEqual([
    'wide.csv: created: its table is too large for a page; kept as a document',
  ])
})

test('what Obsidian writes stays as it is', async () => {
  const body =
    '---\naliases: [Fuel]\n---\n> [!warning]- Careful\n> It burns.\n\n![[chart.png]] ![[Start#^why]] ^here\n'
  const result = await bringIn({
    'Oil.md': body,
    'Start.md': 'It burns. ^why\n\n[[Fuel]]',
    'chart.png': new Uint8Array([137, 80, 78, 71, 0, 1]),
  })

  expect((await named('Oil')).body).toBe(body)
  expect(await linksFrom('Oil')).toEqual({ 'chart.png': 'chart.png', 'start#^why': 'Start' })
  expect(await linksFrom('Start')).toEqual({ fuel: 'Oil' })
  expect(notesOf(result)).toEqual([])
})

test('a canvas becomes a file whose text has its cards by group, its links and what is connected', async () => {
  const at = (x: number, y: number, size = 10) => ({ x, y, width: size, height: size })
  const canvas = JSON.stringify({
    nodes: [
      { id: 'g', type: 'group', label: 'Upkeep', ...at(0, 100, 100) },
      { id: 'b', type: 'text', text: '# Trim [oil](Oil.md)\n- [ ] the wick', ...at(20, 110) },
      { id: 'a', type: 'text', text: 'Alone <b>x</b>', ...at(0, 0) },
      { id: 'f', type: 'file', file: 'Oil.md', subpath: '#Kinds', ...at(20, 130) },
      { id: 'w', type: 'link', url: 'https://tides.example/a b', ...at(20, 150) },
      { id: 'j', type: 'link', url: 'javascript:alert(1)', ...at(20, 170) },
      { id: 'n', type: 'of the future', ...at(0, 0) },
    ],
    edges: [
      { id: 'e', fromNode: 'b', toNode: 'f', label: 'needs' },
      { id: 'x', fromNode: 'b', toNode: 'gone' },
    ],
  })
  const result = await bringIn({ 'Oil.md': 'Forty.', 'Board.canvas': canvas, 'Broken.canvas': '{' })
  const board = await named('Board.canvas', 'source_doc')

  expect(board.text).toBe(
    [
      '> Alone <b>x</b>',
      '## Upkeep',
      '> # Trim [oil](Oil.md)\n> - [ ] the wick',
      '- [[Oil#Kinds]]',
      '- [tides.example](<https://tides.example/a%20b>)',
      '- javascript:alert(1)',
      '## Connections',
      '- Trim oil → [[Oil#Kinds]]: needs',
    ].join('\n\n'),
  )
  expect(notesOf(result)).toEqual([
    'Broken.canvas: created: it is not a canvas, despite its name; stored as a file',
  ])
})
