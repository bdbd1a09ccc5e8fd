// Exports of apps: one file or folder that holds many notes. Each is written here after its public description.

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { makeTar, makeZip } from './make-files.ts'
import { importWorld, notesOf, type Vault } from './vault.ts'

const { world, bringIn, list, tree, named, originalOf, linksFrom } = await importWorld()

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const md5 = createHash('md5').update(picture).digest('hex')

const enex = (notes: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd"><en-export>${notes}</en-export>`

const enexNote = (title: string, content: string, rest = '') =>
  `<note><title>${title}</title><created>20240102T030405Z</created><tag>lamp &amp; oil</tag><note-attributes><source-url>https://skerry.example/</source-url></note-attributes><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${content}</en-note>]]></content>${rest}</note>`

const resource = `<resource><data encoding="base64">\n${picture.toString('base64')}\n</data><mime>image/png</mime><resource-attributes><file-name>tower.png</file-name></resource-attributes></resource>`

test('Evernote: notes with tags, dates, tasks, tables and files', async () => {
  const content = `<div>See <b>this</b>:</div><div><en-media type="image/png" hash="${md5}"/></div><div><en-todo checked="true"/>Oil</div><div><en-todo/>Wick</div><ul style="--en-todo:true;"><li style="--en-checked:true;">Glass</li></ul><en-crypt hint="x">AAAA</en-crypt>`
  const task =
    '<task><title>Call Ada</title><taskStatus>open</taskStatus><dueDate>20240305T000000Z</dueDate></task>'
  const notes =
    enexNote('Tower / Lamp', content, task + resource) + enexNote('Tower / Lamp', '<div>Second</div>')
  const result = await bringIn({ 'Skerry.enex': enex(notes) })

  expect(notesOf(result)).toEqual([])
  expect(await tree()).toEqual(['Skerry', 'Skerry > Tower / Lamp', 'Skerry > Tower / Lamp'])
  const [first, second] = (await list('page')).filter(({ title }) => title === 'Tower / Lamp')
  expect(first!.body).toBe(
    '---\ntitle: "Tower / Lamp"\ncreated: "2024-01-02T03:04:05Z"\ntags: ["lamp-oil"]\nsource: "https://skerry.example/"\n---\n' +
      'See **this**:\n\n![tower.png](Tower%20-%20Lamp_files/tower.png)\n\n- [x] Oil\n- [ ] Wick\n- [x] Glass\n\n*\\[encrypted in Evernote\\]*\n\n- [ ] Call Ada (2024-03-05)\n',
  )
  expect(String(second!.body).endsWith('Second\n')).toBe(true)
  expect(await originalOf('tower.png')).toEqual(picture)
  expect((await bringIn({ 'Skerry.enex': enex(notes) })).counts).toMatchObject({ created: 0, updated: 0 })
})

test('Evernote: boxes in items and lines of their own, and links to other notes', async () => {
  const content = `<ul><li><en-todo/><div>a</div></li><ul><li style="--en-checked:true;"><div>b</div></li></ul></ul>
    <ol><li><div><en-todo checked="true"/>c</div></li></ol><div><a href="evernote:///view/1/s1/x/y/">Wick</a></div>`
  await bringIn({ 'Skerry.enex': enex(enexNote('Lamp', content) + enexNote('Wick', '<div>Cotton</div>')) })

  expect(
    String((await named('Lamp')).body)
      .split('---\n')
      .at(-1),
  ).toBe('- [ ] a\n  - [x] b\n\n1. [x] c\n\n[[Wick]]\n')
  expect(await linksFrom('Lamp')).toEqual({ wick: 'Wick' })
})

test('an Evernote file that is none is stored, and says so', async () => {
  const result = await bringIn({
    'x.enex': '<html>',
    'Oil.md': 'x',
    'plan.one': Buffer.from([0xe4, 0x52, 0x5c, 0x7b]),
    'map.mm': '<map><node TEXT="a"/></map>',
  })

  expect(notesOf(result)).toEqual([
    'x.enex: created: it is not an export of Evernote; stored as a file; notes in it were not read',
    'plan.one: created: stored as a file; notes in it were not read',
    'map.mm: created: stored as a file; notes in it were not read',
  ])
  expect(await originalOf('x.enex')).toEqual(Buffer.from('<html>'))
})

test('Roam: pages as lists, references to blocks as links, its own signs as Markdown', async () => {
  const long = { string: 'x'.repeat(5000) }
  const pages = [
    { children: [long], title: 'Title behind its blocks' },
    {
      title: 'Lamp',
      'create-time': 1592095527164,
      children: [
        { string: 'The {{[[TODO]]}} is not at the start', uid: 'aaaa-bbbb' },
        {
          string: '{{[[DONE]]}} __Trim__ the ^^wick^^',
          uid: 'cccc_dddd',
          children: [{ string: 'daily\nat nine' }],
        },
      ],
    },
    {
      title: 'Log/2024',
      children: [
        { string: 'See ((cccc_dddd)) and [that]([[Lamp]])', heading: 2 },
        { string: '{{[[embed]]: ((aaaa-bbbb))}}' },
        { string: 'code `((cccc_dddd))` and ((gone-gone))' },
      ],
    },
  ]
  await bringIn({ 'skerry.json': JSON.stringify(pages) })

  expect((await named('Lamp')).body).toBe(
    '---\ncreated: "2020-06-14T00:45:27.164Z"\n---\n- The {{[[TODO]]}} is not at the start ^aaaa-bbbb\n- [x] *Trim* the ==wick== ^cccc_dddd\n  - daily\n    at nine\n',
  )
  expect((await named('Log/2024')).body).toBe(
    '---\ntitle: "Log/2024"\n---\n- ## See [[Lamp#^cccc_dddd|Trim the wick]] and [[Lamp|that]]\n- ![[Lamp#^aaaa-bbbb]]\n- code `((cccc_dddd))` and ((gone-gone))\n',
  )
  expect(await tree()).toEqual([
    'skerry',
    'skerry > Lamp',
    'skerry > Log/2024',
    'skerry > Title behind its blocks',
  ])
  expect(await linksFrom('Log/2024')).toMatchObject({ 'lamp#^cccc_dddd': 'Lamp' })
})

test('Roam: code over lines is no reference, and the label of one to code is plain', async () => {
  const pages = [
    {
      title: 'Lamp',
      'edit-time': 1592095527164,
      children: [
        { string: '```js\nburn()```', uid: 'codeblock' },
        { string: '`see\n((codeblock))` and ((codeblock))', uid: 'referring' },
      ],
    },
  ]
  await bringIn({ 'graph.json': JSON.stringify(pages) })

  expect((await named('Lamp')).body).toContain('`see\n  ((codeblock))` and [[Lamp#^codeblock|js burn]]')
})

test('any other JSON stays a file', async () => {
  await bringIn({ 'package.json': '{"name": "x"}', 'list.json': '[{"title": "x"}]' })

  expect(await list('page')).toEqual([])
  expect(await originalOf('package.json')).toEqual(Buffer.from('{"name": "x"}'))
})

test('Google Keep: JSON makes the page, and HTML only where there is no JSON', async () => {
  const note = {
    title: 'Shopping',
    isTrashed: false,
    isPinned: true,
    listContent: [
      { text: 'Oil', isChecked: true },
      { text: 'Wick', isChecked: false },
    ],
    labels: [{ name: 'the lamp' }],
    attachments: [{ filePath: 'tower.png', mimetype: 'image/png' }],
    annotations: [{ title: 'Skerry', url: 'https://skerry.example/' }],
    createdTimestampUsec: 1700000000000000,
    userEditedTimestampUsec: 1700000001000000,
  }
  const html = (title: string) =>
    `<html><head><title>${title}</title></head><body><div class="note DEFAULT"><div class="heading"><div class="meta-icons"></div>Jan 2, 2024</div><div class="title">${title}</div><div class="content"><ul class="list"><li class="listitem checked"><span class="bullet">&#9745;</span><span class="text">Oil</span></li><li class="listitem"><span class="bullet">&#9744;</span><span class="text">Wick</span></li></ul></div></div></body></html>`
  await bringIn({
    'Keep/Shopping.html': html('Shopping'),
    'Keep/Shopping.json': JSON.stringify(note),
    'Keep/Old.html': html('Old'),
    'Keep/tower.png': picture,
  })

  expect(await tree()).toEqual(['Keep', 'Keep > Old', 'Keep > Shopping'])
  expect((await named('Shopping')).body).toBe(
    '---\ncreated: "2023-11-14T22:13:20.000Z"\nupdated: "2023-11-14T22:13:21.000Z"\ntags: ["the-lamp"]\nkeep: ["pinned"]\n---\n- [x] Oil\n- [ ] Wick\n\n![](tower.png)\n\n- [Skerry](https://skerry.example/)\n',
  )
  expect((await named('Old')).body).toBe('- [x] Oil\n- [ ] Wick')
  expect(await linksFrom('Shopping')).toEqual({ 'tower.png': 'tower.png' })
})

test('Google Keep: HTML alone has dates, labels, states, pictures and links', async () => {
  await bringIn({
    'Keep/Old.html': `<html><head><title>Old</title></head><body><div class="note ORANGE"><div class="heading"><div class="meta-icons"><span class="archived" title="Note archived"></span></div>
      Mar 4, 2023, 5:06:07\u202fPM</div><div class="title">Old</div><div class="content">One<br>two</div>
      <div class="attachments"><ul><li><img alt="" src="the tower.png"></li></ul></div>
      <div class="chips"><span class="chip label"><span class="label-name">the lamp</span></span><span class="chip annotation WEBLINK"><a class="annotation-link" href="https://skerry.example/">Skerry</a></span></div></div></body></html>`,
    'Keep/the tower.png': picture,
  })

  expect((await named('Old')).body).toBe(
    '---\ncreated: "2023-03-04T17:06:07.000Z"\ntags: ["the-lamp"]\nkeep: ["archived"]\n---\nOne  \ntwo\n\n![](the%20tower.png)\n\n- [Skerry](https://skerry.example/)',
  )
  expect(await linksFrom('Old')).toEqual({ 'the tower.png': 'the tower.png' })
})

const hex = (digit: string) => digit.repeat(32)
const joplin: Vault = {
  [`${hex('a')}.md`]: `Lamp\n\nSee [wick](:/${hex('b')}) ![](:/${hex('c')})\n\nid: ${hex('a')}\nparent_id: ${hex('d')}\ncreated_time: 2024-01-02T03:04:05.000Z\nis_todo: 1\ntodo_completed: 1704164645000\nmarkup_language: 1\ntype_: 1`,
  [`${hex('b')}.md`]: `Wick\n\nCotton.\n\nid: ${hex('b')}\nparent_id: ${hex('e')}\nencryption_applied: 0\ntype_: 1`,
  [`${hex('c')}.md`]: `tower.png\n\nid: ${hex('c')}\nmime: image/png\nfile_extension: png\ntype_: 4`,
  [`${hex('d')}.md`]: `Tower\n\nid: ${hex('d')}\nparent_id: \ntype_: 2`,
  [`${hex('e')}.md`]: `Parts\n\nid: ${hex('e')}\nparent_id: ${hex('d')}\ntype_: 2`,
  [`${hex('f')}.md`]: `fire\n\nid: ${hex('f')}\ntype_: 5`,
  [`${hex('0')}.md`]: `id: ${hex('0')}\nnote_id: ${hex('a')}\ntag_id: ${hex('f')}\ntype_: 6`,
  [`resources/${hex('c')}.png`]: picture,
}

const lampOfJoplin =
  '---\ncreated: "2024-01-02T03:04:05.000Z"\ntags: ["fire"]\ntodo: "done"\ncompleted: "2024-01-02T03:04:05.000Z"\n---\nSee [wick](Parts/Wick.md) ![](../resources/tower.png)\n'

test('Joplin’s folder of ids: notebooks, tags, links and files have their names again', async () => {
  const result = await bringIn({ ...joplin, 'Other.md': 'Oil' })

  expect(await tree()).toEqual(['Other', 'Tower', 'Tower > Lamp', 'Tower > Parts', 'Tower > Parts > Wick'])
  expect((await named('Lamp')).body).toBe(lampOfJoplin)
  expect(await originalOf('tower.png')).toEqual(picture)
  expect(await linksFrom('Lamp')).toEqual({ 'parts/wick': 'Wick', 'resources/tower.png': 'tower.png' })
  expect(notesOf(result)).toEqual([])
  expect((await bringIn({ ...joplin, 'Other.md': 'Oil' })).gone).toEqual([])
})

test('Joplin: code is no link, and a tag of two words is one', async () => {
  const [note, other, tag] = ['1', '2', '3'].map((digit) => digit.repeat(32))
  await bringIn({
    [`${note}.md`]: `Lamp\n\n[wick](:/${other}) \`:/${other}\`\n\nid: ${note}\ntype_: 1`,
    [`${other}.md`]: `Wick\n\nCotton.\n\nid: ${other}\ntype_: 1`,
    [`${tag}.md`]: `lamp & oil\n\nid: ${tag}\ntype_: 5`,
    [`${'4'.repeat(32)}.md`]: `id: ${'4'.repeat(32)}\nnote_id: ${note}\ntag_id: ${tag}\ntype_: 6`,
  })

  expect((await named('Lamp')).body).toBe(`---\ntags: ["lamp-oil"]\n---\n[wick](Wick.md) \`:/${other}\`\n`)
})

test('Joplin’s JEX is the same in a tar archive', async () => {
  await bringIn({ 'notes.jex': makeTar(joplin) })

  expect(await tree()).toEqual([
    'notes',
    'notes > Tower',
    'notes > Tower > Lamp',
    'notes > Tower > Parts',
    'notes > Tower > Parts > Wick',
  ])
  expect((await named('Lamp')).body).toBe(lampOfJoplin)
})

test('a tar archive that is cut, lies about sizes or is none brings in what it can', async () => {
  const whole = makeTar({ 'Oil.md': 'x', 'Wick.md': 'y' })
  const lying = Buffer.from(makeTar({ 'Big.md': 'x' }))
  lying.write('77777777777\0', 124)
  const result = await bringIn({
    'a.tar': whole.subarray(0, 1024 + 512),
    'b.tar': lying,
    'c.jex': 'nothing of the kind'.repeat(40),
  })

  expect(await tree()).toEqual(['a', 'a > Oil'])
  expect(notesOf(result)).toEqual([
    'a/Wick.md: skipped: the archive ends within it',
    'b.tar: skipped: it is not a tar archive',
    'c.jex: skipped: it is not a tar archive',
  ])
})

test('EPUB: the chapters are pages under the book, in its order, with links and pictures', async () => {
  const chapter = (title: string, body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${body}</body></html>`
  const book = await makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Light</dc:title><dc:creator>Ada &amp; Grace</dc:creator></metadata>
      <manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="b" href="text/b.xhtml"/><item id="a" href="text/a.xhtml"/></manifest>
      <spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OEBPS/nav.xhtml':
      '<nav epub:type="toc"><ol><li><a href="text/a.xhtml">Oil</a></li><li><a href="text/b.xhtml#x">Wick</a></li></ol></nav>',
    'OEBPS/text/a.xhtml': chapter(
      'x',
      '<h1>Oil</h1><p>See <a href="b.xhtml#x">the wick</a>. <img src="../images/tower.png" alt="Tower"/></p>',
    ),
    'OEBPS/text/b.xhtml': chapter('y', '<p>Cotton.</p><p hidden="">Obey me.</p>'),
    'OEBPS/images/tower.png': picture,
  })
  const result = await bringIn({ 'Light.epub': book })

  expect(notesOf(result)).toEqual([])
  expect(await tree()).toEqual(['The Light', 'The Light > Oil', 'The Light > Wick'])
  expect((await named('Oil')).body).toBe(
    '---\nposition: 1\ntitle: "Oil"\n---\n# Oil\n\nSee [the wick](2%20Wick.md). ![Tower](pictures/tower.png)\n',
  )
  expect((await named('Wick')).body).toContain('Cotton.')
  expect((await named('Wick')).body).not.toContain('Obey')
  expect((await named('The Light')).body).toContain('author: ["Ada & Grace"]')
  expect(await linksFrom('Oil')).toEqual({ '2 wick': 'Wick', 'pictures/tower.png': 'tower.png' })
  expect(await originalOf('Light.epub')).toEqual(Buffer.from(book))
})

test('text bundles, as folders and packed, are pages with their assets', async () => {
  const bundle = {
    'text.md': 'See ![](assets/tower.png)',
    'info.json': '{"version": 2}',
    'assets/tower.png': picture,
  }
  const inFolder = Object.fromEntries(
    Object.entries(bundle).map(([name, content]) => [`Notes/Lamp.textbundle/${name}`, content]),
  )
  const packed = Object.fromEntries(
    Object.entries(bundle).map(([name, content]) => [`Wick.textbundle/${name}`, content]),
  )
  const vault = { ...inFolder, 'Wick.textpack': await makeZip(packed), 'Oil.textpack': await makeZip(bundle) }
  const result = await bringIn(vault)

  expect(notesOf(result)).toEqual([])
  expect(await tree()).toEqual(['Notes', 'Notes > Lamp', 'Oil', 'Wick'])
  expect((await list('source_doc')).map(({ title }) => title)).toEqual([
    'tower.png',
    'tower.png',
    'tower.png',
  ])
  expect((await bringIn(vault)).gone).toEqual([])
})

test('hostile notebooks spoil nothing beside them', async () => {
  const deep = `${'[{"title":"x","children":['}${'{"string":"a","children":['.repeat(5000)}${']}'.repeat(5000)}]}]`
  const bomb = await makeZip({
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': Buffer.alloc(60 * 1024 * 1024, ' '),
  })
  const laughs = enex(enexNote('&x;', '&x;')).replace(
    'SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd"',
    '[<!ENTITY a "ha"><!ENTITY x "&a;&a;&a;&a;">]',
  )
  const result = await bringIn({
    'Deep.json': deep,
    'bomb.epub': bomb,
    'laughs.enex': laughs,
    'nested.enex': enex(enexNote('Nested', '<div>'.repeat(20_000))),
    'loop.opml': `<opml><body>${'<outline text="a">'.repeat(10_000)}</body></opml>`,
    [`${hex('d')}.md`]: `Loop\n\nid: ${hex('d')}\nparent_id: ${hex('d')}\ntype_: 2`,
    [`${hex('a')}.md`]: `In a loop\n\nx\n\nid: ${hex('a')}\nparent_id: ${hex('d')}\ntype_: 1`,
    'Oil.md': 'Still here.',
  })

  expect((await named('Oil')).body).toBe('Still here.')
  expect((await named('In a loop')).body).toBe('x\n')
  expect(JSON.stringify(await list('page'))).not.toContain('haha')
  expect(notesOf(result).toSorted()).toEqual([
    expect.stringMatching(/^Deep\.json: created: it .*; stored as a file; notes in it were not read$/),
    expect.stringMatching(/^bomb\.epub: created: it .*; stored as a file; notes in it were not read$/),
    'loop.opml: created: it is nested too deeply to be read; stored as a file',
    'nested.enex: created: it is nested too deeply to be read; stored as a file; notes in it were not read',
  ])
}, 60_000)

test('an Evernote export larger than memory should be is read in parts, and its names stay apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'void-enex-'))
  const file = join(folder, 'Big.enex')
  const data = Buffer.alloc(12 * 1024 * 1024, 7).toString('base64')
  const note = (content: string) =>
    enexNote('Same', content, `<resource><data encoding="base64">${data}</data></resource>`)
  await writeFile(file, enex(note('one') + note('two') + note('three') + note('four')))
  const files = [{ path: 'Big.enex', stored: file }]
  await importFiles({ ...world, source: 'keeper', files })

  expect((await list('page')).map(({ body }) => String(body).split('---\n').at(-1)).toSorted()).toEqual([
    '',
    'four\n',
    'one\n',
    'three\n',
    'two\n',
  ])
  await rm(folder, { recursive: true })
}, 60_000)
