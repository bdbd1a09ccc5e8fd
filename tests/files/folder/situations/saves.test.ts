// Saves of editors while Void writes the same note, or while both sides change it.

import { expect, test } from 'vitest'
import { carryOut, makeOwnFolders } from '../../../../lib/files/folder/disk/safe-write.ts'
import { hashOf } from '../../../../lib/files/vault/note-bytes.ts'
import { runs } from '../../../helpers/runs.ts'
import { createSimDisk } from '../sim-disk.ts'
import { createRandom } from '../small-world.ts'
import { type Play, situationsWith } from './situation.ts'

const situation = situationsWith(runs(5))

/** An editor that saves before some of the operations of Void; what it saves over itself is not owed. */
function startEditor({ disk, random }: Play, path: string, save: (text: string) => void) {
  const owed = new Set<string>()
  let saves = 0
  disk.before = ({ path: at }) => {
    if (at.startsWith('.void/folder') || random.next() > 0.15) return
    const here = disk.texts()[path]
    if (here !== undefined) owed.delete(here)
    const text = `saved ${saves++}\n`
    save(text)
    owed.add(text)
  }
  return { owed, stop: () => (disk.before = () => {}), count: () => saves }
}

situation(
  'an editor saves by renaming while Void writes the same file',
  async (play) => {
    play.disk.replace('a.md', 'one\n')
    await play.settle()
    const stored: string[] = []
    const editor = startEditor(play, 'a.md', (text) => play.disk.replace('a.md', text))
    for (let round = 0; round < 10; round++) {
      stored.push(`in Void ${round}\n`)
      await play.change('a.md', { body: stored.at(-1) })
      await play.pass()
      play.wait(1)
      await play.pass()
    }
    editor.stop()
    await play.settleLong()

    expect(editor.count()).toBeGreaterThan(10)
    await play.expectKept([...editor.owed, ...stored])
    await play.expectInStep()
  },
  { varies: true },
)

test('a thousand writes beside an editor that saves at any moment, by renaming and in place, lose no save', async () => {
  const random = createRandom(1)
  const disk = createSimDisk()
  await makeOwnFolders(disk)
  disk.replace('a.md', 'one')
  const known = new Set<string>()
  const owed = new Set<string>()
  let saves = 0
  disk.before = () => {
    if (random.next() > 0.2) return
    const here = disk.texts()['a.md']
    if (here !== undefined) owed.delete(here)
    const text = `saved ${saves++}`
    if (random.next() < 0.5) disk.replace('a.md', text)
    else disk.edit('a.md', text)
    owed.add(text)
  }
  let written = 0
  for (let round = 0; round < 1000; round++) {
    const text = Buffer.from((await disk.read('a.md')).bytes).toString()
    known.add(text)
    const bytes = Buffer.from(`in Void ${round}`)
    const intent = {
      ...{ id: String(round), kind: 'write' as const, path: 'a.md', target: null, withdraws: false },
      ...{ old_hash: hashOf(text), new_hash: hashOf(bytes) },
    }
    const { done } = await carryOut(disk, intent, bytes)
    if (done) written += 1
  }

  const all = new Set([...disk.allTexts(), ...known])
  expect([...owed].filter((text) => !all.has(text))).toEqual([])
  expect({ saves: saves > 500, written: written > 100, missed: written < 1000 }).toEqual({
    saves: true,
    written: true,
    missed: true,
  })
})

situation('an editor empties the file and then writes it, and Void takes no empty text', async (play) => {
  const { disk, deps } = play
  disk.replace('a.md', 'one\n')
  await play.settle()
  for (let round = 0; round < 5; round++) {
    let isEmpty = false
    const at = 1 + play.random.below(12)
    let calls = 0
    disk.before = () => {
      calls += 1
      if (calls === at) disk.edit('a.md', '')
      if (calls === at) isEmpty = true
      if (calls === at + 2 && isEmpty) disk.edit('a.md', `saved ${round}\n`)
    }
    await play.pass()
    play.wait(1)
    await play.pass()
    disk.before = () => {}
    disk.edit('a.md', `saved ${round}\n`)
    await play.settle()
  }
  const { rows } = await deps.database.query(
    `select 1 from audit_log where space_id = $1 and after::json ->> 'body' = ''`,
    [play.space_id],
  )
  expect(rows).toEqual([])
  expect(await play.pages()).toEqual({ 'a.md': 'saved 4\n' })
  expect(disk.texts()).toEqual({ 'a.md': 'saved 4\n' })
})

