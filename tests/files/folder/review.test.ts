// What others change in a folder with review: a draft first, and nothing on either side until the owner has decided.

import { expect, test } from 'vitest'
import { createFoldersRepo } from '../../../lib/db/repos/folders.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent } from '../../helpers/world.ts'
import { createRawClient } from '../../outside/mcp/raw-client.ts'
import { connectFolder } from './synced-folder.ts'

const whole = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix\n\nseven\n'
const byAgent = whole.replace('one', 'ONE').replace('seven', 'SEVEN')

async function start(texts: Record<string, string>, review: 'others' | 'all' = 'all') {
  const one = await connectFolder()
  for (const [path, text] of Object.entries(texts)) one.disk.replace(path, text)
  await createFoldersRepo(one.deps.database).update((await one.folder()).id, { review })
  await one.settle()
  const drafts = async () => {
    const { body } = await one.owner.get('/api/pending-changes?status=pending').expect(200)
    return body.items as {
      id: string
      action: string
      changeset_id: string
      reason: string
      payload: Record<string, unknown>
      provenance: { known: boolean; sources: { title: string; origin: string; untrusted: boolean }[] }
    }[]
  }
  const draft = async () => {
    const [first, ...more] = await drafts()
    expect(more).toEqual([])
    return first!
  }
  const approve = async (id: string, terms: object = {}) => {
    await one.owner.post(`/api/pending-changes/${id}/approve`).send(terms).expect(200)
    await one.settle()
  }
  const reject = async (id: string) => {
    await one.owner.post(`/api/pending-changes/${id}/reject`).send({ reason: 'No.' }).expect(200)
    await one.settle()
  }
  return { ...one, drafts, draft, approve, reject }
}

test('what is there at first is taken over; what comes later waits', async () => {
  const one = await start({ 'a.md': whole })
  expect(await one.pages()).toEqual({ 'a.md': whole })
  expect(await one.drafts()).toEqual([])

  one.disk.replace('a.md', byAgent)
  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': whole })
  expect(one.disk.texts()).toEqual({ 'a.md': byAgent })
  const { action, payload, provenance, reason } = await one.draft()
  expect({ action, payload, reason }).toEqual({
    action: 'update',
    payload: { body: byAgent },
    reason: 'a.md changed in the folder.',
  })
  expect(provenance).toMatchObject({
    known: false,
    sources: [{ title: 'a.md', origin: 'folder', untrusted: true }],
  })
})

test('approved, the page takes it, as words from the folder', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()

  await one.approve((await one.draft()).id)

  expect(await one.pages()).toEqual({ 'a.md': byAgent })
  expect(one.disk.texts()).toEqual({ 'a.md': byAgent })
  expect((await one.page('a.md'))?.origin).toBe('folder')
  expect(await one.drafts()).toEqual([])
})

test('approved in part, page and file become the approved text', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()

  await one.approve((await one.draft()).id, { fields: ['body'], hunks: { body: [1] } })

  const part = whole.replace('seven', 'SEVEN')
  expect(await one.pages()).toEqual({ 'a.md': part })
  expect(one.disk.texts()).toEqual({ 'a.md': part })
  // The rest can still be decided on, and changes nothing until then.
  const rest = await one.draft()
  expect(rest.payload).toEqual({ body: byAgent })
  await one.reject(rest.id)
  expect(one.disk.texts()).toEqual({ 'a.md': part })
})

test('rejected in part, the rest is written once it is approved', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()
  const { id } = await one.draft()

  const keep = { fields: ['body'], hunks: { body: [0] } }
  await one.owner.post(`/api/pending-changes/${id}/reject`).send({ keep }).expect(200)
  await one.settle()

  expect(one.disk.texts()).toEqual({ 'a.md': whole })
  await one.approve((await one.draft()).id)
  expect(one.disk.texts()).toEqual({ 'a.md': whole.replace('one', 'ONE') })
})

test.each([
  ['plain', whole],
  ['with a byte order mark and other line breaks', `\uFEFF${whole.replaceAll('\n', '\r\n')}`],
  ['with mixed line breaks and no end', 'one\r\ntwo\nthree\r\n\n\r\nfour'],
])('rejected, the former bytes come back: %s', async (_, former) => {
  const one = await start({ 'a.md': former })
  const text = (await one.pages())['a.md']
  one.disk.replace('a.md', byAgent)
  await one.settle()

  await one.reject((await one.draft()).id)

  expect(one.disk.texts()).toEqual({ 'a.md': former })
  expect(await one.pages()).toEqual({ 'a.md': text })
})

test('the former bytes come back also where Void wrote them last', async () => {
  const one = await start({ 'a.md': 'one\r\ntwo\nthree\r\n' })
  await one.change('a.md', { body: 'one\ntwo, in Void\nthree\n' })
  await one.settle()
  const former = one.disk.texts()['a.md']
  one.disk.replace('a.md', 'another\n')
  await one.settle()

  await one.reject((await one.draft()).id)

  expect(one.disk.texts()['a.md']).toBe(former)
})

