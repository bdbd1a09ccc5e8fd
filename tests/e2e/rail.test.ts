import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

// The offline companion answers, as it does on a fresh start without a key.
const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const home = '/s/skerry-light'

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
}

async function whenAnswered(page: Page): Promise<void> {
  await page.waitForSelector('.send:not(.send-stop):visible')
}

/** As painted, whether the app has taken over or not; that draws the rail again. */
const railWidth = (page: Page) =>
  page.evaluate(() => document.querySelector('.rail')?.getBoundingClientRect().width)

describe('the rail', () => {
  test('asks what it suggests, streams a cited answer, and opens the passage marked', async () => {
    const page = await site().open(`${home}?companion=1`)
    expect(await page.locator('.question').count()).toBe(3)
    await page.click('.question >> nth=0')
    await page.waitForSelector('.said-companion')
    await whenAnswered(page)

    await say(page, 'What does the lamp burn?')
    const chip = page.locator('.turn >> nth=-1').locator('.cite').first()
    await chip.waitFor()
    await chip.focus()
    const quoted = await page.locator('.citation-words').textContent()
    await chip.click()
    await page.waitForURL(/\/pages\/.*cite=/)
    await page.waitForFunction(() => CSS.highlights.has('cited'))
    const marked = await page.evaluate(() => [...(CSS.highlights.get('cited') ?? [])].map(String).join(''))

    expect(quoted).toContain('rapeseed oil')
    expect(marked).toContain('rapeseed oil')
  })

  test('shows what the tools did, folded', async () => {
    const page = await site().open(`${home}?companion=1`)
    await say(page, 'How long does the lease run?')
    const line = page.locator('.turn >> nth=-1').locator('.tools-line')
    await line.waitFor()
    await whenAnswered(page)

    expect(await line.textContent()).toMatch(/^Searched and read \d pages?$/)
    const figures = page.locator('.turn >> nth=-1').locator('.tools-figures')
    expect(await figures.isVisible()).toBe(false)
    await line.click()
    expect(await figures.innerText()).toMatch(/s$/)
    expect(await page.locator('.turn >> nth=-1').locator('.tool-args').first().textContent()).toContain('q: ')
  })

  test('drafts a task; approved, it is in the list and the Inbox is empty, in a second tab too', async () => {
    const page = await site().open(`${home}?companion=1`)
    const other = await site().openTab(page, `${home}/tasks`)
    await page.bringToFront()
    await say(page, 'Create a task to trim the wick')
    await page.waitForSelector('.card')
    await other.waitForSelector('.nav .count >> text=1')

    await page.locator('.card').getByRole('button', { name: 'Approve' }).click()
    await page.waitForSelector('.card[data-status=approved]')

    await other.waitForSelector('#view >> text=/trim the wick/i')
    await expect.poll(() => other.locator('.nav .count').textContent()).toBe('')
  })

  test('loads its history with drafts as they stand, in the first paint', async () => {
    const page = await site().open(`${home}?companion=1`)
    await say(page, 'Create a task to oil the hinges')
    await page.waitForSelector('.card[data-status=pending]')
    await whenAnswered(page)
    const id = await page.locator('.card[data-status=pending]').last().getAttribute('id')
    await site()
      .owner.post(`/api/pending-changes/${id!.replace('rail-', '')}/reject`)
      .send({ reason: 'No hinges.' })

    const still = await site().context({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const painted = await still.newPage()
    await painted.goto(`${home}?companion=1`)

    expect(await painted.locator(`#${id}`).getAttribute('data-status')).toBe('rejected')
    expect(await painted.locator('.said-you >> nth=-1').innerText()).toContain(
      'Create a task to oil the hinges',
    )
    await page.waitForSelector(`#${id}[data-status=rejected]`)
  })

  test('keeps what is typed over a reload, and brings the last message back with the up-arrow', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.fill('#composer', 'half a thou')
    await page.reload()
    await whenReady(page)
    expect(await page.inputValue('#composer')).toBe('half a thou')

    await page.fill('#composer', '')
    await page.press('#composer', 'ArrowUp')

    expect(await page.inputValue('#composer')).toBe(
      await page.locator('.said-you .said-text').last().textContent(),
    )
  })

  test('says what the owner looks at, until that is dropped for a message', async () => {
    const page = await site().open(`${home}/pages/${world.lease.id}`)
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/companion/turn')) sent.push(request.postDataJSON().view)
    })

    expect(await page.locator('.looking').textContent()).toContain('Page: Lease of the keeper')
    await say(page, 'What is this about?')
    await whenAnswered(page)
    await page.click('.looking-drop')
    await say(page, 'And this?')
    await whenAnswered(page)

    expect(sent).toEqual([{ entityType: 'page', entityId: world.lease.id }, null])
    expect(await page.locator('.looking').textContent()).toContain('Page: Lease of the keeper')
  })

  test('begins a thread, finds the old one, and goes back to it', async () => {
    const page = await site().open(`${home}?companion=1`)
    const before = await page.locator('.turn').count()
    const name = await page.locator('.thread-title').innerText()
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await page.waitForSelector('.thread-empty')
    await page.click('.thread-button')
    await page.fill('.dialog input[type=search]', name)
    await page.click(`.thread-item >> text=${name}`)

    await expect.poll(() => page.locator('.turn').count()).toBe(before)
  })

  test('is made wider and narrower with the keys, closes to a strip, and stays so', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.focus('.resizer')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    // What the keys do is loaded with the first of them.
    await expect.poll(() => page.getAttribute('.resizer', 'aria-valuenow')).toBe('416')
    await page.reload()
    expect(await railWidth(page)).toBeCloseTo(416, -1)

    await whenReady(page)
    await page.getByRole('button', { name: 'Hide companion' }).click()
    await page.reload()
    expect(await railWidth(page)).toBeCloseTo(44, -1)
  })

  test('is clean for axe with an answer and a draft in it', async () => {
    const page = await site().open(`${home}?companion=1`)
    await say(page, 'Create a task to polish the brass')
    await page.waitForSelector('.card[data-status=pending]')

    await expectAccessible(page)
  })
})

