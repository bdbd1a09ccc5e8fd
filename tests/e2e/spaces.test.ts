import { beforeAll, expect, test } from 'vitest'
import { makeWorld } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  await makeWorld(site())
})

test('a Space is made, renamed, deleted and taken back', async () => {
  const page = await site().open('/spaces')
  await page.fill('#new-space', 'Boat House')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/s/boat-house')
  await page.waitForSelector('h2 >> text=First steps')
  await page.click('#first-steps >> text=Go on without')
  await page.waitForSelector('.step[data-done] >> text=Go on without a model')
  await page.reload()
  await page.waitForSelector('.step[data-done] >> text=Go on without a model')
  await page.waitForSelector('.thread-empty-title >> text=Ask about Boat House', { state: 'attached' })

  await page.goto('/spaces')
  await whenReady(page)
  await page.getByRole('button', { name: 'Edit Boat House' }).click()
  await page.fill('#space-name', 'The boat house')
  await page.getByLabel('Teal').check()
  await page.fill('#space-emoji', '⛵')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForSelector('.row-title >> text=The boat house')
  await page.waitForSelector('.switcher-home >> text=The boat house')
  await expect.poll(() => page.textContent('.switcher-home .space-mark[data-color=teal]')).toBe('⛵')
  await expectAccessible(page)

  // It is the Space of the navigation, so the page begins anew without it.
  await page.getByRole('button', { name: 'Delete The boat house' }).click()
  await page.waitForSelector('.spaces-trash >> text=The boat house')
  await page.waitForSelector('.switcher-home >> text=Harbour Office')
  await page.getByRole('button', { name: 'Restore The boat house' }).click()
  await page.waitForSelector('.row-title >> text=The boat house')
})

test('going to another Space brings its navigation and its companion', async () => {
  const page = await site().open('/s/skerry-light?companion=1')
  await page.click('.switcher-button')
  await page.click('.menu >> text=Harbour Office')
  await page.waitForURL('**/s/harbour-office')
  await page.waitForSelector('.thread-empty-title >> text=Ask about Harbour Office', { state: 'attached' })
  await page.getByRole('button', { name: 'Show companion' }).click()
  await page.waitForSelector('.thread-empty-title >> text=Ask about Harbour Office')

  await page.waitForSelector('.tree-link', { state: 'detached' })
  await page.goBack()
  await expect(page.locator('.tree-link >> text=The lamp')).toBeVisible()
})
