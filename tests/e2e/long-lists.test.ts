// Long lists: what a pointer on a row, a scroll or a key makes the browser compute again.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useSite } from './support/site.ts'

const site = useSite()
const rows = 400
const leaves = 640
const turns = 8
let folderId: string
let space: { id: string; slug: string }

beforeAll(async () => {
  const { owner, deps } = site()
  space = (await owner.post('/api/spaces').send({ name: 'Long lists' })).body
  for (const table of ['tasks', 'refs', 'pages'])
    await deps.database.query(
      `insert into ${table} (id, space_id, title, created_by, updated_by)
       select gen_random_uuid(), $1, 'Row ' || n, 'owner', 'owner' from generate_series(1, $2::integer) as n`,
      [space.id, rows],
    )
  const folder = await owner.post(`/api/spaces/${space.id}/pages`).send({ title: 'Aa folder' })
  folderId = folder.body.id
  await deps.database.query(
    `insert into pages (id, space_id, parent_id, title, created_by, updated_by)
     select gen_random_uuid(), $1, $2, 'Leaf ' || lpad(n::text, 4, '0'), 'owner', 'owner'
     from generate_series(1, $3::integer) as n`,
    [space.id, folderId, leaves],
  )
})

/** How often the browser computed styles meanwhile, also in the midst of a layout. */
async function styleRuns(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const count = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'RecalcStyleCount')!.value
  }
  const before = await count()
  await work()
  return (await count()) - before
}

const frame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

test.each([
  ['tasks', '.task'],
  ['refs?shown=400', '.list-row'],
])('a wheel over the rows of %s has styles computed once a turn', async (path, row) => {
  const page = await site().open(`/s/${space.slug}/${path}`)
  await page
    .locator(row)
    .nth(rows - 1)
    .waitFor()
  await page.mouse.move(700, 500)
  await frame(page)

  const count = await styleRuns(page, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, 240)
      await frame(page)
    }
  })

  expect(count).toBeGreaterThan(0)
  // One for the row that is left and the row that is come to.
  expect(count).toBeLessThan(2 * turns)
})

test('scrolling and typing change nothing that is watched', async () => {
  const page = await site().open(`/s/${space.slug}/tasks`)
  await page.locator('.task').first().waitFor()
  await page.focus('#quick-add')
  await page.evaluate(() => {
    const changes: string[] = []
    Object.assign(window, { changes })
    new MutationObserver((records) => {
      for (const { target, attributeName } of records)
        changes.push(`${attributeName} of ${(target as Element).className}`)
    }).observe(document.body, { subtree: true, attributeFilter: ['hidden'] })
  })

  await page.keyboard.type('Oil')
  const scrolled = page.evaluate(
    () =>
      new Promise((resolve) => document.addEventListener('scroll', resolve, { capture: true, once: true })),
  )
  await page.locator('#content').evaluate((content) => content.scrollTo(0, 2000))
  await scrolled
  await frame(page)

  const changes = await page.evaluate(() => (window as unknown as { changes: string[] }).changes)
  expect(changes.filter((change) => change.includes('blame'))).toEqual([])
})

test('many changes at once are one look at where the focus is', async () => {
  const page = await site().open(`/s/${space.slug}/tasks`)
  await page.locator('.task-title').first().focus()

  const looks = await page.evaluate(async () => {
    let count = 0
    const { checkVisibility } = Element.prototype
    Element.prototype.checkVisibility = function (...options) {
      count += 1
      return checkVisibility.apply(this, options)
    }
    for (let n = 0; n < 20; n += 1) {
      document.querySelector('#view')!.append(document.createElement('p'))
      await Promise.resolve()
    }
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    return count
  })

  expect(looks).toBeLessThan(5)
})

test('a page lists all of its children, a part at a time', async () => {
  const page = await site().open(`/s/${space.slug}/pages/${folderId}`)
  const children = page.locator('section[aria-labelledby="page-below"]')
  expect(await children.locator('h2').textContent()).toBe(`Child pages${leaves}`)

  await children.getByText('590 more').click()
  await children.getByRole('button', { name: 'Show more (340 left)' }).click()
  await children.getByRole('button', { name: 'Show more (40 left)' }).click()
  await children.getByRole('button', { name: /Show more/ }).waitFor({ state: 'detached' })

  const titles = await children.locator('.row-title').allTextContents()
  expect(titles).toHaveLength(leaves)
  expect(new Set(titles).size).toBe(leaves)
  expect(titles.at(-1)).toBe('Leaf 0640')
  // The first of the added ones, so that reading goes on there.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Leaf 0601')
})

test('the dialog that moves a page reaches every page by scrolling and by keys', async () => {
  const { body } = await site().owner.get(`/api/pages/${folderId}/place`)
  const page = await site().open(`/s/${space.slug}/pages/${body.below[0].id}`)
  await page.keyboard.press('m')
  const choice = (title: string) => page.locator('.move-choice').filter({ hasText: title })
  await choice('Top level').waitFor()
  const list = page.locator('.move-list')
  const scrollTo = (part: number) =>
    list.evaluate((each, to) => each.scrollTo(0, each.scrollHeight * to), part)

  await expect
    .poll(async () => {
      await scrollTo(1)
      return page.locator(`.move-choice[aria-posinset="${rows + 1}"]`).innerText()
    })
    .toMatch(/^Row /)
  expect(await page.locator('.move-choice').count()).toBeLessThan(120)
  await scrollTo(0)
  await choice('Top level').waitFor()
  const active = () =>
    page.evaluate(() => {
      const id = document.activeElement!.getAttribute('aria-activedescendant')!
      return document.getElementById(id)?.textContent
    })
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toContain('Aa folder')
  // The page that is moved lies between.
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toBe('Leaf 0002')
})
