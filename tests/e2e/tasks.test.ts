import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TaskGroups } from '../../lib/contract/space/home.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
const tasks = '/s/skerry-light/tasks'

beforeAll(async () => {
  world = await makeWorld(site())
})

async function makeTask(fields: Record<string, unknown>): Promise<{ id: string; version: number }> {
  const { body } = await site().owner.post(`/api/spaces/${world.space.id}/tasks`).send(fields).expect(201)
  return body
}

/** What the server has, as `title: status` in its own order. */
async function kept(): Promise<string[]> {
  const { body } = await site().owner.get(`/api/spaces/${world.space.id}/task-groups?closed=100`)
  return (body as TaskGroups).groups.flatMap(({ status, items }) =>
    items.map(({ title }) => `${title}: ${status}`),
  )
}

const focusedTitle = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const row = (title: string) => `[data-task]:has(.task-title:text-is("${title}"))`

describe('the list of tasks', () => {
  test('takes a line as a task, keeps the focus for the next, and shows both in another tab', async () => {
    const page = await site().open(tasks)
    const other = await site().openTab(page, tasks)

    await page.fill('#quick-add', 'Order oil tomorrow !high')
    await expect
      .poll(() => page.locator('#quick-add-hint .badge').allTextContents())
      .toEqual([expect.stringMatching(/^Due /), 'High priority'])
    await page.keyboard.press('Enter')
    await page.keyboard.type('Wind the clock')
    await page.keyboard.press('Enter')

    await other.waitForSelector(row('Order oil'))
    await other.waitForSelector(row('Wind the clock'))
    expect(await other.locator(row('Order oil')).locator('.badge').textContent()).toBe('High')
    expect(await page.inputValue('#quick-add')).toBe('')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quick-add')
  })

  test('keeps a line that was not sent over a reload', async () => {
    const page = await site().open(tasks)

    await page.fill('#quick-add', 'Mend the coat')
    await page.reload()

    await expect.poll(() => page.inputValue('#quick-add')).toBe('Mend the coat')
  })

  test('is walked and changed by keys alone', async () => {
    await makeTask({ title: 'Clean the cistern', due_on: '2020-01-01' })
    const page = await site().open(tasks)

    await page.keyboard.press('j')
    expect(await focusedTitle(page)).toBe('Clean the cistern')
    await page.keyboard.press('2')
    await page.waitForSelector(`section:has(#group-in_progress) ${row('Clean the cistern')}`)
    expect(await focusedTitle(page)).toBe('Clean the cistern')
    await page.keyboard.press('d')
    await page.click('.calendar >> text=Clear')
    await page.waitForSelector(`${row('Clean the cistern')} [data-due=none]`, { state: 'attached' })
    await page.keyboard.press('Space')
    const folded = `details:has(#group-done) ${row('Clean the cistern')}`
    await page.waitForSelector(folded, { state: 'attached' })

    await expect.poll(kept).toContain('Clean the cistern: done')
    expect(await focusedTitle(page)).not.toBe('Clean the cistern')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.detail')
  })

  test('take a due date in words or from a calendar, by keys', async () => {
    await makeTask({ title: 'Grease the hinges' })
    const page = await site().open(tasks)
    const due = page.locator(`${row('Grease the hinges')} .task-due`)

    await page.focus(`${row('Grease the hinges')} .task-title`)
    await page.keyboard.press('d')
    await page.fill('#day-words', 'some day')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Not a date.')
    await page.fill('#day-words', '30 January 2031')
    await page.waitForSelector('text=Thursday, 30 January 2031')
    await expectAccessible(page)
    for (const key of ['ArrowDown', 'PageDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key)

    await expect.poll(() => due.textContent()).toBe('1 Mar 2031')
    await expect.poll(() => focusedTitle(page)).toBe('Grease the hinges')
    await page.keyboard.press('d')
    await page.click('.calendar >> text=Clear')
    await page.waitForSelector(`${row('Grease the hinges')} [data-due=none]`, { state: 'attached' })
    await page.keyboard.press('d')
    await page.waitForSelector('#day-words')
    await page.keyboard.press('Escape')
    await expect(page.locator('.calendar')).toBeDetached()
    await expect.poll(() => focusedTitle(page)).toBe('Grease the hinges')
  })

  test('says in words what is overdue, and shows only that when asked', async () => {
    await makeTask({ title: 'Pay the rent', due_on: '2020-01-01' })
    const page = await site().open(tasks)

    await chooseFilter(page, 'filter-due', 'Overdue')
    await page.waitForFunction(() => document.querySelectorAll('[data-task]').length === 1)

    expect(new URL(page.url()).search).toBe('?due=overdue')
    expect(await page.locator(`${row('Pay the rent')} .task-due`).textContent()).toMatch(/^Overdue · /)
    await page.reload()
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    expect(await page.locator('[data-task]').count()).toBe(1)
  })

  test('deletes without asking and takes it back', async () => {
    await makeTask({ title: 'Sort the flags' })
    const page = await site().open(tasks)

    await page.focus(`${row('Sort the flags')} .task-title`)
    await page.keyboard.press('Delete')
    await page.waitForSelector(row('Sort the flags'), { state: 'detached' })
    await page.click('.toast >> text=Undo')
    await page.waitForSelector(row('Sort the flags'))

    expect(await kept()).toContain('Sort the flags: open')
  })

  test('shows the newest and says so when the task was changed elsewhere', async () => {
    const { id, version } = await makeTask({ title: 'Check the rope' })
    const page = await site().open(tasks, { expectErrors: /409/ })
    // The change from elsewhere is not heard of before the own one is sent.
    const meddle = async (route: Route) => {
      await site().owner.patch(`/api/tasks/${id}`).send({ version, title: 'Check both ropes' }).expect(200)
      await route.continue()
    }
    await page.route('**/api/tasks/*', meddle, { times: 1 })

    await page.focus(`${row('Check the rope')} .task-title`)
    await page.keyboard.press('x')

    await page.waitForSelector('.toast >> text=changed in the meantime')
    await page.waitForSelector(row('Check both ropes'))
    expect(await kept()).toContain('Check both ropes: open')
  })

  test('puts a task back when the server cannot be reached, and tries again on request', async () => {
    await makeTask({ title: 'Oil the hinges' })
    const page = await site().open(tasks, { expectErrors: /ERR_FAILED|Failed to load/ })
    await page.route('**/api/tasks/*', (route) => route.abort())

    await page.focus(`${row('Oil the hinges')} .task-title`)
    await page.keyboard.press('x')
    await page.waitForSelector('.toast >> text=Could not reach the server')
    await page.waitForSelector(`section:has(#group-open) ${row('Oil the hinges')}`)
    await page.unroute('**/api/tasks/*')
    await page.click('.toast button:text("Try again")')

    await expect.poll(kept).toContain('Oil the hinges: done')
  })

  test('is clean for axe in both themes', async () => {
    await expectAccessible(await site().open(tasks))
  })
})

describe('the board', () => {
  test('moves a card by keys and keeps the focus on it', async () => {
    await makeTask({ title: 'Copy the log' })
    const page = await site().open(`${tasks}?view=board`)

    await page.focus(`${row('Copy the log')} .task-title`)
    await page.keyboard.press('Shift+ArrowRight')
    await page.waitForSelector(`[data-status=in_progress] ${row('Copy the log')}`)
    expect(await focusedTitle(page)).toBe('Copy the log')
    await page.keyboard.press('3')

    await page.waitForSelector(`.board-column[data-status=done] ${row('Copy the log')}`)
    await expect.poll(kept).toContain('Copy the log: done')
  })

  test('moves a card by dragging it', async () => {
    await makeTask({ title: 'Wash the lens' })
    const page = await site().open(`${tasks}?view=board`)

    await page.dragAndDrop(row('Wash the lens'), '.board-column[data-status=done]')

    await page.waitForSelector(`[data-status=done] ${row('Wash the lens')}`)
    await expect.poll(kept).toContain('Wash the lens: done')
  })

  test('moves a card with its menu, on a phone too', async () => {
    await makeTask({ title: 'Trim the wick' })
    const page = await site().open(`${tasks}?view=board`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })

    await page.click(`${row('Trim the wick')} .board-menu`)
    await page.click('[role=menuitemradio] >> text=In progress')

    await expect(page.locator(`[data-status=in_progress] ${row('Trim the wick')}`)).toBeVisible()
    expect(await page.locator('#open-menu').count()).toBe(0)
  })

  test('hides what is cancelled until one filters for it', async () => {
    await makeTask({ title: 'Paint the door', status: 'cancelled' })
    const page = await site().open(`${tasks}?view=board`)

    expect(await page.locator('.board-column').count()).toBe(3)
    await chooseFilter(page, 'filter-status', 'Cancelled')

    await page.waitForSelector(`.board-column[data-status=cancelled] ${row('Paint the door')}`)
  })

  test('takes a new task where it is written, also when sending fails at first', async () => {
    const page = await site().open(`${tasks}?view=board`, { expectErrors: /ERR_FAILED|Failed to load/ })
    await page.route('**/tasks', (route) => route.abort(), { times: 1 })

    await page.fill('#add-in_progress', 'Count the wicks !high')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=Could not add')
    await expect.poll(() => page.inputValue('#add-in_progress')).toBe('Count the wicks !high')
    await page.focus('#add-in_progress')
    await page.keyboard.press('Enter')

    await page.waitForSelector(`.board-column[data-status=in_progress] ${row('Count the wicks')}`)
    expect(await page.inputValue('#add-in_progress')).toBe('')
    await expect.poll(kept).toContain('Count the wicks: in_progress')
  })

  test('has columns of at least 240 pixels and scrolls sideways by itself', async () => {
    const page = await site().open(`${tasks}?view=board`, { viewport: { width: 900, height: 800 } })

    const widths = await page.evaluate(() =>
      [...document.querySelectorAll('.board-column')].map((each) => each.getBoundingClientRect().width),
    )

    expect(Math.min(...widths)).toBeGreaterThanOrEqual(240)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  test('is clean for axe in both themes', async () => {
    await expectAccessible(await site().open(`${tasks}?view=board`))
  })
})
