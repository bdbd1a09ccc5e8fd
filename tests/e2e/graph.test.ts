// The pages of a Space and their links, drawn and listed.

import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
  const at = `/api/spaces/${world.space.id}/pages`
  const { owner } = site()
  const { body: parts } = await owner.post(at).send({ title: 'Parts', body: '[[The lamp]]' })
  await owner.post(at).send({ title: 'Lens', parent_id: parts.id, body: '#glass [[The lamp]] [[Prism]]' })
  await owner.post(at).send({ title: 'Prism', parent_id: parts.id, body: '#glass/cut' })
})

const titles = (page: import('playwright-core').Page) => page.locator('#graph-list bdi').allInnerTexts()

test('every page is in the drawing and in the list beside it, the most linked first', async () => {
  const page = await site().open(`/s/${world.space.slug}/graph`)

  expect((await titles(page))[0]).toBe('The lamp')
  expect(await page.locator('canvas[role=img]').getAttribute('aria-label')).toMatch(/^Drawing of \d+ pages/)
  const drawn = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas')!
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      return data.some((value) => value > 0)
    })
  await expect.poll(drawn).toBe(true)
  await expectAccessible(page)

  await page.focus('#graph-find')
  await page.keyboard.type('pris')
  await expect.poll(() => page.locator('#graph-list a:visible').allInnerTexts()).toHaveLength(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:has-text("Prism")')
})

test('a tag and a folder filter it, in the address', async () => {
  const page = await site().open(`/s/${world.space.slug}/graph`)

  await chooseFilter(page, 'graph-tag', 'glass')
  await expect.poll(() => titles(page)).toEqual(['Lens', 'Prism'])
  expect(new URL(page.url()).searchParams.get('tag')).toBe('glass')
  await page.goto(`/s/${world.space.slug}/graph`)
  await chooseFilter(page, 'graph-folder', 'Parts')

  await expect.poll(() => titles(page)).toEqual(['Lens', 'Prism', 'Parts'])
})

test('around a page there is what is near it, and the way to the whole', async () => {
  const page = await site().open(`/s/${world.space.slug}/graph?around=${world.lease.id}`)

  await page.waitForSelector("h1:has-text('Around')")
  expect(await page.locator('#graph-list a[aria-current]').innerText()).toContain(world.lease.title as string)
  await page.click('text=Whole Space')

  await page.waitForSelector('h1:text-is("Graph")')
})
