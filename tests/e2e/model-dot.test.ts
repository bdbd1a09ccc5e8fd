// The state of the model: a dot with its name where there is room, on a phone's sheet the dot alone.

import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe.each([
  ['no model', {}, 'No model', 'offline', 'No model. Connect one'],
  [
    'a model',
    { callModel: async () => Promise.reject(new Error('not asked')) },
    'scripted',
    'ready',
    'Model of this thread: ',
  ],
] as const)('with %s', (_name, options, words, mood, label) => {
  const site = useSite(options)
  beforeAll(async () => void (await makeWorld(site())))

  test.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
    const page = await site().open('/s/skerry-light', { ...phone, colorScheme })
    const home = page.locator('.ask .composer-model')

    expect(await home.innerText()).toContain(words)
    expect(await home.locator('.mood').getAttribute('data-mood')).toBe(mood)
    await expectAccessible(page)

    await page.locator('.bottom-bar >> text=Companion').click()
    const chip = page.locator('#rail .composer-model')
    await chip.waitFor()
    expect(await chip.innerText()).toBe('')
    expect(await chip.getAttribute('aria-label')).toContain(label)
    const dot = chip.locator('.mood')
    expect(await dot.isVisible()).toBe(true)
    expect(await dot.getAttribute('data-mood')).toBe(mood)
    const box = (await chip.boundingBox())!
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
  })

  test('a wide window has the name beside it', async () => {
    const page = await site().open('/s/skerry-light/tasks', { viewport: { width: 1440, height: 900 } })

    expect(await page.locator('#rail .composer-model').innerText()).toContain(words)
  })
})
