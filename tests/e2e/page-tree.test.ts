// The tree of pages in the sidebar: levels of any size, the open page, keys.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const pages = 4000
let space: { id: string; slug: string }
let folder: string
let ids: string[]

beforeAll(async () => {
  const { owner, deps } = site()
  space = (await owner.post('/api/spaces').send({ name: 'Log books' })).body
  const make = (title: string, parent_id: string | null) =>
    owner.post(`/api/spaces/${space.id}/pages`).send({ title, body: '', parent_id })
  folder = (await make('Entries', null)).body.id
  await make('Zone', null)
  const { rows } = await deps.database.query<{ id: string }>(
    `with made as (
       insert into pages (id, space_id, title, parent_id, created_by, updated_by)
       select gen_random_uuid(), $1, 'Entry ' || lpad(n::text, 5, '0'), $2, 'owner', 'owner'
       from generate_series(1, $3::integer) as n
       returning id, title
     )
     select id from made order by title`,
    [space.id, folder, pages],
  )
  ids = rows.map(({ id }) => id)
  await make('Loose leaf', ids[3000]!)
})

const address = (n: number) => `/s/${space.slug}/pages/${ids[n - 1]}`
const link = (page: Page, title: string) =>
  page.locator('.tree').getByRole('link', { name: title, exact: true })
const rowCount = (page: Page) => page.locator('.tree-level > li').count()
const scrollTo = (page: Page, part: number) =>
  page.locator('.tree-list').evaluate((list, to) => {
    list.scrollTop = list.scrollHeight * to
  }, part)
const isInList = (node: Element) => {
  const [one, all] = [node.getBoundingClientRect(), node.closest('.tree-list')!.getBoundingClientRect()]
  return one.top >= all.top && one.bottom <= all.bottom
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('the open page is marked and in sight, with its level whole around it and few rows in the document', async () => {
  const page = await site().open(address(2345))

  const row = link(page, 'Entry 02345')
  await expect.poll(() => row.evaluate(isInList)).toBe(true)
  expect(await row.getAttribute('aria-current')).toBe('page')
  expect(await row.locator('xpath=..').getAttribute('aria-setsize')).toBe(`${pages}`)
  expect(await row.locator('xpath=..').getAttribute('aria-posinset')).toBe('2345')
  expect(await rowCount(page)).toBeLessThan(100)
  await expectAccessible(page)

  await scrollTo(page, 1)
  await link(page, 'Zone').waitFor()
  await link(page, 'Entry 04000').waitFor()
  await scrollTo(page, 0.25)
  await link(page, 'Entry 01000').waitFor()
  await scrollTo(page, 0)
  await link(page, 'Entries').waitFor()
  expect(await rowCount(page)).toBeLessThan(100)

  await page.goto(address(3800))
  await link(page, 'Entry 03800').waitFor()
})

test('the arrow keys go on where nothing is loaded yet, and the focus is kept while it is scrolled away', async () => {
  const page = await site().open(`/s/${space.slug}`)
  await page.focus('#tree-title')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('Entries')

  await page.keyboard.press('ArrowRight')
  await link(page, 'Entry 00001').waitFor()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focused(page)).toBe('Entry 00001')
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toBe('Zone')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused(page)).toBe('Entry 04000')
  await scrollTo(page, 0.5)
  await link(page, 'Entry 02000').waitFor()
  await page.keyboard.press('PageUp')
  await expect.poll(() => focused(page)).toBe('Entry 03990')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused(page)).toBe('Entries')
  await page.keyboard.press('ArrowLeft')
  await link(page, 'Entry 00001').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')

  // One stop for all of them.
  expect(await page.evaluate(() => document.activeElement?.closest('.tree'))).toBe(null)
})

test('a change elsewhere keeps what is in sight, and a level that was closed closed', async () => {
  const page = await site().open(address(2000))
  await link(page, 'Entry 02000').waitFor()
  const top = await page.locator('.tree-list').evaluate((list) => list.scrollTop)

  const { body } = await site().owner.get(`/api/pages/${ids[2002]}`)
  await site()
    .owner.patch(`/api/pages/${body.id}`)
    .send({ version: body.version, title: 'Entry 02003, corrected' })
  await link(page, 'Entry 02003, corrected').waitFor()
  expect(await page.locator('.tree-list').evaluate((list) => list.scrollTop)).toBe(top)

  await scrollTo(page, 0)
  await page.locator('.tree').getByRole('button', { name: 'Collapse Entries' }).click()
  await link(page, 'Entry 00001').waitFor({ state: 'detached' })
  await site().owner.post(`/api/spaces/${space.id}/pages`).send({ title: 'Another' })
  await link(page, 'Another').waitFor()
  expect(await link(page, 'Entry 00001').count()).toBe(0)
})

test('what lies below a page far down is opened with it', async () => {
  const page = await site().open(`/s/${space.slug}`)
  const { body } = await site().owner.get(`/api/pages/${ids[3000]}/place`)

  await page.goto(`/s/${space.slug}/pages/${body.below[0].id}`)
  await link(page, 'Loose leaf').waitFor()

  expect(await link(page, 'Loose leaf').getAttribute('aria-current')).toBe('page')
  expect(await link(page, 'Loose leaf').locator('xpath=..').getAttribute('aria-level')).toBe('3')
  await link(page, 'Entry 03001').waitFor()
})
