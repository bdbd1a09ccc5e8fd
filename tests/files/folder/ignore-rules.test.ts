// What of a folder is left alone.

import { describe, expect, test } from 'vitest'
import { matchesName } from '../../../lib/core/wildcards.ts'
import { isOrdersFile, noteOfCopy, readIgnoreRules } from '../../../lib/files/folder/plan/ignore-rules.ts'

const builtIn = readIgnoreRules('')

describe('what other programs keep in a folder', () => {
  test.each([
    '.git',
    '.hg',
    '.svn',
    '.obsidian',
    '.logseq',
    '.trash',
    '.void',
    '.stfolder',
    '.stversions',
    '.dropbox.cache',
    '.sync',
    'node_modules',
    'n/.claude',
  ])('the folder %s', (path) => {
    expect(builtIn.ignores(path, true)).toBe(true)
  })

  test.each([
    'a.md~',
    '.a.md.swp',
    '.a.md.swx',
    '4913',
    '#a.md#',
    '.#a.md',
    'a.tmp',
    'a.md.part',
    'a.crdownload',
    '.~lock.a.odt#',
    '~$a.docx',
    '.goutputstream-X1Y2',
    '.syncthing.a.md.tmp',
    '~syncthing~a.md.tmp',
    '.a.md.icloud',
    '._a.md',
    '.DS_Store',
    'Icon\r',
    'desktop.ini',
    'Thumbs.db',
    '___jb_tmp___',
    '___jb_old___',
    '.fuse_hidden0001',
    '.nfs0001',
    'sedAbC123',
    '.~a.md',
    'deep/er/4913',
  ])('the file %s', (path) => {
    expect(builtIn.ignores(path, false)).toBe(true)
  })

  test.each(['a.md', 'n/Ideas.md', 'sediment.md', 'sync.md', '4914', 'git.md', 'parts/a.md', 'Tmp.md'])(
    'not %s',
    (path) => {
      expect(builtIn.ignores(path, false)).toBe(false)
    },
  )
})

describe('.voidignore', () => {
  const own = readIgnoreRules(
    ['# mine', '', 'drafts/', '/todo.md', '*.log', 'a/**/secret.md', '!keep.log', '!.git', 'b/*/c.md'].join(
      '\n',
    ),
  )

  test.each([
    ['drafts', true, true],
    ['n/drafts', true, true],
    ['drafts', false, false],
    ['todo.md', false, true],
    ['n/todo.md', false, false],
    ['n/a.log', false, true],
    ['n/keep.log', false, false],
    ['a/secret.md', false, true],
    ['a/b/c/secret.md', false, true],
    ['a/b/c/secrets.md', false, false],
    ['b/x/c.md', false, true],
    ['b/x/y/c.md', false, false],
    ['.git', true, true],
  ])('%s (a folder: %s): %s', (path, isFolder, expected) => {
    expect(own.ignores(path, isFolder)).toBe(expected)
  })

  test('a pattern with many wild cards is tried in steps that grow with its length and that of the name', () => {
    expect(matchesName(`${'*a'.repeat(200)}b`, 'a'.repeat(5000))).toBe(false)
    expect(readIgnoreRules('*a'.repeat(200)).ignores('b'.repeat(5000), false)).toBe(false)
  })
})

test.each([
  ['a.sync-conflict-20260101-120000-ABCDEFG.md', 'a.md'],
  ['n/a b.sync-conflict-20260101-120000-ABCDEFG.markdown', 'n/a b.markdown'],
  ['a (conflicted copy).md', 'a.md'],
  ['a (Alice’s conflicted copy 2026-01-01).md', 'a.md'],
  ['n/a (1) (conflicted copy 2026-01-01 120000).md', 'n/a (1).md'],
  ['a.md.conflicted:0001', 'a.md'],
  ['n/a_conf(1).md', 'n/a.md'],
  ['a (copy).md', null],
  ['conflict.md', null],
  ['n (conflicted copy)/a.md', null],
])('a copy that another program made of a conflict: %s is of %s', (path, note) => {
  expect(noteOfCopy(path)).toBe(note)
})

test.each([
  ['AGENTS.md', true],
  ['n/claude.md', true],
  ['agents/plan.md', false],
])('a file that gives orders: %s, %s', (path, expected) => {
  expect(isOrdersFile(path)).toBe(expected)
})
