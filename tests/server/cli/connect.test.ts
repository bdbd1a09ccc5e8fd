import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { runScript } from '../../helpers/run-script.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'void-connect-cli-')))
const data = join(root, 'data')
const notes = join(root, 'my notes')
for (const folder of [data, notes]) mkdirSync(folder)
const { app, owner, deps } = await buildApp({ folders: [root] })
writeFileSync(join(data, 'server.json'), JSON.stringify({ url: await listen(app), pid: process.pid }))
const stop = deps.content.folders.start()
afterAll(async () => {
  await stop()
  rmSync(root, { recursive: true })
})

const connect = (args: string[], env = {}) =>
  runScript('lib/server/cli/connect.ts', args, { env: { DATA_DIR: data, OWNER_TOKEN: ownerToken, ...env } })

test('a folder is looked at, connected with a Space that is made for it, and kept in step', async () => {
  writeFileSync(join(notes, 'a.md'), 'one\n')
  writeFileSync(join(notes, 'b.md'), 'a\0b')

  const early = await connect([notes, '--space', 'field-notes', '--dry-run'])
  expect(early).toMatchObject({ code: 1, error: expect.stringContaining('Space not found: field-notes') })
  await owner.post('/api/spaces').send({ name: 'Field notes', slug: 'field-notes' }).expect(201)
  const preview = await connect([notes, '--space', 'field-notes', '--dry-run'])
  expect(preview.error).toBe('')
  expect(preview.out).toContain(`${notes} and “Field notes”:\nFiles that would become pages: 1\n  a.md\n`)
  expect(preview.out).toContain('Held: 1\n  b.md ')
  const connected = await connect([notes, '--space', 'field-notes'])

  expect(connected).toMatchObject({ code: 0, error: '' })
  expect(connected.out).toMatch(
    /^Connected .*my notes with “Field notes”\..*\nIn step\. Notes: \d\nHeld: 1\n {2}b\.md /,
  )
  expect(readFileSync(join(notes, 'a.md'), 'utf8')).toBe('one\n')
  const { body } = await owner.get('/api/pages?limit=10').expect(200)
  expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['a.md'])
  // Where agents work, a review is offered, and can be switched on.
  mkdirSync(join(notes, '.claude'))
  await expect
    .poll(async () => (await connect([notes, '--space', 'field-notes', '--own', 'mine/**'])).out)
    .toContain('.claude (Claude Code).\nWith --review others')
  const reviewed = await connect([notes, '--space', 'field-notes', '--review', 'others'])
  expect(reviewed.out).not.toContain('--review')
  expect((await connect([notes, '--space', 'field-notes', '--review', 'some'])).code).toBe(2)
  // Again is as at first.
  expect((await connect([notes, '--space', 'field-notes'])).code).toBe(0)
})

test('what cannot be connected says why', async () => {
  mkdirSync(join(root, 'other'))

  const made = await connect([join(root, 'other'), '--space', 'other'])
  const outside = await connect(['/', '--space', 'other'])
  const wrong = await connect([notes])
  const gone = await connect([notes, '--space', 'other'], { DATA_DIR: join(root, 'none') })

  expect(made).toMatchObject({ code: 0, error: '' })
  expect(outside).toMatchObject({ code: 1, error: expect.stringContaining('is not below a folder') })
  expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('--space SLUG') })
  expect(gone).toMatchObject({ code: 1, error: expect.stringContaining('npm start') })
})
