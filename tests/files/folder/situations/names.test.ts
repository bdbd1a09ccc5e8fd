// Moves and names: whichever side moves a note, it stays the same page.

import { expect } from 'vitest'
import { createFoldersRepo } from '../../../../lib/db/repos/folders.ts'
import { runs } from '../../../helpers/runs.ts'
import { newFoldingDisk, type Play, situationsWith } from './situation.ts'

const situation = situationsWith(runs(5))

situation(
  'a folder is moved in the shell while its pages are edited in Void, and Obsidian rewrites the links',
  async (play) => {
    const { disk } = play
    disk.replace('proj/a.md', 'a\n')
    disk.replace('proj/b.md', 'b, see [[proj/a]]\n')
    disk.replace('index.md', 'to [[proj/a]] and [[proj/b]]\n')
    await play.settle()
    const before = await play.ids()

    disk.moveByHand('proj', 'archive/proj')
    await play.change('proj/a.md', { body: 'a, in Void\n' })
    disk.replace('archive/proj/b.md', 'b, see [[archive/proj/a]]\n')
    disk.replace('index.md', 'to [[archive/proj/a]] and [[archive/proj/b]]\n')
    await play.settleLong()

    const texts = {
      'archive/proj/a.md': 'a, in Void\n',
      'archive/proj/b.md': 'b, see [[archive/proj/a]]\n',
      'index.md': 'to [[archive/proj/a]] and [[archive/proj/b]]\n',
    }
    expect([await play.pages(), disk.texts()]).toEqual([texts, texts])
    const after = await play.ids()
    expect(after['archive/proj/a.md']).toBe(before['proj/a.md'])
    expect(after['index.md']).toBe(before['index.md'])
  },
)

situation(
  'a page with links in 50 files is renamed in Void while an editor saves ten of them',
  async (play) => {
    const { disk } = play
    const holders = Array.from({ length: 50 }, (_, index) => `n/${index}.md`)
    const text = (link: string, end: string) => `see [[${link}]]\n\nmiddle\n\n${end}\n`
    disk.replace('old.md', 'the page\n')
    for (const path of holders) disk.replace(path, text('old', 'end'))
    await play.settle()

    const saved = holders.slice(0, 10)
    let calls = 0
    disk.before = ({ name, path }) => {
      if (name !== 'rename' || !path.startsWith('n/') || calls >= saved.length) return
      disk.replace(saved[calls]!, text('old', `saved ${saved[calls]}`))
      calls += 1
    }
    await play.change('old.md', { path: 'new.md' })
    await play.pass()
    disk.before = () => {}
    for (const path of saved.slice(calls)) disk.replace(path, text('old', `saved ${path}`))
    await play.settleLong()

    await play.expectKept(saved.map((path) => text('old', `saved ${path}`)))
    await play.expectInStep()
    for (const path of holders.slice(10)) expect(disk.texts()[path]).toBe(text('new', 'end'))
    for (const path of saved) expect(disk.texts()[path]).toContain(`saved ${path}`)
  },
  { varies: true, maxKills: 10 },
)

const caseOnly = async (play: Play) => {
  const { disk } = play
  disk.replace('a.md', 'a\n')
  disk.replace('b.md', 'b\n')
  disk.replace('Notes/x.md', 'x\n')
  disk.replace('Notes/y.md', 'y\n')
  await play.settle()
  const before = await play.ids()

  disk.moveByHand('a.md', 'A.md')
  disk.moveByHand('Notes', 'notes')
  await play.settleLong()
  await play.change('b.md', { path: 'B.md' })
  await play.settleLong()

  const texts = { 'A.md': 'a\n', 'B.md': 'b\n', 'notes/x.md': 'x\n', 'notes/y.md': 'y\n' }
  expect(disk.texts()).toEqual(texts)
  expect(await play.pages()).toEqual(texts)
  const after = await play.ids()
  expect([after['A.md'], after['B.md'], after['notes/x.md']]).toEqual([
    ...[before['a.md'], before['b.md'], before['Notes/x.md']],
  ])
}

situation('a file and a folder are renamed by case alone, on a disk that tells them apart', caseOnly)
situation('a file and a folder are renamed by case alone, on a disk that does not', caseOnly, {
  disk: newFoldingDisk,
})

