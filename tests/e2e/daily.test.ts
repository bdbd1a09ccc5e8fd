// What one does every day: the note of today, templates.

import { beforeAll, describe, expect, test } from 'vitest'
import { useSite } from './support/site.ts'

const site = useSite()
const at = '/s/skerry-light'
let space: { id: string }

const make = async (title: string, body = '', parent_id: string | null = null) =>
  (await site().owner.post(`/api/spaces/${space.id}/pages`).send({ title, body, parent_id })).body as {
    id: string
  }

beforeAll(async () => {
  space = (await site().owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
  const templates = await make('Templates')
  await make('Watch', '# Watch of {{title}}\n\nWind:', templates.id)
})

describe('the note of today', () => {
  test('is made with one key and opened in the editor, then found again by the palette', async () => {
    const page = await site().open(at)
    // Keys come with code that is loaded when the page is idle.
    await expect
      .poll(async () => {
        if (new URL(page.url()).pathname === at) await page.keyboard.press('Shift+D')
        return page.url()
      })
      .toMatch(/\/pages\/[\da-f-]{36}\?edit=1$/)
    const address = new URL(page.url()).pathname

    const again = await site().open(`${at}/daily`)
    await again.waitForURL((url) => url.pathname === address)
    expect(new URL(again.url()).pathname).toBe(address)
  })
})

describe('a template', () => {
  test('becomes a page with the title that was typed', async () => {
    const page = await site().open(at)
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]').fill('new from template')
    await page.getByRole('option', { name: 'New from template', exact: true }).click()
    await page.locator('#template-title').fill('Monday')
    await page.locator('.template-choice', { hasText: 'Watch' }).click()

    await page.waitForURL(/\?edit=1$/)
    const id = /pages\/([\da-f-]{36})/.exec(page.url())?.[1]
    expect((await site().owner.get(`/api/pages/${id}`)).body).toMatchObject({
      title: 'Monday',
      body: '# Watch of Monday\n\nWind:',
    })
  })

  test('is inserted where one writes', async () => {
    const { id } = await make('Log', 'Before\n')
    const page = await site().open(`${at}/pages/${id}?edit=1`)
    const text = page.locator('.cm-content')
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('/templ')
    await page.locator('.link-options li[aria-selected=true]', { hasText: 'Template' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.template-choice', { hasText: 'Watch' }).click()

    await expect
      .poll(async () => (await site().owner.get(`/api/pages/${id}`)).body.body)
      .toBe('Before\n# Watch of Log\n\nWind:')
  })

  test('that is not there says how to make one', async () => {
    await site().owner.post('/api/spaces').send({ name: 'Bare' })
    const page = await site().open('/s/bare')
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]').fill('from template')
    await page.getByRole('option', { name: 'New from template', exact: true }).click()

    const said = page.locator('.dialog-template')
    await expect.poll(() => said.textContent()).toContain('below a page called “Templates”')
  })
})
