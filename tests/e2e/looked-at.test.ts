import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

// What is sent about a list with a message, from the browser to the tool that reads it.
const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const Sent = z.object({
  view: z.looseObject({ entityType: z.string(), entityId: z.string() }).nullish(),
})

async function sendFrom(page: Page, focus: string) {
  await page.focus(focus)
  const request = page.waitForRequest(/companion\/turn$/)
  await page.fill('#composer', 'What is open here?')
  await page.keyboard.press('Enter')
  return Sent.parse((await request).postDataJSON()).view
}

test('a list is sent with its filters, the rows in sight and the focused one', async () => {
  const page = await site().open('/s/skerry-light/tasks?status=open')
  const task = { kind: 'task', id: world.paint.id }

  // The code for it loads when the browser is idle.
  await expect
    .poll(() => sendFrom(page, `a[href$="/tasks/${task.id}"]`), { timeout: 30_000, interval: 500 })
    .toMatchObject({
      entityType: 'view',
      entityId: 'tasks',
      filters: { status: 'open' },
      rows: expect.arrayContaining([task]),
      selected: [task],
    })
})

test('what was left out of a message is not sent as a list', async () => {
  const page = await site().open(`/s/skerry-light/pages/${world.lamp.id}`)
  await page.click('.looking-drop')

  expect(await sendFrom(page, '#composer')).toBeFalsy()
})
