// Links while one writes: names on offer after `[[`, and pages shown within a page.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

async function makePage(title: string, body = ''): Promise<string> {
  const made = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return made.body.id
}

const pathOf = (id: string) => `/s/skerry-light/pages/${id}`

async function openEditor(id: string): Promise<Page> {
  const page = await site().open(`${pathOf(id)}?edit`)
  await page.waitForSelector('.cm-content')
  await page.focus('.cm-content')
  return page
}

const textOf = (page: Page) =>
  page.locator('.cm-line').evaluateAll((lines) => lines.map((line) => line.textContent).join('\n'))
/** While it is being looked up anew, keys are not for it. */
const list = '.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)'
const offered = (page: Page) => page.locator(`${list} [role=option]`)

describe('after two brackets', () => {
  test('names are on offer; arrows and Enter take one, and the link is closed', async () => {
    const page = await openEditor(await makePage('Round'))

    await page.keyboard.type('See [[lea')
    await offered(page).first().waitFor()
    const active = await page.evaluate(() => {
      const root = document.querySelector('.editor-host')?.shadowRoot
      const content = root?.querySelector('.cm-content')
      return root?.getElementById(content?.getAttribute('aria-activedescendant') ?? '')?.textContent
    })
    await page.keyboard.press('Enter')
    await page.keyboard.type(' today.')

    expect(active).toContain("Lease of the keeper's house")
    expect(await textOf(page)).toBe("See Lease of the keeper's house today.")
    await page.keyboard.press('Escape')
    await page.waitForSelector('.prose a.wikilink')
  })

  test('another name of a page is found, and the link is called by it', async () => {
    await makePage('Generator', '---\naliases: [Dynamo]\n---\nIt hums.')
    const page = await openEditor(await makePage('Power'))

    await page.keyboard.type('[[dyna')
    await page.waitForSelector(`${list} >> text=Generator`)
    await page.keyboard.press('Enter')

    expect(await textOf(page)).toBe('[[Generator|dynamo]]')
  })

  test('Escape closes what is on offer and leaves one writing', async () => {
    const page = await openEditor(await makePage('Escape'))

    await page.keyboard.type('[[lamp')
    await offered(page).first().waitFor()
    await page.keyboard.press('Escape')
    await offered(page).first().waitFor({ state: 'detached' })
    await page.keyboard.type(']]')

    expect(await textOf(page)).toBe('[[lamp]]')
    expect(page.url()).toContain('edit')
  })

  test('what is on offer is clean for axe', async () => {
    const page = await openEditor(await makePage('Axe'))
    await page.keyboard.type('[[l')
    await offered(page).first().waitFor()

    await expectAccessible(page)
  })
})

describe('a page within a page', () => {
  test('is there before any script has run, and follows what it shows', async () => {
    const shown = await makePage('Signal book', 'One flag by day.\n\n## At night\n\nTwo lamps.')
    const id = await makePage('Watch', `Before.\n\n![[Signal book#At night]]\n\n![[No such page]]\n`)
    const requests: string[] = []
    const page = await site().open('/spaces')
    page.on('request', (request) => requests.push(request.url()))

    await page.goto(pathOf(id))
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    const asked = requests.filter((url) => /\/api\/.*embeds/.test(url))
    const still = await site().context({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const painted = await still.newPage()
    await painted.goto(pathOf(id))
    const text = await painted.locator('.embed').innerText()
    await page.click('.prose button.wikilink-missing')
    await page.waitForURL(/edit/)

    expect(text).toContain('Two lamps.')
    expect(text).not.toContain('One flag')
    expect(asked).toEqual([])
    await page.goto(pathOf(id))
    await page.waitForSelector('.embed >> text=Two lamps.')
    await site().owner.patch(`/api/pages/${shown}`).send({ version: 1, body: '## At night\n\nThree lamps.' })
    await page.waitForSelector('.embed >> text=Three lamps.')
    await expectAccessible(page)
  })

  test('is in the text once its line is left', async () => {
    await makePage('Tide', 'High at noon.')
    const page = await openEditor(await makePage('Today'))

    await page.keyboard.type('![[Tide')
    await offered(page).first().waitFor()
    await page.keyboard.press('Enter')

    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Below.')
    await expect(page.locator('.prose .embed >> text=High at noon.')).toBeVisible()
  })
})

test('a link to a page that is not there adds no words to the passage that it is in', async () => {
  const page = await site().open(pathOf(await makePage('Parts', 'The lens and the [[Spare wick]] are dry.')))
  await page.waitForSelector('.prose button.wikilink-missing')

  await page.keyboard.press('y')
  await page.waitForSelector('.dialog-blame .blame-quote:has-text("are dry")')
  await page.waitForSelector('.dialog-blame li')

  const shown = await page.locator('.prose p').evaluate((paragraph) => paragraph.textContent)
  expect(shown).toBe('The lens and the Spare wick are dry.')
  expect(await page.locator('.dialog-blame').innerText()).not.toContain('not part of the text')
})

describe('what a note from Obsidian holds', () => {
  test('callouts are boxes that fold, a block is shown within another page and jumped to', async () => {
    const tides = await makePage(
      'Tides',
      '## Springs\n\n- High at full moon\n- Low at half moon ^neap\n- Slack',
    )
    const note =
      '> [!warning]- Mind the *surge*\n> It takes boats.\n\n![[Tides#^neap]]\n\n[[Tides#^neap|the neaps]]'
    const page = await site().open(pathOf(await makePage('Harbour', note)))

    const callout = page.locator('details.callout-warn')
    expect(await callout.locator('text=It takes boats.').isVisible()).toBe(false)
    await callout.locator('summary').click()
    expect(await callout.locator('text=It takes boats.').isVisible()).toBe(true)
    expect(await page.locator('.embed li').allTextContents()).toEqual(['Low at half moon'])
    await expectAccessible(page)
    await page.click('text=the neaps')

    await page.waitForURL(`**${pathOf(tides)}#*`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Low at half moon')
  })
})
