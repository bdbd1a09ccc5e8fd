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
/** The lines that are written in. */
const shown = (page: Page) => page.locator('.cm-content').innerText()

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

describe('the text while it is written', () => {
  test('shows its marks only where the caret is, once a key is pressed', async () => {
    const page = await openEditor(await makePage('Marks', everything))

    await page.locator('.prose p:has-text("Some bold")').click({ position: { x: 10, y: 10 } })
    await page.waitForSelector('.cm-line:has-text("Some")')
    const clicked = await shown(page)
    await page.keyboard.press('ArrowRight')
    for (let at = 0; at < 6; at += 1) await page.keyboard.press('ArrowRight')
    await expect.poll(() => shown(page)).toContain('**bold**')

    expect(clicked).toContain('Some bold, slanted, struck and code, a link and its lamp.')
    expect(await shown(page)).toContain('**bold**, slanted, struck and code, a link and its lamp.')
    expect(await page.getAttribute('.md-label[data-page="The lamp"]', 'title')).toBe('The lamp')
  })

  test('ticks a box where it stands, and saves it', async () => {
    const id = await makePage('Boxes', 'First.\n\n- [ ] Fill\n- [x] Trim\n\nEnd.')
    const page = await openEditor(id)

    await page.click('.prose li:has-text("Fill") input')
    await page.click('.prose li:has-text("Trim") input')

    await expect.poll(() => stored(id)).toBe('First.\n\n- [x] Fill\n- [ ] Trim\n\nEnd.')
  })

  test('a table is written in by its cells: Tab and Enter move, and begin a row', async () => {
    const id = await makePage('Table', 'Above.\n\n| A | B |\n| --- | --- |\n| 1 \\| 2 | *3* |\n\nEnd.')
    const page = await openEditor(id)

    await page.click('td >> nth=0')
    await page.keyboard.press('End')
    await page.keyboard.type(' | 9')
    await page.keyboard.press('Tab')
    await page.keyboard.type(' 4')
    await page.keyboard.press('Enter')
    await page.keyboard.type('below')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('left')

    const written = 'Above.\n\n| A | B |\n| --- | --- |\n| 1 \\| 2 \\| 9 | *3* 4 |\n| left | below |\n\nEnd.'
    await expect.poll(() => stored(id)).toBe(written)
    expect(await page.locator('tr >> nth=1').innerText()).toMatch(/1 \| 2 \| 9\s+3 4/)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.page:not([data-writing])')
    await page.waitForSelector('td >> text=below')
  })

  test('the arrow keys walk through every block, into the cells of a table, too', async () => {
    const page = await openEditor(await makePage('Walk', 'One.\n\n| A |\n| --- |\n| b |\n\nEnd.'))
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('A')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('b')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.type(' Over.')

    await expect.poll(() => shown(page)).toContain('End. Over.')
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
})

describe('the modes of the editor', () => {
  test('the source is one key away, and stays over a reload; what was written before can be undone in it', async () => {
    const id = await makePage('Source', 'Some **bold** words.\n\nEnd.')
    const page = await openEditor(id)

    await page.click('.prose > p >> text=End.')
    await page.keyboard.press('End')
    await page.keyboard.type(' Here.')
    await page.keyboard.press('Control+/')
    await expect.poll(() => shown(page)).toMatch(/Some \*\*bold\*\* words\.\n+End\. Here\./)
    await page.keyboard.press('Control+z')
    await expect.poll(() => shown(page)).toMatch(/End\.$/)
    await page.reload()
    await whenReady(page)
    await page.waitForSelector('.cm-content')
    const later = await shown(page)
    await page.keyboard.press('Control+/')
    await page.waitForSelector('.prose > p >> text=End.')

    expect(later).toContain('Some **bold** words.')
  })

  test.each(['light', 'dark'] as const)('is clean for axe in %s, also on a phone', async (colorScheme) => {
    const page = await openEditor(await makePage(`Axe ${colorScheme}`, everything), { colorScheme })

    await page.waitForSelector('.prose td')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  })
})