test('the rail stays beside a text that is written', async () => {
  const page = await site().open(`${home}/pages/${world.lamp.id}`, { viewport: { width: 1200, height: 800 } })

  await page.keyboard.press('e')
  await page.waitForSelector('.cm-content')

  expect(await page.isVisible('#composer')).toBe(true)
})

test('on a phone the companion is a sheet, and so is the navigation', async () => {
  const page = await site().open(`${home}?companion=1`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })

  await page.getByRole('button', { name: 'Companion' }).click()
  expect((await page.locator('.rail').boundingBox())?.height).toBe(844)
  // Enter is a new line on a screen keyboard.
  await page.fill('#composer', 'What does the lamp burn?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('.turn >> nth=-1 >> .cite')
  await whenAnswered(page)
  await page.locator('.turn >> nth=-1').locator('.cite').first().click()
  await page.waitForURL(/cite=/)
  await page.waitForSelector('.rail', { state: 'hidden' })

  await page.locator('.bottom-bar button').first().click()
  await page.click('.nav >> text=Tasks')
  await page.waitForURL(/\/tasks$/)
  await page.waitForSelector('.nav', { state: 'hidden' })
  await expectAccessible(page)
})

test('the way to the latest words is offered where they are out of view, and never over the buttons of a draft', async () => {
  const { owner } = site()
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Lamp room' })
  await owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Lamp', body: 'The lamp burns rapeseed oil.' })
  const page = await site().open(`/s/${space.slug}?companion=1`, { viewport: { width: 1440, height: 460 } })
  await say(page, 'What does the lamp burn?')
  await whenAnswered(page)
  await say(page, 'Create a task to polish the lens of the lamp')
  await whenAnswered(page)
  await page.locator('.rail .card .button-approve').waitFor()
  const toEnd = page.locator('.to-end')
  expect(await toEnd.isVisible()).toBe(false)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.setViewportSize({ width: 1440, height: 700 })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await toEnd.isVisible()).toBe(false)

  await page.setViewportSize({ width: 1440, height: 300 })
  const log = page.locator('.log')
  for (const top of [-1, -40, -80, -120, -160, -2000]) {
    await log.evaluate((one, at) => one.scrollTo(0, at), top)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect([top, await covered(page)]).toEqual([top, []])
  }
  expect(await toEnd.isVisible()).toBe(true)
})

/** Buttons of drafts that lie below the way to the latest words. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const pill = document.querySelector('.to-end')!.getBoundingClientRect()
    const log = document.querySelector('.log')!.getBoundingClientRect()
    return [...document.querySelectorAll('.log .card-actions > .button')]
      .filter((button) => button.checkVisibility())
      .filter((button) => {
        const { top, bottom, left, right } = button.getBoundingClientRect()
        const isSeen = bottom > log.top && top < log.bottom
        const isBelow = top < pill.bottom && bottom > pill.top && left < pill.right && right > pill.left
        return pill.height > 0 && isSeen && isBelow
      })
      .map(({ textContent }) => textContent)
  })
