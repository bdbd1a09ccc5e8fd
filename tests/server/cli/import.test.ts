import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { FileOutcome, Outcome } from '../../../lib/contract/imports.ts'
import { emptyResult } from '../../../lib/files/import/import-result.ts'
import { parseCommand } from '../../../lib/server/cli/import-args.ts'
import { UsageError } from '../../../lib/server/cli/run-command.ts'
import { createProgress, runImport, summarize } from '../../../lib/server/cli/run-import.ts'
import { foghornChat } from '../../files/import/chat-exports.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { runScript } from '../../helpers/run-script.ts'

const base = await mkdtemp(join(tmpdir(), 'void-command-'))
afterAll(() => rm(base, { recursive: true }))

const screen = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, columns: 80, written, write: (text: string) => written.push(text) }
}

const note = (outcome: Outcome, path: string, more: Partial<FileOutcome> = {}): FileOutcome => ({
  path,
  outcome,
  title: null,
  entity_type: null,
  entity_id: null,
  reason: null,
  warnings: [],
  ...more,
})

test('the command names a folder and a Space', () => {
  expect(parseCommand(['vault', '--space', 'reading-notes'])).toEqual({
    folder: 'vault',
    space: 'reading-notes',
    name: 'Reading notes',
    source: null,
    preview: false,
    trust: 'own',
  })
})

test.each([
  [[], /Name the folder/],
  [['vault'], /--space/],
  [['my', 'vault', '--space', 'a'], /Name one folder/],
  [['vault', '--space', 'My Notes'], /no short name/],
  [['vault', '--space', 'a', '--force'], /--force/],
  [['vault', '--space', 'a', '--source', ''], /--source/],
])('%j is answered with what is wrong', (args, message) => {
  expect(() => parseCommand(args)).toThrow(UsageError)
  expect(() => parseCommand(args)).toThrow(message)
})

test('a folder that is none is told before anything is opened', async () => {
  const file = join(base, 'file.md')
  await writeFile(file, '')
  const run = (folder: string) =>
    runImport({
      command: { folder, space: 'a', name: 'A', source: null, preview: false, trust: 'own' },
      openTarget: () => Promise.reject(new Error('opened')),
      output: screen(false),
      signal: new AbortController().signal,
      now: () => 0,
    })

  await expect(run(join(base, 'nowhere'))).rejects.toThrow(/No such file or folder: .*nowhere/)
  await expect(run(file)).rejects.toThrow('opened')
})

test('on a terminal a bar is redrawn in place', () => {
  const output = screen(true)
  const progress = createProgress({ stream: output, total: 200 })
  progress.update(50)
  progress.finish()

  expect(output.written).toEqual(['\r[██████░░░░░░░░░░░░░░░░░░]  25%  50 of 200 files\x1b[K', '\r\x1b[K'])
})

test('elsewhere progress is at most ten plain lines', () => {
  const output = screen(false)
  const progress = createProgress({ stream: output, total: 1000 })
  for (let done = 25; done <= 1000; done += 25) progress.update(done)
  progress.finish()

  expect(output.written).toHaveLength(10)
  expect(output.written[0]).toBe('100 of 1000 files (10%)\n')
  expect(output.written.join('')).not.toContain('\r')
})

test('the summary tells what came in, and what did not and why', () => {
  const result = emptyResult()
  Object.assign(result.counts, {
    created: 3,
    updated: 1,
    moved: 1,
    unchanged: 7,
    conflict: 1,
    deleted: 1,
    skipped: 1,
  })
  result.created = { page: 2, source_doc: 1, folder: 4 }
  result.notes = [
    note('skipped', 'film.mp4', { reason: 'it has 60 MB; the limit is 50 MB' }),
    note('conflict', 'Lamp/Oil.md', { title: 'Oil' }),
    note('deleted', 'Old.md', { title: 'Old' }),
    note('moved', 'b/Log.md', { reason: 'it was a/Log.md' }),
    note('created', 'notes.md', { warnings: ['it is not UTF-8; read as Windows-1252'] }),
  ]
  const account = summarize({
    folder: '/home/ada/vault',
    space: { slug: 'skerry', name: 'Skerry Light', created: true },
    result,
    kept: [note('gone', 'Wick.md', { title: 'Wick' })],
    hidden: 2,
    seconds: 1.234,
  })

  expect(account).toBe(`Imported /home/ada/vault into the new Space “Skerry Light” (skerry) in 1.2 s.
  new: 2 pages, 1 attachment, 4 pages for folders
  updated: 1, moved: 1, unchanged: 7, skipped: 1
  left out: 2 hidden files and folders

Skipped (1)
  film.mp4: it has 60 MB; the limit is 50 MB

Edited here since; kept yours (1)
  “Oil” (Lamp/Oil.md)

Deleted here; left deleted (1)
  “Old” (Old.md)

No longer in the folder; kept (1)
  “Wick” (Wick.md)

Moved (1)
  b/Log.md: it was a/Log.md

Came in with a remark (1)
  notes.md: it is not UTF-8; read as Windows-1252`)
})

test('a file name cannot write to the terminal, and a long list is cut', () => {
  const result = emptyResult()
  result.notes = [
    note('skipped', '\x1b[2Jgone\u202Efdp.md', { reason: 'no' }),
    ...Array.from({ length: 150 }, (_, n) => note('skipped', `${n}.md`, { reason: 'no' })),
  ]
  const space = { slug: 'a', name: 'A', created: false }
  const account = summarize({ folder: '/v', space, result, kept: [], hidden: 0, seconds: 0 })

  expect(account).toContain('\uFFFD[2Jgone\uFFFDfdp.md: no')
  expect(account).toContain('… and 51 more')
})

test('the command works from the shell on an embedded store, twice', { timeout: 120_000 }, async () => {
  const env = { DATA_DIR: makeDataFolder(join(base, 'data')) }
  const shell = (...args: string[]) => runScript('lib/server/cli/import.ts', args, { cwd: base, env })
  const vault = join(base, 'vault')
  await mkdir(join(vault, 'Lamp'), { recursive: true })
  await writeFile(join(vault, 'Lamp', 'Oil.md'), 'Forty litres. [[Wick]]')
  const first = await shell(vault, '--space', 'skerry')
  const second = await shell(vault, '--space', 'skerry')
  const wrong = await shell(vault)
  const chats = join(base, 'conversations.json')
  await writeFile(chats, JSON.stringify([foghornChat]))
  const foretold = await shell(chats, '--space', 'skerry', '--preview')
  const talked = await shell(chats, '--space', 'skerry')
  const talkedAgain = await shell(chats, '--space', 'skerry')

  expect(first).toMatchObject({ code: 0, error: '' })
  expect(first.out).toContain('new: 1 page, 0 attachments, 1 page for a folder')
  expect(second.out).toContain('unchanged: 1')
  expect(foretold.out).toContain('new: 0 pages, 0 attachments, 1 conversation')
  expect(talked.out).toContain('new: 0 pages, 0 attachments, 1 conversation')
  expect(talkedAgain.out).toContain('unchanged: 1')
  expect(wrong).toMatchObject({ code: 2, out: '' })
  expect(wrong.error).toContain('Name the Space with --space SLUG.')
})