test('what was rejected is on no disk a minute later, in no search, in no page and in no answer of a tool', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', `${whole}\nxylophone\n`)
  one.disk.replace('new.md', 'xylophone solo\n')
  await one.settle()
  for (const { id } of await one.drafts()) await one.reject(id)

  one.wait(2)
  await one.settle()
  one.wait(61)
  await one.settle()

  expect(one.disk.texts()).toEqual({ 'a.md': whole })
  expect(one.disk.allTexts().filter((text) => text.includes('xylophone'))).toEqual([])
  const { body } = await one.owner.get(`/api/search?q=xylophone&space_id=${one.space_id}`).expect(200)
  expect(body.items).toEqual([])
  const { rows } = await one.deps.database.query(
    `select 1 from chunks where text like '%xylophone%' union all select 1 from pages where body like '%xylophone%'`,
  )
  expect(rows).toEqual([])
  const { token } = await makeAgent(one, { slug: 'reader', spaces: [one.space_id], tier: 'read' })
  const client = createRawClient(await listen(one.app), token)
  const { id } = (await one.page('a.md'))!
  const call = async (name: string, args: object) =>
    JSON.stringify((await client.request('tools/call', { name, arguments: args })).result)
  const read = await call('read', { kind: 'page', id })
  expect(read).toContain('seven')
  expect(read).not.toContain('xylophone')
  expect(await call('search', { query: 'xylophone' })).not.toContain('solo')
})

test('a program that still writes into the rejected file loses nothing', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  const handle = one.disk.openHandle('a.md')
  await one.settle()
  await one.reject((await one.draft()).id)

  handle.write('written late\n')
  one.wait(2)
  await one.settle()

  expect(Object.values(one.disk.texts())).toEqual(expect.arrayContaining([whole, 'written late\n']))
})

test('a new file waits; approved it is a page, rejected it goes', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('n/new.md', 'new\n')
  await one.settle()
  expect(await one.pages()).toEqual({ 'a.md': whole })
  const first = await one.draft()
  expect(first).toMatchObject({
    action: 'create',
    payload: { path: 'n/new.md', body: 'new\n', title: 'new' },
  })

  await one.reject(first.id)
  expect(one.disk.texts()).toEqual({ 'a.md': whole })
  // The same again is asked again: the owner may have come to think otherwise.
  one.disk.replace('n/new.md', 'new\n')
  await one.settle()
  await one.approve((await one.draft()).id)

  expect(await one.pages()).toEqual({ 'a.md': whole, 'n/new.md': 'new\n' })
  expect(one.disk.texts()).toEqual({ 'a.md': whole, 'n/new.md': 'new\n' })
  expect((await one.page('n/new.md'))?.origin).toBe('folder')
})

test('a deletion waits; rejected the file comes back, approved the page goes', async () => {
  const one = await start({ 'a.md': '\uFEFFone\r\n', 'b.md': whole, 'c.md': 'c\n' })
  one.disk.erase('a.md')
  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toEqual(['a.md', 'b.md', 'c.md'])
  const first = await one.draft()
  expect(first).toMatchObject({ action: 'delete', reason: 'a.md was deleted in the folder.' })

  await one.reject(first.id)
  expect(one.disk.texts()['a.md']).toBe('\uFEFFone\r\n')

  one.disk.erase('a.md')
  await one.settleDeletions()
  await one.approve((await one.draft()).id)
  await one.settleDeletions()
  expect(Object.keys(await one.pages())).toEqual(['b.md', 'c.md'])
  expect(Object.keys(one.disk.texts())).toEqual(['b.md', 'c.md'])
})

test('a move waits, with what changed in it', async () => {
  const one = await start({ 'a.md': whole, 'b.md': 'b\n' })
  one.disk.moveByHand('a.md', 'n/a.md')
  one.disk.edit('n/a.md', byAgent)
  await one.settle()
  const first = await one.draft()
  expect(first).toMatchObject({ action: 'update', payload: { path: 'n/a.md', body: byAgent } })
  expect(await one.pages()).toEqual({ 'a.md': whole, 'b.md': 'b\n' })

  await one.reject(first.id)
  expect(one.disk.texts()).toEqual({ 'a.md': whole, 'b.md': 'b\n' })

  one.disk.moveByHand('a.md', 'n/a.md')
  await one.settle()
  await one.approve((await one.draft()).id)
  expect(one.disk.texts()).toEqual({ 'b.md': 'b\n', 'n/a.md': whole })
  expect(await one.pages()).toEqual({ 'b.md': 'b\n', 'n/a.md': whole })
})

