// Pages that are dragged, in the sidebar and in the list of all pages.

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { useSite } from './support/site.ts'

const site = useSite()
let space: { id: string; slug: string }
let ids: Record<string, string>

beforeEach(async () => {
  const { owner } = site()
  space = (await owner.post('/api/spaces').send({ name: 'Harbour' })).body
  ids = {}
  for (const [at, title] of ['Anchor', 'Buoy', 'Crane'].entries()) {
    const body = { title, position: at * 1024 }
    ids[title] = (await owner.post(`/api/spaces/${space.id}/pages`).send(body)).body.id
  }
})

const level = async (below?: string): Promise<string[]> => {
  const query = below ? `?below=${below}` : ''
  const { body } = await site().owner.get(`/api/spaces/${space.id}/page-tree${query}`)
  return body.items
    .filter((page: { parent_id: string | null }) => page.parent_id === (below ?? null))
    .map(({ title }: { title: string }) => title)
}
const row = (page: Page, title: string, tree: string) => page.locator(`${tree} [data-page="${ids[title]}"]`)

async function drag(page: Page, tree: string, [from, to]: [string, string], part: number): Promise<void> {
  const target = row(page, to, tree)
  const { height } = (await target.boundingBox())!
  await row(page, from, tree)
    .locator('a')
    .dragTo(target, { targetPosition: { x: 40, y: height * part } })
}

test('a page is dragged below another one in the sidebar, and back with Undo', async () => {
  const page = await site().open(`/s/${space.slug}`)
  await row(page, 'Crane', '.tree').waitFor()

  await drag(page, '.tree', ['Crane', 'Anchor'], 0.5)

  await expect.poll(() => level()).toEqual(['Anchor', 'Buoy'])
  expect(await level(ids.Anchor)).toEqual(['Crane'])
  await page.getByText('Moved “Crane” below “Anchor”.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => level()).toEqual(['Anchor', 'Buoy', 'Crane'])
})

test('pages are reordered by drag in the list of all pages', async () => {
  const page = await site().open(`/s/${space.slug}/pages`)
  await row(page, 'Crane', '#page-rows').waitFor()

  await drag(page, '#page-rows', ['Crane', 'Anchor'], 0.1)
  await expect.poll(() => level()).toEqual(['Crane', 'Anchor', 'Buoy'])
  await expect
    .poll(() => page.locator('#page-rows .row-title').allInnerTexts())
    .toEqual([...['Crane', 'Anchor', 'Buoy']])

  await drag(page, '#page-rows', ['Crane', 'Buoy'], 0.9)
  await expect.poll(() => level()).toEqual(['Anchor', 'Buoy', 'Crane'])
})

const favourites = (page: Page) => page.locator('.favourites .tree-link')

test('a page becomes a favourite with its star, and is one in every tab', async () => {
  const page = await site().open(`/s/${space.slug}/pages/${ids.Buoy}`)
  const other = await site().openTab(page, `/s/${space.slug}`)
  await page.locator('.favourites').waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Favourite' }).click()

  await expect.poll(() => favourites(page).allInnerTexts()).toEqual(['Buoy'])
  await expect.poll(() => favourites(other).allInnerTexts()).toEqual(['Buoy'])
  await other.locator('.favourites a').click()
  await other.locator('#favourite[aria-pressed="true"]').click()
  await expect.poll(() => favourites(page).count()).toBe(0)
  await page.locator('#favourite[aria-pressed="false"]').waitFor()
})

test('favourites are ordered by drag and by keys, take pages of the tree, and stay so', async () => {
  await site()
    .owner.put(`/api/spaces/${space.id}/favourites`)
    .send({ page_ids: [ids.Anchor, ids.Buoy] })
  const page = await site().open(`/s/${space.slug}`)
  const row = (title: string) => page.locator(`[data-favourite="${ids[title]}"]`)
  // All that is dragged is there before.
  await page.locator(`.tree [data-page="${ids.Crane}"]`).waitFor()
  const { height } = (await row('Anchor').boundingBox())!

  await row('Buoy')
    .locator('a')
    .dragTo(row('Anchor'), { targetPosition: { x: 60, y: 2 } })
  await expect.poll(() => favourites(page).allInnerTexts()).toEqual(['Buoy', 'Anchor'])
  await page
    .locator(`.tree [data-page="${ids.Crane}"] a`)
    .dragTo(row('Anchor'), { targetPosition: { x: 60, y: height - 2 } })
  await expect.poll(() => favourites(page).allInnerTexts()).toEqual(['Buoy', 'Anchor', 'Crane'])
  await row('Crane').locator('a').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => favourites(page).allInnerTexts()).toEqual(['Buoy', 'Crane', 'Anchor'])
  await page.keyboard.press('Delete')

  await expect.poll(() => favourites(page).allInnerTexts()).toEqual(['Buoy', 'Anchor'])
  await expect
    .poll(async () => (await site().owner.get(`/api/spaces/${space.id}/favourites`)).body.items.length)
    .toBe(2)
  await page.reload()
  expect(await favourites(page).allInnerTexts()).toEqual(['Buoy', 'Anchor'])
})

test('the favourite in focus keeps it at once when another tab changes them', async () => {
  const put = (titles: string[]) =>
    site()
      .owner.put(`/api/spaces/${space.id}/favourites`)
      .send({ page_ids: titles.map((title) => ids[title]) })
  await put(['Anchor', 'Buoy'])
  const page = await site().open(`/s/${space.slug}`)
  await page.locator(`[data-favourite="${ids.Buoy}"] a`).focus()
  const focused = page.evaluate(
    () =>
      new Promise((resolve) => {
        const list = document.querySelector('.favourite-list')!
        new MutationObserver(() => resolve(document.activeElement?.id)).observe(list, { childList: true })
      }),
  )

  await put(['Buoy', 'Crane'])

  expect(await focused).toBe(`favourite-${ids.Buoy}`)
})

test('a favourite that cannot be stored is not shown as one', async () => {
  const page = await site().open(`/s/${space.slug}/pages/${ids.Buoy}`, { expectErrors: /500/ })
  await page.route('**/favourites', (route) => route.fulfill({ status: 500, json: {} }))

  await page.getByRole('button', { name: 'Favourite' }).click()

  await page.locator('.toast-problem').waitFor()
  await page.locator('#favourite[aria-pressed="false"]').waitFor()
  await expect.poll(() => favourites(page).count()).toBe(0)
})
