// Void below a path in a real browser: the main job, and every address of every view. Nothing in front of the path is asked for.

import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { freePort } from '../helpers/clusters.ts'
import { missing, startNginx } from '../helpers/proxies.ts'
import { allViews, type FullWorld, makeFullWorld } from './support/all-views.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite({ publicUrl: 'http://127.0.0.1/void' })
let world: FullWorld

beforeAll(async () => {
  world = await makeFullWorld(site())
})

/** What pages of this browser ask this host for in front of the path. */
function watchOutside(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { hostname, pathname } = new URL(request.url())
    if (hostname === '127.0.0.1' && !pathname.startsWith('/void/')) asked.push(request.url())
  })
  return asked
}

const path = (page: Page) => new URL(page.url()).pathname

test(`the owner signs in, asks, approves, and finds it all again${missing.nginx}`, async () => {
  const url = missing.nginx ? site().url : await behindNginx()
  const context = await site().context({ serviceWorkers: 'allow' })
  const page = await context.newPage()
  const outside = watchOutside(context)

  await page.goto(`${url}/`)
  expect(path(page)).toBe('/void/sign-in')
  await page.fill('#token', ownerToken)
  await page.click('button[type=submit]')
  await whenReady(page)
  expect(path(page)).toMatch(/^\/void\/s\/[\w-]+$/)
  await page.goto(`${url}/s/skerry-light/pages`)
  await whenReady(page)

  // A link of the app, the history, a reload.
  await page.click(`#view a[href="/void/s/skerry-light/pages/${world.lamp.id}"]`)
  await page.waitForSelector('h1:has-text("The lamp")')
  expect(path(page)).toBe(`/void/s/skerry-light/pages/${world.lamp.id}`)
  await page.goBack()
  await expect.poll(() => path(page)).toBe('/void/s/skerry-light/pages')
  await page.goForward()
  await page.waitForSelector('h1:has-text("The lamp")')
  await page.reload()
  await whenReady(page)

  // A question, whose citation leads to the passage; a draft, which is approved in the conversation.
  await page.fill('#composer', 'What does the lamp burn?')
  await page.keyboard.press('Enter')
  const chip = page.locator('.turn >> nth=-1').locator('.cite').first()
  await chip.click()
  await page.waitForURL(/\/void\/s\/skerry-light\/pages\/.*cite=/)
  await page.fill('#composer', 'Create a task: Trim the wick')
  await page.keyboard.press('Enter')
  await page.locator('.turn >> nth=-1').locator('[data-action=approve]').click()
  await page.waitForSelector('.toast >> text=Approved')
  await page.goto(`${url}/s/skerry-light/tasks`)
  await whenReady(page)
  await page.waitForSelector('#view >> text=Trim the wick')

  // What happens elsewhere arrives by itself.
  await site().owner.post(`/api/spaces/${world.space.id}/tasks`).send({ title: 'Wind the clock weights' })
  await page.waitForSelector('#view >> text=Wind the clock weights')

  // The palette, and the right pane, which is a frame of the same app.
  await page.keyboard.press('Control+k')
  await page.fill('#palette-field, dialog input', 'oil')
  await page.keyboard.press('Escape')
  await page.goto(`${url}/s/skerry-light/tasks?beside=%2Fs%2Fskerry-light%2Fpages%2F${world.lamp.id}`)
  await whenReady(page)
  const beside = page.frameLocator('#beside')
  await beside.locator('h1:has-text("The lamp")').waitFor()
  expect(await page.locator('#beside').getAttribute('src')).toMatch(/^\/void\/s\//)

  // The app that is installed, and its page for notes.
  await page.goto(`${url}/capture`)
  const scope = await page.evaluate(() => navigator.serviceWorker.ready.then((worker) => worker.scope))
  expect(new URL(scope).pathname).toBe('/void/')
  await page.locator('#space').selectOption({ label: 'Skerry Light' })
  await page.fill('#text', 'Oil order')
  await page.click('#save')
  await page.click('#result >> text=Open')
  await whenReady(page)
  expect(path(page)).toMatch(/^\/void\/s\/skerry-light\/pages\//)

  // Signing out leaves nothing of Void behind, and what is of others.
  await page.goto(`${url}/settings/about`)
  await whenReady(page)
  await page.evaluate(() => localStorage.setItem('others', 'theirs'))
  await page.click('button:text-is("Sign out") >> nth=-1')
  await page.waitForURL(/\/void\/sign-in$/)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['others'])
  expect((await context.cookies()).filter(({ name }) => name === 'void_session')).toEqual([])
  expect(outside).toEqual([])
})

/** An nginx with a site of its own, below a path of which Void is; it removes the path. */
async function behindNginx(): Promise<string> {
  const port = await freePort()
  const { origin } = new URL(site().url)
  await startNginx(
    [
      'server {',
      `  listen 127.0.0.1:${port};`,
      '  location /void/ {',
      `    proxy_pass ${origin}/;`,
      '    proxy_http_version 1.1;',
      '    proxy_set_header Connection "";',
      '    proxy_set_header Host $http_host;',
      '    proxy_buffering off;',
      '  }',
      '}',
    ].join('\n'),
    port,
  )
  return `http://127.0.0.1:${port}/void`
}

/** Views of every kind. */
const drawn = [
  'a page',
  'the editor of a page',
  'the pages as a table',
  'the board',
  'the Inbox',
  'the search',
  'the agents',
]

test('every address of a view is below it, as drawn', async () => {
  const page = await site().open('/today')
  const outside = watchOutside(page.context())
  const wrong: string[] = []

  for (const [name, address] of allViews.filter(([name]) => drawn.includes(name))) {
    await page.goto(site().url + address(world))
    await whenReady(page)
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('[href], [src], [action]')].flatMap((element) =>
        ['href', 'src', 'action'].flatMap((attribute) => element.getAttribute(attribute) ?? []),
      ),
    )
    const rooted = found.filter((one) => one.startsWith('/'))
    expect(rooted.length).toBeGreaterThan(5)
    wrong.push(
      ...rooted.filter((one) => !/^\/void\/(?!void\b)/.test(one)).map((one) => `${name}: ${one}`),
      ...(path(page) === `/void${address(world).split('?')[0]}` ? [] : [`${name}: is at ${page.url()}`]),
    )
  }

  expect(wrong).toEqual([])
  expect(outside).toEqual([])
})
