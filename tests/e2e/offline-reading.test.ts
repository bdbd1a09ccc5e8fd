// Reading what was seen lately while nothing listens at the server's address.

import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let isStopped = false
let slug = ''
const pages: Record<string, { id: string; version: number }> = {}

beforeAll(async () => {
  const space = (await site().owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
  slug = space.slug
  for (const [title, body] of [
    ['Lamp room', 'The lens turns once in ten seconds. See [[Oil store]].'],
    ['Oil store', 'Forty barrels, in the order of their years.'],
    ['Boat house', 'The slip needs tar.'],
  ] as const)
    pages[title] = (await site().owner.post(`/api/spaces/${space.id}/pages`).send({ title, body })).body
})

afterEach(async () => {
  if (isStopped) await listenAgain()
})

async function stopListening(): Promise<void> {
  isStopped = true
  await site().stopListening()
}

async function listenAgain(): Promise<void> {
  isStopped = false
  await site().listenAgain()
}

const href = (title: string) => `/s/${slug}/pages/${pages[title]!.id}`
const isOffline =
  /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE|Failed to load/

const open = (title: string) => site().open(href(title), { serviceWorkers: 'allow', expectErrors: isOffline })

/** Whether the browser has stored an answer, by the end of its path. */
const stores = (page: Page, end: string) =>
  page.evaluate(async (wanted) => {
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) if (url.endsWith(wanted)) return true
    return false
  }, end)

const untilStored = (page: Page, title: string) =>
  expect.poll(() => stores(page, `/api/pages/${pages[title]!.id}/place`)).toBe(true)

const visit = async (page: Page, title: string) => {
  await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await untilStored(page, title)
}

describe('with the server stopped', () => {
  test('pages that were seen are shown as of then, after a reload too, and the app comes back by itself', async () => {
    const page = await open('Lamp room')
    await untilStored(page, 'Lamp room')
    await visit(page, 'Oil store')
    await stopListening()

    await page.reload()
    await page.getByText('Forty barrels').waitFor()
    expect(await page.locator('.as-of').textContent()).toMatch(/^Offline, as of \d\d:\d\d$/)
    await page.getByRole('navigation').getByRole('link', { name: 'Lamp room', exact: true }).click()
    await page.getByText('The lens turns once').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Boat house', exact: true }).click()
    await page.getByRole('heading', { name: 'Could not load this view' }).waitFor()
    await page.goBack()
    await page.getByText('The lens turns once').waitFor()

    await listenAgain()
    await page.locator('.as-of').waitFor({ state: 'detached' })
    await page.getByText('The lens turns once').waitFor()
    await visit(page, 'Boat house')
  })

  test('a page that was changed here is shown as it was saved', async () => {
    const page = await open('Boat house')
    await untilStored(page, 'Boat house')
    const { version } = (await site().owner.get(`/api/pages/${pages['Boat house']!.id}`)).body
    await page.evaluate(
      async ({ id, seen }) => {
        const body = JSON.stringify({ body: 'Tarred in May.', version: seen })
        const headers = { 'content-type': 'application/json' }
        await fetch(`/api/pages/${id}`, { method: 'PATCH', headers, body })
      },
      { id: pages['Boat house']!.id, seen: version },
    )
    await page.getByText('Tarred in May.').waitFor()
    await stopListening()

    await page.reload()

    await page.getByText('Tarred in May.').waitFor()
    await page.locator('.as-of').waitFor()
  })

  test('nothing is left to read after signing out', async () => {
    const page = await open('Lamp room')
    await untilStored(page, 'Lamp room')
    await page.goto('/settings/about')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)

    expect(await page.evaluate(() => caches.keys())).toEqual([])
    await stopListening()
    await expect(page.goto(href('Lamp room'))).rejects.toThrow('ERR_CONNECTION_REFUSED')
  })

  test('nothing is left to read after the session was ended elsewhere and the browser noticed', async () => {
    const page = await open('Lamp room')
    await untilStored(page, 'Lamp room')
    await page.context().clearCookies()
    await page.goto(href('Oil store'))
    await page.waitForURL(/sign-in/)

    await expect.poll(() => stores(page, `/api/pages/${pages['Lamp room']!.id}`)).toBe(false)
    expect(await stores(page, '/api/spaces?limit=200')).toBe(false)
  })
})
