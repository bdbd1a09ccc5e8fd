// Whatever form a link has, a move of its target or of its own text keeps it leading there by a path that other tools read.

import { expect, test } from 'vitest'
import { importWorld, type Vault } from '../../files/import/vault.ts'

const { bringIn, list, edit } = await importWorld()

const vault: Vault = { 'n.md': 'N', 'd/o.md': 'O', 'a/p.png': Buffer.from('png'), 'a/k.md': 'K' }

async function move(files: Vault, from: string, to: string): Promise<Map<string, unknown>> {
  await bringIn({ ...vault, ...files })
  await edit((await list('page')).find(({ path }) => path === from)!, { path: to })
  return new Map((await list('page')).map(({ path, body }) => [String(path), body]))
}

test.each([
  ['a wikilink with its extension', '[[n.md]] [[n.md#h|x]] [[n]]', '[[m.md]] [[m.md#h|x]] [[m]]'],
  [
    'lines of front matter',
    '---\na: |\n  see [[n]]\n  and "x"\nb: >-\n  [x](n.md)\n---\n',
    '---\na: |\n  see [[m]]\n  and "x"\nb: >-\n  [x](d/m.md)\n---\n',
  ],
  [
    'definitions beside wikilinks, as Foam writes them',
    '[[n]] [[o]]\n\n[n]: n.md "N"\n[o]: d/o.md "O"',
    '[[m]] [[o]]\n\n[n]: d/m.md "N"\n[o]: d/o.md "O"',
  ],
  [
    'cells, quotations, footnotes and headings',
    '# [[n]]\n\n| [[n\\|x]] | [x](n.md) |\n|---|---|\n\n> - [x](n.md)\n\nf[^1] ^[[[n]]]\n\n[^1]: <a href="n.md">x</a>',
    '# [[m]]\n\n| [[m\\|x]] | [x](d/m.md) |\n|---|---|\n\n> - [x](d/m.md)\n\nf[^1] ^[[[m]]]\n\n[^1]: <a href="d/m.md">x</a>',
  ],
])('a move turns %s', async (_, before, after) => {
  const texts = await move({ 's.md': before }, 'n.md', 'd/m.md')

  expect(texts.get('s.md')).toBe(after)
})

test('a page that moves writes its paths anew, also where their names would do here', async () => {
  const before =
    '![](p.png) <img src="p.png"> [x](k.md#h) [y](../n.md) [[./k]] [[k]] [r]\n\n[r]: ./k.md\n[unused]: k.md'

  const texts = await move({ 'a/s.md': before }, 'a/s.md', 'b/c/s.md')

  expect(texts.get('b/c/s.md')).toBe(
    '![](../../a/p.png) <img src="../../a/p.png"> [x](../../a/k.md#h) [y](../../n.md) [[../../a/k]] [[k]] [r]\n\n' +
      '[r]: ../../a/k.md\n[unused]: ../../a/k.md',
  )
})

test('a file that a link names alone stays named alone', async () => {
  const texts = await move({ 's.md': '![](p.png)' }, 's.md', 'b/s.md')

  expect(texts.get('b/s.md')).toBe('![](p.png)')
})
