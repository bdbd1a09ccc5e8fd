// What stands alone: Home has no rail until something is asked, and Settings take the place of the navigation.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const hasRail = (page: Page) => page.locator('.rail-body').isVisible()
const widthOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())?.width

test('Home has no rail; asking opens it, and a page has its own', async () => {
  const page = await site().open('/s/skerry-light')
  expect(await hasRail(page)).toBe(false)
  expect(await widthOf(page, '.rail-place')).toBe(44)

  await page.fill('#home-ask', 'What does the lamp burn?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#rail .said-companion')
  expect(await hasRail(page)).toBe(true)
  await page.click('#rail >> [aria-label="Hide companion"]')
  expect(await hasRail(page)).toBe(false)
  await page.click('.tree-link >> text=The lamp')
  await page.waitForSelector('#page-title')
  expect(await hasRail(page)).toBe(true)

  await page.click('.switcher-home')
  await page.waitForSelector('#home-ask')
  expect(await hasRail(page)).toBe(false)
})

test('a thread that was looked for is shown beside Home', async () => {
  const page = await site().open('/s/skerry-light?companion=1')

  expect(await hasRail(page)).toBe(true)
})

test('Settings are in the place of the navigation, and lead back', async () => {
  const page = await site().open(`/s/${world.space.slug}`)
  await page.click('.nav-link >> text=Settings')
  await page.click('.settings-link >> text=Model')
  await page.waitForSelector('#model-server')

  expect(await page.locator('.nav').isVisible()).toBe(false)
  expect(await page.locator('.settings-nav').boundingBox()).toMatchObject({
    x: 0,
    y: 0,
    width: 232,
    height: 900,
  })
  const fields = await page.locator('.settings-section form .setting-value > input.field:visible').all()
  const lefts = await Promise.all(
    fields.map(async (field) => {
      const padding = await field.evaluate(
        (one) =>
          Number.parseFloat(getComputedStyle(one).paddingInlineStart) +
          Number.parseFloat(getComputedStyle(one).borderInlineStartWidth),
      )
      return Math.round(((await field.boundingBox())?.x ?? 0) + padding)
    }),
  )
  expect(fields.length).toBeGreaterThan(3)
  expect(new Set(lefts).size).toBe(1)
  await page.click('.settings-head a')

  await page.waitForSelector('#home-ask')
  expect(await page.locator('.nav').isVisible()).toBe(true)
  expect(page.url()).toContain(`/s/${world.space.slug}`)
})

test('a phone shows the list of settings, or one of them', async () => {
  const page = await site().open('/settings', { viewport: { width: 390, height: 844 } })
  await expectAccessible(page)
  expect(await page.locator('.settings-section').isVisible()).toBe(false)

  await page.click('.settings-nav >> text=Keyboard')
  await page.waitForSelector('#letter-keys')
  expect(await page.locator('.settings-nav').isVisible()).toBe(false)
  await page.click('.settings-up a')

  await page.waitForSelector('.settings[data-list]')
  expect(await page.locator('.settings-nav').isVisible()).toBe(true)
})
