// When a file that somebody saves is read: once nobody has written to it for half a second, which the system's word and the
// file's times together say in one pass, and either alone in two.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFolders } from '../../../lib/files/folder/disk/watch-folders.ts'
import { createSimDisk } from './sim-disk.ts'
import { connectFolder } from './synced-folder.ts'

/** In step, on a disk whose clock is that of the server. */
async function start() {
  const one = await connectFolder(createSimDisk(1_800_000_000_000n * 1_000_000n))
  one.disk.replace('a.md', 'one\n')
  one.wait(10)
  await one.settle()
  one.wait(10)
  const textAfterPass = async () => {
    await one.pass()
    return (await one.pages())['a.md']
  }
  return { ...one, textAfterPass }
}

test('a save that was announced half a second ago is taken over by one pass', async () => {
  const one = await start()
  one.disk.edit('a.md', 'two\n')
  one.announce('a.md')
  one.wait(0.55)

  expect(await one.textAfterPass()).toBe('two\n')
})

test('without a word of the system it takes two', async () => {
  const one = await start()
  one.disk.edit('a.md', 'two\n')
  one.wait(0.55)

  expect(await one.textAfterPass()).toBe('one\n')
  one.wait(0.55)
  expect(await one.textAfterPass()).toBe('two\n')
})

test.each([true, false])(
  'a file that is still written to is not read, announced (%s) or not',
  async (again) => {
    const one = await start()
    one.disk.edit('a.md', 'half')
    one.announce('a.md')
    one.wait(0.45)
    one.disk.edit('a.md', 'half, and a')
    if (again) one.announce('a.md')
    one.wait(0.1)

    expect(await one.textAfterPass()).toBe('one\n')
    one.disk.edit('a.md', 'half, and another\n')
    one.wait(0.55)
    expect(await one.textAfterPass()).toBe('half, and another\n')
  },
)

test('nor is one whose times are of another clock, by the word of the system alone', async () => {
  const one = await start()
  one.disk.edit('a.md', 'two\n')
  one.disk.touch('a.md', 1_900_000_000_000n * 1_000_000n)
  one.announce('a.md')
  one.wait(0.55)

  expect(await one.textAfterPass()).toBe('one\n')
  one.wait(0.55)
  expect(await one.textAfterPass()).toBe('two\n')
})

test('one that was emptied is waited for, as it may be saved in place', async () => {
  const one = await start()
  one.disk.edit('a.md', '')
  one.announce('a.md')
  one.wait(0.55)

  expect(await one.textAfterPass()).toBe('one\n')
  one.wait(5.5)
  expect(await one.textAfterPass()).toBe('')
})

test('the system says which file of which folder changed', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'void-folders-')))
  const said: (string | null)[] = []
  const watch = watchFolders(root, (path) => said.push(path))
  onTestFinished(() => {
    watch.close()
    rmSync(root, { recursive: true, force: true })
  })
  mkdirSync(join(root, 'n'))
  watch.follow(new Set(['', 'n/']), { changed: [], unsettled: false })

  writeFileSync(join(root, 'a.md'), 'one\n')
  writeFileSync(join(root, 'n', 'b.md'), 'two\n')

  await expect.poll(() => said).toEqual(expect.arrayContaining(['a.md', 'n/b.md']))
})
