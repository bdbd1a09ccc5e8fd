// Pages named in a message with `@`.

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

let requests: ModelRequest[] = []
const model: CallModel = async (request) => {
  requests.push({ ...request, messages: structuredClone(request.messages) })
  return scriptedModel([{ text: `Answer ${requests.length}.` }])(request)
}
const site = useSite({ callModel: model })
let home: string
let lamp: string

beforeEach(async () => {
  requests = []
  const { owner } = site()
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Log room' })
  home = `/s/${space.slug}`
  const at = `/api/spaces/${space.id}/pages`
  lamp = (await owner.post(at).send({ title: 'The lamp', body: 'It turns in twelve seconds.' })).body.id
  await owner.post(at).send({ title: 'Lamp oil', body: 'Rapeseed.' })
})

const options = (page: Page) => page.locator('#mentions [role=option]')
const given = () => JSON.stringify(requests.at(-1)!.messages)

test('a page is completed by keyboard, read before the answer, and linked below the message', async () => {
  const page = await site().open(`${home}?companion=1`)
  await page.focus('#composer')

  await page.keyboard.type('How often does @lam')
  await expect.poll(() => options(page).count()).toBe(2)
  await expectAccessible(page)
  const titles = await options(page).locator('bdi').allInnerTexts()
  for (let at = 0; at < titles.indexOf('The lamp'); at += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.inputValue('#composer')).toBe('How often does [[The lamp]] ')
  await page.keyboard.type('turn?')
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  expect(given()).toContain('It turns in twelve seconds.')
  const link = page.locator('.said-you').getByRole('link', { name: 'The lamp' })
  expect(await link.getAttribute('href')).toBe(`${home}/pages/${lamp}`)
  await expectAccessible(page)
  await page.reload()
  await link.click()
  await page.waitForURL(new RegExp(lamp))
})

test('a page that is taken out of the text again is not read', async () => {
  const page = await site().open(`${home}?companion=1`)
  await page.focus('#composer')
  await page.keyboard.type('@the la')
  await options(page).first().waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.inputValue('#composer')).toBe('[[The lamp]] ')

  await page.fill('#composer', 'How are you?')
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  expect(given()).not.toContain('twelve seconds')
  expect(await page.locator('.said-page').count()).toBe(0)
})

test('what is picked survives a reload, and Escape leaves the text as it is', async () => {
  const page = await site().open(`${home}?companion=1`)
  await page.focus('#composer')
  await page.keyboard.type('@the la')
  await options(page).first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#mentions').waitFor({ state: 'hidden' })
  expect(await page.inputValue('#composer')).toBe('@the la')
  await page.keyboard.type('m')
  await options(page).first().click()
  await expect.poll(() => page.inputValue('#composer')).toBe('[[The lamp]] ')

  await page.reload()
  await page.locator('#composer').press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  expect(given()).toContain('twelve seconds')
})

test('an edited message keeps the pages that it still names', async () => {
  const page = await site().open(`${home}?companion=1`)
  await page.focus('#composer')
  await page.keyboard.type('@the la')
  await options(page).first().waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.said-companion >> text=Answer 1.')

  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByLabel('Edited message').fill('Why [[The lamp]]?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.said-companion >> text=Answer 2.')
  expect(given()).toContain('twelve seconds')
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByLabel('Edited message').fill('Why?')
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 3.')
  expect(given()).not.toContain('twelve seconds')
  await expect.poll(() => page.locator('.said-page').count()).toBe(0)
})

test('a slash at the beginning offers commands, and the plus the signs that open lists', async () => {
  const page = await site().open(`${home}?companion=1`)

  await page.focus('#composer')
  await page.keyboard.type('/deep')
  await options(page).filter({ hasText: 'Deep research' }).waitFor()
  await expect.poll(() => options(page).count()).toBe(1)
  await page.keyboard.press('Enter')
  expect(await page.inputValue('#composer')).toBe('')
  expect(await page.inputValue('#research')).toBe('deep')
  // A slash within words, or with more behind it, is text.
  await page.keyboard.type('/research a and/or b')
  expect(await options(page).count()).toBe(0)

  await page.getByRole('button', { name: 'Add to the message' }).click()
  await page.getByRole('menuitem', { name: 'Mention a page or companion' }).click()
  await page.keyboard.type('the la')
  await options(page).filter({ hasText: 'The lamp' }).waitFor()
  await page.keyboard.press('Enter')

  expect(await page.inputValue('#composer')).toMatch(/^\/research a and\/or b .*The lamp/)
})
