// Pages as a table or cards by their properties, tags, saved views and `.base` files.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const at = '/s/boat-house'
let space: { id: string }

const make = async (title: string, body = '') =>
  (await site().owner.post(`/api/spaces/${space.id}/pages`).send({ title, body })).body as { id: string }

beforeAll(async () => {
  space = (await site().owner.post('/api/spaces').send({ name: 'Boat House' })).body
  await make('Harbours')
  await make(
    'Cutter',
    '---\nlength: 12.5\nbuilt: 1911-04-02\nafloat: true\nhome: "[[Harbours]]"\n---\n#boat/sail',
  )
  await make('Dinghy', '---\nlength: 3\nafloat: false\n---\nA small one. #boat')
  await make('Ferry', '---\nlength: 60\nbuilt: 1974-01-01\n---\n#boat/motor')
})

const titles =
  (page: Page, selector = '.list-table tbody th') =>
  async () =>
    await page.locator(selector).allTextContents()

describe('the table', () => {
  test('is sorted by the name of a column, filtered by a property, and shows the columns chosen', async () => {
    const page = await site().open(`${at}/pages?view=table`)
    await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry', 'Harbours'])

    await page.locator('#choose-columns').click()
    await page.locator('.column-choice', { hasText: 'length' }).click()
    await page.locator('.column-choice', { hasText: 'home' }).click()
    await page.getByRole('button', { name: 'Show columns' }).click()
    await page.locator('#sort-length').click()
    await expect.poll(titles(page)).toEqual(['Dinghy', 'Cutter', 'Ferry', 'Harbours'])
    await page.locator('#sort-length').click()
    await expect.poll(titles(page)).toEqual(['Ferry', 'Cutter', 'Dinghy', 'Harbours'])
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('length')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('sort-length')

    await page.locator('#add-filter').click()
    await page.locator('#filter-property').selectOption('length')
    await page.locator('#filter-op').selectOption('lt')
    await page.locator('#filter-value').fill('20')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy'])
    expect(await page.locator('#list-count').textContent()).toBe('2 pages')
    expect(await page.locator('td a').allTextContents()).toContain('Harbours')

    await page.getByRole('button', { name: 'Remove filter: length < 20' }).click()
    await expect.poll(titles(page)).toEqual(['Ferry', 'Cutter', 'Dinghy', 'Harbours'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('add-filter')
  })

  test('follows what is written elsewhere', async () => {
    const page = await site().open(`${at}/pages?view=table&tag=boat`)
    await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry'])

    const { id } = await make('Gig', '#boat')
    await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry', 'Gig'])

    await site().owner.delete(`/api/pages/${id}`)
    await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry'])
  })
})

test('tags stand below those that they are nested in, and lead to their pages', async () => {
  const page = await site().open(`${at}/pages`)
  await page.locator('#pages-tags').click()
  await expect.poll(titles(page, '.tag-name')).toEqual(['#boat', '#motor', '#sail'])

  await page.locator('.tag-row', { hasText: 'sail' }).click()
  await expect.poll(titles(page)).toEqual(['Cutter'])
  expect(await page.locator('.filter-chip').textContent()).toBe('tag boat/sail')
})

test('what is shown is saved as a view, found in the navigation, changed, renamed, deleted and restored', async () => {
  const page = await site().open(`${at}/pages?view=cards&tag=boat`)
  await expect.poll(titles(page, '.list-card-title')).toEqual(['Cutter', 'Dinghy', 'Ferry'])
  await page.locator('#save-view').click()
  await page.locator('#view-name').fill('Boats')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.waitForURL(/\/views\/[\da-f-]{36}$/)
  await expect.poll(titles(page, '.list-card-title')).toEqual(['Cutter', 'Dinghy', 'Ferry'])
  await expect.poll(titles(page, '#nav-views .tree-link')).toEqual(['Boats'])

  await page.locator('#pages-table').click()
  await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry'])
  await page.locator('#save-changes').click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect.poll(titles(page)).toEqual(['Cutter', 'Dinghy', 'Ferry'])

  await page.getByRole('button', { name: 'More actions for this view' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.locator('#view-name').fill('All boats')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect.poll(titles(page, 'h1')).toEqual(['All boats'])
  await page.locator('dialog').waitFor({ state: 'detached' })
  await expect.poll(titles(page, '#nav-views .tree-link')).toEqual(['All boats'])

  await page.getByRole('button', { name: 'More actions for this view' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await expect.poll(titles(page, '#nav-views .tree-link')).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles(page, 'h1')).toEqual(['All boats'])
})

test('a .base file shows its pages, and names what it asks for in vain', async () => {
  const base =
    'filters:\n  and: [file.hasTag("boat"), "!file.name.contains(\\"Template\\")"]\nviews:\n' +
    '  - {type: table, name: Long, order: [file.name, length], sort: [{property: length, direction: DESC}]}\n' +
    '  - {type: table, name: Here, filters: list(home).contains(this), order: [file.name, formula.Age]}\n'
  const files = [{ path: 'Boats.base', base64: Buffer.from(base).toString('base64') }]
  await site().owner.post(`/api/spaces/${space.id}/import`).send({ source: 'vault', files })
  const { items } = (await site().owner.get(`/api/spaces/${space.id}/source-docs`)).body

  const page = await site().open(`${at}/source-docs/${items[0].id}`)
  await page.locator('#open-view').click()
  await expect.poll(titles(page)).toEqual(['Ferry', 'Cutter', 'Dinghy'])
  expect(await page.locator('.list-unsupported').count()).toBe(0)

  await page.locator('.list-views a', { hasText: 'Here' }).click()
  await expect
    .poll(titles(page, '.list-unsupported code'))
    .toEqual(['list(home).contains(this)', 'column formula.Age'])
})

test('a filter that cannot be read says so', async () => {
  const where = encodeURIComponent(JSON.stringify([{ property: 'a', op: 'like' }]))
  const page = await site().open(`${at}/pages?view=table&where=${where}`, { expectErrors: /400/ })

  await expect.poll(() => page.locator('.problem').textContent()).toContain('could not be read')
})

describe('a list in the text of a page', () => {
  const base = `views:
  - type: table
    name: Long ones
    filters:
      and: [length > 5]
    order: [file.name, length]
  - type: cards
    name: Small ones
    filters:
      and: [length < 5]
    order: [file.name, length]
`
  const embedded = '.embedded-list tbody th'

  beforeAll(async () => {
    const files = [{ path: 'Fleet list.base', base64: Buffer.from(base).toString('base64') }]
    await site().owner.post(`/api/spaces/${space.id}/import`).send({ source: 'vault', files }).expect(200)
  })

  test('is the view that is named, is sorted where it stands, and follows the pages', async () => {
    const { id } = await make(
      'Fleet',
      'All of them:\n\n![[Fleet list.base]]\n\n![[Fleet list.base#Small ones]]\n\nEnd.',
    )
    const page = await site().open(`${at}/pages/${id}`)

    await expect.poll(titles(page, embedded)).toEqual(['Cutter', 'Ferry'])
    await expect
      .poll(() => page.locator('.embedded-list .list-card-title').allTextContents())
      .toEqual(['Dinghy'])
    await page.locator('.embedded-list thead button', { hasText: 'length' }).click()
    await expect(page.locator('.embedded-list th[aria-sort=ascending]', { hasText: 'length' })).toBeVisible()
    await page.locator('.embedded-list thead button', { hasText: 'length' }).click()
    await expect.poll(titles(page, embedded)).toEqual(['Ferry', 'Cutter'])
    expect(new URL(page.url()).search).toBe('')
    await expectAccessible(page)

    await make('Liner', '---\nlength: 200\n---\n')
    await expect.poll(titles(page, embedded)).toEqual(['Liner', 'Ferry', 'Cutter'])
    await page.locator('.embedded-list figcaption a').first().click()
    await expect.poll(titles(page)).toContain('Liner')
  })

  test('that is no list, or is only linked, stays a link', async () => {
    const { id } = await make('Links', '[[Fleet list.base]]\n\n![[Missing.base]]\n\n![[Cutter]]')
    const page = await site().open(`${at}/pages/${id}`)

    await expect(page.locator('.prose .embed')).toBeVisible()
    expect(await page.locator('.embedded-list').count()).toBe(0)
    await expect(page.locator('.prose a.wikilink:has-text("Fleet list.base")')).toBeVisible()
  })
})
