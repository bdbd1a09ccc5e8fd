// A change outweighs a deletion, and the deletion is a line in the Inbox.

import { expect, test } from 'vitest'
import { connectFolder } from './synced-folder.ts'

async function start() {
  const one = await connectFolder()
  one.disk.replace('a.md', 'a\n')
  one.disk.replace('b.md', 'b\n')
  await one.settle()
  const drafts = async () => {
    const { body } = await one.owner.get('/api/pending-changes?status=pending').expect(200)
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
