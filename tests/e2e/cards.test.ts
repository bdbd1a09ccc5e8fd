// A draft in the rail: as little as it takes to decide, the rest a click away.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const reason = 'You asked for it by hand.'
const long = Array.from({ length: 60 }, (_, n) => `Line ${n} of a text that is long.`).join('\n')

async function draft(input: Record<string, unknown>): Promise<Page> {
  site().app.locals.callModel = scriptedModel([
    { tools: [{ name: 'propose_change', input: { reason, ...input } }] },
    { text: 'Drafted.' },
  ])
  const page = await site().open('/s/skerry-light/tasks')
  await page.click('#rail >> [aria-label="New thread"]')
  await page.waitForSelector('.thread-empty:visible')
  await page.fill('#composer', 'Draft it')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#rail .card .card-actions')
  await page.waitForSelector('.send:not(.send-stop):visible')
  return page
}

const draftTask = (title: string) => draft({ entity_type: 'task', action: 'create', payload: { title } })
const card = (page: Page) => page.locator('#rail .card')

test('says what it does; defaults, note, sources and payload are in its details', async () => {
  const page = await draftTask('Oil the hinges')

  expect(await card(page).innerText()).toMatch(/^Create task ‘Oil the hinges’/)
  expect(await card(page).locator('.card-body').innerText()).toBe('')
  for (const words of [reason, 'Priority', 'Raw change (JSON)']) {
    expect(await page.isVisible(`#rail .card >> text=${words}`)).toBe(false)
  }
  await card(page).locator('.card-details > summary').focus()
  await page.keyboard.press('Enter')
  for (const words of [reason, 'Priority', 'Raw change (JSON)']) {
    await page.waitForSelector(`#rail .card >> text=${words}`)
  }
  await expectAccessible(page)
})

test('a reminder is said as any other time, with the exact one on hovering', async () => {
  const remind_at = new Date(2040, 11, 4, 15).toISOString()
  const page = await draft({
    ...{ entity_type: 'task', action: 'create' },
    payload: { title: 'Call dad', remind_at, due_on: '2040-12-04' },
  })

  const text = await card(page).innerText()
  expect(text).toContain('reminder 4 Dec 2040, 15:00')
  expect(text).not.toMatch(/\d{4}-\d\d-\d\d|UTC/)
  expect(await card(page).locator('ins[title]').getAttribute('title')).toContain('Tuesday, 4 December 2040')
})

test('what is only good to know about a draft does not look like a warning', async () => {
  const lease = { entity_type: 'page', action: 'update', entity_id: world.lease.id }
  await site().owner.patch(`/api/pages/${world.lease.id}`).send({ position: 7, version: 1 }).expect(200)
  const page = await draft({ ...lease, payload: { title: 'The lease' } })

  expect(await card(page).locator('[data-code=edited_lately]').innerText()).toContain('shortly before')
  expect(await card(page).locator('.card-warning').count()).toBe(0)
})

test('keeps its details open, and the focus, when it is drawn again', async () => {
  const page = await draft({
    entity_type: 'page',
    action: 'update',
    entity_id: world.lamp.id,
    payload: { title: 'The great lamp' },
  })
  await card(page).locator('.card-details > summary').focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector(`#rail .card >> text=${reason}`)

  await site()
    .owner.patch(`/api/pages/${world.lamp.id}`)
    .send({ version: world.lamp.version, body: 'Other words.' })
    .expect(200)
  await page.waitForSelector('#rail .card [data-action=again]')

  expect(await page.isVisible(`#rail .card >> text=${reason}`)).toBe(true)
  expect(await page.evaluate(() => document.activeElement?.parentElement?.className)).toContain(
    'card-details',
  )
})

test('decided, it is one line with Undo beside it, and opens to the rest', async () => {
  const page = await draftTask('Sweep the stairs')
  const pending = (await card(page).boundingBox())!.height
  await card(page).locator('[data-action=approve]').click()
  await page.waitForSelector('#rail .card[data-status=approved] [data-action=undo]')

  const line = (await card(page).boundingBox())!.height
  expect(line).toBeLessThan(pending / 2)
  expect(line).toBeLessThan(42)
  expect(await card(page).innerText()).toContain('Approved')
  await expectAccessible(page)

  await card(page).locator('.card-line > summary').click()
  await page.waitForSelector('#rail .card >> text=Decided by you')
  await page.waitForSelector(`#rail .card >> text=${reason}`)
  await expectAccessible(page)
  await card(page).locator('[data-action=undo]').click()
  await page.waitForSelector('#rail .card .card-undone >> text=Undone by you')
  await page.waitForSelector('#rail .card >> text=Decided by you')
})

test('the actions of a card that is higher than the rail are in sight', async () => {
  const page = await draft({
    entity_type: 'page',
    action: 'create',
    payload: { title: 'A long text', body: long },
  })
  await page.goto(`/inbox/${(await card(page).getAttribute('id'))!.replace('rail-', '')}`)
  await page.waitForSelector('.inbox-detail .card')
  await page.locator('.inbox-detail .diff-fold > summary').click()
  await page.waitForSelector('.inbox-detail >> text=Line 59')

  const sight = () =>
    page.evaluate(() => {
      const detail = document.querySelector('.inbox-detail')!
      const actions = document.querySelector('.inbox-detail .card-actions')!
      detail.scrollTop = 0
      const { bottom } = actions.getBoundingClientRect()
      return [detail.scrollHeight > detail.clientHeight, bottom <= detail.getBoundingClientRect().bottom]
    })
  await expect.poll(sight).toEqual([true, true])
})

test('what else can be done with it comes with the details', async () => {
  const page = await draftTask('Wind the clock')
  const preview = card(page).locator('[data-action=preview]')
  expect(await preview.isVisible()).toBe(false)

  await card(page).locator('.card-details > summary').click()
  await card(page).locator('[data-action=ask]').click()
  await card(page).locator('.card-details > summary').click()

  expect(await preview.isVisible()).toBe(true)
  expect(await card(page).locator('textarea:visible').count()).toBe(1)
})
