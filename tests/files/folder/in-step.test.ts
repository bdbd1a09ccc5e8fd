// A folder and a Space that are kept the same, both ways, by the real engine on a simulated disk.

import { expect, test } from 'vitest'
import { connectFolder } from './synced-folder.ts'

test('the first look joins both sides, and deletes nothing', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'from the folder\n')
  one.disk.replace('n/b.md', 'equal\n')
  await one.create('n/b.md', 'equal\n')
  await one.create('c.md', 'from Void\n')

  await one.settle()

  const all = { 'a.md': 'from the folder\n', 'c.md': 'from Void\n', 'n/b.md': 'equal\n' }
  expect(await one.pages()).toEqual(all)
  expect(one.disk.texts()).toEqual(all)
})

test('two different texts at one path both stay, and the owner decides', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'of the folder\n')
  await one.create('a.md', 'of Void\n')

  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': 'of Void\n' })
  expect(one.disk.texts()).toEqual({ 'a.md': 'of the folder\n' })
  const { body } = await one.owner.get('/api/pending-changes?status=pending').expect(200)
  expect(body.items).toHaveLength(1)
  await one.owner.post(`/api/pending-changes/${body.items[0].id}/reject`).send({}).expect(200)
  await one.settle()
  expect(one.disk.texts()).toEqual({ 'a.md': 'of Void\n' })
})

test('an approved conflict brings the file’s text into the page', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'of the folder\n')
  await one.create('a.md', 'of Void\n')
  await one.settle()
  const { body } = await one.owner.get('/api/pending-changes?status=pending')

  await one.owner.post(`/api/pending-changes/${body.items[0].id}/approve`).send({}).expect(200)
  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': 'of the folder\n' })
  expect(one.disk.texts()).toEqual({ 'a.md': 'of the folder\n' })
})

test('edits, new notes and moves go both ways', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()

  one.disk.replace('a.md', 'one, edited in vim\n')
  one.disk.replace('new.md', 'new\n')
  await one.change('b.md', { body: 'two, edited in Void\n' })
  await one.create('void.md', 'made in Void\n')
  await one.settle()

  const all = {
    'a.md': 'one, edited in vim\n',
    'b.md': 'two, edited in Void\n',
    'new.md': 'new\n',
    'void.md': 'made in Void\n',
  }
  expect(await one.pages()).toEqual(all)
  expect(one.disk.texts()).toEqual(all)

  one.disk.moveByHand('a.md', 'n/a.md')
  await one.change('b.md', { path: 'm/b.md' })
  const before = await one.page('a.md')
  await one.settle()

  expect(Object.keys(await one.pages())).toEqual(['m/b.md', 'n/a.md', 'new.md', 'void.md'])
  expect(Object.keys(one.disk.texts())).toEqual(['m/b.md', 'n/a.md', 'new.md', 'void.md'])
  expect((await one.page('n/a.md'))?.id).toBe(before?.id)
})

test('names that were swapped, in the folder and in Void, keep their pages', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()
  const a = await one.page('a.md')

  one.disk.moveByHand('a.md', 't.md')
  one.disk.moveByHand('b.md', 'a.md')
  one.disk.moveByHand('t.md', 'b.md')
  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': 'two\n', 'b.md': 'one\n' })
  expect(one.disk.texts()).toEqual({ 'a.md': 'two\n', 'b.md': 'one\n' })
  expect((await one.page('b.md'))?.id).toBe(a?.id)
})

test('a file that is gone goes to the trash after a minute, and not before', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()

  one.disk.erase('a.md')
  await one.settle()
  one.wait(30)
  await one.settle()
  expect(Object.keys(await one.pages())).toEqual(['a.md', 'b.md'])

  one.wait(31)
  await one.settle()
  expect(Object.keys(await one.pages())).toEqual(['b.md'])
  const { body } = await one.owner.get(`/api/spaces/${one.space_id}/trash`).expect(200)
  expect(body.items.map(({ title }: { title: string }) => title)).toContain('a')
})

