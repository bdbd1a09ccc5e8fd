// Disks that are gone, full, read-only, failing or as they were yesterday, and clocks that are wrong: nothing of it is a deletion.

import { expect } from 'vitest'
import { createFolderEntriesRepo, createFoldersRepo } from '../../../../lib/db/repos/folders.ts'
import { runs } from '../../../helpers/runs.ts'
import { connectFolder, startVoid } from '../synced-folder.ts'
import { newDisk, type Play, situationsWith } from './situation.ts'

const situation = situationsWith(runs(5))

const failing = (code: string) => Object.assign(new Error(code), { code })
const writes = new Set(['create', 'rename', 'link', 'remove', 'makeFolder', 'removeFolder'])
const fill = ({ disk }: Play, paths: readonly string[]) => {
  for (const path of paths) disk.replace(path, `text of ${path}\n`)
}
const numbered = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}${index}.md`)

const resume = async ({ deps, folder }: Play) => {
  const { id } = await folder()
  await createFoldersRepo(deps.database).update(id, { paused: false, problem: null })
}

situation(
  'the folder is unmounted, an empty mount point is there, then it is read-only, then right',
  async (play) => {
    const { disk } = play
    const paths = [...numbered('n/', 12), 'a.md']
    fill(play, paths)
    await play.settle()
    const mounted = disk.snapshot()

    disk.missing = true
    await play.settleLong()
    disk.missing = false
    for (const path of [...Object.keys(disk.texts()), '.void/folder.json']) disk.erase(path)
    await play.change('a.md', { body: 'in Void\n' })
    await play.settleLong()
    expect(Object.keys(await play.pages())).toHaveLength(13)

    mounted()
    disk.before = ({ name }) => {
      if (writes.has(name)) throw failing('EROFS')
    }
    for (let looks = 0; looks < 3; looks++) {
      await play.pass()
      play.wait(61)
    }
    expect((await play.folder()).problem).toMatch('EROFS')
    expect(disk.texts()['a.md']).toBe('text of a.md\n')
    disk.before = () => {}
    await play.settleLong()

    expect(disk.texts()['a.md']).toBe('in Void\n')
    expect(Object.keys(disk.texts())).toHaveLength(13)
    await play.expectInStep()
  },
)

situation(
  'a folder within is the mount that goes, and its 300 files live',
  async (play) => {
    const { disk } = play
    const inside = numbered('sub/', 300)
    fill(play, ['a.md', ...inside])
    await play.settle()
    const mounted = disk.snapshot()

    // As another disk, as a link, and as the empty folder below the mount.
    disk.says.set('sub', { dev: 2n })
    await play.settleLong()
    disk.says.set('sub', { kind: 'link' })
    await play.settleLong()
    disk.says.delete('sub')
    for (const path of inside) disk.erase(path)
    await play.settleLong()
    expect(Object.keys(await play.pages())).toHaveLength(301)
    expect((await play.folder()).paused).toBe(true)

    const marker = disk.snapshot()
    mounted()
    // What the marker says is newer than the mount within.
    const sub = disk.texts()
    marker()
    for (const path of inside) disk.replace(path, sub[path]!)
    await resume(play)
    await play.settleLong()
    expect(Object.keys(await play.pages())).toHaveLength(301)
    expect(Object.keys(disk.texts())).toHaveLength(301)
    await play.expectInStep()
  },
  { maxKills: 4 },
)

situation(
  'nine of a hundred files are deleted, and half an hour later nine more: the brake sums them up',
  async (play) => {
    const { disk } = play
    const paths = Array.from({ length: 10 }, (_, folder) => numbered(`${folder}/`, 10)).flat()
    fill(play, paths)
    await play.settle()
    for (let index = 0; index < 9; index++) disk.erase(`${index}/0.md`)
    await play.settleLong()
    expect(Object.keys(await play.pages())).toHaveLength(91)

    play.wait(1800)
    for (let index = 0; index < 9; index++) disk.erase(`${index}/1.md`)
    await play.settleLong()
    expect(Object.keys(await play.pages())).toHaveLength(91)
    expect(await play.folder()).toMatchObject({ paused: true, problem: expect.stringContaining('18 of') })
  },
  { maxKills: 4 },
)

situation(
  'the folder is as it was yesterday, with the same marker, and then the database is',
  async (play) => {
    const { disk, deps } = play
    fill(play, ['a.md', 'b.md', 'c.md'])
    await play.settle()
    const yesterday = disk.snapshot()
    await play.change('a.md', { body: 'a, later\n' })
    disk.replace('b.md', 'b, later\n')
    disk.replace('d.md', 'd\n')
    await play.settleLong()
    yesterday()
    await play.settleLong()

    await play.expectKept(['a, later\n', 'b, later\n', 'd\n', 'text of a.md\n', 'text of c.md\n'])
    expect(Object.keys(await play.pages())).toEqual(['a.md', 'b.md', 'c.md', 'd.md'])
    await play.expectInStep()

    // An hour later, what Void knows of the folder is older than the folder is.
    play.wait(3700)
    const entries = createFolderEntriesRepo(deps.database, (await play.folder()).id)
    const { generation } = await play.folder()
    const known = await entries.list()
    disk.replace('e.md', 'e\n')
    disk.erase('c.md')
    await play.settleLong()
    await entries.removeAll()
    for (const entry of known) await entries.save(entry)
    await createFoldersRepo(deps.database).update((await play.folder()).id, {
      generation,
      next_generation: null,
    })
    await play.settleLong()
    await play.expectKept(['a, later\n', 'b, later\n', 'd\n', 'e\n', 'text of c.md\n'])
    expect(Object.keys(await play.pages())).toEqual(expect.arrayContaining(['a.md', 'b.md', 'd.md', 'e.md']))
    await play.expectInStep()
  },
)

situation(
  'a second server is connected to the folder: the first one stops, and nothing goes',
  async (play) => {
    const { disk } = play
    fill(play, numbered('n/', 12))
    await play.settle()
    const other = await connectFolder(disk, startVoid())
    for (let round = 0; round < 3; round++) {
      await other.settle()
      await play.pass()
      other.wait(61)
      play.wait(61)
    }
    expect(await play.folder()).toMatchObject({
      paused: true,
      problem: 'Another Space or another server has been connected to this folder.',
    })
    expect(Object.keys(disk.texts())).toHaveLength(12)
    expect(Object.keys(await play.pages())).toHaveLength(12)
    expect(Object.keys(await other.pages())).toHaveLength(12)
  },
  { maxKills: 6 },
)

situation('the folder is copied, and the copy is connected to another Space', async (play) => {
  const { disk } = play
  fill(play, ['a.md', 'b.md'])
  await play.settle()
  const copy = newDisk()
  for (const [path, text] of Object.entries(disk.texts())) copy.replace(path, text)
  copy.replace('.void/folder.json', Buffer.from((await disk.read('.void/folder.json')).bytes))
  const other = await connectFolder(copy, Promise.resolve({ ...play, app: undefined as never }))
  await other.settle()
  copy.replace('a.md', 'in the copy\n')
  disk.erase('b.md')
  await other.settle()
  await play.settleLong()
  await other.settle()
  expect(await other.pages()).toEqual({ 'a.md': 'in the copy\n', 'b.md': 'text of b.md\n' })
  expect(await play.pages()).toEqual({ 'a.md': 'text of a.md\n' })
  expect((await play.folder()).problem).toBeNull()
})

situation(
  'the disk is full while Void writes, and one file cannot be read or written for a day',
  async (play) => {
    const { disk } = play
    fill(play, ['a.md', 'b.md', 'c.md'])
    await play.settle()
    await play.change('a.md', { body: 'a, in Void\n' })
    await play.change('b.md', { body: 'b, in Void\n' })
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS']) {
      let isFull = false
      disk.before = ({ name, path }) => {
        // From the temporary file on, nothing more can be written.
        if (name === 'create' && path.startsWith('.void/tmp/')) isFull = true
        else if (isFull && writes.has(name)) throw failing(code)
      }
      await play.pass()
      disk.before = () => {}
      expect(Object.keys(disk.texts())).toEqual(['a.md', 'b.md', 'c.md'])
    }
    await play.settleLong()
    expect(disk.texts()).toMatchObject({ 'a.md': 'a, in Void\n', 'b.md': 'b, in Void\n' })

    disk.replace('c.md', 'of root\n')
    disk.before = ({ name, path }) => {
      if (path === 'c.md' && name === 'read') throw failing('EACCES')
    }
    await play.change('c.md', { body: 'c, in Void\n' })
    for (let hours = 0; hours < 24; hours += 4) {
      await play.pass()
      play.wait(4 * 3600)
    }
    expect(disk.texts()['c.md']).toBe('of root\n')
    expect((await play.folder()).held).toEqual([{ path: 'c.md', reason: 'cannot be read (EACCES)' }])
    disk.before = () => {}
    await play.settleLong()
    await play.expectKept(['of root\n', 'c, in Void\n', 'a, in Void\n'])
    expect(await play.drafts()).toHaveLength(1)
  },
)

situation('a read fails or is short in the middle of a file, and a folder cannot be listed', async (play) => {
  const { disk } = play
  const paths = ['a.md', ...numbered('n/', 12)]
  fill(play, paths)
  await play.settle()
  disk.replace('a.md', 'a long text that is read in part\n')
  disk.reading = (path, bytes) => (path === 'a.md' ? bytes.subarray(0, 6) : bytes)
  for (let looks = 0; looks < 3; looks++) {
    await play.pass()
    play.wait(61)
  }
  expect((await play.pages())['a.md']).toBe('text of a.md\n')
  disk.reading = (_, bytes) => bytes
  disk.before = ({ name, path }) => {
    if (name === 'list' && path === 'n') throw failing('EIO')
    if (name === 'read' && path === 'a.md') throw failing('EIO')
  }
  for (let looks = 0; looks < 3; looks++) {
    await play.pass()
    play.wait(61)
  }
  expect(Object.keys(await play.pages())).toHaveLength(13)
  expect((await play.pages())['a.md']).toBe('text of a.md\n')
  disk.before = () => {}
  await play.settleLong()
  expect((await play.pages())['a.md']).toBe('a long text that is read in part\n')
  expect(Object.keys(disk.texts())).toHaveLength(13)
  await play.expectInStep()
})

situation(
  'the clock goes back and a year ahead, files are touched, and one is replaced with its time kept',
  async (play) => {
    const { disk, time } = play
    fill(play, ['a.md', 'b.md', 'c.md'])
    await play.settle()
    const before = await play.ids()
    const modified = (await disk.stat('a.md'))!.modifiedNs

    time.wall = -2 * 3_600_000
    await play.change('b.md', { body: 'b, two hours ago\n' })
    await play.settleLong()
    time.wall = 365 * 24 * 3_600_000
    disk.replace('c.md', 'c, next year\n')
    disk.touch('c.md', 4_000_000_000_000_000_000n)
    await play.settleLong()
    for (const path of ['a.md', 'b.md', 'c.md']) disk.touch(path)
    await play.settleLong()
    // As `rsync -t` does: other content of equal size, with the former time.
    disk.replace('a.md', 'TEXT of a.md\n')
    disk.touch('a.md', modified)
    await play.settleLong()

    const texts = { 'a.md': 'TEXT of a.md\n', 'b.md': 'b, two hours ago\n', 'c.md': 'c, next year\n' }
    expect([disk.texts(), await play.pages()]).toEqual([texts, texts])
    expect(await play.ids()).toEqual(before)
    expect((await play.folder()).problem).toBeNull()
  },
)

situation('no event ever arrives, and looks alone bring everything', async (play) => {
  const { disk } = play
  fill(play, numbered('n/', 30))
  await play.settle()
  disk.replace('n/0.md', 'saved\n')
  disk.moveByHand('n/1.md', 'm/1.md')
  disk.erase('n/2.md')
  disk.replace('new.md', 'new\n')
  await play.change('n/3.md', { body: 'in Void\n' })
  for (let looks = 0; looks < 8; looks++) {
    play.wait(45)
    await play.pass()
  }
  expect((await play.pages())['n/0.md']).toBe('saved\n')
  expect(Object.keys(await play.pages())).toHaveLength(30)
  await play.expectInStep()
})