situation('of two files whose names fold to one, one is edited and one deleted', async (play) => {
  const { disk } = play
  const [composed, decomposed] = ['caf\u00E9.md', 'cafe\u0301.md']
  disk.replace('a.md', 'small\n')
  disk.replace(composed, 'composed\n')
  await play.settle()
  disk.replace('A.md', 'large\n')
  disk.replace(decomposed, 'decomposed\n')
  await play.settleLong()
  expect(await play.pages()).toEqual({ 'a.md': 'small\n', [composed]: 'composed\n' })
  expect((await play.folder()).held.map(({ path }) => path).toSorted()).toEqual(
    ['A.md', decomposed].toSorted(),
  )

  disk.replace('A.md', 'large, edited\n')
  disk.erase('a.md')
  disk.replace(decomposed, 'decomposed, edited\n')
  disk.erase(composed)
  await play.settleLong()

  expect(disk.texts()).toEqual({ 'A.md': 'large, edited\n', [decomposed]: 'decomposed, edited\n' })
  await play.expectKept(['small\n', 'large, edited\n', 'composed\n', 'decomposed, edited\n'])
  const { held } = await play.folder()
  expect(held).toEqual([])
  await play.expectInStep()
})

situation('of five equal empty notes two are renamed, one is deleted and one is filled', async (play) => {
  const { disk } = play
  const names = ['Untitled', 'Untitled 1', 'Untitled 2', 'Untitled 3', 'Untitled 4'].map(
    (name) => `${name}.md`,
  )
  for (const name of names) disk.replace(name, '')
  disk.replace('other.md', 'other\n')
  await play.settleLong()

  disk.moveByHand('Untitled.md', 'Trip.md')
  disk.moveByHand('Untitled 1.md', 'Work/Plan.md')
  disk.erase('Untitled 2.md')
  disk.replace('Untitled 3.md', 'filled\n')
  await play.settleLong()

  const texts = {
    ...{ 'Trip.md': '', 'Work/Plan.md': '', 'Untitled 3.md': 'filled\n' },
    ...{ 'Untitled 4.md': '', 'other.md': 'other\n' },
  }
  expect(disk.texts()).toEqual(texts)
  expect(await play.pages()).toEqual(texts)
})

situation('a note is moved and edited in one step', async (play) => {
  const { disk } = play
  disk.replace('a.md', 'one\n')
  disk.replace('b.md', 'two\n')
  await play.settle()
  const before = await play.ids()

  disk.moveByHand('a.md', 'n/moved.md')
  disk.edit('n/moved.md', 'one, edited\n')
  await play.change('b.md', { path: 'm/b.md', body: 'two, edited\n' })
  await play.settleLong()

  const texts = { 'm/b.md': 'two, edited\n', 'n/moved.md': 'one, edited\n' }
  expect([disk.texts(), await play.pages()]).toEqual([texts, texts])
  expect((await play.ids())['n/moved.md']).toBe(before['a.md'])
})

situation('two notes swap their names, and both are edited', async (play) => {
  const { disk } = play
  disk.replace('a.md', 'one\n')
  disk.replace('b.md', 'two\n')
  await play.settle()
  const before = await play.ids()

  disk.moveByHand('a.md', 't.md')
  disk.moveByHand('b.md', 'a.md')
  disk.moveByHand('t.md', 'b.md')
  disk.edit('b.md', 'one, edited\n')
  await play.settleLong()

  const texts = { 'a.md': 'two\n', 'b.md': 'one, edited\n' }
  expect([disk.texts(), await play.pages()]).toEqual([texts, texts])
  const after = await play.ids()
  expect([after['a.md'], after['b.md']]).toEqual([before['b.md'], before['a.md']])
})

situation('in review, a move waits, and put back it is where it was', async (play) => {
  const { disk, owner } = play
  disk.replace('a.md', 'one\n')
  await play.settle()
  await createFoldersRepo(play.deps.database).update((await play.folder()).id, { review: 'all' })
  disk.moveByHand('a.md', 'n/b.md')
  await play.settleLong()
  expect(await play.pages()).toEqual({ 'a.md': 'one\n' })
  const [draft, ...more] = await play.drafts()
  expect(more).toEqual([])
  await owner.post(`/api/pending-changes/${draft!.id}/reject`).send({}).expect(200)
  await play.settleLong()
  expect([disk.texts(), await play.pages()]).toEqual([{ 'a.md': 'one\n' }, { 'a.md': 'one\n' }])
})
