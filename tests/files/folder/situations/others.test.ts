// Other programs at work on the same folder, rules that change, and files that are no notes.

import { expect } from 'vitest'
import { runs } from '../../../helpers/runs.ts'
import { type Play, situationsWith } from './situation.ts'

const situation = situationsWith(runs(5))

const numbered = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}${index}.md`)

/** `git checkout` of many files: each is unlinked and made anew. */
const checkout = ({ disk }: Play, paths: readonly string[], text: (path: string) => string) => {
  for (const path of paths) disk.erase(path)
  for (const path of paths) disk.replace(path, text(path))
}

/** All 5,000 in `npm run test:slow`. */
const files = Number(process.env.FOLDER_FILES ?? runs(150))

situation(
  'git checks out another branch and comes back within three seconds, then stays on it, and rebases',
  async (play) => {
    const { disk } = play
    const paths = Array.from({ length: 10 }, (_, folder) => numbered(`${folder}/`, files / 10)).flat()
    const onMain = (path: string) => `main ${path}\n`
    const onBranch = (path: string) => `branch ${path}\n`
    checkout(play, paths, onMain)
    await play.settle()
    const before = await play.ids()

    checkout(play, paths, onBranch)
    await play.pass()
    play.wait(2)
    checkout(play, paths, onMain)
    await play.settle()
    expect(Object.values(await play.pages()).every((text) => text.startsWith('main'))).toBe(true)

    checkout(play, paths, onBranch)
    await play.settle()
    expect(await play.pages()).toEqual(
      Object.fromEntries(paths.toSorted().map((path) => [path, onBranch(path)])),
    )
    expect(await play.ids()).toEqual(before)

    const marked = '<<<<<<< main\nmain\n=======\nbranch\n>>>>>>> branch\n'
    disk.replace(paths[0]!, marked)
    await play.settle()
    expect((await play.pages())[paths[0]!]).toBe(marked)
    // `git stash` of what is new, and back.
    disk.replace('new.md', 'new\n')
    await play.settle()
    disk.erase('new.md')
    await play.settle()
    disk.replace('new.md', 'new\n')
    await play.settleLong()
    expect((await play.pages())['new.md']).toBe('new\n')
    await play.expectInStep()
    expect(await play.drafts()).toEqual([])
  },
  { maxKills: 3 },
)

situation(
  'Syncthing, Dropbox and obsidian-git write with names of their own, delete and make anew',
  async (play) => {
    const { disk } = play
    disk.replace('a.md', 'one\n')
    disk.replace('b.md', 'two\n')
    await play.settle()
    const before = await play.ids()

    for (const name of [
      '.syncthing.a.md.tmp',
      '~syncthing~a.md.tmp',
      '.~a.md',
      'a.md.part',
      '.dropbox.cache/a.md',
    ])
      disk.replace(name, 'half of it\n')
    disk.replace('.git/index.md', 'git\n')
    await play.pass()
    disk.moveByHand('.syncthing.a.md.tmp', 'a.md')
    disk.edit('a.md', 'one, of a peer\n')
    disk.erase('b.md')
    await play.pass()
    disk.replace('b.md', 'two, of Dropbox\n')
    await play.settleLong()

    const texts = { 'a.md': 'one, of a peer\n', 'b.md': 'two, of Dropbox\n' }
    expect(await play.pages()).toEqual(texts)
    expect(disk.texts()).toMatchObject(texts)
    expect(await play.ids()).toEqual(before)
  },
)

situation(
  '.voidignore gains a rule and loses it, and a file crosses the limit of its size both ways',
  async (play) => {
    const { disk } = play
    disk.replace('drafts/a.md', 'one\n')
    disk.replace('b.md', 'two\n')
    await play.settle()
    disk.replace('.voidignore', 'drafts/\n')
    await play.settleLong()
    await play.change('drafts/a.md', { body: 'one, in Void\n' })
    await play.settleLong()
    expect(disk.texts()['drafts/a.md']).toBe('one\n')
    disk.erase('.voidignore')
    await play.settleLong()
    // The page had the file’s text before, and is the newer one.
    await play.expectKept(['one\n', 'one, in Void\n'])
    expect(disk.texts()['drafts/a.md']).toBe('one, in Void\n')
    expect(await play.drafts()).toEqual([])
    expect(Object.keys(await play.pages())).toEqual(['b.md', 'drafts/a.md'])

    const large = new Uint8Array(50_000_000).fill(97)
    disk.replace('b.md', large)
    await play.settleLong()
    expect((await play.folder()).held.map(({ path }) => path)).toEqual(['b.md'])
    expect((await play.pages())['b.md']).toBe('two\n')
    disk.replace('b.md', 'small again\n')
    await play.settleLong()
    expect((await play.folder()).held).toEqual([])
    expect((await play.pages())['b.md']).toBe('small again\n')
  },
)

situation('bytes outside an edit stay, and what is no text is left as it is', async (play) => {
  const { disk } = play
  const before = {
    'bom.md': '\uFEFFone\r\n\r\ntwo\r\nlast',
    'yaml.md': '---\nz: "1" # why\na: [b,  c]\n---\n* one\n* two\n',
    'mixed.md': 'one\rtwo\r\nthree\n\n',
  }
  for (const [path, text] of Object.entries(before)) disk.replace(path, text)
  const latin = Buffer.from('caf\u00E9\n', 'latin1')
  disk.replace('latin.md', latin)
  disk.replace('nul.md', 'a\0b')
  await play.settle()

  for (const path of Object.keys(before)) {
    const { [path]: body } = await play.pages()
    await play.change(path, { body: body!.replace('two', 'two!') })
  }
  await play.settleLong()

  const after = Object.entries(before).map(([path, text]) => [path, text.replace('two', 'two!')])
  expect(disk.texts()).toMatchObject(Object.fromEntries(after))
  expect(Buffer.from((await disk.read('latin.md')).bytes)).toEqual(latin)
  expect(disk.texts()['nul.md']).toBe('a\0b')
  expect((await play.folder()).held.map(({ path }) => path).toSorted()).toEqual(['latin.md', 'nul.md'])
})

situation(
  'pipes, sockets, links, hard links, notes in the cloud and names that no page can have',
  async (play) => {
    const { disk } = play
    for (const name of ['pipe.md', 'link.md', 'cloud.md', 'outside.md', 'a.md'])
      disk.replace(name, `${name}\n`)
    const [long, broken] = [`${'n'.repeat(300)}.md`, 'two\nlines.md']
    disk.replace(long, 'long\n')
    disk.replace(broken, 'broken\n')
    disk.says.set('pipe.md', { kind: 'other' })
    disk.says.set('link.md', { kind: 'link' })
    disk.says.set('cloud.md', { isPlaceholder: true })
    await disk.link('outside.md', 'twin of outside.md')
    await play.settleLong()

    expect(Object.keys(await play.pages())).toEqual(['a.md', 'outside.md', 'twin of outside.md'])
    const held = (await play.folder()).held.map(({ path }) => path)
    expect(held.toSorted()).toEqual(['cloud.md', 'link.md', 'pipe.md', long, broken].toSorted())

    // A note that the cloud takes away is not gone.
    disk.says.set('a.md', { isPlaceholder: true })
    await play.settleLong()
    expect(Object.keys(await play.pages())).toContain('a.md')
    disk.says.clear()
    disk.edit('outside.md', 'changed under both names\n')
    await play.settleLong()
    expect(await play.pages()).toMatchObject({
      'outside.md': 'changed under both names\n',
      'twin of outside.md': 'changed under both names\n',
      'cloud.md': 'cloud.md\n',
    })
  },
)

situation('a folder links back to itself, and is not followed', async (play) => {
  const { disk } = play
  disk.replace('n/a.md', 'one\n')
  disk.replace('n/loop/b.md', 'two\n')
  disk.says.set('n/loop', { kind: 'link' })
  await play.settleLong()
  expect(Object.keys(await play.pages())).toEqual(['n/a.md'])
})
