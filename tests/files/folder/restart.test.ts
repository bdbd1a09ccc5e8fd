// What a server that starts anew, runs for days, gets no events or has an older database makes of a folder.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolders } from '../../../lib/files/folder/folders.ts'
import { readStore, restoreStore } from '../../helpers/reset-store.ts'
import { runs } from '../../helpers/runs.ts'
import { makeRealFolder } from './real-folder.ts'
import { connectFolder, startVoid } from './synced-folder.ts'

test('a text that changed while the disk says that it did not is found at the start, and once a day', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()

  one.disk.rot('a.md', 'two\n')
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': 'one\n' })
  one.restart()
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': 'two\n' })

  one.disk.rot('a.md', 'six\n')
  one.wait(23 * 3600)
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': 'two\n' })
  one.wait(3601)
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': 'six\n' })
})

test('bytes that changed beside the text, unsaid by the disk, hold no change of Void up', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one \r\ntwo\n')
  await one.settle()
  one.disk.rot('a.md', 'one \ntwo\r\n')
  one.restart()
  await one.settle()

  await one.change('a.md', { body: 'one!\ntwo\n' })
  await one.settle()

  expect(one.disk.texts()).toEqual({ 'a.md': 'one!\ntwo\r\n' })
})

test('the minute for which a file is missing begins anew with a server', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()
  one.disk.erase('a.md')

  for (let starts = 0; starts < 4; starts++) {
    await one.settle()
    one.wait(50)
    await one.settle()
    one.restart()
  }
  expect(Object.keys(await one.pages())).toEqual(['a.md', 'b.md'])

  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toEqual(['b.md'])
})

test('a file that was out of reach meanwhile is missing from then on', async () => {
  const one = await connectFolder()
  one.disk.replace('n/a.md', 'one\n')
  one.disk.replace('b.md', 'two\n')
  await one.settle()
  one.disk.erase('n/a.md')
  await one.settle()

  one.wait(50)
  one.disk.before = ({ name, path }) => {
    if (name === 'list' && path === 'n') throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
  }
  await one.pass()
  one.disk.before = () => {}
  await one.settle()
  one.wait(50)
  await one.settle()

  expect(Object.keys(await one.pages())).toEqual(['b.md', 'n/a.md'])
})

test('links that a move broke are offered as one changeset, whatever instant the process ends', async () => {
  const voidApp = startVoid()
  const play = async (at: number) => {
    const one = await connectFolder(undefined, voidApp)
    one.disk.replace('a.md', 'a\n')
    for (const name of ['b', 'c']) one.disk.replace(`${name}.md`, `${name}, see [[a]]\n`)
    await one.settle()
    const before = one.kill.count
    one.kill.at = at === 0 ? 0 : before + at
    one.disk.moveByHand('a.md', 'm/renamed.md')
    await one.settle()
    // Whatever it remembers of the move ends with the process.
    one.restart()
    one.wait(61)
    await one.settle()
    const steps = one.kill.count - before
    one.wait(61)
    await one.settle()

    const { body } = await one.owner.get(`/api/pending-changes?space_id=${one.space_id}&status=pending`)
    const drafts = body.items as { payload: { body: string }; changeset_id: string }[]
    expect(drafts.map(({ payload }) => payload.body).toSorted(), `killed before operation ${at}`).toEqual([
      'b, see [[renamed]]\n',
      'c, see [[renamed]]\n',
    ])
    expect(new Set(drafts.map(({ changeset_id }) => changeset_id)).size).toBe(1)
    return steps
  }

  const operations = await play(0)
  for (let at = 1; at <= operations; at += 10 / runs(10)) await play(at)
})

test('a database of yesterday, with the folder of today, is joined with it: nothing is deleted', async () => {
  const one = await connectFolder()
  const { database } = one.deps
  for (const name of ['a', 'b', 'c']) one.disk.replace(`${name}.md`, `${name}\n`)
  await one.settle()
  const yesterday = await readStore(database)

  one.disk.edit('a.md', 'a, today\n')
  one.disk.erase('b.md')
  await one.change('c.md', { body: 'c, today\n' })
  one.disk.replace('d.md', 'd\n')
  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toEqual(['a.md', 'c.md', 'd.md'])
  await restoreStore(database, yesterday)
  one.restart()
  await one.settleDeletions()

  // The file of what was changed stays, as a draft beside the page; that `b.md` was deleted nobody knows any more.
  const files = { 'a.md': 'a, today\n', 'b.md': 'b\n', 'c.md': 'c, today\n', 'd.md': 'd\n' }
  expect(one.disk.texts()).toEqual(files)
  expect(await one.pages()).toEqual({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n', 'd.md': 'd\n' })
  const { body } = await one.owner.get('/api/pending-changes?status=pending').expect(200)
  expect(body.items.map(({ payload }: { payload: { body: string } }) => payload.body).toSorted()).toEqual([
    'a, today\n',
    'c, today\n',
  ])
  expect((await one.folder()).problem).toBeNull()
})

test('what Void keeps in a folder is no part of its repository, where a checkout would bring an older marker back', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()
  expect(one.disk.peek('.void/.gitignore')).toBe('*\n')

  // Somebody else's stays.
  one.disk.replace('.void/.gitignore', '*\n!trash\n')
  await one.settle()
  expect(one.disk.peek('.void/.gitignore')).toBe('*\n!trash\n')
})

test('a folder that cannot be written is read all the same', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()
  one.disk.erase('.void/.gitignore')
  one.disk.before = ({ name, path }) => {
    if (name === 'create' && path.endsWith('.gitignore'))
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' })
  }

  await one.settle()

  expect((await one.folder()).problem).toBeNull()
})

test('without events, scans alone bring everything: saves, new notes, moves and changes of Void', async () => {
  const { path, owner, at, deps, pages } = await makeRealFolder({ running: false })
  const { database, kinds, threads, content, changes, server } = deps
  const save = (name: string, text: string) => writeFileSync(join(path, name), text)
  const watched: string[] = []
  const folders = createFolders({
    ...{ database, kinds, threads, writer: content.writer, proposeChange: changes.proposeChange },
    retractChange: changes.retractChange,
    ...{ logger: server.logger, now: () => new Date(), dataFolder: server.dataFolder, allowed: [path] },
    scanMs: 50,
    // As where the system has no more watches, or the disk is a network’s.
    watch: (root) => {
      watched.push(root)
      return { follow: () => {}, isComplete: () => false, close: () => {} }
    },
  })
  save('a.md', 'one\n')
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  onTestFinished(folders.start())

  await expect.poll(pages, { timeout: 10_000 }).toEqual({ 'a.md': 'one\n' })
  save('a.md', 'one, in vim\n')
  save('b.md', 'two\n')
  await expect.poll(pages, { timeout: 10_000 }).toEqual({ 'a.md': 'one, in vim\n', 'b.md': 'two\n' })
  renameSync(join(path, 'b.md'), join(path, 'c.md'))
  await expect.poll(pages, { timeout: 10_000 }).toEqual({ 'a.md': 'one, in vim\n', 'c.md': 'two\n' })
  expect(watched).toEqual([path])
})
