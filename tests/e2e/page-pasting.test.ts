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

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function openEditor(
  title: string,
  body = '',
  expectErrors = /^$/,
): Promise<{ page: Page; id: string }> {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  const page = await site().open(`/s/skerry-light/pages/${made.id}?edit=1`, { expectErrors })
  await page.click('.cm-content')
  await page.keyboard.press('Control+End')
  return { page, id: made.id }
}

const stored = async (id: string): Promise<string> => (await site().owner.get(`/api/pages/${id}`)).body.body

type Given = { text?: string; html?: string; files?: { name: string; type: string; base64: string }[] }

/** A paste or a drop, as the browser sends it. */
async function give(page: Page, kind: 'paste' | 'drop', given: Given): Promise<void> {
  await page.evaluate(
    ([kind, { text, html, files = [] }]) => {
      const data = new DataTransfer()
      if (text !== undefined) data.setData('text/plain', text)
      if (html !== undefined) data.setData('text/html', html)
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        data.items.add(new File([bytes], name, { type }))
      }
      const content = document.querySelector('.editor-host')!.shadowRoot!.querySelector('.cm-content')!
      const { left, top } = content.getBoundingClientRect()
      const place = { bubbles: true, cancelable: true, composed: true, clientX: left + 4, clientY: top + 4 }
      content.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...place, clipboardData: data })
          : new DragEvent('drop', { ...place, dataTransfer: data }),
      )
    },
    [kind, given] as const,
  )
}

const expectStored = (id: string) => expect.poll(async () => await stored(id), { timeout: 15_000 })

describe('what is pasted', () => {
  test('as formatted text becomes Markdown, in one step that can be undone', async () => {
    const { page, id } = await openEditor('From the web')

    await give(page, 'paste', {
      text: 'Oil The lamp burns oil. Rapeseed Paraffin',
      html: '<h2>Oil</h2><p>The <b>lamp</b> burns <a href="https://oil.example/">oil</a>.</p><ul><li>Rapeseed</li><li><input type="checkbox" checked>Paraffin</li></ul><script>alert(1)</script>',
    })
    const markdown = '## Oil\n\nThe **lamp** burns [oil](https://oil.example/).\n\n- Rapeseed\n- [x] Paraffin'
    await expectStored(id).toBe(markdown)
    await page.keyboard.press('Control+z')

    await expectStored(id).toBe('')
  })

  test('as a table becomes a Markdown table, from HTML and from rows of a spreadsheet', async () => {
    const { page, id } = await openEditor('From a spreadsheet')

    await give(page, 'paste', {
      text: 'Day\tTide',
      html: '<table style="border: 1px"><tr><td>Day</td><td>Tide</td></tr><tr><td>Mon</td><td>4|5</td></tr></table>',
      files: [{ name: 'image.png', type: 'image/png', base64: pixel }],
    })
    await page.keyboard.type('\n\n')
    await give(page, 'paste', { text: 'Who\tWhen\nAda\t*Monday*\n' })

    await expectStored(id).toBe(
      '| Day | Tide |\n| --- | --- |\n| Mon | 4\\|5 |\n\n| Who | When |\n| --- | --- |\n| Ada | \\*Monday\\* |',
    )
  })

  test('as an address over selected words becomes a link', async () => {
    const { page, id } = await openEditor('A link', 'See the almanac')

    await page.keyboard.press('Control+Shift+ArrowLeft')
    await give(page, 'paste', { text: 'https://tides.example/a_(b)' })

    await expectStored(id).toBe('See the [almanac](https://tides.example/a_(b))')
  })

  test('stays as it is inside code, and where nothing but colours was copied', async () => {
    const { page, id } = await openEditor('Code', 'x\n\n```\n')

    await give(page, 'paste', { text: 'a\tb\nc\td', html: '<b>a</b>' })
    await page.keyboard.type('\n```\n\n')
    await give(page, 'paste', {
      text: 'if x:\n    y()',
      html: '<div><div><span style="color: red">if x:</span></div><div>    y()</div></div>',
    })

    await expectStored(id).toBe('x\n\n```\na\tb\nc\td\n```\n\nif x:\n    y()')
  })

  test('leaves behind what its page hides, and the bold that Google Docs puts around everything', async () => {
    const { page, id } = await openEditor('Hidden')

    await give(page, 'paste', {
      text: 'x',
      html: '<style>p { color: red }</style><b style="font-weight:normal"><p>Plain, <i>slanted</i>.</p><p style="display: none">Unseen.</p></b>',
    })

    await expectStored(id).toBe('Plain, *slanted*.')
  })

  test('a script in it runs nowhere, and nothing is loaded from it', async () => {
    const { page, id } = await openEditor('Hostile')

    await give(page, 'paste', {
      text: 'x',
      html: '<p><b>Bold</b><img src="https://evil.example/p.png" onerror="globalThis.ran = 1"><a href="javascript:globalThis.ran = 1">go</a></p><style>@import "https://evil.example/x.css"</style>',
    })

    await expectStored(id).toContain('**Bold**')
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    expect(await stored(id)).not.toContain('javascript')
  })
})

