// What can be done with messages and answers in the rail.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

// The offline companion answers: it cites.
const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const home = '/s/skerry-light'

/** The question may go to another thread, so it is not counted what is there. */
async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
  await expect.poll(() => lastTurn(page).locator('.said-you').innerText()).toContain(text)
  await lastTurn(page).locator('.said-companion').waitFor()
  await page.waitForSelector('.send:not(.send-stop):visible')
}

const lastTurn = (page: Page) => page.locator('.turn').last()

describe('an answer', () => {
  test('is copied as Markdown with links, and saved as a page that opens', async () => {
    const page = await site().open(`${home}?companion=1`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await ask(page, 'What does the lamp burn?')

    await lastTurn(page).getByRole('button', { name: 'Copy answer' }).click()
    await page.waitForSelector('.toast >> text=Copied as Markdown.')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    await lastTurn(page).getByRole('button', { name: 'Save as page' }).click()
    await page.locator('.toast', { hasText: 'Saved as page' }).getByRole('button', { name: 'Open' }).click()
    await page.waitForURL(/\/pages\//)

    expect(copied).toContain(`](${site().url}/s/skerry-light/pages/${world.lamp.id}`)
    expect(copied).toContain('Sources:')
    await page.waitForSelector('#view h1 >> text=What does the lamp burn?')
    await page.locator('#view').getByRole('link', { name: 'Show in thread' }).click()
    await page.waitForURL(/\?turn=/)
    await expectAccessible(page)
  })

  test('names the pages that it is from, and those that it lists, as links', async () => {
    const page = await site().open(`${home}?companion=1`)
    await ask(page, 'What does the lamp burn?')
    const source = lastTurn(page).locator('.answer-text strong a.wikilink').first()
    const name = await source.innerText()
    await source.click()
    await page.locator('#view h1', { hasText: name }).waitFor()

    await ask(page, 'Which pages mention the lamp?')
    await lastTurn(page).getByRole('link', { name: 'The lamp', exact: true }).click()
    await page.waitForURL(new RegExp(`/pages/${world.lamp.id}$`))
  })

  test('has the same actions after the page is loaded again', async () => {
    const page = await site().open(`${home}?companion=1`)
    await ask(page, 'How long does the lease run?')

    await page.reload()

    await lastTurn(page).getByRole('button', { name: 'Copy answer' }).waitFor()
    await lastTurn(page).getByRole('button', { name: 'Save as page' }).waitFor()
  })
})

test('a thread is downloaded as Markdown from its menu', async () => {
  const page = await site().open(`${home}?companion=1`)
  await ask(page, 'What does the lamp burn?')
  await page.click('.thread-button')
  await page.locator('.thread-row').first().locator('.menu-button').click()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as Markdown' }).click(),
  ])

  expect(file.url()).toMatch(/\/conversations\/[^/]+\/export\.md$/)
  expect(file.suggestedFilename()).toMatch(/^[a-z-]+\.md$/)
})
