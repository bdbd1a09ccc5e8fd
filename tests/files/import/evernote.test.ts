// What Evernote's notes mean by their markup, after exports of it that people published.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { importWorld } from './vault.ts'

const { bringIn, list, named, linksFrom } = await importWorld()

const note = (title: string, content: string, rest = '') =>
  `<note><title>${title}</title>${rest}<content><![CDATA[<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${content}</en-note>]]></content></note>`

const bodyOf = async (content: string, rest = '') => {
  await bringIn({ 'Notes.enex': `<en-export>${note('Lamp', content, rest)}</en-export>` })
  return (await named('Lamp')).body
}

test.each([
  [
    'code keeps its lines, their indents and its signs',
    `<div>See:</div><div style="--en-codeblock:true;--en-syntaxLanguage:python;padding: 8px;"><div>def f(x):</div><div>&nbsp;&nbsp;if *x*:</div><div><br /></div><div>    return a_b_</div></div>`,
    'See:\n\n```python\ndef f(x):\n  if *x*:\n\n    return a_b_\n```\n',
  ],
  [
    'older code, with breaks',
    '<div style="font-family: Monaco;-en-codeblock:true;">a<br/>  b</div>',
    '```\na\n  b\n```\n',
  ],
  ['a break is one, however it is written', 'a<br/>b<br></br>c<br clear="none"/>d', 'a  \nb  \nc  \nd\n'],
  [
    'a box is not bold',
    '<ul><li><i><b><en-todo checked="true"/></b></i>Wick</li><li><b><en-todo/>Oil</b></li></ul>',
    '- [x] Wick\n- [ ] **Oil**\n',
  ],
  [
    'marked text stays marked',
    '<span style="--en-highlight:yellow;background-color: #ffef9e;">oil</span>',
    '==oil==\n',
  ],
])('%s', async (_, content, markdown) => {
  expect(await bodyOf(content)).toBe(markdown)
})

test('the placeholder of tasks goes, since they come', async () => {
  const task = '<task><title>Call Ada</title><taskStatus>completed</taskStatus></task>'
  const group = '<div style="--en-task-group:true; --en-id:1"><div>Content not supported</div></div>'
  expect(await bodyOf(`<div>Oil</div>${group}`, task)).toBe('Oil\n\n- [x] Call Ada\n')
})

test('links lead to the note of exactly that title, whatever is in it', async () => {
  const link = (label: string) =>
    `<div><a href="evernote:///view/1/s1/x/y/" rev="en_rl_none">${label}</a></div>`
  const titles = ['Oil', 'OIL', 'A/B [draft] #1', 'x | *y*', 'Old_name_']
  const content = [...titles.map((title) => `<span>${title}</span>`), 'Elsewhere', '', 'evernote:///view/2']
    .map(link)
    .join('')
  const notes = [...titles.map((title) => note(title, title)), note('Lamp', content)]
  await bringIn({ 'Notes.enex': `<en-export>${notes.join('')}</en-export>` })

  const paths = new Map((await list('page')).map(({ title, path }) => [title, path]))
  expect((await named('Lamp')).body).toBe(
    '[[Oil]]\n\n[[OIL (2)|OIL]]\n\n[A/B \\[draft\\] #1](A-B%20%5Bdraft%5D%20%231.md)\n\n[x | \\*y\\*](x%20-%20-y-.md)\n\n[[Old_name_]]\n\n[[Elsewhere]]\n\n`evernote:///view/1/s1/x/y/`\n\n`evernote:///view/2`\n',
  )
  expect(await linksFrom('Lamp')).toMatchObject({
    oil: 'Oil',
    'oil (2)': 'OIL',
    old_name_: 'Old_name_',
    elsewhere: null,
  })
  expect(Object.values(await linksFrom('Lamp'))).toContain('A/B [draft] #1')
  expect(paths.get('OIL')).toBe('Notes/OIL (2).md')
})

test('tags are tags, though they had spaces and signs', async () => {
  const tags = ['two words', 'lamp &amp; oil', 'C++', '2024'].map((tag) => `<tag>${tag}</tag>`).join('')
  expect(await bodyOf('Oil', tags)).toBe('---\ntags: ["two-words","lamp-oil","C","_2024"]\n---\nOil\n')
})

test('a picture keeps its width', async () => {
  const resource =
    '<resource><data encoding="base64">iVBORw==</data><mime>image/png</mime><resource-attributes><file-name>a.png</file-name></resource-attributes></resource>'
  const md5 = createHash('md5').update(Buffer.from('iVBORw==', 'base64')).digest('hex')
  const content = `<en-media type="image/png" width="120.6px" hash="${md5}"/>`
  await bringIn({
    'Notes.enex': `<en-export>${note('Lamp', content).replace('</note>', `${resource}</note>`)}</en-export>`,
  })
  expect((await named('Lamp')).body).toBe('![a.png|121](Lamp_files/a.png)\n')
})
