import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { makeZip } from '../../files/import/make-files.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { runScript } from '../../helpers/run-script.ts'

const folder = await mkdtemp(join(tmpdir(), 'void-export-'))
afterAll(() => rm(folder, { recursive: true }))

const data = makeDataFolder(join(folder, 'data'))

async function run(script: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const { code, out, error } = await runScript(script, args, { env: { DATA_DIR: data, LOG_LEVEL: 'warn' } })
  return { code, said: out + error }
}

test('what the command writes, the import command reads back', async () => {
  const vault = join(folder, 'vault.zip')
  await writeFile(vault, await makeZip({ 'Lamp/Lamp.md': 'About.', 'Lamp/Oil.md': 'Forty. [[Lamp]]' }))
  const foretold = await run('lib/server/cli/import.ts', vault, '--space', 'home', '--preview')
  const taken = await run('lib/server/cli/import.ts', vault, '--space', 'home')
  const written = await run('lib/server/cli/export.ts', join(folder, 'out'), '--space', 'home')
  const again = await run('lib/server/cli/export.ts', join(folder, 'out'), '--space', 'home')
  const unknown = await run('lib/server/cli/export.ts', join(folder, 'other'), '--space', 'nothing')
  const wrong = await run('lib/server/cli/export.ts')

  expect(foretold).toMatchObject({ code: 1, said: expect.stringContaining('There is no Space home yet') })
  expect(taken).toMatchObject({ code: 0, said: expect.stringContaining('into the new Space') })
  expect(written).toMatchObject({ code: 0, said: expect.stringContaining('3 files') })
  expect((await readdir(join(folder, 'out'), { recursive: true })).toSorted()).toEqual([
    'Lamp',
    'Lamp/Lamp.md',
    'Lamp/Oil.md',
    'void.json',
  ])
  expect(await readFile(join(folder, 'out/Lamp/Oil.md'), 'utf8')).toBe('Forty. [[Lamp]]')
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') })
  expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining('Space not found: nothing') })
  expect(wrong.code).toBe(2)
}, 240_000)

test('the archive of a Space is for its owner, and holds its files', async () => {
  const { deps, owner, as } = await buildApp()
  const space = await createSpace(deps.database, { kind: 'owner' }, { name: 'Home', slug: 'home' })
  await owner.post(`/api/spaces/${space.id}/pages`).send({ title: 'Oil', body: 'Forty.' }).expect(201)
  const { body, headers } = await owner
    .get(`/api/spaces/${space.id}/vault`)
    .buffer(true)
    .parse((res, done) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)))
    })

  expect(headers['content-type']).toBe('application/zip')
  expect(headers['content-disposition']).toMatch(/^attachment; filename="home-\d{4}-\d\d-\d\d\.zip"$/)
  expect(body.toString('latin1')).toContain('Oil.md')
  await as('nonsense').get(`/api/spaces/${space.id}/vault`).expect(401)
})
