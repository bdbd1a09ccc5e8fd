// Writing a note: with a connection and without, from another program, from another page.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { type Site, useSite } from './support/site.ts'

const site = useSite()
let space: { id: string }

beforeAll(async () => {
  await site().owner.post('/api/spaces').send({ name: 'Harbour' })
  space = (await site().owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
})

const open = (path: string, options: Parameters<Site['open']>[1] = {}) =>
  site().open(path, { serviceWorkers: 'allow', ...options })
const titles = async (path: string) =>
  (await site().owner.get(`/api/spaces/${space.id}/${path}`)).body.items.map(
    ({ title }: { title: string }) => title,
  )

const workerIsReady = () =>
  navigator.serviceWorker.ready.then(
    async () =>
      (await caches.keys()).filter((name) => name.startsWith('void-shell-')).length === 1 &&
      !!(await caches.match('/capture')),
  )

describe('a note', () => {
  test('is saved as a page or a task in the Space that is chosen', async () => {
    const page = await open('/capture')
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await page.locator('#text').fill('Oil order\n\nTwo barrels.')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.locator('#result').textContent()).toContain('Saved “Oil order”')
    await page.locator('#kind').selectOption('task')
    await page.locator('#text').fill('Paint the door !high')
    await page.locator('#save').click()
    await expect.poll(() => page.locator('#result').textContent()).toContain('Saved “Paint the door”')

    expect(await titles('pages')).toContain('Oil order')
    expect(await titles('tasks')).toContain('Paint the door')
    await expectAccessible(page)
  })

  test('that was written without a connection waits, and is sent once when there is one again', async () => {
    const page = await open('/capture', {
      expectErrors: /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load/,
    })
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await expect.poll(() => page.evaluate(workerIsReady)).toBe(true)
    await page.context().setOffline(true)
    site().setUnplugged(true)
    await page.reload()
    await page.locator('#text').fill('Written at sea')
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await page.locator('#save').click()
    await expect.poll(() => page.locator('#waiting-title').textContent()).toBe('1 note waiting')
    await page.reload()
    await expect(page.locator('#waiting')).toBeVisible()
    expect(await titles('pages')).not.toContain('Written at sea')

    site().setUnplugged(false)
    await page.context().setOffline(false)
    await expect.poll(() => page.locator('#result').textContent()).toContain('Saved “Written at sea”')

    await page.locator('#waiting').waitFor({ state: 'hidden' })
    expect((await titles('pages')).filter((title: string) => title === 'Written at sea')).toHaveLength(1)
  })

  test('of somebody who is signed out waits until they sign in', async () => {
    const page = await open('/capture', { expectErrors: /401/ })
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await page.context().clearCookies()
    await page.locator('#text').fill('Kept meanwhile')
    await page.locator('#save').click()
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()

    await site().signIn(page.context())
    await page.reload()

    await expect.poll(() => titles('pages')).toContain('Kept meanwhile')
  })

  test('that cannot be sent holds back a sign-out, which says so', async () => {
    const page = await open('/capture', { expectErrors: /ERR_FAILED|Failed to load/ })
    await page.context().route(/\/captures\//, (route) => route.abort())
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await page.locator('#text').fill('Not sent yet')
    await page.locator('#save').click()
    await expect.poll(() => page.locator('#waiting-title').textContent()).toBe('1 note waiting')

    await page.goto('/settings/about')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Not signed out: 1 note').waitFor()
    const held = await page.request.get('/api/spaces')
    await page.context().unroute(/\/captures\//)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)

    expect(held.status()).toBe(200)
    expect(await titles('pages')).toContain('Not sent yet')
  })

  test('that another program shares is shown, and saved only by a click', async () => {
    const page = await open('/capture?title=Lamp&text=https%3A%2F%2Fexample.org%2Flamp')
    await page.locator('#space').selectOption({ label: 'Skerry Light' })
    await expect(page.locator('#source')).toBeVisible()
    expect(await page.locator('#source').textContent()).toContain('https://example.org/lamp')
    expect(await titles('refs')).not.toContain('Lamp')

    await page.locator('#save').click()

    await expect.poll(() => titles('refs')).toContain('Lamp')
  })
})

describe('the bookmarklet', () => {
  test('clips a page of another site, once its owner clicks', async () => {
    const words = 'The lamp turns once in ten seconds, and is seen from twenty miles away. '
    const foreign = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html')
      res.setHeader('content-security-policy', "default-src 'none'; form-action 'none'; connect-src 'none'")
      res.end(
        `<title>Lamp log</title><nav>Menu</nav><article>${`<p>${words.repeat(6)}</p>`.repeat(5)}</article>`,
      )
    })
    await new Promise<void>((resolve) => foreign.listen(0, 'localhost', resolve))
    const address = `http://localhost:${(foreign.address() as AddressInfo).port}/log`
    const settings = await open('/settings/notes')
    const bookmark = await settings.locator('#bookmarklet').getAttribute('href')
    const page = await settings.context().newPage()
    await page.goto(address)

    const opened = page.context().waitForEvent('page')
    await page.evaluate(decodeURIComponent(bookmark!.slice('javascript:'.length)))
    const note = await opened
    await expect
      .poll(() => note.locator('#source').textContent())
      .toBe(`${address} · with the text of the page`)
    expect(await titles('refs')).not.toContain('Lamp log')
    await note.locator('#space').selectOption({ label: 'Skerry Light' })
    await note.locator('#save').click()
    await expect.poll(() => titles('refs')).toContain('Lamp log')
    foreign.close()

    const { items } = (await site().owner.get(`/api/spaces/${space.id}/refs`)).body
    const ref = items.find(({ title }: { title: string }) => title === 'Lamp log')
    expect(ref).toMatchObject({ url: address, origin: 'web' })
    expect((await site().owner.get(`/api/refs/${ref.id}`)).body.body).toContain(words.trim())
  })
})

describe('the installed app', () => {
  test('has a manifest whose icons are there, and a service worker that is checked for each time', async () => {
    const page = await open('/today')
    const address = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await (await page.request.get(address!)).json()

    expect(manifest).toMatchObject({
      start_url: '/',
      display: 'standalone',
      share_target: { action: '/capture' },
    })
    for (const { src } of manifest.icons) {
      const icon = await page.request.get(src)
      expect(icon.headers()['content-type']).toBe('image/png')
      expect((await icon.body()).length).toBeLessThan(20_000)
    }
    const worker = await page.request.get('/service-worker.js')
    expect(worker.headers()['cache-control']).toBe('no-cache')
  })

  test('stores its own files, of answers those that show pages, and nothing after signing out', async () => {
    const page = await open('/today')
    await expect.poll(() => page.evaluate(workerIsReady)).toBe(true)
    await page.goto(`/s/skerry-light/tasks`)
    await page.goto(`/inbox`)
    await page.goto(`/settings/model`)
    const stored = await page.evaluate(async () => {
      const kept = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
      const requests = await Promise.all(kept.map((cache) => cache.keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(stored).toContain('/capture')
    const others = stored.filter((path) => !path.startsWith('/assets/'))
    expect(
      others.filter((path) => !/^\/(capture|offline|api\/(inbox|spaces(\/.*)?|pages\/.*))$/.test(path)),
    ).toEqual([])

    await page.goto('/settings/about')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)

    expect(await page.evaluate(() => caches.keys())).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('void:note-spaces'))).toBe(null)
  })
})
