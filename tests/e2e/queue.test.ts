import { beforeEach, expect, test } from 'vitest'
import { createPacedModel } from '../helpers/paced-model.ts'
import { makeWorld } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const model = createPacedModel()
const site = useSite({ callModel: model.callModel })
let home = ''

beforeEach(async () => {
  if (home === '') home = `/s/${(await makeWorld(site())).space.slug}`
})

test('what is said while an answer is written waits, is changed, taken back, and answered in order', async () => {
  const page = await site().open(`${home}?companion=1`)
  const say = async (text: string) => {
    await page.fill('#composer', text)
    await page.press('#composer', 'Enter')
  }
  await say('first')
  await model.whenCalled(1)
  await model.say('The first ')
  await page.waitForSelector('.send-stop:visible')
  await say('second')
  await page.waitForSelector('.queue-item >> text=second')
  await say('third')
  await page.waitForSelector('.queue-item >> text=third')
  await expectAccessible(page)

  await page.locator('.queue-item', { hasText: 'second' }).getByLabel('Edit message').click()
  await page.fill('.queue-field', 'second, but better')
  await page.press('.queue-field', 'Enter')
  await page.waitForSelector('.queue-item >> text=second, but better')
  await page.locator('.queue-item', { hasText: 'third' }).getByLabel('Delete message').click()
  await page.waitForFunction(() => document.querySelectorAll('.queue-item').length === 1)
  model.end({ text: 'answer.' })
  await model.whenCalled(2)
  model.end({ text: 'The second answer.' })

  await page.waitForSelector('.turn >> nth=1 >> text=The second answer.')
  await page.waitForFunction(() => document.querySelectorAll('.queue-item').length === 0)
  const said = await page.locator('.said-you .said-text').allInnerTexts()
  expect(said).toEqual(['first', 'second, but better'])
})
