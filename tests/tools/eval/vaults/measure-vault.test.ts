// The measure counts what it is for: a folder that comes through whole, and each kind of fault.

import { expect, test } from 'vitest'
import { testDb } from '../../../helpers/test-db.ts'
import { leadsOf, type Tool, toolOf } from './folder-resolver.ts'
import { measureVault } from './measure-vault.ts'

const database = await testDb()
const folderOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))

test('a folder that comes through whole has no faults', async () => {
  const folder = folderOf({
    'Home.md':
      '---\ntitle: Welcome\n---\n[[Lamp]] [x](Parts/Wick.md) ![](img/a.svg) ![[a.svg|30]] [[Nowhere]] `[[Lamp]]`\r\n',
    'Lamp.md': '[[Home#Oil|h]] <a href="Parts/Wick.md">w</a>',
    'Parts/Wick.md': '[up](../Home.md) [[../Lamp]]',
    'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'empty.html': '<p></p>',
    'page.html': '<p>Some text that is shown.</p>',
  })

  expect(await measureVault(database, folder, 'obsidian')).toMatchObject({
    ...{ files: 6, links: 8, right: 8, pictures: 2, shown: 2, same: 6, after: 8, moved: 0, unreadable: 0 },
    faults: [],
  })
})

test.each<[Tool, Record<string, string>, string, (string | null)[]]>([
  [
    'plain',
    { 'a/n.md': '[x](m.md) [y](/m.md) [z](../d)', 'm.md': '', 'd/index.md': '' },
    'a/n.md',
    [null, 'm.md', 'd/index.md'],
  ],
  [
    'obsidian',
    { 'a/n.md': '[[m]] [[b/m]] [[x]]', 'a/m.md': '', 'b/m.md': '', 'c.md': '---\naliases: [x]\n---' },
    'a/n.md',
    ['a/m.md', 'b/m.md', 'c.md'],
  ],
  [
    'logseq',
    { 'journals/2021_07_19.md': '[[a/b]] [[t]] [[Jul 19th, 2021]]', 'pages/a___b.md': 'alias:: t' },
    'journals/2021_07_19.md',
    ['pages/a___b.md', 'pages/a___b.md', 'journals/2021_07_19.md'],
  ],
  [
    'dendron',
    { 'n.md': '[[Some label|a.b]] [[a.b#x]] [[dendron://v/a.b]]', 'a.b.md': '' },
    'n.md',
    ['a.b.md', 'a.b.md', 'a.b.md'],
  ],
])('%s', (tool, files, from, expected) => {
  expect(
    leadsOf(folderOf(files), tool)
      .get(from)
      ?.map(({ to }) => to),
  ).toEqual(expected)
})

test('the tool is known by what it leaves', () => {
  expect(toolOf(['logseq/config.edn'], [])).toBe('logseq')
  expect(toolOf(['dendron.yml', 'vault/a.md'], [])).toBe('dendron')
  expect(toolOf(['a.md'], ['.obsidian'])).toBe('obsidian')
  expect(toolOf(['mkdocs.yml', 'docs/a.md'], [])).toBe('plain')
})
