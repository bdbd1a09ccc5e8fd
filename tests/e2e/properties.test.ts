// Properties of a page as rows: changed, renamed, added, removed and undone where it is read.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let space: { id: string }

beforeAll(async () => {
  space = (await site().owner.post('/api/spaces').send({ name: 'Boat House' })).body
})

const body =
  '---\n# as surveyed\nlength: 12.5   # metres\nafloat: true\ncrew: [Anna, Bo]\n---\nA cutter. #sail\n'
const make = async (title: string, text = body): Promise<string> =>
  (await site().owner.post(`/api/spaces/${space.id}/pages`).send({ title, body: text })).body.id
const textOf = (id: string) => async () => (await site().owner.get(`/api/pages/${id}`)).body.body as string
const rows = (page: Page) => async () =>
  (await page.locator('.properties tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
const open = (page: Page, name: string) =>
  page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()

test('a value, a name and a type are changed in place, and one undo brings each back', async () => {
  const id = await make('Cutter')
  const page = await site().open(`/s/boat-house/pages/${id}`)
  await expect.poll(rows(page)).toEqual(['length 12.5', 'afloat true', 'crew Anna Bo'])

  await open(page, 'length')
  await expectAccessible(page)
  await page.locator('#property-value').fill('13,25')
  await page.locator('#property-name').fill('LOA')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(rows(page)).toEqual(['LOA 13.25', 'afloat true', 'crew Anna Bo'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('property-0')
  expect(await textOf(id)()).toBe(body.replace('length: 12.5', 'LOA: 13.25'))

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(rows(page)).toEqual(['length 12.5', 'afloat true', 'crew Anna Bo'])
  expect(await textOf(id)()).toBe(body)
})

test('a checkbox, a list and a date', async () => {
  const id = await make('Yawl')
  const page = await site().open(`/s/boat-house/pages/${id}`)

  await open(page, 'afloat')
  await page.locator('#property-value').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(rows(page)).toEqual(['length 12.5', 'afloat false', 'crew Anna Bo'])

  await open(page, 'crew')
  await page.locator('#property-value').fill('Anna\nCleo')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(rows(page)).toEqual(['length 12.5', 'afloat false', 'crew Anna Cleo'])

  await open(page, 'afloat')
  await page.locator('#property-type').selectOption('date')
  await page.locator('#property-value').fill('2026-03-01')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(textOf(id))
    .toBe(body.replace('afloat: true', 'afloat: 2026-03-01').replace('[Anna, Bo]', '[Anna, Cleo]'))
})

test('one is added to a page without any, a name that is taken is refused, and the last one goes', async () => {
  const id = await make('Dinghy', 'Small.\n')
  const page = await site().open(`/s/boat-house/pages/${id}`, { expectErrors: /400/ })
  const add = async (name: string, value: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Add property' }).click()
    await page.locator('#property-name').fill(name)
    await page.locator('#property-value').fill(value)
    await page.locator('form').getByRole('button', { name: 'Add property' }).click()
  }
  await add('home', 'Skerry')
  await expect.poll(rows(page)).toEqual(['home Skerry'])
  await page.locator('dialog').waitFor({ state: 'detached' })

  await add('Home', 'Elsewhere')
  await expect.poll(() => page.locator('.dialog .problem').textContent()).toContain('already')
  await page.keyboard.press('Escape')

  await open(page, 'home')
  await page.getByRole('button', { name: 'Remove property' }).click()
  await expect.poll(textOf(id)).toBe('Small.\n')
  await expect.poll(rows(page)).toEqual([])
})

test('a change made elsewhere is not overwritten', async () => {
  const id = await make('Ferry')
  const page = await site().open(`/s/boat-house/pages/${id}`, { expectErrors: /409/ })
  await open(page, 'length')
  await site().owner.patch(`/api/pages/${id}`).send({ version: 1, body: 'Another text.' })

  await page.locator('#property-value').fill('1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => page.locator('.dialog .problem').textContent()).toContain('changed in the meantime')
  expect(await textOf(id)()).toBe('Another text.')
})

test('more than five are folded until they are opened', async () => {
  const id = await make('Many', '---\na: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n---\n')
  const page = await site().open(`/s/boat-house/pages/${id}`)

  expect(await page.locator('.properties').getAttribute('open')).toBeNull()
  await page.locator('.properties summary').click()
  await expect.poll(rows(page)).toEqual(['a 1', 'b 2', 'c 3', 'd 4', 'e 5', 'f 6'])
})

test('dates of a page are shown as dates, and stay in the text as they are', async () => {
  const text =
    '---\nsurveyed: 2031-03-05\nlaunched: 2031-03-05T10:30\nsunk: 2031-03-05T10:30:00+14:00\nno: 2031-13-45\n---\nA yawl.\n'
  const id = await make('Yawl', text)
  const page = await site().open(`/s/boat-house/pages/${id}`)

  await expect.poll(rows(page)).toContain('surveyed 5 Mar 2031')
  const shown = await rows(page)()
  expect(shown).toContain('launched 5 Mar 2031 10:30')
  expect(shown.find((row) => row.startsWith('sunk'))).toMatch(/^sunk [45] Mar 2031 \d\d:\d\d$/)
  expect(shown).toContain('no 2031-13-45')
  expect(await textOf(id)()).toBe(text)
})
