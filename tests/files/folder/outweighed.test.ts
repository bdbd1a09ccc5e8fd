// A change outweighs a deletion, and the deletion is a line in the Inbox.

import { expect, test } from 'vitest'
import { connectFolder, startVoid } from './synced-folder.ts'

async function start(voidApp = startVoid()) {
  const one = await connectFolder(undefined, voidApp)
  one.disk.replace('a.md', 'a\n')
  one.disk.replace('b.md', 'b\n')
  await one.settle()
  const drafts = async () => {
    const { body } = await one.owner
      .get(`/api/pending-changes?space_id=${one.space_id}&status=pending`)
      .expect(200)
    return body.items as { id: string; action: string; reason: string }[]
  }
  return { ...one, drafts }
}

test('a file that was deleted while its page changed is back, and can still be deleted', async () => {
  const one = await start()
  one.disk.erase('a.md')
  await one.change('a.md', { body: 'a, in Void\n' })

  await one.settleDeletions()

  expect(one.disk.texts()).toEqual({ 'a.md': 'a, in Void\n', 'b.md': 'b\n' })
  const [line, ...more] = await one.drafts()
  expect(more).toEqual([])
  expect(line).toMatchObject({
    action: 'delete',
    reason:
      'a.md was deleted in the folder while its page changed, so it is back. Approve to delete it after all.',
  })
  await one.owner.post(`/api/pending-changes/${line!.id}/approve`).send({}).expect(200)
  await one.settle()
  expect(one.disk.texts()).toEqual({ 'b.md': 'b\n' })
})

test('a page that was deleted while its file changed is back, too', async () => {
  const one = await start()
  await one.remove('a.md')
  one.disk.replace('a.md', 'a, in vim\n')

  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': 'a, in vim\n', 'b.md': 'b\n' })
  expect((await one.drafts()).map(({ reason }) => reason)).toEqual([
    'a.md was deleted in Void while it changed in the folder, so it is back. Approve to delete it after all.',
  ])
  // A decision to keep it is the end of it.
  const id = (await one.drafts())[0]!.id
  await one.owner.post(`/api/pending-changes/${id}/reject`).send({}).expect(200)
  one.wait(120)
  await one.settleDeletions()
  expect(await one.drafts()).toEqual([])
  expect(Object.keys(await one.pages())).toEqual(['a.md', 'b.md'])
})

test('what is plainly deleted, new or put back is no such line', async () => {
  const one = await start()
  one.disk.erase('a.md')
  await one.settleDeletions()
  one.disk.replace('a.md', 'again\n')
  one.disk.replace('new.md', 'new\n')
  await one.create('void.md', 'void\n')
  await one.settle()

  expect(await one.drafts()).toEqual([])
})

test.each(['folder', 'Void'])(
  'deleted in %s, it is drafted once, whatever instant the process ends',
  async (where) => {
    const voidApp = startVoid()
    const play = async (at: number) => {
      const one = await start(voidApp)
      if (where === 'Void') {
        await one.remove('a.md')
        one.disk.replace('a.md', 'a, in vim\n')
      } else {
        one.disk.erase('a.md')
        await one.change('a.md', { body: 'a, in Void\n' })
        await one.settle()
        one.wait(61)
      }
      const before = one.kill.count
      one.kill.at = at === 0 ? 0 : before + at
      await one.settle()
      const steps = one.kill.count - before
      await one.settleDeletions()
      await one.settleDeletions()

      const reasons = (await one.drafts()).map(({ action, reason }) => `${action}: ${reason}`)
      expect(reasons, `killed before operation ${at}`).toEqual([
        expect.stringContaining(
          `delete: a.md was deleted in ${where === 'Void' ? 'Void' : 'the folder'} while`,
        ),
      ])
      expect(Object.keys(await one.pages()), `killed before operation ${at}`).toEqual(['a.md', 'b.md'])
      expect(one.disk.texts(), `killed before operation ${at}`).toEqual(await one.pages())
      return steps
    }

    const operations = await play(0)
    for (let at = 1; at <= operations; at++) await play(at)
  },
)

test('a deletion that the limits of drafts hold up is drafted once there is room', async () => {
  const one = await start(startVoid({ draftsWaiting: 1 }))
  for (const path of ['a.md', 'b.md']) {
    await one.remove(path)
    one.disk.replace(path, `${path}, in vim\n`)
  }
  await one.settle()
  const [first, ...more] = await one.drafts()
  expect(more).toEqual([])
  expect((await one.folder()).held).toMatchObject([
    { path: 'b.md', reason: 'waits until you have decided on other changes of the folder' },
  ])

  await one.owner.post(`/api/pending-changes/${first!.id}/reject`).send({}).expect(200)
  await one.settle()

  expect((await one.drafts()).map(({ reason }) => reason)).toEqual([
    expect.stringContaining('b.md was deleted in Void'),
  ])
  expect((await one.folder()).held).toEqual([])
})

test('each deletion is asked about: also the next one of a note that the owner chose to keep', async () => {
  const one = await start()
  for (const text of ['one\n', 'two\n']) {
    await one.remove('a.md')
    one.disk.replace('a.md', text)
    await one.settle()
    const [line, ...more] = await one.drafts()
    expect(more).toEqual([])
    await one.owner.post(`/api/pending-changes/${line!.id}/reject`).send({}).expect(200)
    one.restart()
    await one.settle()
    expect(await one.drafts()).toEqual([])
  }
})
