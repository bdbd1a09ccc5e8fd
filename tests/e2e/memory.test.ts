import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { readMemory } from '../../lib/core/text/memory/memory-lines.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const space = '/s/skerry-light'
let world: World
beforeAll(async () => {
  world = await makeWorld(site())
})

const memory = async () => (await site().owner.get(`/api/spaces/${world.space.id}/memory`)).body
const lines = async () => readMemory((await memory()).body).map(({ text }) => text)

/** Asks to remember or forget `that …`, and returns the line that offers it: an earlier one may still be in view. */
async function ask(page: Page, text: string): Promise<Locator> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
  const line = page.locator('.memory-line', { hasText: / that (.*)\.$/.exec(text)![1]! }).last()
  await line.waitFor()
  return line
}
const shoot = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS
  if (folder) mkdirSync(folder, { recursive: true })
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

describe('a line of memory', () => {
  test('is decided in one line where it is proposed, and the next answer says that it was given it', async () => {
    const page = await site().open(`${space}?companion=1`)
    const line = await ask(page, 'Remember that the boat is called Tern.')
    expect(await line.textContent()).toContain('Remember “the boat is called Tern”?')
    await expectAccessible(page)
    await shoot(page, 'line')
    await line.locator('[data-action=approve]').click()
    await expect.poll(lines).toEqual(['the boat is called Tern'])

    await page.fill('#composer', 'What is in here?')
    await page.press('#composer', 'Enter')
    const details = page.locator('.turn').last().locator('details.tools')
    await details.locator('.tools-memory').waitFor({ state: 'attached' })
    await details.locator('summary').click()
    expect(await details.locator('.tools-memory').innerText()).toContain('the boat is called Tern')
    await shoot(page, 'details')
    await page.reload()
    await page.locator('.turn').last().locator('.tools-memory').waitFor({ state: 'attached' })
  })

  test('is refused for now, or with all that nobody asks for', async () => {
    const page = await site().open(`${space}?companion=1`)
    const friday = await ask(page, 'Remember that I sail on Fridays.')
    await friday.locator('[data-action=reject]').click()
    await friday.waitFor({ state: 'detached' })
    const monday = await ask(page, 'Remember that I row on Mondays.')
    await monday.locator('[data-action=never]').click()
    await monday.waitFor({ state: 'detached' })

    await expect.poll(async () => (await memory()).asks).toBe(false)
    expect(await lines()).not.toContain('I row on Mondays')
  })

  test('“Never ask” is undone in the settings of the Space, which open its page', async () => {
    await site()
      .owner.patch(`/api/spaces/${world.space.id}/memory-settings`)
      .send({ asks: false })
      .expect(200)
    const page = await site().open(`${space}/settings`)
    const asks = page.locator(`#memory-asks-${world.space.id}`)
    expect(await asks.isChecked()).toBe(false)
    await asks.click()
    await expect.poll(async () => (await memory()).asks).toBe(true)
    await expectAccessible(page)
    await shoot(page, 'space-settings')
    await page.click(`#memory-${world.space.id}`)
    await page.waitForURL(`**/pages/${(await memory()).id}`)
  })

  test('is remembered in all Spaces, says so, and stands on the page that Settings opens', async () => {
    const page = await site().open(`${space}?companion=1`)
    const line = await ask(page, 'Remember in all Spaces that I prefer metric units.')
    expect(await line.textContent()).toContain('Remember “I prefer metric units” in all Spaces?')
    await line.locator('[data-action=approve]').click()
    await expect
      .poll(async () => (await site().owner.get('/api/memory')).body.body)
      .toContain('- I prefer metric units')
    await page.goto(new URL('/settings/memory', page.url()).href)
    await shoot(page, 'settings')
    await expectAccessible(page)
    await page.click('#memory-everywhere')
    await page.waitForSelector('.page-main >> text=I prefer metric units')
  })

  test('is forgotten and removed from history with a second press, at once or later', async () => {
    const page = await site().open(`${space}?companion=1`)
    const history = async () => {
      const { items } = (await site().owner.get(`/api/audit?entity_id=${(await memory()).id}`)).body
      return JSON.stringify(items)
    }
    for (const name of ['Skua', 'Gull']) {
      const line = await ask(page, `Remember that the ${name} is a fast boat.`)
      await line.locator('[data-action=approve]').click()
      await expect.poll(lines).toContain(`the ${name} is a fast boat`)
    }

    const skua = await ask(page, 'Forget that the Skua is a fast boat.')
    await shoot(page, 'forget')
    await skua.locator('.button-danger').click()
    expect(await skua.locator('.button-danger').textContent()).toContain('permanently')
    await skua.locator('.button-danger').click()
    await expect.poll(history).not.toContain('Skua')
    expect(await lines()).not.toContain('the Skua is a fast boat')

    const gull = await ask(page, 'Forget that the Gull is a fast boat.')
    await gull.locator('[data-action=approve]').click()
    await expect.poll(lines).not.toContain('the Gull is a fast boat')
    const drafts = await site().owner.get(`/api/pending-changes?status=approved&space_id=${world.space.id}`)
    await page.goto(new URL(`/inbox/${drafts.body.items[0].id}?tab=decided`, page.url()).href)
    const later = page.getByRole('button', { name: 'Remove from history' }).last()
    await later.click()
    expect(await history()).toContain('Gull')
    await shoot(page, 'forgotten')
    await later.click()
    await expect.poll(history).not.toContain('Gull')
    expect(await history()).toContain('[removed by the owner]')
  })

  test('has room for its words on a phone', async () => {
    const page = await site().open(`${space}?companion=1`, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    })
    await page.click('[data-part=companion], a:has-text("Companion"), button:has-text("Companion")')
    const line = await ask(
      page,
      'Remember that the quay is painted every June by the harbour office and its people.',
    )
    const words = await line.locator('p').boundingBox()
    await shoot(page, 'dark-phone')

    expect(words!.width).toBeGreaterThan(200)
  })
})
