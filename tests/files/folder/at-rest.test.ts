// A pass that would do nothing reads neither the pages nor what is known of the notes; and whatever changes, in whatever way, the
// next pass sees it, in a server that keeps running.

import { expect, test, vi } from 'vitest'
import { readStore, restoreStore, type StoreState } from '../../helpers/reset-store.ts'
import { connectFolder, type SyncedFolder, startVoid } from './synced-folder.ts'

const notes = 20

type Resting = SyncedFolder & {
  rowsOfPass(): Promise<number>
  earlier: { store: StoreState; disk: () => void }
}

/** A folder whose last pass found nothing to do, and both sides as they were before their last change. */
async function rest(voidApp = startVoid()): Promise<Resting> {
  const one = await connectFolder(undefined, voidApp)
  one.disk.replace('.voidignore', 'left-out.md\n')
  one.disk.replace('left-out.md', 'left out\n')
  for (let n = 0; n < notes; n++) one.disk.replace(`n/${n}.md`, `text ${n}\n`)
  one.disk.replace('a.md', 'one\n')
  await settleTwice(one)
  const earlier = { store: await readStore(one.deps.database), disk: one.disk.snapshot() }
  one.disk.edit('a.md', 'two\n')
  one.wait(1)
  await settleTwice(one)
  const { database } = one.deps
  const rowsOfPass = async () => {
    const query = vi.spyOn(database, 'query')
    await one.pass()
    const answers = await Promise.all(query.mock.results.map(({ value }) => value))
    query.mockRestore()
    return answers.reduce((sum: number, { rows }: { rows: unknown[] }) => sum + rows.length, 0)
  }
  return { ...one, rowsOfPass, earlier }
}

async function settleTwice(one: SyncedFolder): Promise<void> {
  await one.settle()
  one.wait(61)
  await one.settle()
  await one.pass()
}

test('a pass with nothing to do loads no notes, and says that both sides are in step', async () => {
  const one = await rest()
  const before = await one.folder()
  one.wait(45)

  const rows = await one.rowsOfPass()

  expect(rows).toBeLessThan(notes / 2)
  const { last_at, ...folder } = await one.folder()
  expect(Date.parse(last_at!)).toBeGreaterThan(Date.parse(before.last_at!))
  expect({ ...folder, last_at: before.last_at }).toEqual(before)
})

test('what is held stays listed while nothing changes, and a problem that is over is not', async () => {
  const one = await rest()
  one.disk.replace('latin.md', Buffer.from([0x66, 0xfc, 0x72]))
  await settleTwice(one)
  const { held } = await one.folder()
  one.disk.missing = true
  await one.pass()
  expect((await one.folder()).problem).not.toBeNull()

  one.disk.missing = false
  const rows = await one.rowsOfPass()

  expect(rows).toBeLessThan(notes / 2)
  expect(held).toMatchObject([{ path: 'latin.md' }])
  expect(await one.folder()).toMatchObject({ held, problem: null })
})

const sides = async (one: SyncedFolder) => ({ files: one.disk.texts(), pages: await one.pages() })

type Change = { what: string; change: (one: Resting) => unknown; path: string; text: string | undefined }

