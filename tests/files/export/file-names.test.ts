import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { encodedName } from '../../../lib/api/download.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { createFileNames, planVault } from '../../../lib/files/export/plan-vault.ts'
import { writeFolder } from '../../../lib/server/cli/export-spaces.ts'
import { buildApp } from '../../helpers/build-app.ts'

const folder = await mkdtemp(join(tmpdir(), 'void-names-'))
afterAll(() => rm(folder, { recursive: true }))

test('long titles of any script can be written to disk, each under a name of its own', async () => {
  const name = createFileNames()
  const titles = ['🏮'.repeat(120), '🏮'.repeat(121), '灯'.repeat(85), '灯'.repeat(86), 'é'.repeat(300)]
  const paths = titles.map((title) => name('', title, '.md'))
  async function* files() {
    for (const path of paths) yield { path, bytes: new Uint8Array() }
  }

  expect(await writeFolder(folder, files())).toBe(5)
  expect((await readdir(folder)).toSorted()).toEqual(paths.toSorted())
  expect(new Set(paths).size).toBe(5)
  expect(paths[0]).toBe(`${'🏮'.repeat(55)}.md`)
  expect(paths[1]).toBe(`${'🏮'.repeat(55)} (2).md`)
})

test('no name is longer than 255 bytes, breaks a character or occurs twice', () => {
  const title = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(fc.array(fc.tuple(title, title), { maxLength: 8 }), (given) => {
      const name = createFileNames()
      const paths = given.map(([stem, ending]) => name('', stem, `.${ending.replaceAll('/', '')}`))
      expect(new Set(paths).size).toBe(paths.length)
      for (const path of paths) {
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255)
        expect(path.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

/** What Windows reads as something else than the name of a file in its folder. */
const isUnsafe = (path: string): boolean =>
  path
    .split('/')
    .some(
      (part) =>
        /[<>:"\\|?*\p{Cc}]|[. ]$|^$/u.test(part) ||
        /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[. ]*(?:\.|$)/i.test(part),
    )

test.each([
  ['notes.txt:hidden', '.md'],
  ['report', '.md:stream:$DATA'],
  ['ending...', '.md'],
  ['ending. . ', ''],
  ['report', '.txt...'],
  ['report', '.txt '],
  ['report', '.'],
  ['CON', '.md'],
  ['con.tar', '.gz'],
  ['nul .x', '.md'],
  ['COM¹', '.md'],
  ['lpt0', ''],
  ['aux', ''],
  ['CONIN$', '.txt'],
  ['…', '.:'],
  ['...', ''],
  [':', ':'],
])('“%s%s” is exported under a name that is one everywhere', (title, extension) => {
  expect(isUnsafe(createFileNames()('', title, extension))).toBe(false)
})

test('no part of a path that an attachment came from is read as something else', async () => {
  const {
    deps: { database },
  } = await buildApp()
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })
  const paths = ['a:b/c.txt:d', 'con/nul.txt', 'ends. /x.', 'aux.old/y?.png', 'q*/“z”|.md', ' /a.txt']
  for (const path of paths) {
    await database.query(
      `insert into source_docs (id, space_id, title, mime, text, sha256, metadata, created_by, updated_by, origin)
       values (gen_random_uuid(), $1, 'x', 'text/plain', '', '', $2, 'owner', 'owner', 'import')`,
      [space_id, { path }],
    )
  }

  const { documents } = await planVault(database, space_id)

  expect(documents).toHaveLength(paths.length)
  expect(documents.map(({ path }) => path).filter(isUnsafe)).toEqual([])
})

test.each([
  ['report.pdf:evil.exe', 'report.pdf-evil.exe'],
  ['report.exe.', 'report.exe'],
  ['aux.txt', '_aux.txt'],
  ['..', 'file'],
])('a download of “%s” is “%s”', (name, saved) => {
  expect(decodeURIComponent(encodedName(name))).toBe(saved)
})