test('a page that is deleted takes its file to the trash of the folder', async () => {
  const one = await connectFolder()
  one.disk.replace('n/a.md', 'one\n')
  await one.settle()

  await one.remove('n/a.md')
  await one.settle()

  expect(one.disk.texts()).toEqual({})
  expect(one.disk.allTexts()).toContain('one\n')
})

test('a change outweighs a deletion, on either side', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()
  const b = await one.page('b.md')

  one.disk.erase('a.md')
  await one.change('a.md', { body: 'one, changed\n' })
  await one.remove('b.md')
  one.disk.edit('b.md', 'two, changed\n')
  await one.settleDeletions()

  const all = { 'a.md': 'one, changed\n', 'b.md': 'two, changed\n' }
  expect(await one.pages()).toEqual(all)
  expect(one.disk.texts()).toEqual(all)
  expect((await one.page('b.md'))?.id).toBe(b?.id)
})

test('changes of different lines are merged; of the same line they wait', async () => {
  const one = await connectFolder()
  const lines = (first: string, last: string) => `${first}\n\nmiddle\n\n${last}\n`
  one.disk.replace('a.md', lines('first', 'last'))
  await one.settle()

  one.disk.edit('a.md', lines('first, in vim', 'last'))
  await one.change('a.md', { body: lines('first', 'last, in Void') })
  await one.settle()
  const merged = lines('first, in vim', 'last, in Void')
  expect(await one.pages()).toEqual({ 'a.md': merged })
  expect(one.disk.texts()).toEqual({ 'a.md': merged })

  one.disk.edit('a.md', lines('vim', 'last'))
  await one.change('a.md', { body: lines('Void', 'last') })
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': lines('Void', 'last') })
  expect(one.disk.texts()).toEqual({ 'a.md': lines('vim', 'last') })
})

test('a folder that is not there is not empty', async () => {
  const one = await connectFolder()
  for (let index = 0; index < 12; index++) one.disk.replace(`${index}.md`, `${index}\n`)
  await one.settle()

  one.disk.missing = true
  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toHaveLength(12)
  expect((await one.folder()).problem).toBe('The folder cannot be reached.')

  one.disk.missing = false
  const mounted = one.disk.snapshot()
  for (const path of ['.void/folder.json', ...Object.keys(one.disk.texts())]) one.disk.erase(path)
  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toHaveLength(12)
  expect((await one.folder()).problem).toMatch('marker')

  mounted()
  await one.settle()
  expect((await one.folder()).problem).toBeNull()
  expect(Object.keys(one.disk.texts())).toHaveLength(12)
})

test('many deletions at once pause it, and nothing is deleted', async () => {
  const one = await connectFolder()
  for (let index = 0; index < 40; index++) one.disk.replace(`n/${index}.md`, `${index}\n`)
  await one.settle()

  for (let index = 0; index < 11; index++) one.disk.erase(`n/${index}.md`)
  await one.settleDeletions()

  expect(Object.keys(await one.pages())).toHaveLength(40)
  expect(await one.folder()).toMatchObject({ paused: true, problem: expect.stringContaining('11 of 40') })
})

test('an older database, and an older folder, are joined: nothing is deleted', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()
  const yesterday = one.disk.snapshot()
  await one.change('a.md', { body: 'one, later\n' })
  await one.create('c.md', 'three\n')
  await one.settle()

  yesterday()
  await one.settleDeletions()

  const all = { 'a.md': 'one, later\n', 'b.md': 'two\n', 'c.md': 'three\n' }
  expect(await one.pages()).toEqual(all)
  expect(one.disk.texts()).toEqual(all)
})

test('bytes outside of a change stay: byte order mark, line breaks, last line, front matter', async () => {
  const one = await connectFolder()
  const before = '\uFEFF---\r\nb: 2 # why\r\na: "1"\r\n---\r\n* one\r\n* two\nlast'
  one.disk.replace('a.md', before)
  await one.settle()
  const page = await one.page('a.md')
  expect(page?.body).toBe('---\nb: 2 # why\na: "1"\n---\n* one\n* two\nlast')

  await one.change('a.md', { body: page!.body.replace('* one', '* one!\n* new') })
  await one.settle()

  expect(one.disk.texts()).toEqual({ 'a.md': before.replace('* one\r\n', '* one!\r\n* new\r\n') })
})