const changes: Change[] = [
  {
    what: 'a file of the same size, whose time was put back',
    async change({ disk }) {
      const { modifiedNs } = (await disk.stat('n/1.md'))!
      disk.edit('n/1.md', 'next 1\n')
      disk.touch('n/1.md', modifiedNs)
    },
    path: 'n/1.md',
    text: 'next 1\n',
  },
  {
    what: 'another file',
    change: ({ disk }) => disk.replace('n/1.md', 'next 1\n'),
    path: 'n/1.md',
    text: 'next 1\n',
  },
  {
    what: 'a new file',
    change: ({ disk }) => disk.replace('m/new.md', 'new\n'),
    path: 'm/new.md',
    text: 'new\n',
  },
  {
    what: 'a moved file',
    change: ({ disk }) => disk.moveByHand('n/1.md', 'm/1.md'),
    path: 'm/1.md',
    text: 'text 1\n',
  },
  {
    what: 'a file that is gone',
    change: ({ disk }) => disk.erase('n/1.md'),
    path: 'n/1.md',
    text: undefined,
  },
  {
    what: 'a page',
    change: (one) => one.change('n/1.md', { body: 'in Void\n' }),
    path: 'n/1.md',
    text: 'in Void\n',
  },
  {
    what: 'a moved page',
    change: (one) => one.change('n/1.md', { path: 'm/1.md' }),
    path: 'm/1.md',
    text: 'text 1\n',
  },
  {
    what: 'a new page',
    change: (one) => one.create('m/page.md', 'page\n'),
    path: 'm/page.md',
    text: 'page\n',
  },
  { what: 'a page in the trash', change: (one) => one.remove('n/1.md'), path: 'n/1.md', text: undefined },
  {
    what: 'a rule that is gone',
    change: ({ disk }) => disk.erase('.voidignore'),
    path: 'left-out.md',
    text: 'left out\n',
  },
]

test('the next pass sees what changed on either side, though nobody announced it', async () => {
  const voidApp = startVoid()
  for (const { what, change, path, text } of changes) {
    const one = await rest(voidApp)
    expect(await one.rowsOfPass(), what).toBeLessThan(notes / 2)
    one.wait(45)

    await change(one)
    one.wait(45)
    await settleTwice(one)

    const { files, pages } = await sides(one)
    expect([files[path], pages[path]], what).toEqual([text, text])
    expect(files, what).toMatchObject(pages)
  }
})

test('an older database under a server that runs is joined with the folder, and nothing is deleted', async () => {
  const one = await rest()
  one.disk.replace('late.md', 'late\n')
  await settleTwice(one)

  await restoreStore(one.deps.database, one.earlier.store)
  one.wait(3601)
  await settleTwice(one)

  const { files, pages } = await sides(one)
  expect(files).toMatchObject({ 'a.md': 'two\n', 'late.md': 'late\n' })
  expect(Object.keys(pages)).toEqual(Object.keys(files).filter((path) => path !== 'left-out.md'))
  expect(pages['late.md']).toBe('late\n')
})

test('an older database whose position is that of a pass at rest, with other texts, is looked at', async () => {
  const one = await rest()
  const { database } = one.deps
  const { rows } = await database.query<{ id: string }>(
    `select id from pages where space_id = $1 and path = 'a.md'`,
    [one.space_id],
  )
  // As many versions later as were lost, and as many rows: another text, which no pass has seen.
  await restoreStore(database, one.earlier.store)
  const marker = JSON.parse(one.disk.peek('.void/folder.json')!)
  await database.query('update folders set generation = $2 where space_id = $1', [
    one.space_id,
    marker.generation,
  ])
  await one.change('a.md', { body: 'another two\n' })
  one.wait(3601)
  await settleTwice(one)

  expect(rows).toHaveLength(1)
  const waiting = await one.owner.get('/api/pending-changes?status=pending').expect(200)
  const texts = [...one.disk.allTexts(), ...Object.values(await one.pages())]
  texts.push(...waiting.body.items.map(({ payload }: { payload: { body: string } }) => payload.body))
  expect(texts).toEqual(expect.arrayContaining(['two\n', 'another two\n']))
  expect(waiting.body.items.length).toBeGreaterThan(0)
})

test('an older folder under a server that runs is joined with the Space, and nothing is deleted', async () => {
  const one = await rest()
  await one.create('late.md', 'late\n')
  await settleTwice(one)

  one.earlier.disk()
  one.wait(3601)
  await settleTwice(one)

  const { files, pages } = await sides(one)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(Object.keys(pages)))
  expect(files['late.md']).toBe('late\n')
})

test('a text that changed unsaid by the disk is found within a day', async () => {
  const one = await rest()
  one.disk.rot('n/1.md', 'next 1\n')
  one.wait(45)
  await one.settle()
  expect((await one.pages())['n/1.md']).toBe('text 1\n')

  one.wait(24 * 3600)
  await one.settle()

  expect((await one.pages())['n/1.md']).toBe('next 1\n')
})
