// Messages edited and asked again in the rail, and the way back to what they were.

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

let answers = 0
const model: CallModel = async (request) => scriptedModel([{ text: `Answer ${++answers}.` }])(request)
const site = useSite({ callModel: model })
let home: string

beforeEach(async () => {
  answers = 0
  const { body } = await site().owner.post('/api/spaces').send({ name: 'Log room' })
  home = `/s/${body.slug}`
})

const asked = (page: Page) => page.locator('.said-you .said-text')
const answered = (page: Page) => page.locator('.said-companion .prose')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function ask(page: Page, text: string): Promise<void> {
  const next = `Answer ${answers + 1}.`
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
  await page.waitForSelector(`.said-companion >> text=${next}`)
  await page.waitForSelector('.send:not(.send-stop):visible')
}

test('an answer is regenerated, and both can be gone between by keyboard', async () => {
  const page = await site().open(`${home}?companion=1`)
  await ask(page, 'Good evening')

  await button(page, 'Regenerate').click()
  await page.waitForSelector('.said-companion >> text=Answer 2.')
  await page.waitForSelector('.said-versions >> text=2/2')
  expect(await asked(page).allInnerTexts()).toEqual(['Good evening'])
  expect(await answered(page).allInnerTexts()).toEqual(['Answer 2.'])
  await expectAccessible(page)
  await button(page, 'Previous version').focus()
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  await page.waitForSelector('.said-versions >> text=1/2')
  await page.waitForFunction(() => document.activeElement?.closest('#rail') !== null)
  expect(await answered(page).count()).toBe(1)
  await page.reload()
  await page.waitForSelector('.said-versions >> text=1/2')
  await button(page, 'Next version').click()
  await page.waitForSelector('.said-companion >> text=Answer 2.')
})

test('a message is edited in its place; what followed goes with the old one and comes back with it', async () => {
  const page = await site().open(`${home}?companion=1`)
  const other = await site().open(`${home}?companion=1`)
  await ask(page, 'One')
  await ask(page, 'Two')

  await page.locator('.turn').first().getByRole('button', { name: 'Edit message' }).click()
  const field = page.getByLabel('Edited message')
  expect(await field.inputValue()).toBe('One')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit message')
  await page.keyboard.press('Enter')
  await field.fill('Instead')
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 3.')
  await page.waitForSelector('.said-versions >> text=2/2')
  expect(await asked(page).allInnerTexts()).toEqual(['Instead'])
  await expect.poll(() => asked(other).allInnerTexts()).toEqual(['Instead'])
  await button(page, 'Previous version').click()
  await expect.poll(() => asked(page).allInnerTexts()).toEqual(['One', 'Two'])
  await expect.poll(() => asked(other).allInnerTexts()).toEqual(['One', 'Two'])
})

test('only the last answer offers to be regenerated', async () => {
  const page = await site().open(`${home}?companion=1`)
  await ask(page, 'One')
  await ask(page, 'Two')

  await page.locator('.turn').last().getByRole('button', { name: 'Regenerate' }).waitFor()

  expect(await button(page, 'Regenerate').count()).toBe(1)
  await page.locator('.turn').first().getByRole('button', { name: 'Copy answer' }).waitFor()
})

test('an edit that is refused stays in its field, and the thread as it was', async () => {
  const page = await site().open(`${home}?companion=1`, { expectErrors: /409/ })
  await ask(page, 'One')
  const error = { code: 'not_shown', message: 'Another version is shown.', request_id: 'x' }
  await page.route('**/companion/turn', (route) =>
    route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify({ error }) }),
  )

  await button(page, 'Edit message').click()
  await page.getByLabel('Edited message').fill('Instead')
  await page.locator('.queue-form').getByRole('button', { name: 'Send' }).click()

  await page.waitForSelector('.toast >> text=Another version is shown.')
  expect(await page.getByLabel('Edited message').inputValue()).toBe('Instead')
  await expect.poll(() => page.locator('.turn').count()).toBe(1)
  expect(await page.inputValue('#composer')).toBe('')
  await page.unroute('**/companion/turn')
  await page.locator('.queue-form').getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('.said-versions >> text=2/2')
})

test('an edit survives that the page is loaded again', async () => {
  const page = await site().open(`${home}?companion=1`)
  await ask(page, 'One')
  await button(page, 'Edit message').click()
  await page.getByLabel('Edited message').fill('Half of a thou')

  await page.reload()

  expect(await page.getByLabel('Edited message').inputValue()).toBe('Half of a thou')
})
