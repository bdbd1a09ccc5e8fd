// Where the system does not report changes, the state says that they are found every minute, and they are.

import { type FSWatcher, mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFolders } from '../../../lib/files/folder/disk/watch-folders.ts'
import { createFolders } from '../../../lib/files/folder/folders.ts'
import { makeRealFolder } from './real-folder.ts'

type WatchOne = NonNullable<Parameters<typeof watchFolders>[2]>

/** A connected folder whose watches are made by `watchOne`, and a way to look at it. */
async function startWatching(watchOne: WatchOne, scanMs: number) {
  const one = await makeRealFolder({ running: false })
  const { database, kinds, threads, content, changes, server } = one.deps
  const folders = createFolders({
    ...{ database, kinds, threads, writer: content.writer, proposeChange: changes.proposeChange },
    retractChange: changes.retractChange,
    ...{ logger: server.logger, now: () => new Date(), dataFolder: server.dataFolder, allowed: [one.path] },
    scanMs,
    watch: (root, onHint) => watchFolders(root, onHint, watchOne),
  })
  writeFileSync(join(one.path, 'a.md'), 'one\n')
  mkdirSync(join(one.path, 'n'))
  writeFileSync(join(one.path, 'n', 'b.md'), 'two\n')
  await one.owner.put(`${one.at}/folder`).send({ path: one.path }).expect(200)
  onTestFinished(folders.start())
  await expect.poll(one.pages, { timeout: 10_000 }).toMatchObject({ 'a.md': 'one\n', 'n/b.md': 'two\n' })
  const isWatched = async () => {
    const { body: status } = await one.owner.get(`${one.at}/folder`).expect(200)
    const { body: home } = await one.owner.get(`${one.at}/overview`).expect(200)
    expect(home.folder.watched).toBe(status.watched)
    return status.watched as boolean
  }
  const save = (name: string, text: string) => writeFileSync(join(one.path, name), text)
  return { ...one, isWatched, save }
}

const refused = (code: string) => Object.assign(new Error(`${code}: no more watches`), { code })

test.each(['ENOSPC', 'EMFILE'])(
  'at the limit of watches (%s) a scan finds changes, and the state says so',
  async (code) => {
    let left = 1
    const one = await startWatching((path, options, onEvent) => {
      if (left-- <= 0) throw refused(code)
      return watch(path, options, onEvent)
    }, 50)
    await expect.poll(one.isWatched, { timeout: 10_000 }).toBe(false)

    one.save('n/b.md', 'two, in vim\n')
    await expect.poll(one.pages, { timeout: 10_000 }).toMatchObject({ 'n/b.md': 'two, in vim\n' })
    expect(await one.isWatched()).toBe(false)

    left = 100
    await expect.poll(one.isWatched, { timeout: 10_000 }).toBe(true)
  },
)

test('a folder whose changes come to light without an event is not reported on, until one comes again', async () => {
  let isSilent = true
  const one = await startWatching(
    (path, options, onEvent) => watch(path, options, (event, name) => isSilent || onEvent(event, name)),
    50,
  )
  expect(await one.isWatched()).toBe(true)

  // Until the folders have been watched during a whole look, a change says nothing.
  await expect
    .poll(
      async () => {
        one.save('a.md', `${performance.now()}\n`)
        return await one.isWatched()
      },
      { timeout: 20_000, interval: 1000 },
    )
    .toBe(false)

  isSilent = false
  await expect
    .poll(
      async () => {
        one.save('a.md', `${performance.now()}\n`)
        return await one.isWatched()
      },
      { timeout: 20_000, interval: 1000 },
    )
    .toBe(true)
})

test('a folder that is reported on stays so, whatever is changed and by whom', async () => {
  const one = await startWatching(watch, 50)
  for (let n = 0; n < 5; n++) {
    one.save('a.md', `one, ${n}\n`)
    mkdirSync(join(one.path, `new ${n}`))
    one.save(`new ${n}/c.md`, `three, ${n}\n`)
    await expect
      .poll(one.pages, { timeout: 10_000 })
      .toMatchObject({ 'a.md': `one, ${n}\n`, [`new ${n}/c.md`]: `three, ${n}\n` })
    expect(await one.isWatched()).toBe(true)
  }
})

test('a folder that went meanwhile, or one that may not be watched twice, is no shortage', () => {
  const none = { on: () => none, close: () => {} } as unknown as FSWatcher
  const watched = watchFolders(
    '/notes',
    () => {},
    (path) => {
      if (path.endsWith('gone')) throw refused('ENOENT')
      return none
    },
  )

  watched.follow(new Set(['', 'gone']), { changed: [], unsettled: false })

  expect(watched.isComplete()).toBe(true)
})
