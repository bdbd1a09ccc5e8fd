// Paths that no file system, or not every one, has: each comes in under a path that it can have, or is left out with a
// sentence, and nothing beside it is lost.

import { expect, test } from 'vitest'
import { problemOfPath } from '../../../lib/core/text/paths.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { placeable } from '../../../lib/files/vault/paths.ts'
import { asFiles, importWorld, notesOf } from './vault.ts'

const { world, bringIn, list, named, linksFrom, edit } = await importWorld()

const long = `${'ä'.repeat(150)}.md`

test.each<[string, string, string | null, string]>([
  ['leads out', '../out.md', null, 'skipped: its path points outside the folder'],
  ['leads out in the middle', 'a/../../out.md', null, 'skipped: its path points outside the folder'],
  ['starts at the root', '/out.md', null, 'skipped: its path points outside the folder'],
  ['holds a NUL', 'a\0b.md', 'ab.md', ''],
  [
    'is that of a device',
    'con.md',
    '_con.md',
    'its path is not possible on every system; it is “_con.md” here',
  ],
  [
    'has a device for a folder',
    'aux/a.md',
    '_aux/a.md',
    'its path is not possible on every system; it is “_aux/a.md” here',
  ],
  [
    'has a device with an extension',
    'LPT1.tar.md',
    '_LPT1.tar.md',
    'its path is not possible on every system',
  ],
  ['has a name of 300 bytes', long, `${'ä'.repeat(125)}.md`, 'its path is not possible on every system'],
  ['has a line break', 'a\nb.md', 'a-b.md', 'its path is not possible on every system; it is “a-b.md” here'],
])('a path that %s', async (_, path, expected, note) => {
  const result = await bringIn({ [path]: 'x', 'Beside.md': 'y' })

  const paths = (await list('page'))
    .map((page) => String(page.path))
    .filter((each) => each !== 'Beside.md' && !each.endsWith('/'))
  expect(paths).toEqual(expected === null ? [] : [expected])
  expect(notesOf(result).join('\n')).toContain(note)
  expect(await named('Beside')).toMatchObject({ body: 'y' })
})

test('files whose names differ by case, by Unicode form or by what is cut keep their texts', async () => {
  const result = await bringIn({
    'note.md': '1',
    'Note.md': '2',
    'caf\u00e9.md': '3',
    'cafe\u0301.md': '4',
    [`${'x'.repeat(260)}a.md`]: '5',
    [`${'x'.repeat(260)}b.md`]: '6',
    'dir/a.md': '7',
    'DIR/a.md': '8',
  })

  const pages = (await list('page')).filter((page) => page.body !== '')
  expect(pages.map((page) => page.body).toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(new Set(pages.map((page) => String(page.path).toLowerCase().normalize('NFC'))).size).toBe(8)
  expect(notesOf(result).filter((line) => line.includes('differs by case alone'))).toHaveLength(4)
})

test('links in loops, and embeds of one another, come in and follow a rename', async () => {
  await bringIn({
    'A.md': '[[B]] ![[B]] [[A]]',
    'B.md': '[[A]] ![[A]] ![](A.md)',
    'C/C.md': '[[C/C]] [up](../C) [[C]]',
  })

  await edit(await named('A'), { title: 'Z' })

  expect(await named('Z')).toMatchObject({ body: '[[B]] ![[B]] [[Z]]' })
  expect(await named('B')).toMatchObject({ body: '[[Z]] ![[Z]] ![](Z.md)' })
  expect(await linksFrom('C')).toEqual({ 'c/c': 'C', c: 'C' })
})

test('a note of 50 MB is stored as a file, and says so', async () => {
  const result = await bringIn({ 'Huge.md': 'word '.repeat(10 * 1024 * 1024), 'A.md': 'a' })

  expect(await named('Huge.md', 'source_doc')).toBeTruthy()
  expect(notesOf(result)).toEqual([
    expect.stringContaining(
      'Huge.md: created: it has 52,428,800 characters; a page holds 2,000,000; stored as a file',
    ),
  ])
})

test('whatever a path is, it becomes one that is possible, and a possible one stays', () => {
  for (const path of [
    'a/b.md',
    'a\0/..b',
    'con/..',
    '.x/.y',
    'a//b',
    `${'é'.repeat(400)}/x.md`,
    'nul.',
    'com¹.md',
    'a\u2028b',
  ]) {
    const placed = placeable(path)
    if (problemOfPath(path) === null) expect(placed).toBe(path)
    else expect(placeable(placed)).toBe(placed)
  }
})

test('a hundred thousand paths that cannot be are told of one by one, and the rest comes in', async () => {
  const bad = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`../${n}.md`, 'x']))
  const files = asFiles({ ...bad, 'A.md': 'a' })
  const result = await importFiles({ ...world, source: 'many', files })

  expect(result.counts).toMatchObject({ created: 1, skipped: 100_000 })
})
