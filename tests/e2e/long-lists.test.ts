// Long lists: what a pointer on a row, a scroll or a key makes the browser compute again.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useSite } from './support/site.ts'

const site = useSite()
const rows = 400
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
})

/** Elements whose style the browser computed meanwhile. */
async function restyled(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; args: { elementCount?: number } }[]
  }
  const counts = traceEvents.filter(({ name }) => name === 'UpdateLayoutTree')
  expect(counts.length).toBeGreaterThan(0)
  return counts.reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
}

const frame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

test.each([
  ['tasks', '.task'],
  ['refs?shown=400', '.list-row'],
])(
  'a wheel over the rows of %s has no more than the rows at the pointer computed again',
  async (path, row) => {
    const page = await site().open(`/s/${space.slug}/${path}`)
    await page
      .locator(row)
      .nth(rows - 1)
      .waitFor()
    await page.mouse.move(700, 500)
    await frame(page)

    const count = await restyled(page, async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        await page.mouse.wheel(0, 240)
        await frame(page)
      }
    })

    expect(count).toBeLessThan(rows)
  },
)

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