describe('files', () => {
  test('that are pasted or dropped are attached: pictures are shown, others are links', async () => {
    const { page, id } = await openEditor('With files', 'Below.')

    await give(page, 'drop', {
      files: [
        { name: 'Lamp.png', type: 'image/png', base64: pixel },
        { name: 'Log.txt', type: 'text/plain', base64: btoa('Calm.') },
      ],
    })
    await expectStored(id).toBe('![[Lamp.png]]\n[[Log.txt]]Below.')
    await page.keyboard.press('Escape')
    const image = page.locator('.page-main img')
    await expect
      .poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth), { timeout: 15_000 })
      .toBe(1)

    const { body: docs } = await site().owner.get(`/api/spaces/${world.space.id}/source-docs`)
    expect(docs.items.map(({ title }: { title: string }) => title)).toEqual(
      expect.arrayContaining(['Lamp.png', 'Log.txt']),
    )
    expect(page.url()).toContain(`/pages/${id}`)
  })

  test('out of the clipboard get the time as their name, and the same picture twice is one file', async () => {
    const { page, id } = await openEditor('Screenshots')
    const base64 = btoa(`GIF89a${'x'.repeat(20)}`)

    await give(page, 'paste', { files: [{ name: 'image.gif', type: 'image/gif', base64 }] })
    await expectStored(id).toMatch(/^!\[\[Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.gif\]\]$/)
    const first = await stored(id)
    await give(page, 'paste', { files: [{ name: 'again.gif', type: 'image/gif', base64 }] })

    await expectStored(id).toBe(first + first)
  })

  test('that are on their way show how far, stay where they belong, and can be canceled', async () => {
    const { page, id } = await openEditor('On the way')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/attachments?**', async (route) => {
      await answered
      await route.continue().catch(() => {})
    })
    const file = { name: 'Slow.png', type: 'image/png', base64: btoa('slow') }

    await give(page, 'paste', { files: [file] })
    await page.waitForSelector('.md-upload >> text=Attaching Slow.png')
    await expectAccessible(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Before. ')
    await page.click('.md-upload-cancel')
    await page.waitForSelector('.md-upload', { state: 'detached' })
    answer()

    await expectStored(id).toBe('Before. ')
  })

  test('that cannot be stored are told, and the others come in', async () => {
    const { page, id } = await openEditor('Refused', '', /status of 507/)
    await page.route('**/attachments?name=Bad.png', (route) =>
      route.fulfill({ status: 507, json: { error: { code: 'storage_full', message: 'The disk is full.' } } }),
    )

    await give(page, 'paste', {
      files: [
        { name: 'Bad.png', type: 'image/png', base64: btoa('bad') },
        { name: 'Good.png', type: 'image/png', base64: btoa('good') },
      ],
    })

    await page.waitForSelector('.toast >> text=Could not attach “Bad.png”. The disk is full.')
    await expectStored(id).toBe('![[Good.png]]')
  })
})
