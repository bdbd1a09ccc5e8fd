// What of the folder becomes a draft beside what waits for a review: copies of conflicts, and links that a move broke.

import { expect } from 'vitest'
import { createFoldersRepo } from '../../../../lib/db/repos/folders.ts'
import { runs } from '../../../helpers/runs.ts'
import { type Play, situationsWith } from './situation.ts'

const situation = situationsWith(runs(5))

const decide = async ({ owner, settleLong }: Play, id: string, decision: 'approve' | 'reject') => {
  await owner.post(`/api/pending-changes/${id}/${decision}`).send({}).expect(200)
  await settleLong()
}

const copy = 'n/a.sync-conflict-20260101-120000-ABCDEFG.md'

situation(
  'a conflict copy of Syncthing is a conflict of its note, asked about once, and no page',
  async (play) => {
    const { disk } = play
    disk.replace('n/a.md', 'mine\n')
    await play.settle()
    disk.replace(copy, 'of a peer\n')
    await play.settleLong()

    expect(await play.pages()).toEqual({ 'n/a.md': 'mine\n' })
    const [draft, ...more] = await play.drafts()
    expect(more).toEqual([])
    expect(draft).toMatchObject({ action: 'update', payload: { body: 'of a peer\n' } })
    expect(draft!.reason).toContain(copy)
    expect((await play.folder()).held).toEqual([{ path: copy, reason: 'is a copy of a conflict of n/a.md' }])

    await decide(play, draft!.id, 'reject')
    await play.change('n/a.md', { body: 'mine, later\n' })
    play.wait(3600)
    await play.settleLong()
    expect(await play.drafts()).toEqual([])
    expect(disk.texts()).toEqual({ 'n/a.md': 'mine, later\n', [copy]: 'of a peer\n' })
  },
)

situation(
  'approved, the copy is the text of note and file; other copies follow one after the other',
  async (play) => {
    const { disk } = play
    const names = ['a (conflicted copy).md', 'a (Alice’s conflicted copy 2026-01-01).md', 'a_conf(1).md']
    disk.replace('a.md', 'mine\n')
    disk.replace('AGENTS.md', 'orders\n')
    await play.settle()
    for (const name of names) disk.replace(name, `${name}\n`)
    // What the note had before is no conflict, nor are orders to programs.
    disk.replace('a (conflicted copy 2).md', 'mine\n')
    disk.replace('AGENTS (conflicted copy).md', 'other orders\n')
    await play.settleLong()

    const asked: string[] = []
    for (let decisions = 0; decisions < names.length; decisions++) {
      const [draft, ...more] = await play.drafts()
      expect(more).toEqual([])
      asked.push(draft!.payload.body!)
      await decide(play, draft!.id, 'approve')
      expect(disk.texts()['a.md']).toBe(draft!.payload.body)
    }
    expect(asked.toSorted()).toEqual(names.map((name) => `${name}\n`).toSorted())
    expect(await play.drafts()).toEqual([])
    expect(Object.keys(await play.pages()).toSorted()).toEqual(['AGENTS.md', 'a.md'])
  },
)

situation(
  'a copy whose note is not there is held, and becomes a conflict once the note is back',
  async (play) => {
    const { disk } = play
    disk.replace('b.md', 'other\n')
    disk.replace('a (conflicted copy).md', 'of a peer\n')
    await play.settleLong()
    expect(Object.keys(await play.pages())).toEqual(['b.md'])
    expect((await play.folder()).held).toMatchObject([{ path: 'a (conflicted copy).md' }])
    expect(await play.drafts()).toEqual([])

    disk.replace('a.md', 'mine\n')
    await play.settleLong()
    expect((await play.drafts()).map(({ payload }) => payload.body)).toEqual(['of a peer\n'])
  },
)

situation('a copy waits until what is reviewed of its note is decided', async (play) => {
  const { disk } = play
  disk.replace('a.md', 'mine\n')
  await play.settle()
  await createFoldersRepo(play.deps.database).update((await play.folder()).id, { review: 'all' })
  disk.replace('a.md', 'by an agent\n')
  await play.settleLong()
  disk.replace('a (conflicted copy).md', 'of a peer\n')
  await play.settleLong()
  const [review, ...more] = await play.drafts()
  expect([review!.payload.body, more]).toEqual(['by an agent\n', []])
  await decide(play, review!.id, 'reject')
  expect((await play.drafts()).map(({ payload }) => payload.body)).toEqual(['of a peer\n'])
})

