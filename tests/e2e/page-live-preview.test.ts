import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
let world: World

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  world = await makeWorld(site())
  await site()
    .owner.post(`/api/spaces/${world.space.id}/attachments?name=Lamp.png`)
    .type('application/octet-stream')
    .send(pixel)
    .expect(201)
})

async function makePage(title: string, body: string): Promise<string> {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return made.id
}

async function openEditor(id: string, options: object = {}): Promise<Page> {
  const page = await site().open(`/s/skerry-light/pages/${id}?edit=1`, options)
  await page.waitForSelector('.cm-content')
  return page
}

const stored = async (id: string): Promise<string> => (await site().owner.get(`/api/pages/${id}`)).body.body
const shown = (page: Page) => page.locator('.cm-content').innerText()
/** Nothing is written in, so that nothing is shown as it is written. */
const leave = (page: Page) => page.focus('#edit-title')

const everything = `---
tags: [lamp]
---
# The room

Some **bold**, *slanted*, ~~struck~~ and \`code\`, a [link](https://tides.example/a) and [[The lamp|its lamp]].

- [ ] Fill the tank
- [x] Trim the wick

> [!warning] Mind the glass
> It is hot.

| Day | Tide |
| --- | --- |
| Mon | 4 \\| 5 |
| Tue | |

\`\`\`js
turn()
\`\`\`

![[Lamp.png|40]] ![away](https://evil.example/p.png)

Last line.
`

describe('the live preview', () => {
  test('shows the text without its marks, and the line that is written in with them', async () => {
    const page = await openEditor(await makePage('Marks', everything))

    await leave(page)
    await expect
      .poll(() => shown(page))
      .toContain('Some bold, slanted, struck and code, a link and its lamp.')
    // The line that had the caret is drawn without its marks a moment later.
    await expect.poll(() => shown(page)).not.toMatch(/^# /m)
    const away = await shown(page)
    await page.click('.cm-line:has-text("Some bold")')
    await expect
      .poll(() => shown(page))
      .toContain(
        'Some **bold**, *slanted*, ~~struck~~ and `code`, a [link](https://tides.example/a) and [[The lamp|its lamp]].',
      )

    expect(away).toContain('tags: [lamp]')
    expect(await shown(page)).not.toMatch(/^# /m)
    expect(await page.getAttribute('.md-label[data-page="The lamp"]', 'title')).toBe('The lamp')
  })

  test('ticks a box where it stands, and saves it', async () => {
    const id = await makePage('Boxes', '- [ ] Fill\n- [x] Trim\n\nEnd.')
    const page = await openEditor(id)

    await leave(page)
    await page.check('.cm-content input[aria-label="Fill"]')
    await page.uncheck('.cm-content input[aria-label="Trim"]')

    await expect.poll(() => stored(id)).toBe('- [x] Fill\n- [ ] Trim\n\nEnd.')
  })

  test('shows pictures of the Space, callouts, code and tables in place, and loads nothing from elsewhere', async () => {
    const page = await openEditor(await makePage('In place', everything))

    await leave(page)
    const image = page.locator('.md-image')
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.width]))
      .toEqual([1, 40])

    const text = await shown(page)
    expect(text).toContain('Mind the glass')
    expect(text).not.toMatch(/\[!warning\]|```|^\|/m)
    expect(await page.locator('.md-row').count()).toBe(3)
    const cells = await page.locator('.md-row .md-cell').allInnerTexts()
    expect(cells.map((cell) => cell.trim())).toEqual(['Day', 'Tide', 'Mon', '4 | 5', 'Tue', ''])
    expect(await page.locator('.md-row >> nth=2').locator('.md-cell').count()).toBe(2)
    expect(await image.count()).toBe(1)
  })

  test('a table that is written in shows its source, all of it', async () => {
    const id = await makePage('Table', '| A | B |\n| --- | --- |\n| 1 \\| 2 | *3* |\n\nEnd.')
    const page = await openEditor(id)

    await leave(page)
    await page.click('.md-row >> nth=1 >> text=3')
    await expect.poll(() => shown(page)).toContain('| A | B |\n| --- | --- |\n| 1 \\| 2 | *3* |')
    await page.keyboard.press('End')
    await page.keyboard.type('\n| 4 | 5 |')

    await expect.poll(() => stored(id)).toBe('| A | B |\n| --- | --- |\n| 1 \\| 2 | *3* |\n| 4 | 5 |\n\nEnd.')
  })

  test('a picture that was just attached is shown before it is saved', async () => {
    const page = await openEditor(await makePage('Fresh', ''))
    await page.route('**/api/pages/*', (route) =>
      route.request().method() === 'PATCH' ? undefined : route.fallback(),
    )

    await page.click('.cm-content')
    await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes, 'x'], 'Fresh.png', { type: 'image/png' }))
      const content = document.querySelector('.editor-host')!.shadowRoot!.querySelector('.cm-content')!
      content.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, pixel.toString('base64'))
    await page.waitForSelector('.cm-content >> text=![[Fresh.png]]')
    await page.keyboard.type('\nBelow.')

    await expect
      .poll(() => page.locator('.md-image').evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBe(1)
  })

  test('a selection by mouse shows its marks once the button is released', async () => {
    const page = await openEditor(await makePage('Mouse', 'One.\n\nSome **bold** words.\n'))

    await leave(page)
    const line = await page.locator('.cm-line:has-text("Some")').boundingBox()
    await page.mouse.move(line!.x + 5, line!.y + 8)
    await page.mouse.down()
    await page.mouse.move(line!.x + 100, line!.y + 8)
    const during = await shown(page)
    await page.mouse.up()
    await expect.poll(() => shown(page)).toContain('**bold**')

    expect(during).toContain('Some bold words.')
  })
})

describe('the modes of the editor', () => {
  test('the source is one key away, and stays over a reload', async () => {
    const page = await openEditor(await makePage('Source', 'Some **bold** words.\n\nEnd.'))

    await leave(page)
    await expect.poll(() => shown(page)).toContain('Some bold words.')
    await page.click('.cm-line:has-text("End")')
    await page.keyboard.press('Control+/')
    await expect.poll(() => shown(page)).toContain('Some **bold** words.')
    await page.reload()
    await whenReady(page)
    await page.waitForSelector('.cm-content')
    const later = await shown(page)
    const pressed = await page.getAttribute('#source-toggle', 'aria-pressed')
    await page.click('#source-toggle')
    await leave(page)
    await expect.poll(() => shown(page)).toContain('Some bold words.')

    expect(later).toContain('Some **bold** words.')
    expect(pressed).toBe('true')
  })

  test('the preview beside is off until it is asked for, and stays then', async () => {
    const page = await openEditor(await makePage('Beside', 'Some **bold** words.'))

    const first = await page.locator('#edit-preview').isVisible()
    await page.keyboard.press('Control+e')
    await page.waitForSelector('#edit-preview strong')
    await page.reload()
    await whenReady(page)

    expect(first).toBe(false)
    await page.waitForSelector('#edit-preview strong')
  })

  test('the text stands in one column of at most 720 pixels', async () => {
    const page = await openEditor(await makePage('Column', 'Words.'))

    const { width } = (await page.locator('.editor-host').boundingBox())!

    expect(width).toBe(720)
  })

  test.each(['light', 'dark'] as const)('is clean for axe in %s, also on a phone', async (colorScheme) => {
    const page = await openEditor(await makePage(`Axe ${colorScheme}`, everything), { colorScheme })

    await leave(page)
    await page.waitForSelector('.md-row')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  })
})
