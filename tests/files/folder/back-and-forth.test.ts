// A note that two programs change against each other.

import { expect, test } from 'vitest'
import { listResting, newBackAndForth, noteTurn } from '../../../lib/files/folder/plan/back-and-forth.ts'
import { connectFolder } from './synced-folder.ts'

const held = async (one: Awaited<ReturnType<typeof connectFolder>>) => (await one.folder()).held

test('a program that takes back each change of Void is stopped, named, and tried again later', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'theirs\n')
  one.disk.replace('b.md', 'other\n')
  await one.settle()

  for (let round = 0; round < 4; round++) {
    await one.change('a.md', { body: `of Void, ${round}\n` })
    await one.settle()
    one.disk.replace('a.md', `theirs ${'!'.repeat(round)}\n`)
    await one.settle()
    one.wait(1)
  }

  const reason = 'is changed back and forth by two programs'
  expect(await held(one)).toEqual([{ path: 'a.md', reason }])
  // The last change of each side is where it was made.
  expect(one.disk.texts()['a.md']).toBe('theirs !!!\n')
  expect((await one.pages())['a.md']).toBe('of Void, 3\n')
  one.disk.edit('b.md', 'other, edited\n')
  await one.settle()
  expect((await one.pages())['b.md']).toBe('other, edited\n')

  one.wait(601)
  await one.settle()
  expect(await held(one)).toEqual([])
})

test('two programs in the folder that change a file in turn are stopped as well', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'one\n')
  await one.settle()

  for (let round = 0; round < 8; round++) {
    one.disk.edit('a.md', round % 2 === 0 ? 'two\n' : 'one\n')
    await one.settle()
    one.wait(1)
  }

  expect((await held(one)).map(({ path }) => path)).toEqual(['a.md'])
  const page = await one.page('a.md')
  expect(page!.version).toBeLessThanOrEqual(8)
})

test('one side that saves often, and two that take their time, are not held', async () => {
  const one = await connectFolder()
  one.disk.replace('a.md', 'text\n')
  await one.settle()

  for (let save = 0; save < 20; save++) {
    one.disk.edit('a.md', `text ${save}\n`)
    await one.settle()
  }
  for (let round = 0; round < 5; round++) {
    await one.change('a.md', { body: `of Void ${round}\n` })
    await one.settle()
    one.wait(30)
    one.disk.edit('a.md', `theirs ${round}\n`)
    await one.settle()
    one.wait(30)
  }

  expect(await held(one)).toEqual([])
  expect((await one.pages())['a.md']).toBe('theirs 4\n')
})

test('more than five turns in a minute, each of which goes back', () => {
  const turns = (gapMs: number, count: number) => {
    const memory = newBackAndForth()
    for (let turn = 0; turn < count; turn++) {
      const to = turn % 2 === 0 ? 'file' : 'page'
      noteTurn(memory, 'a.md', { to, text: `${turn}`, over: null }, turn * gapMs)
      // A turn that is carried out again is the same one.
      noteTurn(memory, 'a.md', { to, text: `${turn}`, over: null }, turn * gapMs)
    }
    return [...listResting(memory, count * gapMs)]
  }

  expect(turns(1000, 5)).toEqual([])
  expect(turns(1000, 6)).toEqual(['a.md'])
  expect(turns(11_000, 6)).toEqual(['a.md'])
  expect(turns(12_000, 20)).toEqual([])
})