situation(
  'links that a move in the folder broke are offered after a minute, as one changeset',
  async (play) => {
    const { disk, owner } = play
    disk.replace('a.md', 'a\n')
    disk.replace('b.md', 'see [[a]] and [it](a.md#part)\n')
    disk.replace('n/c.md', 'see [A](../a.md)\n')
    disk.replace('d.md', 'see [[a]]\n')
    await play.settleLong()
    disk.moveByHand('a.md', 'm/renamed.md')
    await play.settle()
    expect(await play.drafts()).toEqual([])
    // An editor turns those that it knows.
    disk.replace('d.md', 'see [[renamed]]\n')
    await play.settleLong()

    const drafts = await play.drafts()
    expect(drafts.map(({ payload }) => payload.body).toSorted()).toEqual([
      'see [A](../m/renamed.md)\n',
      'see [[renamed]] and [it](m/renamed.md#part)\n',
    ])
    const changesets = new Set(drafts.map((draft) => Reflect.get(draft, 'changeset_id')))
    expect(changesets.size).toBe(1)
    const payloads = Object.fromEntries(
      drafts.map((draft) => [draft.id, Reflect.get(draft, 'payload_sha256')]),
    )
    await owner
      .post(`/api/changesets/${[...changesets][0]}/approve`)
      .send({ payloads })
      .expect(200)
    await play.settleLong()
    expect(disk.texts()['n/c.md']).toBe('see [A](../m/renamed.md)\n')
    expect(await play.drafts()).toEqual([])
    await play.expectInStep()
  },
)

situation(
  'a folder that moved with all that links within breaks nothing, and nothing is offered',
  async (play) => {
    const { disk } = play
    disk.replace('p/a.md', 'see [[b]] and [b](b.md)\n')
    disk.replace('p/b.md', 'see [[a]]\n')
    await play.settleLong()
    disk.moveByHand('p', 'archive/p')
    await play.settleLong()
    expect(await play.drafts()).toEqual([])
    expect(disk.texts()).toEqual({
      'archive/p/a.md': 'see [[b]] and [b](b.md)\n',
      'archive/p/b.md': 'see [[a]]\n',
    })
  },
)

situation(
  'in review, a new title in front matter is part of the draft, and the file stays where it is',
  async (play) => {
    const { disk } = play
    disk.replace('a.md', '---\ntitle: Old\n---\ntext\n')
    await play.settle()
    await createFoldersRepo(play.deps.database).update((await play.folder()).id, { review: 'all' })
    disk.replace('a.md', '---\ntitle: New\n---\ntext\n')
    await play.settleLong()
    const [draft] = await play.drafts()
    await decide(play, draft!.id, 'approve')
    expect((await play.page('a.md'))?.title).toBe('New')
    expect(disk.texts()).toEqual({ 'a.md': '---\ntitle: New\n---\ntext\n' })
    expect(await play.drafts()).toEqual([])
  },
)

situation('in review, a new file is asked about once, wherever a process ends', async (play) => {
  const { disk, deps } = play
  disk.replace('a.md', 'a\n')
  await play.settle()
  await createFoldersRepo(deps.database).update((await play.folder()).id, { review: 'all' })
  disk.replace('new.md', 'new\n')
  await play.settleLong()
  expect(await play.drafts()).toHaveLength(1)
  // As after a crash between the draft and its note.
  await deps.database.query(`delete from folder_entries where folder_id = $1 and path = 'new.md'`, [
    (await play.folder()).id,
  ])
  await play.settleLong()
  const [draft, ...more] = await play.drafts()
  expect(more).toEqual([])
  await decide(play, draft!.id, 'reject')
  expect([disk.texts(), await play.pages()]).toEqual([{ 'a.md': 'a\n' }, { 'a.md': 'a\n' }])
})

situation('traces of coding agents are found in projects within, and named', async (play) => {
  const { disk } = play
  for (const path of [
    'p/web/AGENTS.md',
    'p/web/.claude/settings.json',
    'q/.github/copilot-instructions.md',
    'r/.github/x.yml',
  ])
    disk.replace(path, 'x\n')
  disk.replace('node_modules/y/CLAUDE.md', 'x\n')
  await play.settleLong()
  expect((await play.folder()).agents).toEqual([
    'p/web/.claude (Claude Code)',
    'p/web/AGENTS.md (coding agents)',
    'q/.github/copilot-instructions.md (GitHub Copilot)',
  ])
})
