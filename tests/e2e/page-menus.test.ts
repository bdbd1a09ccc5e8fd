// What the editor offers while one writes: the list after `/`, the toolbar over a selection, pages that are not there yet,
// links to follow.

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

async function openEditor(title: string, body = ''): Promise<{ page: Page; id: string }> {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  const page = await site().open(`/s/skerry-light/pages/${made.id}?edit=1`)
  await page.click('.cm-content')
  await page.keyboard.press('Control+End')
  return { page, id: made.id }
}

const expectStored = (id: string) =>
  expect.poll(async () => (await site().owner.get(`/api/pages/${id}`)).body.body, { timeout: 15_000 })

/** What is offered; while it is being looked up anew, keys are not for it. */
const offered = '.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)'

/** Types a slash and a word, and takes what is offered first. */
async function choose(page: Page, word: string, label: string): Promise<void> {
  await page.keyboard.type(`/${word}`)
  await page.waitForSelector(`${offered} [aria-selected=true] >> text=${label}`)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.cm-tooltip-autocomplete', { state: 'detached' })
}

describe('the list after a slash', () => {
  test.each([
    ['heading 2', 'Heading 2', 'Oil', '## Oil'],
    ['todo', 'Task', 'Fill', '- [ ] Fill'],
    ['warning', 'Callout', 'Hot', '> [!note] Hot\n> '],
    ['table', 'Table', 'Day', '| Day |  |\n| --- | --- |\n|  |  |'],
    ['code', 'Code block', 'js', '```js\n\n```'],
  ])('%j puts a %s where it was typed', async (word, label, typed, body) => {
    const { page, id } = await openEditor(`Slash ${label}`)

    await choose(page, word, label)
    await page.keyboard.type(typed)

    await expectStored(id).toBe(body)
  })

  test('Tab goes from cell to cell of a table, and begins a row behind the last one', async () => {
    const { page, id } = await openEditor('Tides by Tab')

    await choose(page, 'table', 'Table')
    for (const typed of ['Day', 'Tide', 'Mon', '4', 'Tue']) {
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('.5')

    await expectStored(id).toBe('| Day | Tide |\n| --- | --- |\n| Mon | 4.5 |\n| Tue |  |')
  })

  test('is not there within words, addresses and code', async () => {
    const { page, id } = await openEditor('No slash', '```\n')

    await page.keyboard.type(' /head\n```\n\nand/or https://a.example/head ')
    await expectStored(id).toContain('and/or https://a.example/head')

    expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0)
  })

  test('closes with Escape, and the editor stays open', async () => {
    const { page } = await openEditor('Escape')

    await page.keyboard.type('/')
    await expect
      .poll(() => page.locator('.cm-tooltip-autocomplete [role=option]').first().innerText())
      .toContain('Heading 1')
    await page.keyboard.type('head')
    await expect.poll(() => page.locator('.cm-tooltip-autocomplete [role=option]').count()).toBeLessThan(6)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.cm-tooltip-autocomplete', { state: 'detached' })

    expect(page.url()).toContain('edit=1')
  })

  test('asks the companion about the line', async () => {
    const { page } = await openEditor('Ask', 'The lamp is out. ')

    await choose(page, 'ask', 'Ask the companion')

    await expect.poll(() => page.inputValue('#composer')).toBe('About “The lamp is out.”: ')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  })

  test('attaches a chosen file', async () => {
    const { page, id } = await openEditor('Choose')

    const choosing = page.waitForEvent('filechooser')
    await choose(page, 'image', 'Image or file')
    await (await choosing).setFiles([
      { name: 'Log.txt', mimeType: 'text/plain', buffer: Buffer.from('Calm.') },
    ])

    await expectStored(id).toBe('[[Log.txt]]')
  })
})

describe('the toolbar over a selection', () => {
  test('formats the selected words, by button and by key', async () => {
    const { page, id } = await openEditor('Toolbar', 'The lamp turns')

    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.waitForSelector('.md-toolbar')
    await expectAccessible(page)
    await page.click('.md-toolbar [aria-label=Bold]')
    await expectStored(id).toBe('The lamp **turns**')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Alt+c')
    await expectStored(id).toBe('The lamp `turns`')
    await page.keyboard.press('ArrowRight')

    await page.waitForSelector('.md-toolbar', { state: 'detached' })
  })

  test('a link leaves the caret where its address goes', async () => {
    const { page, id } = await openEditor('Link', 'almanac')

    await page.keyboard.press('Control+a')
    await page.click('.md-toolbar [aria-label=Link]')
    await page.keyboard.type('https://tides.example/')

    await expectStored(id).toBe('[almanac](https://tides.example/)')
  })
})

describe('links', () => {
  test('to a page that is not there offer to create it', async () => {
    const { page, id } = await openEditor('Creator')

    await page.keyboard.type('See [[Brand new page')
    await page.waitForSelector(`${offered} >> text=Create “Brand new page”`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=Created “Brand new page”')
    await expectStored(id).toBe('See [[Brand new page]]')
    await page.click('.toast >> text=Open')

    await expect.poll(() => page.inputValue('#edit-title')).toBe('Brand new page')
  })

  test('are followed with Ctrl and a click, and with Alt and Enter; a plain click writes', async () => {
    const { page } = await openEditor('Follower', '[[The lamp]]\n\n[[No such page]]\n\nEnd.')

    await page.keyboard.press('Control+Home')
    await page.click('.md-label >> text=The lamp')
    await page.keyboard.press('ArrowDown')
    await page.click('.md-label >> text=No such page', { modifiers: ['Control'] })
    await page.waitForSelector('.toast >> text=There is no “No such page” yet.')
    const stayed = page.url()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Alt+Enter')
    await page.waitForURL(`**/pages/${world.lamp.id}`)

    expect(stayed).toContain('edit=1')
  })
})

describe('find and replace', () => {
  test('opens with Ctrl+F, replaces all, and leaves the editor open with Escape', async () => {
    const { page, id } = await openEditor('Find', 'Oil, oil and **oil**.')

    await page.keyboard.press('Control+f')
    await page.fill('.cm-search [name=search]', 'oil')
    await page.fill('.cm-search [name=replace]', 'wick')
    await expectAccessible(page)
    await page.click('.cm-search [name=replaceAll]')
    await page.press('.cm-search [name=search]', 'Escape')
    await page.waitForSelector('.cm-search', { state: 'detached' })

    await expectStored(id).toBe('wick, wick and **wick**.')
    expect(page.url()).toContain('edit=1')
  })

  test('fits on a phone', async () => {
    const { page } = await openEditor('Find small', 'Oil.')
    await page.setViewportSize({ width: 390, height: 844 })

    await page.keyboard.press('Control+f')
    await page.waitForSelector('.cm-search')
    const right = await page
      .locator('.cm-search :is(input, button, label)')
      .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)))

    expect(right).toBeLessThanOrEqual(390)
  })
})
