import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createFileNames } from '../../../lib/files/export/plan-vault.ts'
import { writeFolder } from '../../../lib/server/cli/export-spaces.ts'

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
