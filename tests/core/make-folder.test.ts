import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../lib/core/make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-make-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('makes a folder with those above it, and leaves one that is there', () => {
  const path = join(folder, 'a/b/c')

  makeFolder(path, 0o700)
  makeFolder(`${path}/`, 0o700)

  expect([path, join(folder, 'a')].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700])
})

test('takes a link to a folder for one', () => {
  mkdirSync(join(folder, 'there'))
  symlinkSync('there', join(folder, 'link'))

  expect(() => makeFolder(join(folder, 'link/below'), 0o700)).not.toThrow()
})

test.each<[string, () => string, string]>([
  ['a file', () => write('file'), 'EEXIST'],
  ['below a file', () => `${write('above')}/a/b`, 'ENOTDIR'],
  ['a link that leads nowhere', () => link('nowhere', 'none'), 'ENOENT'],
  ['a link to itself', () => link('loop', 'loop'), 'ELOOP'],
])('%s is refused by the operating system', (_what, path, code) => {
  expect(() => makeFolder(path(), 0o700)).toThrow(expect.objectContaining({ code }))
})

test.runIf(process.platform === 'linux')('one that is there and holds no others ends it', () => {
  for (const path of ['/proc/void', '/proc/void/a/b', '/proc/self/fd/void'])
    expect(() => makeFolder(path, 0o700)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

function write(name: string): string {
  writeFileSync(join(folder, name), '')
  return join(folder, name)
}

function link(name: string, target: string): string {
  symlinkSync(target, join(folder, name))
  return join(folder, name)
}