test('what is no text of a page is held, and said so', async () => {
  const one = await connectFolder()
  one.disk.replace('latin.md', 'x')
  await one.settle()
  one.disk.replace('nul.md', 'a\0b')
  one.disk.replace('Case.md', 'one\n')
  one.disk.replace('case.md', 'two\n')
  one.disk.replace('a (conflicted copy).md', 'three\n')
  one.disk.replace('.obsidian/workspace.md', 'x')
  one.disk.replace('a.md~', 'x')
  await one.settle()

  expect(Object.keys(await one.pages())).toEqual(['Case.md', 'latin.md'])
  const held = (await one.folder()).held.map(({ path }) => path).toSorted()
  expect(held).toEqual(['a (conflicted copy).md', 'case.md', 'nul.md'])
})

test('a rule that leaves files out deletes nothing on either side', async () => {
  const one = await connectFolder()
  one.disk.replace('drafts/a.md', 'one\n')
  await one.settle()

  one.disk.replace('.voidignore', 'drafts/\n')
  await one.settleDeletions()
  expect(await one.pages()).toEqual({ 'drafts/a.md': 'one\n' })
  expect(one.disk.texts()).toEqual({ 'drafts/a.md': 'one\n' })

  one.disk.erase('.voidignore')
  await one.settleDeletions()
  expect(await one.pages()).toEqual({ 'drafts/a.md': 'one\n' })
})

test('an empty file in place of a text is waited for', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()

  one.disk.edit('a.md', '')
  await one.pass()
  one.wait(2)
  await one.pass()
  expect(await one.pages()).toEqual({ 'a.md': 'one\n' })
  one.disk.edit('a.md', 'one, saved in place\n')
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': 'one, saved in place\n' })
})

test('text from a folder is not the owner’s own', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('clip.md', '---\nsource: https://example.com/\n---\ntext\n')
  const mine = await one.create('mine.md', 'mine\n')
  await one.settle()
  expect((await one.page('a.md'))?.origin).toBe('folder')
  expect((await one.page('clip.md'))?.origin).toBe('web')
  expect((await one.page('mine.md'))?.origin).toBe('owner')

  one.disk.edit('mine.md', 'others\n')
  await one.settle()
  const now = await one.page('mine.md')
  expect(now).toMatchObject({ id: mine.id, origin: 'folder' })
})

test('a late save through an old handle is shown beside the note', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()
  const handle = one.disk.openHandle('a.md')
  await one.change('a.md', { body: 'of Void\n' })
  await one.settle()
  handle.write('late\n')

  one.wait(61)
  await one.settle()

  const texts = one.disk.texts()
  expect(texts['a.md']).toBe('of Void\n')
  expect(Object.values(texts)).toContain('late\n')
  expect(Object.values(await one.pages())).toContain('late\n')
})

test('a move that comes from the folder rewrites no links', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'see [[a]]\n')
  await one.settle()

  one.disk.moveByHand('a.md', 'c.md')
  await one.settle()

  expect(one.disk.texts()).toEqual({ 'b.md': 'see [[a]]\n', 'c.md': 'one\n' })
})

test('a first look reads each file twice, however many transactions it takes', async () => {
  const one = await connectFolder()
  const paths = Array.from({ length: 120 }, (_, n) => `${n}.md`)
  for (const path of paths) one.disk.replace(path, `${path}\n`)
  one.wait(10)
  const reads = new Map<string, number>()
  one.disk.before = ({ name, path }) => {
    if (name === 'read' && path.endsWith('.md')) reads.set(path, (reads.get(path) ?? 0) + 1)
  }

  await one.settle()

  expect(Object.keys(await one.pages())).toHaveLength(120)
  expect([...reads.values()].filter((count) => count !== 2)).toEqual([])
})
