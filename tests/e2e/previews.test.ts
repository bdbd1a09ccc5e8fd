// What a link leads to, shown beside it before it is followed.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
let here: string

beforeAll(async () => {
  world = await makeWorld(site())
  const { owner } = site()
  const at = `/api/spaces/${world.space.id}/pages`
  const oil = {
    title: 'Oil',
    body: '# Oil\n\nParaffin from [[The lamp|the store]].\n\n## Price\n\nTen crowns.',
  }
  await owner.post(at).send(oil)
  const text = 'See [[Oil]], [[Oil#Price]] and [[Nowhere]].\n\n[out](https://example.org/)'
  const { body } = await owner.post(at).send({ title: 'Care', body: text })
  here = `/s/skerry-light/pages/${body.id}`
})

const preview = (page: Page) => page.locator('.preview')

/** A page whose later parts are loaded, too. */
async function openHere() {
  const page = await site().open(here)
  await expect
    .poll(async () => {
      await page.hover('#page-title')
      await page.hover('.prose a:text-is("Oil")')
      await page.waitForTimeout(500)
      return await preview(page).count()
    })
    .toBe(1)
  await page.hover('#page-title')
  await preview(page).waitFor({ state: 'detached' })
  return page
}

test('a link that the pointer rests on shows the beginning of its page', async () => {
  const page = await openHere()

  await page.hover('.prose a:text-is("Oil")')
  await preview(page).waitFor()

  expect(await preview(page).locator('.preview-title').innerText()).toBe('Oil')
  expect(await preview(page).locator('.prose').innerText()).toMatch(/^Paraffin from the store\./)
  await expectAccessible(page)
})

test('the pointer may move into it, follow a link there, and it goes when the pointer is elsewhere', async () => {
  const page = await openHere()

  await page.hover('.prose a:text-is("Oil")')
  await page.hover('.preview .prose p')
  await page.waitForTimeout(400)
  expect(await preview(page).count()).toBe(1)
  await page.hover('#page-title')
  await preview(page).waitFor({ state: 'detached' })
  await page.hover('.prose a:text-is("Oil")')
  await page.click('.preview a:text-is("the store")')

  await page.waitForSelector('h1:has-text("The lamp")')
  expect(await preview(page).count()).toBe(0)
})

test('a link to a heading shows what is below it', async () => {
  const page = await openHere()

  await page.hover('.prose a:text-is("Oil › Price")')
  await preview(page).waitFor()

  expect(await preview(page).locator('.preview-title').innerText()).toBe('Oil › Price')
  expect(await preview(page).locator('.prose').innerText()).toBe('Ten crowns.')
})

test('the keyboard shows it, Escape takes it away and leaves the focus, and Tab goes on in the text', async () => {
  const page = await openHere()

  await page.focus('#rename')
  while (!(await page.evaluate(() => document.activeElement?.textContent === 'Oil')))
    await page.keyboard.press('Tab')
  await preview(page).waitFor()
  await page.keyboard.press('Escape')
  expect(await preview(page).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Oil')
  await page.keyboard.press('Tab')

  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Oil › Price')
})

test('nothing is shown for the page itself, for other hosts, nor where the pointer only passes', async () => {
  const page = await openHere()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/preview') && asked.push(request.url()))

  await page.hover('.prose a:text-is("out")')
  await page.hover('.prose a:text-is("Oil")')
  await page.hover('#page-title')
  await page.waitForTimeout(500)

  expect(asked).toEqual([])
})

test('a citation says below which headings its passage stands', async () => {
  const page = await site().open('/s/skerry-light?companion=1')
  await page.fill('#rail textarea', 'What is the price of the oil in crowns?')
  await page.press('#rail textarea', 'Enter')
  await page.waitForSelector('#rail .cite')

  await page.hover('#rail .cite >> nth=0')

  await page.waitForSelector('#citation .citation-source bdi')
  expect(await page.locator('#citation .citation-source').innerText()).toContain('Price')
})

test('the page leads to the graph around it', async () => {
  const page = await site().open(here)

  await page.click('#page-graph')

  await page.waitForSelector("h1:has-text('Around')")
  expect(new URL(page.url()).searchParams.get('around')).toBe(here.split('/').at(-1))
})
