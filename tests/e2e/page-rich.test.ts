import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

async function makePage(title: string, body: string): Promise<string> {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return `/s/skerry-light/pages/${made.id}`
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('an image from elsewhere is loaded when asked for, for its host from then on, until that is stopped', async () => {
  const path = await makePage(
    'Far images',
    '![Tide](https://tides.example/a.png)\n\n![Bay](https://bay.example/b.png)',
  )
  const page = await site().open(path)
  const asked: string[] = []
  await page.route('**/api/external-image?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('url')!)
    return route.fulfill({ contentType: 'image/png', body: pixel })
  })

  await expect(page.locator('text=Load images from bay.example')).toBeVisible()
  await expectAccessible(page)
  expect(asked).toEqual([])
  await page.click('text=Load images from tides.example')
  await expect(page.locator('img[alt="Tide"]')).toBeVisible()
  await page.reload()
  await expect(page.locator('img[alt="Tide"]')).toBeVisible()
  await expect(page.locator('text=Load images from bay.example')).toBeVisible()
  await page.click('text=Stop loading images from tides.example')

  await expect(page.locator('text=Load images from tides.example')).toBeVisible()
  await expect(page.locator('img[alt="Tide"]')).toBeDetached()
  expect(new Set(asked)).toEqual(new Set(['https://tides.example/a.png']))
})

test('a tag in a text leads to the pages that have it', async () => {
  const page = await site().open(await makePage('Tagged', 'Trim it. #upkeep/wick\n\nEnd.'))

  await page.click('.prose a.tag')

  await expect(page.locator('#content a:has-text("Tagged")')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('tag')).toBe('upkeep/wick')
})

test('a tag is completed while it is written', async () => {
  await makePage('Known', '#tower and #tide')
  const path = await makePage('Writing', '')
  const page = await site().open(`${path}?edit=1`)
  await page.click('.cm-content')

  await page.keyboard.type('See #to')
  await expect(page.locator('.link-options >> text=#tower')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type(' here')

  await expect.poll(() => page.locator('.cm-content').innerText()).toContain('See #tower here')
})

test('a canvas that was imported can be read', async () => {
  const { owner } = site()
  const canvas = {
    nodes: [
      { id: 'g', type: 'group', label: 'Upkeep', x: -20, y: -20, width: 640, height: 240 },
      { id: 'a', type: 'text', text: '# Trim the wick', x: 0, y: 0, width: 260, height: 160 },
      { id: 'b', type: 'file', file: 'Known.md', x: 340, y: 0, width: 260, height: 160 },
    ],
    edges: [{ id: 'e', fromNode: 'a', toNode: 'b', label: 'see' }],
  }
  const { body: job } = await owner
    .post(`/api/spaces/${world.space.id}/imports`)
    .send({ source: 'Boards', root: null })
  const base64 = Buffer.from(JSON.stringify(canvas)).toString('base64')
  await owner.post(`/api/imports/${job.id}/files`).send({ files: [{ path: 'Board.canvas', base64 }] })
  await owner.post(`/api/imports/${job.id}/start`).expect(202)
  const files = `/api/spaces/${world.space.id}/source-docs`
  await expect.poll(async () => (await owner.get(files)).body.items.length, { timeout: 20_000 }).toBe(1)
  const { id } = (await owner.get(files)).body.items[0]

  const page = await site().open(`/s/skerry-light/source-docs/${id}`)

  await expect(page.locator('.canvas-card h1:has-text("Trim the wick")')).toBeVisible()
  await page.click('.canvas-source > summary')
  const text = page.locator('.canvas-source')
  await expect(text.locator('h2:has-text("Upkeep")')).toBeVisible()
  await expect(text.locator('li:has-text("Trim the wick → Known: see") a')).toBeVisible()
  await expect(text.locator('blockquote:has-text("Trim the wick")')).toBeVisible()
})

describe('a diagram', () => {
  const draw = (source: string) => makePage('Diagram', `\`\`\`mermaid\n${source}\n\`\`\`\n\nEnd.`)

  test('is drawn, with its source at hand', async () => {
    const page = await site().open(await draw('graph TD\n  A[Trim the wick] --> B[Light it]'))

    const image = page.locator('.diagram img')
    await expect(image).toBeVisible()
    expect(await image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(50)
    expect(await page.locator('.diagram pre').isVisible()).toBe(false)
    await page.click('.diagram summary')
    await expect(page.locator('.diagram pre')).toBeVisible()
    await expectAccessible(page)
    await expect(page.locator('.diagram-frame')).toBeDetached()
  })

  test('that cannot be drawn stays as it is written, and says why', async () => {
    const page = await site().open(await draw('graph TD\n  A[Trim --> '))

    await expect(page.locator('.diagram-problem:has-text("Not drawn: Parse error on line")')).toBeVisible()
    await expect(page.locator('pre[data-language=mermaid]')).toBeVisible()
  })

  test.each([
    'graph TD\n  A["<img src=x onerror=parent.postMessage(1)>"] --> B\n  click A "javascript:alert(1)"',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\ngraph TD\n  A["<iframe src=https://evil.example></iframe>"] --> B\n  click A call alert()',
    'graph TD\n  A["<style>@import url(https://evil.example/a.css)</style>x"]\n  style A fill:url(https://evil.example/a.svg)',
    '%%{init: {"themeCSS": "@import url(https://evil.example/b.css)"}}%%\ngraph TD\n  A --> B',
  ])('runs and loads nothing of what is written in it: %s', async (source) => {
    const page = await site().open(await draw(source), { expectErrors: /Content Security Policy|^policy/ })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => asked.push(dialog.message()))

    await expect(page.locator('.diagram img, .diagram-problem').first()).toBeVisible()
    await page.waitForTimeout(300)

    expect(asked.filter((url) => !url.startsWith(site().url) && !url.startsWith('blob:'))).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)
  })
})
