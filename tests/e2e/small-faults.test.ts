// Small faults that a first hour finds: each was there once.

import { beforeAll, describe, expect, test } from 'vitest'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
let scribe: ReturnType<ReturnType<typeof site>['as']>
const home = '/s/skerry-light'

beforeAll(async () => {
  world = await makeWorld(site())
  scribe = site().as((await makeAgent(site(), { slug: 'scribe' })).token)
})

const draftTask = async (title: string): Promise<{ id: string }> =>
  (await scribe.post(`/api/spaces/${world.space.id}/tasks`).send({ title })).body

describe('between 700 and 859 pixels', () => {
  test('the pages are one click away, and going to one closes the navigation', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.setViewportSize({ width: 800, height: 800 })

    const content = page.locator('#content')
    const before = await content.boundingBox()
    await page.click('.nav-open')
    await page.locator('.tree').waitFor()
    expect((await page.locator('.nav-place').boundingBox())?.width).toBeLessThanOrEqual(321)
    expect(await content.boundingBox()).toEqual(before)
    await page.click('.tree-link >> text=The lamp')

    await page.waitForURL(/\/pages\//)
    await page.locator('.tree').waitFor({ state: 'hidden' })
  })

  test('Escape closes it, and the focus is where it was', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.setViewportSize({ width: 800, height: 800 })

    await page.click('.nav-open')
    await page.locator('.tree').waitFor()
    await page.keyboard.press('Escape')

    await page.locator('.tree').waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('nav-open')
  })
})

test('the keys of the Inbox work after a click on a line, and beside it', async () => {
  const drafts = [
    await draftTask('Oil the hinges'),
    await draftTask('Caulk the windows'),
    await draftTask('Wax the rope'),
  ]
  const page = await site().open('/inbox')
  const shown = () => page.locator('.inbox-detail .card').getAttribute('id')
  const ids = await page
    .locator('.inbox-item')
    .evaluateAll((items) => items.map(({ dataset }) => (dataset as DOMStringMap).id))

  await page.click(`#item-${ids[0]}`)
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await page.waitForURL(`**/inbox/${ids[0]}*`)
  await expect.poll(focused).toBe(`item-${ids[0]}`)
  await page.keyboard.press('j')
  await expect.poll(shown).toBe(`inbox-${ids[1]}`)
  await page.click('.inbox-detail .card-summary')
  await page.keyboard.press('j')

  await expect.poll(shown).toBe(`inbox-${ids[2]}`)
  for (const { id } of drafts) await site().owner.post(`/api/pending-changes/${id}/reject`).send({})
})

test('the menu of Spaces closes when one is chosen', async () => {
  const page = await site().open(`${home}?companion=1`)

  await page.click('.switcher-button')
  await page.click('#spaces-menu .menu-item-last')
  await page.waitForURL(/\/spaces$/)

  expect(await page.locator('#spaces-menu:popover-open').count()).toBe(0)
})

test('the list of keys tells T and Shift T apart', async () => {
  const page = await site().open(`${home}?companion=1`)

  await page.keyboard.press('?')
  const row = (label: string) => page.locator('.help-keys > div', { hasText: label }).locator('dt')

  expect((await row('New tab').innerText()).replace(/\s+/g, ' ')).toBe('Alt T')
  expect((await row('Reopen closed tab').innerText()).replace(/\s+/g, ' ')).toBe('Alt Shift T')
})

test('the palette fills the window in a split, too, and opens in the half that asked', async () => {
  const page = await site().open(`${home}?companion=1`)
  // The key of the desk comes with its code, a moment after the page is alive.
  await expect
    .poll(
      async () => {
        if ((await page.locator('#beside').count()) > 0) return true
        await page.keyboard.press('\\')
        return false
      },
      { interval: 1000 },
    )
    .toBe(true)
  const frame = page.frameLocator('#beside')
  await frame.locator('html[data-ready]').waitFor({ state: 'attached' })

  await frame.locator('body').press('Control+k')
  await page.waitForSelector('.palette')
  await page.keyboard.type('lamp')
  await page.locator('[role=option] >> text=The lamp').first().click()

  await frame.locator('h1 >> text=The lamp').waitFor()
  expect(new URL(page.url()).pathname).toBe(home)
})

test('a decision is by “you” or “the companion”, never by a raw actor', async () => {
  const { id } = await draftTask('Retracted at once')
  await scribe.post(`/api/pending-changes/${id}/retract`)
  const page = await site().open(`/inbox/${id}?tab=decided`)

  const said = page.locator('.inbox-detail .card-decision')
  await said.waitFor()
  expect(await said.innerText()).not.toContain('agent:')
})

describe('in little room', () => {
  test('the menu of a page shows all it offers in a window 450 pixels high', async () => {
    const page = await site().open(`${home}/pages/${world.lamp.id}`)
    await page.setViewportSize({ width: 720, height: 450 })

    await page.locator('#view .menu-button').first().click()
    const items = page.locator('.menu:popover-open [role^="menuitem"]')
    await items.first().waitFor()

    expect(await items.last().textContent()).toContain('Move to trash')
    const boxes = await items.evaluateAll((all) =>
      all.map((each) => {
        const { top, bottom, left } = each.getBoundingClientRect()
        return [
          top >= 0,
          bottom <= innerHeight,
          each.contains(document.elementFromPoint(left + 20, bottom - 4)),
        ]
      }),
    )
    expect(boxes.flat()).not.toContain(false)
  })

  test('a tree on a phone leaves the width to the titles', async () => {
    const { owner } = site()
    let parent_id: string | null = null
    for (const title of ['Deep one', 'Deep two', 'Deep three']) {
      const { body }: { body: { id: string } } = await owner
        .post(`/api/spaces/${world.space.id}/pages`)
        .send({ title, parent_id })
      parent_id = body.id
    }
    const page = await site().open(`${home}/pages`)
    await page.setViewportSize({ width: 390, height: 844 })
    const row = (title: string) => page.getByRole('treeitem', { name: title, exact: true })
    await row('Deep two').getByRole('button', { name: 'Expand Deep two' }).click()

    const left = async (title: string) => (await row(title).getByRole('link').boundingBox())!.x
    await row('Deep three').waitFor()

    expect((await left('Deep two')) - (await left('Deep one'))).toBeLessThanOrEqual(12)
    expect(await left('Deep three')).toBeLessThanOrEqual(390 / 3)
  })
})
