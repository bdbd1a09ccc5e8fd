import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SourceFile } from '../../../lib/files/import/file/format.ts'
import { type FoundFile, listFolder, readFiles } from '../../../lib/files/import/read/read-folder.ts'

let base = ''
let vault = ''

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'void-import-'))
  vault = join(base, 'vault')
  await mkdir(vault)
})
afterEach(() => rm(base, { recursive: true }))

async function put(path: string, content: string | Uint8Array = ''): Promise<void> {
  await mkdir(join(vault, path, '..'), { recursive: true })
  await writeFile(join(vault, path), content)
}

async function readAll(files: FoundFile[]): Promise<SourceFile[]> {
  const all: SourceFile[] = []
  for await (const file of readFiles(files)) all.push(file)
  return all
}

async function read(): Promise<Record<string, string>> {
  const { files } = await listFolder(vault)
  const all = await readAll(files)
  return Object.fromEntries(
    all.map((file) => [
      file.path,
      'bytes' in file ? Buffer.from(file.bytes).toString() : `(${'skip' in file ? file.skip : 'unread'})`,
    ]),
  )
}

test('files come in the order of an import: what describes a folder first, then by name, then what is below', async () => {
  for (const path of ['b/10.md', 'b/2.md', 'b/README.md', 'b/b.md', 'b/a/x.md', 'z.md', 'A.md'])
    await put(path)

  expect((await listFolder(vault)).files.map(({ path }) => path)).toEqual([
    'A.md',
    'z.md',
    'b/b.md',
    'b/README.md',
    'b/2.md',
    'b/10.md',
    'b/a/x.md',
  ])
})

test('hidden files and folders are counted and left out', async () => {
  for (const path of ['.obsidian/app.json', '.git/HEAD', 'a/.hidden.md', 'a/b.md']) await put(path)

  const { files, hidden } = await listFolder(vault)

  expect(files.map(({ path }) => path)).toEqual(['a/b.md'])
  expect(hidden).toBe(3)
})

test('symbolic links are not followed, neither out of the folder nor round in circles', async () => {
  await writeFile(join(base, 'secret.md'), 'secret')
  await put('a.md', 'text')
  await symlink(join(base, 'secret.md'), join(vault, 'escape.md'))
  await symlink(base, join(vault, 'up'))
  await symlink(vault, join(vault, 'self'))

  const link = '(it is a symbolic link, which is not followed)'
  expect(await read()).toEqual({ 'a.md': 'text', 'escape.md': link, self: link, up: link })
})

test('a folder that is itself reached by a symbolic link is read', async () => {
  await put('a.md', 'text')
  await symlink(vault, join(base, 'shortcut'))

  const { root, files } = await listFolder(join(base, 'shortcut'))

  expect(files.map(({ path }) => path)).toEqual(['a.md'])
  expect(root.endsWith('vault')).toBe(true)
})

test('a file that became a link, or vanished, after the listing is not read', async () => {
  await writeFile(join(base, 'secret.md'), 'secret')
  await put('a.md', 'text')
  await put('b.md', 'text')
  const { files } = await listFolder(vault)
  await rm(join(vault, 'a.md'))
  await symlink(join(base, 'secret.md'), join(vault, 'a.md'))
  await rm(join(vault, 'b.md'))

  expect(await readAll(files)).toEqual([
    { path: 'a.md', skip: 'it is not a file any more' },
    { path: 'b.md', skip: 'it is gone' },
  ])
})

test('a file over 50 MB is not read, and a pipe is not waited for', async () => {
  await put('film.mp4')
  await truncate(join(vault, 'film.mp4'), 60 * 1024 * 1024)
  execFileSync('mkfifo', [join(vault, 'pipe')])

  expect(await read()).toEqual({
    'film.mp4': '(it has 60 MB; the limit is 50 MB)',
    pipe: '(it is neither a file nor a folder)',
  })
})

test('a name that is not UTF-8 is read as Windows-1252', async () => {
  await writeFile(
    Buffer.concat([Buffer.from(`${vault}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
    'coffee',
  )

  expect(await read()).toEqual({ 'café.md': 'coffee' })
})