test('several files of a minute are one changeset, later ones another', async () => {
  const one = await start({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' })
  one.disk.replace('a.md', 'a, agent\n')
  await one.settle()
  one.wait(20)
  one.disk.replace('b.md', 'b, agent\n')
  await one.settle()
  one.wait(61)
  one.disk.replace('c.md', 'c, agent\n')
  await one.settle()

  const sets = Map.groupBy(await one.drafts(), ({ changeset_id }) => changeset_id)
  expect([...sets.values()].map((some) => some.length).toSorted()).toEqual([1, 2])
})

test('a newer text takes the place of the draft, and the former one withdraws it', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()
  const first = await one.draft()
  one.disk.replace('a.md', `${byAgent}more\n`)
  await one.settle()
  const second = await one.draft()
  expect(second.payload).toEqual({ body: `${byAgent}more\n` })
  await one.owner.post(`/api/pending-changes/${first.id}/approve`).send({}).expect(409)

  one.disk.replace('a.md', whole)
  await one.settle()

  expect(await one.drafts()).toEqual([])
  expect(await one.pages()).toEqual({ 'a.md': whole })
  // Nothing of it is left that would hold up what comes next.
  await one.change('a.md', { body: 'in Void\n' })
  await one.settle()
  expect(one.disk.texts()).toEqual({ 'a.md': 'in Void\n' })
})

test('a file that vanishes takes its draft along', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('new.md', 'new\n')
  await one.settle()
  await one.draft()

  one.disk.erase('new.md')
  await one.settleDeletions()

  expect(await one.drafts()).toEqual([])
  expect(one.disk.texts()).toEqual({ 'a.md': whole })
})

test('an edit in Void meanwhile is merged into the draft, or by the owner', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()
  const inVoid = whole.replace('four', 'FOUR')
  await one.change('a.md', { body: inVoid })
  await one.settle()
  // The file stays as it was until the owner has decided.
  expect(one.disk.texts()).toEqual({ 'a.md': byAgent })

  const { id } = await one.draft()
  const again = await one.owner.post(`/api/pending-changes/${id}/review-again`).send({}).expect(200)
  await one.settle()
  expect(one.disk.texts()).toEqual({ 'a.md': byAgent })
  await one.approve(again.body.id)

  const both = byAgent.replace('four', 'FOUR')
  expect(await one.pages()).toEqual({ 'a.md': both })
  expect(one.disk.texts()).toEqual({ 'a.md': both })
})

test('both sides changed before it was seen: the draft holds both', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.change('a.md', { body: whole.replace('four', 'FOUR') })
  await one.settle()

  expect((await one.draft()).payload).toEqual({ body: byAgent.replace('four', 'FOUR') })
  await one.reject((await one.draft()).id)
  expect(one.disk.texts()).toEqual({ 'a.md': whole.replace('four', 'FOUR') })
})

test('only what is not at a path of the owner’s own words waits, where others are reviewed', async () => {
  const one = await start({ 'Journal/a.md': 'a\n', 'b.md': 'b\n' }, 'others')
  const { createTrustedOriginsRepo } = await import('../../../lib/db/repos/trusted_origins.ts')
  await one.deps.database.transaction((tx) =>
    createTrustedOriginsRepo(tx).setOwnPaths(one.space_id, ['Journal/**']),
  )
  one.disk.replace('Journal/a.md', 'a, by me\n')
  one.disk.replace('b.md', 'b, by others\n')
  // Out of the journal is a change of what others may write.
  one.disk.replace('Journal/c.md', 'c\n')
  await one.settle()
  expect(await one.pages()).toEqual({ 'Journal/a.md': 'a, by me\n', 'Journal/c.md': 'c\n', 'b.md': 'b\n' })

  one.disk.moveByHand('Journal/c.md', 'c.md')
  await one.settle()

  expect(Object.keys(await one.pages())).toContain('Journal/c.md')
  expect((await one.drafts()).map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([{ body: 'b, by others\n' }, { path: 'c.md' }]),
  )
})

test('a marker that a program forged lets nothing through', async () => {
  const one = await start({ 'a.md': whole })
  const { id } = await one.folder()
  const marker = { folder_id: id, generation: '00000000-0000-4000-8000-000000000000', space: one.space_id }
  one.disk.replace('.void/folder.json', JSON.stringify(marker))
  one.disk.replace('a.md', byAgent)
  one.disk.replace('new.md', 'new\n')

  await one.settle()

  expect(await one.pages()).toEqual({ 'a.md': whole })
  expect(await one.drafts()).toHaveLength(2)
})

test('the traces of agents in the folder are named with the draft', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('.claude/settings.json', '{}')
  one.disk.replace('a.md', byAgent)
  await one.settle()

  const { provenance } = await one.draft()
  expect(provenance.sources.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['a.md', '.claude (Claude Code)']),
  )
  expect((await one.folder()).agents).toEqual(['.claude (Claude Code)'])
})

test('a crash between the draft and its note asks once', async () => {
  const one = await start({ 'a.md': whole })
  one.disk.replace('a.md', byAgent)
  await one.settle()
  const { id } = await one.draft()
  await one.deps.database.query(
    `update folder_entries set pending_change_id = null, review_path = null, waiting_file = null`,
  )
  one.restart()
  await one.settle()

  expect((await one.draft()).id).not.toBe(id)
  await one.reject((await one.draft()).id)
  expect(one.disk.texts()).toEqual({ 'a.md': whole })
})
