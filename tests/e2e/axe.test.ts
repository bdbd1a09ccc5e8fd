// axe on what views.test.ts does not open.

import { beforeAll, describe, test } from 'vitest'
import { makeFullWorld } from './support/all-views.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  await makeFullWorld(site())
})

describe('axe finds nothing', () => {
  test('on the sign-in page', async () => {
    const page = await site().open('/sign-in', { signedIn: false })

    await expectAccessible(page)
  })

  test('with an answer, its sources and a draft in the rail', async () => {
    const page = await site().open('/s/skerry-light?companion=1')
    const composer = page.locator('#rail textarea')

    for (const text of ['What does the lamp burn?', 'Create a task to polish the lens']) {
      await composer.fill(text)
      await composer.press('Enter')
      await page.waitForSelector('#rail .turn:last-child .said-companion')
      await page.waitForSelector('#rail .working', { state: 'detached' })
    }
    await page.waitForSelector('#rail .card')

    await expectAccessible(page)
  })

  test('with the palette and the list of keys open', async () => {
    const page = await site().open('/s/skerry-light?companion=1')

    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('lamp')
    await page.waitForSelector('dialog[open] [role=option]')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')

    await expectAccessible(page)
  })
})
