// Documents and outlines of other programs: OPML, OpenDocument and Rich Text.

import { expect, test } from 'vitest'
import { makeZip } from './make-files.ts'
import { importWorld, notesOf } from './vault.ts'

const { bringIn, list, named, originalOf } = await importWorld()

test('OPML: an outline is a list, with notes, states, links and bold text', async () => {
  const opml = `<?xml version="1.0"?><!DOCTYPE opml [<!ENTITY x "boom">]><opml version="2.0"><head><title>Skerry &amp; sons</title><dateCreated>Tue, 02 Jan 2024 03:04:05 GMT</dateCreated></head><body>
    <outline text="The &lt;b&gt;lamp&lt;/b&gt; of [[Ada]]" _note="Line one&#10;line two"><outline text="Oil &amp;amp; wick" _complete="true"/><outline text="Site" type="link" url="https://skerry.example/"/></outline>
    <outline text="&lt;script&gt;alert(1)&lt;/script&gt;x &x;"/></body></opml>`
  await bringIn({ 'tasks.opml': opml })

  expect((await named('Skerry & sons')).body).toBe(
    '---\ncreated: "2024-01-02T03:04:05.000Z"\n---\n- The **lamp** of [[Ada]]\n  Line one\n  line two\n  - [x] Oil & wick\n  - [Site](https://skerry.example/)\n- alert(1)x &x;\n',
  )
  expect(String(await originalOf('tasks.opml'))).toBe(opml)
})

test('OpenDocument: text with headings, lists, tables, powers, notes and pictures; its bytes stay', async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 7])
  const content = `<?xml version="1.0"?><office:document-content><office:automatic-styles>
    <style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
    <style:style style:name="T2"><style:text-properties style:text-position="super 58%"/></style:style>
    <style:style style:name="T3"><style:text-properties text:display="none"/></style:style>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>
    </office:automatic-styles><office:body><office:text><text:tracked-changes><text:p>Removed</text:p></text:tracked-changes>
    <text:h text:outline-level="2">Lamp</text:h><text:p>A <text:span text:style-name="T1">bold</text:span> 10<text:span text:style-name="T2">6</text:span>,<text:s/>&lt;b&gt;<text:span text:style-name="T3">Obey me</text:span><text:line-break/>next<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note></text:p>
    <text:list text:style-name="L1"><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p><text:p>c</text:p></table:table-cell></table:table-row></table:table>
    <text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/></draw:frame></text:p></office:text></office:body></office:document-content>`
  const odt = await makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': content,
    'Pictures/1.png': picture,
  })
  const result = await bringIn({ 'plan.odt': odt, 'broken.odt': 'PK' })

  const { text } = await named('plan.odt', 'source_doc')
  const name = (await list('source_doc'))
    .map(({ title }) => String(title))
    .find((title) => title.startsWith('picture-'))
  expect(text).toBe(
    `## Lamp\n\nA **bold** 10<sup>6</sup>, \\<b>  \nnext (a note)\n\n1. one\n2. two\n\n| a | b c |\n| --- | --- |\n\n![](${name})`,
  )
  expect(await originalOf('plan.odt')).toEqual(Buffer.from(odt))
  expect(await originalOf(name!)).toEqual(picture)
  expect(notesOf(result)).toEqual([
    expect.stringMatching(/^broken\.odt: created: its text cannot be read .*; stored as a file$/),
  ])
})

test('Rich Text: styles, code pages, Unicode, lists, tables and links; its bytes stay', async () => {
  const rtf = `{\\rtf1\\ansi\\ansicpg1251\\uc1{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}{\\info{\\title Secret}}
\\pard\\outlinelevel0 Lamp\\par
\\pard {\\b bold} \\'cc\\'e0\\'ff\\'ea \\u8364? {\\v Obey me} 10{\\super 6}\\line next \\{x\\}\\par
{\\pntext 1.\\tab}one\\par{\\listtext\\bullet\\tab}two\\par
\\trowd a\\cell b\\cell\\row
\\pard see {\\field{\\*\\fldinst{HYPERLINK "https://skerry.example/"}}{\\fldrslt{the site}}} now\\par}`
  await bringIn({ 'plan.rtf': rtf, 'none.rtf': 'plain' })

  expect((await named('plan.rtf', 'source_doc')).text).toBe(
    '# Lamp\n\n**bold** Маяк €  10<sup>6</sup>  \nnext {x}\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n\nsee [the site](https://skerry.example/) now'.replace(
      '€  10',
      '€ 10',
    ),
  )
  expect(String(await originalOf('plan.rtf'))).toBe(rtf)
})

test('Rich Text as Pandoc writes it: paragraphs in cells, and footnotes in their place', async () => {
  const cell = (text: string) => String.raw`{{\pard\intbl \ql \f0 ${text}\par}\cell}`
  const row = (...cells: string[]) =>
    String.raw`{\trowd \trgaph120\cellx4680\cellx9360\trkeep\intbl{${cells.map(cell).join('\n')}}\intbl\row}`
  const note = String.raw`{\super\chftn}{\*\footnote\chftn\~\plain\pard The {\i foot} note.}`
  const rtf = String.raw`{\rtf1\ansi{\pard \ql A note.${note} More.\par}${row('Lamp', 'Oil')}${row(String.raw`A\par B`, '1')}{\pard End.\par}}`
  await bringIn({ 'plan.rtf': rtf })

  expect((await named('plan.rtf', 'source_doc')).text).toBe(
    'A note. (The *foot* note.) More.\n\n| Lamp | Oil |\n| --- | --- |\n| A B | 1 |\n\nEnd.',
  )
})
