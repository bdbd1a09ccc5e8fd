// Every hostile payload by itself against what stands between it and the page: the renderer, DOMPurify, the policy.
// Each has to hold when the others are gone; and with all of them gone the payloads have to run, or this proves nothing.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hostilePayloads } from '../helpers/hostile/payloads.ts'
import { type Canary, setCanary, touchEverything } from './support/canary.ts'
import { allLayers, bundle, type Layers } from './support/layers.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const payloads = hostilePayloads()
const batchSize = 40
const batches = Array.from({ length: Math.ceil(payloads.length / batchSize) }, (_, n) =>
  payloads.slice(n * batchSize, (n + 1) * batchSize),
)
const none: Layers = { renderer: false, cleaner: false, policy: false }
let policy: string

beforeAll(async () => {
  const { headers } = await fetch(`${site().url}/sign-in`)
  policy = headers.get('content-security-policy') ?? ''
})

test('there are several hundred of them, each another one', () => {
  const texts = new Set(payloads.map(({ text }) => text.replaceAll(/__xss\(\d+\)/g, '')))

  expect(texts.size).toBeGreaterThan(1000)
})

describe('a hostile text that is rendered', () => {
  test('runs when nothing stands in its way', async () => {
    const ran = (await ranWhenRendered(none)).filter((what) => what.startsWith('ran'))

    expect(ran.length).toBeGreaterThan(250)
  })

  test.each<[string, Layers]>([
    ['all layers', allLayers],
    ['the renderer and the policy, without DOMPurify', { ...allLayers, cleaner: false }],
    ['the renderer and DOMPurify, without the policy', { ...allLayers, policy: false }],
    ['the renderer alone', { ...none, renderer: true }],
    ['DOMPurify alone', { ...none, cleaner: true }],
    ['the policy alone', { ...none, policy: true }],
  ])('is held by %s', async (_name, layers) => {
    expect(await ranWhenRendered(layers)).toEqual([])
  })
})

describe('a hostile text in the page as the server sends it', () => {
  test('runs when nothing stands in its way', async () => {
    const found = await ranWhenSent((text) => text, { policy: false })

    expect(found.filter((what) => what.startsWith('ran')).length).toBeGreaterThan(100)
  })

  test('is held by the policy alone', async () => {
    const ran = await ranWhenSent((text) => text, { policy: true })

    expect(ran).toEqual([])
  })

  test('is held by the renderer alone', async () => {
    const { markdownToHtml } = await import('../../public/ui/markdown/markdown.ts')

    const ran = await ranWhenSent((text) => markdownToHtml(text, { slug: 'skerry-light' }), { policy: false })

    expect(ran).toEqual([])
  })
})

test('DOMPurify alone lets nothing be fetched but originals of the Space, however it is asked for', async () => {
  const own = '/api/source-docs/01900000-0000-7000-8000-000000000000/original'
  const asking = [
    '<img src="https://evil.example/a.png">',
    '<img src="//evil.example/a.png">',
    '<img src="/elsewhere.png">',
    `<img src="${own}/../../../../elsewhere.png">`,
    '<img srcset="https://evil.example/a.png 2x" src=x>',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<video poster="https://evil.example/a.png" src="https://evil.example/a.mp4"></video>',
    '<picture><source srcset="https://evil.example/a.png"><img></picture>',
    '<table background="https://evil.example/a.png"><tr><td background="https://evil.example/b.png">',
    '<input type=image src="https://evil.example/a.png">',
    '<link rel=stylesheet href="https://evil.example/a.css"><iframe src="https://evil.example"></iframe>',
    '<p style="background:url(https://evil.example/a.png)">x',
    '<svg><image href="https://evil.example/a.png"/><use href="https://evil.example/a.svg#x"/></svg>',
    `<img src="${own}">`,
  ]
  const layers = { ...none, cleaner: true }
  const { entry, files } = await bundle('tests/e2e/support/bare/render-all.ts', layers)
  const { page } = await openPage(() => `<script type="module" src="/${entry}"></script>`, layers)
  const asked: string[] = []
  for (const [name, body] of files) {
    await page.route(`**/${name}`, (route) => route.fulfill({ body, contentType: 'text/javascript' }))
  }
  await page.goto('/hostile/0')
  await page.waitForFunction(() => 'renderAll' in globalThis)
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await page.evaluate((texts) => renderAll(texts), asking)
  await page.waitForFunction(() => [...document.images].every(({ complete, src }) => complete || src === ''))
  const left = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((each) =>
      ['src', 'srcset', 'poster', 'background', 'style', 'data'].flatMap((name) =>
        each.closest('.prose') && each.hasAttribute(name) ? [`${name}=${each.getAttribute(name)}`] : [],
      ),
    ),
  )
  await page.context().close()

  expect(left).toEqual([`src=${own}`])
  expect(new Set(asked)).toEqual(new Set([own]))
})

/** Renders every payload in the browser with the given layers and names those that ran. */
async function ranWhenRendered(layers: Layers): Promise<string[]> {
  const { entry, files } = await bundle('tests/e2e/support/bare/render-all.ts', layers)
  const { page, canary } = await openPage(() => `<script type="module" src="/${entry}"></script>`, layers)
  for (const [name, body] of files) {
    await page.route(`**/${name}`, (route) => route.fulfill({ body, contentType: 'text/javascript' }))
  }
  await page.goto('/hostile/0')
  await page.waitForFunction(() => 'renderAll' in globalThis)
  for (const batch of batches) {
    await page.evaluate(
      (texts) => renderAll(texts),
      batch.map(({ text }) => text),
    )
    await touchEverything(page)
  }
  // An image from elsewhere is not script: it is the renderer and the policy that keep it from being fetched.
  return await close(page, canary, { heedRequests: layers.renderer || layers.policy })
}

/** What ends whatever a payload has left open, so that the next one is read as markup. */
const closers =
  '--></script></style></title></textarea></xmp></noscript></noembed></noframes></iframe></template></select></table></form></svg></math>'

/** Sends every payload as part of a document and names those that ran. */
async function ranWhenSent(toHtml: (text: string) => string, layers: { policy: boolean }): Promise<string[]> {
  const { page, canary } = await openPage(
    (n) => batches[n]!.map(({ text }) => `<div>${toHtml(text)}${closers}</div>`).join('\n'),
    layers,
  )
  for (const n of batches.keys()) {
    await page.goto(`/hostile/${n}`)
    await touchEverything(page)
  }
  return await close(page, canary, { heedRequests: true })
}

async function openPage(bodyOf: (n: number) => string, layers: { policy: boolean }) {
  const context = await site().context()
  const canary = await setCanary(context)
  await context.route('**/hostile/*', async (route) => {
    const n = /\/hostile\/(\d+)$/.exec(route.request().url())?.[1]
    // To this answer the browser stays where it is.
    if (n === undefined) return await route.fulfill({ status: 204 })
    await route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: layers.policy ? { 'content-security-policy': policy } : {},
      body: `<!doctype html><html><body>${bodyOf(Number(n))}</body></html>`,
    })
  })
  return { page: await context.newPage(), canary }
}

async function close(
  page: Page,
  canary: Canary,
  { heedRequests }: { heedRequests: boolean },
): Promise<string[]> {
  const found = canary.take().filter((what) => heedRequests || !what.startsWith('asked'))
  await page.context().close()
  return found
}