situation('an editor holds the old file open and appends after Void has written', async (play) => {
  play.disk.replace('a.md', 'one\n')
  play.disk.replace('b.md', 'two\n')
  await play.settle()
  const [soon, late] = [play.disk.openHandle('a.md'), play.disk.openHandle('b.md')]
  await play.change('a.md', { body: 'one, in Void\n' })
  await play.change('b.md', { body: 'two, in Void\n' })
  await play.settle()
  soon.write('one\nappended at once\n')
  play.wait(2)
  await play.settle()
  late.write('two\nappended later\n')
  await play.settleLong()

  const texts = { 'a.md': 'one, in Void\n', 'b.md': 'two, in Void\n' }
  expect(play.disk.texts()).toMatchObject(texts)
  expect(await play.pages()).toMatchObject(texts)
  for (const text of ['one\nappended at once\n', 'two\nappended later\n']) {
    expect(Object.values(play.disk.texts())).toContain(text)
    expect(Object.values(await play.pages())).toContain(text)
  }
})

const note = (first: string, last: string) => `# A\n\n${first}\n\nbetween\n\n${last}\n`

situation('both sides change different paragraphs, and then the same line', async (play) => {
  play.disk.replace('a.md', note('first', 'last'))
  await play.settle()
  play.disk.replace('a.md', note('first, in vim', 'last'))
  await play.change('a.md', { body: note('first', 'last, in Void') })
  await play.settleLong()
  const merged = note('first, in vim', 'last, in Void')
  expect([await play.pages(), play.disk.texts()]).toEqual([{ 'a.md': merged }, { 'a.md': merged }])

  play.disk.replace('a.md', note('vim', 'last, in Void'))
  await play.change('a.md', { body: note('Void', 'last, in Void') })
  await play.settleLong()
  expect(await play.pages()).toEqual({ 'a.md': note('Void', 'last, in Void') })
  expect(play.disk.texts()).toEqual({ 'a.md': note('vim', 'last, in Void') })
  const [draft, ...more] = await play.drafts()
  expect(more).toEqual([])
  expect(draft!.payload.body).toBe(note('vim', 'last, in Void'))
})

situation('a file is deleted while its page is edited, and the reverse', async (play) => {
  play.disk.replace('a.md', 'one\n')
  play.disk.replace('b.md', 'two\n')
  await play.settle()
  play.disk.erase('a.md')
  await play.change('a.md', { body: 'one, in Void\n' })
  await play.remove('b.md')
  play.disk.replace('b.md', 'two, in vim\n')
  await play.settleLong()

  const texts = { 'a.md': 'one, in Void\n', 'b.md': 'two, in vim\n' }
  expect([await play.pages(), play.disk.texts()]).toEqual([texts, texts])
  expect((await play.drafts()).map(({ action, reason }) => [action, reason.slice(0, 25)]).toSorted()).toEqual(
    [
      ['delete', 'a.md was deleted in the f'],
      ['delete', 'b.md was deleted in Void '],
    ],
  )
})

situation(
  'a draft is approved whose file was changed a moment ago, and one while the folder is paused',
  async (play) => {
    play.disk.replace('a.md', note('first', 'last'))
    play.disk.replace('b.md', 'two\n')
    await play.settle()
    // The approval came first: what the editor saved meanwhile is merged, or waits.
    await play.change('a.md', { body: note('first', 'approved') })
    play.disk.replace('a.md', note('saved', 'last'))
    await play.settleLong()
    expect(play.disk.texts()['a.md']).toBe(note('saved', 'approved'))
    expect((await play.pages())['a.md']).toBe(note('saved', 'approved'))

    const { createFoldersRepo } = await import('../../../../lib/db/repos/folders.ts')
    const repo = createFoldersRepo(play.deps.database)
    const { id } = await play.folder()
    await repo.update(id, { paused: true, problem: 'You paused it.' })
    await play.change('b.md', { body: 'approved\n' })
    play.disk.replace('c.md', 'new\n')
    expect(play.disk.texts()['b.md']).toBe('two\n')
    await repo.update(id, { paused: false, problem: null })
    await play.settleLong()
    expect(play.disk.texts()['b.md']).toBe('approved\n')
    // An undo of it, after the file moved on.
    const undone = await play.change('b.md', { body: 'two\n' })
    expect(undone.version).toBeGreaterThan(1)
    play.disk.moveByHand('b.md', 'moved/b.md')
    await play.settleLong()
    expect([await play.pages(), play.disk.texts()]).toEqual([
      { 'a.md': note('saved', 'approved'), 'c.md': 'new\n', 'moved/b.md': 'two\n' },
      { 'a.md': note('saved', 'approved'), 'c.md': 'new\n', 'moved/b.md': 'two\n' },
    ])
  },
)
