// What comes by itself: reminders of tasks, and notifications of drafts.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const addTask = async (title: string, inMs: number) => {
  const remind_at = new Date(Date.now() + inMs).toISOString()
  const { owner } = site()
  return (await owner.post(`/api/spaces/${world.space.id}/tasks`).send({ title, remind_at })).body
}
const loadTask = async (id: string) => (await site().owner.get(`/api/tasks/${id}`)).body
const reminder = (page: Page, title: string) => page.locator(`.reminder:has-text("${title}")`)

test('a reminder comes when it is time, in every Space, and goes when it is answered', async () => {
  const wick = await addTask('Trim the wick', -60_000)
  const oil = await addTask('Order oil', 8000)
  const page = await site().open(`/s/${world.other.slug}`)

  await expect(reminder(page, 'Trim the wick')).toBeVisible()
  expect(await reminder(page, 'Order oil').count()).toBe(0)
  await expect(reminder(page, 'Order oil')).toBeVisible()
  await expectAccessible(page)

  await reminder(page, 'Trim the wick').getByRole('button', { name: 'Done' }).click()
  await expect(reminder(page, 'Trim the wick')).toBeDetached()
  expect((await loadTask(wick.id)).status).toBe('done')
  await reminder(page, 'Order oil').getByRole('button', { name: 'In 1 hour' }).click()
  await expect(reminder(page, 'Order oil')).toBeDetached()
  const wait = Date.parse((await loadTask(oil.id)).remind_at) - Date.now()
  expect(Math.abs(wait - 3_600_000)).toBeLessThan(60_000)

  await page.goto(`${site().url}/s/${world.space.slug}/tasks`)
  await page.waitForSelector(`[data-task="${oil.id}"] [role=img][aria-label^=Reminder]`)
  expect(await page.locator('[role=img][aria-label^=Reminder]').count()).toBe(1)
})

test('a reminder that is dismissed in one tab goes in the other', async () => {
  const { id } = await addTask('Wind the clock', -1000)
  const page = await site().open(`/s/${world.space.slug}?companion=1`)
  const other = await site().openTab(page, '/inbox')
  await expect(reminder(other, 'Wind the clock')).toBeVisible()

  await reminder(page, 'Wind the clock').getByRole('button', { name: 'Dismiss' }).click()

  await expect(reminder(other, 'Wind the clock')).toBeDetached()
  expect((await loadTask(id)).remind_at).toBeNull()
})

test('a reminder is set in words on the task, and what is no time says so', async () => {
  const task = await addTask('Ask Ann', 86_400_000)
  const page = await site().open(`/s/${world.space.slug}/tasks/${task.id}`)
  const field = page.locator('#field-remind_at')

  await field.fill('gibberish')
  await field.press('Enter')
  await expect
    .poll(() => field.evaluate((node: HTMLInputElement) => node.validationMessage))
    .toContain('Not a time')
  await field.press('Escape')
  await field.fill('3 Dec 2040, 14:30')
  await field.press('Enter')
  const expected = new Date(2040, 11, 3, 14, 30).toISOString()
  await expect.poll(async () => (await loadTask(task.id)).remind_at).toBe(expected)
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('3 Dec 2040, 14:30')
  await field.fill('')
  await field.press('Enter')

  await expect.poll(async () => (await loadTask(task.id)).remind_at).toBeNull()
})

test('a time in quick add is a reminder', async () => {
  const page = await site().open(`/s/${world.space.slug}/tasks`)

  await page.fill('#quick-add', 'Call the pilot 3 Dec 2040 at 9am')
  await expect(page.locator('#quick-add-hint >> text=Reminder 3 Dec 2040, 09:00')).toBeVisible()
  await page.press('#quick-add', 'Enter')
  await expect(page.locator('.task-title:has-text("Call the pilot")')).toBeVisible()

  const { body } = await site().owner.get(`/api/spaces/${world.space.id}/tasks?limit=50`)
  const made = body.items.find(({ title }: { title: string }) => title === 'Call the pilot')
  expect(made).toMatchObject({
    due_on: '2040-12-03',
    remind_at: new Date(2040, 11, 3, 9).toISOString(),
  })
})

/** Records notifications, and has the window in the background. */
const recordNotices = () => {
  const shown: { title: string; body: string; node: EventTarget }[] = []
  class Recorded extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      Recorded.permission = 'granted'
      return 'granted'
    }
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push({ title, body, node: this })
    }
    close() {}
  }
  Object.assign(window, { Notification: Recorded, shown })
  document.hasFocus = () => false
}

type Shown = { shown: { title: string; body: string; node: EventTarget }[] }
const notices = (page: Page) =>
  page.evaluate(() => (window as unknown as Shown).shown.map(({ title, body }) => `${title}: ${body}`))

test('drafts and reminders are notified where that was turned on, and lead to what they are about', async () => {
  const agent = site().as((await makeAgent(site(), { slug: 'harbour', spaces: [world.space.id] })).token)
  const draft = (title: string) => agent.post(`/api/spaces/${world.space.id}/pages`).send({ title })
  const context = await site().context()
  await context.addInitScript(recordNotices)
  await site().signIn(context)
  const page = await context.newPage()
  await page.goto('/settings/appearance')
  await page.waitForSelector('html[data-ready]', { state: 'attached' })
  await draft('Before').expect(202)
  await page.waitForTimeout(2500)
  expect(await notices(page)).toEqual([])

  await page.check('#notify')
  const { body } = await draft('The fog horn').expect(202)
  await expect.poll(() => notices(page)).toEqual(['New draft: Create page ‘The fog horn’ · Skerry Light'])
  await addTask('Sound the horn', -1000)
  await expect.poll(() => notices(page)).toContain('Sound the horn: Reminder · Skerry Light')
  await page.evaluate(() => (window as unknown as Shown).shown[0]!.node.dispatchEvent(new Event('click')))
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${body.pending_change_id ?? body.id}`)
  await Promise.all([draft('One'), draft('Two')])
  await expect.poll(() => notices(page)).toContain('2 new drafts: Open the Inbox to review them.')
})
