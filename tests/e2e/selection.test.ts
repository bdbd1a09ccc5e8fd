// Rows of lists that are selected together.

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
let space: { id: string; slug: string }
const made: Record<string, string> = {}

beforeEach(async () => {
  space = (await site().owner.post('/api/spaces').send({ name: 'Harbour' })).body
})

async function make(path: string, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const { body } = await site().owner.post(`/api/spaces/${space.id}/${path}`).send({ title })
    made[title] = body.id
  }
}
const titlesOf = async (path: string): Promise<string[]> => {
  const { body } = await site().owner.get(`/api/spaces/${space.id}/${path}?limit=50`)
  return body.items.map(({ title }: { title: string }) => title).sort()
}
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select ${title}` })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })

test('references are selected, also all between two, and moved to the trash with one Undo', async () => {
  await make('refs', ['Anchor', 'Buoy', 'Crane', 'Dock'])
  const page = await site().open(`/s/${space.slug}/refs?sort=title`)
  await bar(page).waitFor({ state: 'hidden' })

  await box(page, 'Anchor').click()
  await box(page, 'Crane').click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 selected').waitFor()
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('Moved 3 references to trash.').waitFor()
  expect(await titlesOf('refs')).toEqual(['Dock'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titlesOf('refs')).toEqual(['Anchor', 'Buoy', 'Crane', 'Dock'])
  await bar(page).waitFor({ state: 'hidden' })
})

test('what changed in the meantime is left and told, and the rest is done', async () => {
  await make('refs', ['Anchor', 'Buoy'])
  const page = await site().open(`/s/${space.slug}/refs?sort=title`, { expectErrors: /409/ })
  await page.route('**/api/refs/*', async (route) => {
    if (route.request().method() === 'DELETE' && route.request().url().endsWith(made.Anchor!))
      await site().owner.patch(`/api/refs/${made.Anchor}`).send({ version: 1, author: 'Ann' })
    await route.fallback()
  })
  // A page that is open already may send its next requests around a new route.
  await page.reload()
  await whenReady(page)
  await box(page, 'Anchor').click()
  await box(page, 'Buoy').click()
  await page.keyboard.press('Delete')

  await page.getByText('Not changed: “Anchor”: changed in the meantime').waitFor()
  expect(await titlesOf('refs')).toEqual(['Anchor'])
})

test('pages of the tree are selected by key and moved together, and back', async () => {
  await make('pages', ['Anchor', 'Buoy', 'Crane'])
  const page = await site().open(`/s/${space.slug}/pages`)
  const below = async () =>
    (await site().owner.get(`/api/pages/${made.Crane}/place`)).body.below.map(
      ({ title }: { title: string }) => title,
    )

  await page.locator(`#row-${made.Anchor}`).focus()
  await page.keyboard.press('s')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('s')
  await page.locator(`#row-${made.Buoy}[aria-selected="true"]`).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('m')
  await page.fill('#move-field', 'crane')
  await page.locator('.move-choice:has-text("Crane")').click()
  await page.getByText('Moved 2 pages below “Crane”.').waitFor()
  expect(await below()).toEqual(['Anchor', 'Buoy'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(below).toEqual([])
})

test('a selection stays when its list is loaded again, and Escape clears it', async () => {
  await make('pages', ['Anchor', 'Buoy'])
  const page = await site().open(`/s/${space.slug}/pages?view=table`)
  await box(page, 'Buoy').click()
  await make('pages', ['Crane'])
  await box(page, 'Crane').waitFor()

  expect(await box(page, 'Buoy').isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await box(page, 'Buoy').isChecked()).toBe(false)
  await bar(page).waitFor({ state: 'hidden' })
})

test('tasks are marked done together, and reopened with one Undo', async () => {
  await make('tasks', ['Trim', 'Wind', 'Oil'])
  const page = await site().open(`/s/${space.slug}/tasks`)
  const statuses = async () => {
    const { body } = await site().owner.get(`/api/spaces/${space.id}/tasks?limit=50`)
    return body.items.map(({ status }: { status: string }) => status).sort()
  }

  await box(page, 'Trim').click()
  await box(page, 'Oil').click()
  await bar(page).getByRole('button', { name: 'Mark done' }).click()
  await page.getByText('Marked 2 tasks done.').waitFor()
  expect(await statuses()).toEqual(['done', 'done', 'open'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(statuses).toEqual(['open', 'open', 'open'])
})
