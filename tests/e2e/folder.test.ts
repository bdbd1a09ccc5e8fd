// A folder that is connected in the settings, edited as in vim, and reviewed where an agent writes.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'void-folder-e2e-')))
const notes = join(root, 'notes')
mkdirSync(notes)
const site = useSite({ folders: [root] })
let stop = async () => {}
let space: { id: string; slug: string }
const save = (name: string, text: string) => writeFileSync(join(notes, name), text)
const read = (name: string) => readFileSync(join(notes, name), 'utf8')

beforeAll(async () => {
  stop = site().deps.content.folders.start()
  space = (await site().owner.post('/api/spaces').send({ name: 'Field notes' }).expect(201)).body
})

afterAll(async () => {
  await stop()
  rmSync(root, { recursive: true, force: true })
})

test('a folder is tried, connected, edited, and its changes are undone in the list', async () => {
  save('a.md', 'from vim\n')
  save('latin.md', '')
  writeFileSync(join(notes, 'latin.md'), Buffer.from([0x66, 0xfc, 0x72]))
  const page = await site().open(`/settings/folder?space=${space.id}`)
  await page.fill('#folder-path', notes)
  await page.click('#folder-try')
  await page.waitForSelector('#folder-preview >> text=Files that become pages: 1')
  await page.click('.settings-section button[type=submit]')
  await page.waitForSelector('#folder-state[data-state="in_step"]')
  expect(await page.textContent('#folder-state')).toMatch(/In step · .*1 file held · 2 notes/)
  expect(await page.textContent('#folder-held')).toContain('is not UTF-8')
  await expectAccessible(page)

  save('a.md', 'from vim, again\n')
  await expect
    .poll(async () => (await site().owner.get(`/api/spaces/${space.id}/folder/log`)).body.items.length)
    .toBe(2)
  await page.reload()
  await page.click('#folder-log >> [aria-label="Undo: a.md"] >> nth=0')
  await page.waitForSelector('text=Undone.')
  await expect.poll(() => read('a.md')).toBe('from vim\n')
})

test('three files of an agent wait as one changeset, and a rejected one is put back', async () => {
  save('b.md', 'b\n')
  await expect.poll(async () => (await site().owner.get(`/api/spaces/${space.id}/folder`)).body.files).toBe(3)
  mkdirSync(join(notes, '.claude'))
  save('c.md', 'c\n')
  const page = await site().open(`/settings/folder?space=${space.id}`)
  await page.waitForSelector('#folder-agents >> text=.claude (Claude Code)')
  await page.selectOption('#folder-review', 'all')
  await page.click('.settings-section button[type=submit]')
  await page.waitForSelector('text=Changes saved.')
  await page.waitForSelector('#folder-agents', { state: 'detached' })
  await expect
    .poll(async () => (await site().owner.get(`/api/spaces/${space.id}/folder`)).body)
    .toMatchObject({ state: 'in_step', files: 4 })

  for (const name of ['a', 'b', 'c']) save(`${name}.md`, `${name}, by an agent\n`)
  await page.waitForSelector('#folder-state >> text=3 changes in the Inbox')
  await page.goto(`${site().url}/s/${space.slug}`)
  await page.waitForSelector('#home-folder >> text=3 changes in the Inbox')
  await page.click('#home-folder >> text=3 changes in the Inbox')
  await page.waitForSelector('text=a.md changed in the folder.', { state: 'attached' })
  await expectAccessible(page)

  const { body } = await site().owner.get('/api/pending-changes?status=pending').expect(200)
  expect(new Set(body.items.map(({ changeset_id }: { changeset_id: string }) => changeset_id)).size).toBe(1)
  const reject = body.items.find(({ reason }: { reason: string }) => reason.startsWith('b.md'))
  await site().owner.post(`/api/pending-changes/${reject.id}/reject`).send({}).expect(200)
  await expect.poll(() => read('b.md')).toBe('b\n')
  expect(read('a.md')).toBe('a, by an agent\n')
})
