// What goes wrong outside of the editor and of the answer, which have tests of their own: each failure has its words
// and a way on, and nothing that was typed is lost.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
const home = '/s/skerry-light'
// What is loaded behind a page may be under way when the network goes.
const expectErrors = /Failed to load|Failed to fetch dynamically|ERR_|status of/
let world: World
let agentToken: string

beforeAll(async () => {
  world = await makeWorld(site())
  agentToken = (await makeAgent(site(), { slug: 'surveyor' })).token
})

/** Answers writes to addresses like this with a status, or not at all. */
async function refuse(page: Page, address: string, status: number | 'gone'): Promise<void> {
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return await route.fallback()
    if (status === 'gone') return await route.abort()
    const error = { code: 'refused', message: `The server said ${status}.`, request_id: 'x' }
    await route.fulfill({ status, json: { error } })
  })
}

const failures = [413, 429, 500, 'gone'] as const
const wordsOf = (status: (typeof failures)[number]) =>
  status === 'gone' ? 'Could not reach the server' : `The server said ${status}`

describe('going somewhere', () => {
  test('while the server is gone says so, keeps the navigation, and goes on with Try again', async () => {
    const page = await site().open(`${home}?companion=1`, { expectErrors })

    await page.context().setOffline(true)
    await page.click('.nav >> text=Projects')
    await page.waitForSelector('#view >> text=Could not load this view')
    const links = await page.locator('.nav-link').count()
    await page.context().setOffline(false)
    // Chromium breaks off what is asked for while it finds out that the network is back.
    const isThere = async () => {
      await page.click('#view button', { timeout: 1000 }).catch(() => {})
      return await page.locator('.list-row >> text=Summer repairs').count()
    }

    await expect.poll(isThere, { timeout: 20_000 }).toBe(1)
    expect(links).toBeGreaterThan(5)
  })

  test('over a slow network leaves what is shown until the next is there, and says that it is at work', async () => {
    const page = await site().open(`${home}?companion=1`)
    const gate = Promise.withResolvers<void>()
    await page.route('**/task-groups*', async (route) => {
      await gate.promise
      await route.continue()
    })

    await page.click('.nav >> text=Tasks')
    await page.waitForSelector('html[data-busy]')
    const meanwhile = await page.locator('h1').innerText()
    gate.resolve()
    await page.waitForSelector('h1 >> text=Tasks')

    expect(meanwhile).toBe('Skerry Light')
    await page.waitForSelector('html[data-busy]', { state: 'detached' })
  })

  test('a session that is ended elsewhere asks for the token in every tab at once, and goes on in place', async () => {
    const page = await site().open(`${home}?companion=1`, { expectErrors })
    const second = await site().openTab(page, `${home}?companion=1`, { expectErrors })
    const own = (await page.context().cookies()).find(({ name }) => name === 'void_session')
    await site().deps.server.authentication.closeSession(own!.value)

    await page.waitForSelector('dialog >> text=Sign in again')
    await second.waitForSelector('dialog >> text=Sign in again')
    await page.fill('#session-token', ownerToken)
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.click('.nav >> text=Projects')

    await expect(page.locator('.list-row >> text=Summer repairs')).toBeVisible()
  })
})

test('a message that the server never got is in the field again after a reload', async () => {
  const page = await site().open(`${home}?companion=1`, { expectErrors })
  await refuse(page, '**/companion/turn', 'gone')

  await page.fill('#composer', 'Said into the storm')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.turn >> text=Reconnecting')
  await page.reload()
  await page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'Said into the storm',
  )
  await page.unroute('**/companion/turn')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.turn >> nth=-1 >> .said-companion .prose')
  await page.reload()
  await page.waitForSelector('html[data-ready]', { state: 'attached' })

  expect(await page.inputValue('#composer')).toBe('')
})

describe.each(failures)('with %s', (status) => {
  test('a message stays with its words, and is sent again with Retry', async () => {
    const page = await site().open(`${home}?companion=1`, { expectErrors })
    await refuse(page, '**/companion/turn', status)

    await page.fill('#composer', `Lost to ${status}?`)
    await page.keyboard.press('Enter')
    // Without an answer it is tried again by itself.
    if (status === 'gone') {
      await page.waitForSelector('.turn >> text=Reconnecting')
      await page.unroute('**/companion/turn')
      await expect(page.locator('.turn >> nth=-1 >> .said-companion .prose')).toBeVisible()
      return
    }
    const ending = page.locator('.turn >> nth=-1').locator('.ending')
    await ending.getByRole('button', { name: 'Retry' }).waitFor({ timeout: 30_000 })
    const told = await ending.innerText()
    await page.unroute('**/companion/turn')
    await ending.getByRole('button', { name: 'Retry' }).click()
    await page.waitForSelector('.turn >> nth=-1 >> .said-companion .prose')

    expect(told).toContain(wordsOf(status))
    expect(await page.locator('.said-you >> nth=-1').innerText()).toContain(`Lost to ${status}?`)
  })

  test('a new task and a new ref are back where they were typed', async () => {
    const page = await site().open(`${home}/tasks`, { expectErrors })
    await refuse(page, '**/tasks', status)
    await refuse(page, '**/refs', status)

    await page.fill('#quick-add', 'Splice the rope')
    await page.keyboard.press('Enter')
    await page.waitForSelector(`.toast >> text=${wordsOf(status)}`)
    const line = await page.inputValue('#quick-add')
    await page.goto(`${home}/refs`)
    await whenReady(page)
    await page.click('#new')
    await page.fill('#new-title', 'Knots')
    await page.keyboard.press('Enter')
    await page.waitForSelector(`dialog >> text=${wordsOf(status)}`)
    const title = await page.inputValue('#new-title')
    await page.unrouteAll()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.detail-title >> text=Knots')

    expect(line).toBe('Splice the rope')
    expect(title).toBe('Knots')
  })

  test('a decision that did not come through can be made again', async () => {
    const draft = await site()
      .as(agentToken)
      .post(`/api/spaces/${world.space.id}/tasks`)
      .send({ title: `Survive ${status}`, reason: 'So that it is seen.' })
    const page = await site().open(`/inbox/${draft.body.id}`, { expectErrors })
    await refuse(page, '**/approve', status)

    await page.click('.inbox-detail [data-action=approve]')
    await page.waitForSelector(`.inbox-detail >> text=${wordsOf(status)}`)
    await page.unroute('**/approve')
    await page.click('.inbox-detail [data-action=approve]:not([disabled])')

    await expect
      .poll(async () => (await site().owner.get(`/api/pending-changes/${draft.body.id}`)).body.status)
      .toBe('approved')
  })
})
