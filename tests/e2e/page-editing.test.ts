import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

type Row = { id: string; version: number; title: string; body: string }

async function makePage(title: string, body = 'As it was.\n'): Promise<Row> {
  const { body: page } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return page
}

const stored = async (id: string): Promise<Row> => (await site().owner.get(`/api/pages/${id}`)).body

/** Somebody else's change of a page. */
async function changeElsewhere(id: string, fields: Partial<Row>): Promise<void> {
  const { version } = await stored(id)
  await site()
    .owner.patch(`/api/pages/${id}`)
    .send({ ...fields, version })
    .expect(200)
}

const pathOf = (id: string) => `/s/skerry-light/pages/${id}`

async function openEditor(id: string, expectErrors?: RegExp): Promise<Page> {
  const page = await site().open(`${pathOf(id)}?edit=1`, expectErrors ? { expectErrors } : {})
  await page.waitForSelector('.cm-content')
  return page
}

/** Types at the end of the text. */
async function write(page: Page, text: string): Promise<void> {
  await page.click('.cm-content')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

const saved = (page: Page) => page.waitForSelector('#save-state[data-state="saved"]')
/** What is written in, and what is drawn around it. */
const editorText = async (page: Page) =>
  `${await page.locator('.cm-content').innerText()}\n${await page.locator('.page-main').innerText()}`

describe('writing a page', () => {
  test('begins with e, saves while one types, and Escape goes back to reading', async () => {
    const { id } = await makePage('Watch book')
    const page = await site().open(pathOf(id))

    await page.keyboard.press('e')
    await page.waitForSelector('.cm-content')
    await write(page, 'The wind is **north**, e and n are only letters?')
    await page.waitForSelector('#save-state[data-state="unsaved"]')
    await saved(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.page:not([data-writing])')
    await page.waitForSelector('.page-main strong >> text=north')

    expect((await stored(id)).body).toBe('As it was.\nThe wind is **north**, e and n are only letters?')
    expect(page.url()).not.toContain('edit')
  })

  test('Tab indents, and letters never reach the page while a text is open or was just written', async () => {
    const { id } = await makePage('Stores')
    const page = await openEditor(id)

    await write(page, '- Oil')
    await page.keyboard.press('Tab')
    await page.keyboard.type('n')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    // Somewhere else within the editor's view, where letters would be keys of the page.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.type('gnt?')
    await saved(page)

    expect((await stored(id)).body).toBe('As it was.\n  - Oiln')
    expect(page.url()).toContain('edit=1')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  test('Escape goes back to reading right behind a letter, too, and closes what is on offer first', async () => {
    const { id } = await makePage('Quick hand')
    const page = await openEditor(id)

    await write(page, ' Then /')
    await page.locator('.cm-tooltip-autocomplete [role=option]').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' })
    const url = page.url()
    await page.keyboard.type(' done')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.page:not([data-writing])')
    await page.waitForSelector('.page-main >> text=Then / done')

    expect(url).toContain('edit=1')
    expect(page.url()).not.toContain('edit')
  })

  test('Ctrl+Enter goes back to reading, and adds no line', async () => {
    const { id } = await makePage('Done by key')
    const page = await openEditor(id)

    await write(page, ' Written.')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('.page:not([data-writing])', { timeout: 10_000 })

    expect((await stored(id)).body).toBe('As it was.\n Written.')
  })

  test('what is typed on into a message whose field lost the focus is no key of the page', async () => {
    const { id } = await makePage('Quiet')
    const page = await site().open(pathOf(id))
    await page.click('#rail textarea')
    await page.keyboard.type('An ed')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.type('e?', { delay: 50 })

    expect(page.url()).not.toContain('edit')
    await expect
      .poll(
        async () => {
          await page.keyboard.press('?')
          return await page.locator('dialog[open]').count()
        },
        { interval: 1300 },
      )
      .toBe(1)
  })

  test('renames while writing, and the navigation and the tab follow', async () => {
    const { id } = await makePage('Storm of the first')
    const page = await openEditor(id)

    await page.fill('#edit-title', 'Storm of the second')
    await page.press('#edit-title', 'Enter')
    await saved(page)
    await page.waitForSelector('.tree-link >> text=Storm of the second')
    await page.waitForSelector('#tabs-left .tab >> text=Storm of the second')

    expect((await stored(id)).title).toBe('Storm of the second')
  })

  test('keeps what is typed on the device when the server is away, and saves it when it is back', async () => {
    const { id } = await makePage('Away')
    const page = await openEditor(id, /Failed to load resource|Failed to fetch dynamically|ERR_/)

    await page.context().setOffline(true)
    await write(page, 'Typed in the storm.')
    await page.waitForSelector('#save-state[data-state="failed"]')
    const told = await page.locator('.page-notice-red').innerText()
    await page.context().setOffline(false)
    await saved(page)

    expect(told).toContain('could not reach the server')
    expect(told).toContain('stored on this device')
    expect((await stored(id)).body).toContain('Typed in the storm.')
    await page.waitForSelector('.page-notice-red', { state: 'detached' })
  })

  test.each([
    [413, 'text is too long'],
    [429, 'too many requests'],
    [500, 'internal server error'],
  ])('tells what a %i means and keeps the text', async (status, words) => {
    const { id } = await makePage(`Refused with ${status}`)
    const page = await openEditor(id, /status of/)
    await page.route('**/api/pages/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status, json: { error: { code: 'no', message: 'no', request_id: 'x' } } })
        : route.fallback(),
    )

    await write(page, 'Not lost.')
    const told = await page.locator('.page-notice-red').innerText()
    await page.unroute('**/api/pages/*')
    await page.click('.page-notice-red >> text=Save now')
    await saved(page)

    expect(told).toContain(words)
    expect((await stored(id)).body).toContain('Not lost.')
  })

  test('brings back what was not saved after the tab is gone, and can drop it again', async () => {
    const { id } = await makePage('Lost tab')
    const page = await openEditor(id, /Failed to load|ERR_|status of/)
    await page.route('**/api/pages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await write(page, 'Never sent.')
    await page.waitForSelector('#save-state[data-state="failed"]')
    await page.unroute('**/api/pages/*')

    await page.goto(pathOf(id))
    await whenReady(page)
    const offered = await page.locator('.page-notice').innerText()
    await page.click('text=Continue editing')
    // What is drawn of an open block stands hidden beside its source.
    const shown = page.locator('.page-main >> text=Never sent. >> visible=true')
    await shown.waitFor()
    await page.click('text=Discard changes')
    await shown.waitFor({ state: 'detached' })
    await page.click('.toast >> text=Undo')
    await shown.waitFor()
    await saved(page)

    expect(offered).toContain('This device has unsaved changes')
    expect((await stored(id)).body).toContain('Never sent.')
  })

  test('in two tabs neither text is lost when both cannot be saved', async () => {
    const { id } = await makePage('Two tabs')
    const refuse = async (page: Page) =>
      await page.route('**/api/pages/*', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
      )
    const first = await openEditor(id, /Failed to load|ERR_/)
    await refuse(first)
    await write(first, 'From the first tab.')
    await first.waitForSelector('#save-state[data-state="failed"]')
    const second = await site().openTab(first, `${pathOf(id)}?edit`, { expectErrors: /Failed to load|ERR_/ })
    await second.waitForSelector('.cm-content')
    const inSecond = await editorText(second)
    await refuse(second)
    await write(second, 'From the second tab.')
    await second.waitForSelector('#save-state[data-state="failed"]')

    await first.unroute('**/api/pages/*')
    await first.close()
    await second.unroute('**/api/pages/*')
    await second.goto(pathOf(id))
    await whenReady(second)
    await second.waitForFunction(() => document.querySelectorAll('.page-notice').length === 2)
    await second.click('.page-notice >> nth=1 >> text=Compare')
    const other = await second.locator('.both-sides').innerText()

    expect(inSecond).not.toContain('From the first tab.')
    expect(other).toContain('From the first tab.')
  })

  test('a text left behind while the page moved on is merged with it', async () => {
    const { id } = await makePage('Moved on', 'One.\n\nTwo.\n\nThree.\n')
    const page = await openEditor(id, /Failed to load|ERR_/)
    await page.route('**/api/pages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await write(page, 'Mine. ')
    await page.waitForSelector('#save-state[data-state="failed"]')
    await page.unroute('**/api/pages/*')
    await page.goto('/spaces')
    await site()
      .owner.patch(`/api/pages/${id}`)
      .send({ version: (await stored(id)).version, body: 'One, theirs.\n\nTwo.\n\nThree.\n' })

    await page.goto(pathOf(id))
    await whenReady(page)
    await page.click('.page-notice >> text=Merge and edit')
    await page.click('.page-notice >> text=Review')
    await page.waitForSelector('dialog >> text=merge without conflicts')
    await page.click('[data-choice="merge"]')
    await saved(page)

    await expect.poll(async () => (await stored(id)).body).toContain('Mine.')
    expect((await stored(id)).body).toContain('One, theirs.')
  })

  test('says at once when the page changes elsewhere, and shows the new text where nothing was typed', async () => {
    const { id } = await makePage('Two keepers')
    const page = await openEditor(id)

    await changeElsewhere(id, { body: 'Written by the other keeper.\n' })
    await page.waitForSelector('.page-notice >> text=changed this page just now')

    expect(await editorText(page)).toContain('Written by the other keeper.')
  })
})

describe('a conflict', () => {
  async function collide(title: string): Promise<{ page: Page; id: string }> {
    const { id } = await makePage(title, 'One.\n\nTwo.\n\nThree.\n')
    const page = await openEditor(id, /status of 409|ERR_FAILED/)
    await page.route('**/api/events', (route) => route.abort())
    await page.click('.cm-content')
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Mine. ')
    await changeElsewhere(id, { body: 'Theirs. One.\n\nTwo.\n\nThree.\n' })
    await page.waitForSelector('.page-notice >> text=Edited in another window')
    return { page, id }
  }

  async function collideAndReview(title: string): Promise<{ page: Page; id: string }> {
    const collided = await collide(title)
    await collided.page.click('.page-notice >> text=Review')
    await collided.page.waitForSelector('dialog[open] .both-sides')
    return collided
  }

  test('is a banner that takes no key from whoever is typing', async () => {
    const { page, id } = await collide('Typing through')

    await page.keyboard.type('And on. ')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Still here. ')

    await expect.poll(() => editorText(page)).toContain('Still here. ')
    expect(await editorText(page)).toContain('Mine. And on. ')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect((await stored(id)).body).toBe('Theirs. One.\n\nTwo.\n\nThree.\n')
    await expectAccessible(page)
  })

  test('keeping mine from the banner saves all that was typed since, and the text has the focus', async () => {
    const { page, id } = await collide('Keep mine at once')
    await page.keyboard.type('Typed since. ')

    await page.click('.page-notice >> text=Keep my version')
    await saved(page)
    await expect.poll(async () => (await stored(id)).body).toContain('Mine. Typed since. One.')
    await page.keyboard.type('More. ')

    await expect.poll(() => editorText(page)).toContain('Typed since. More. ')
    expect(await page.locator('.page-notice').count()).toBe(0)
  })

  test('using theirs from the banner shows it, and leaves mine on the device', async () => {
    const { page, id } = await collide('Use theirs at once')

    await page.click('.page-notice >> text=Use their version')
    await saved(page)

    await expect.poll(() => editorText(page)).toContain('Theirs. One.')
    expect((await stored(id)).body).toBe('Theirs. One.\n\nTwo.\n\nThree.\n')
    await page.goto(pathOf(id))
    await page.waitForSelector('.page-notice >> text=Merge and edit')
  })

  test('shows both sides; keeping mine saves on top, and theirs stays in the history', async () => {
    const { page, id } = await collideAndReview('Keep mine')

    const sides = await page.locator('.both-sides').innerText()
    await expectAccessible(page)
    await page.click('[data-choice="mine"]')
    await saved(page)
    const { body: audit } = await site().owner.get(`/api/audit?entity_id=${id}`)

    expect(sides).toContain('Theirs. One.')
    expect(sides).toContain('Mine. One.')
    expect((await stored(id)).body).toBe('Mine. One.\n\nTwo.\n\nThree.\n')
    expect(JSON.stringify(audit.items[0].before)).toContain('Theirs.')
  })

  test('taking theirs leaves mine on the device, and it can be taken up again', async () => {
    const { page, id } = await collideAndReview('Use their version')

    await page.click('[data-choice="theirs"]')
    await saved(page)
    const shown = await editorText(page)
    await page.keyboard.press('Escape')
    await page.click('.page-notice >> text=Merge and edit')
    await page.click('.page-notice >> text=Review')
    await page.waitForSelector('dialog[open]')

    expect(shown).toContain('Theirs. One.')
    expect(await page.locator('.both-sides').innerText()).toContain('Mine. One.')
    expect((await stored(id)).body).toContain('Theirs.')
  })

  test('merging by hand brings both into the editor and saves once it is settled', async () => {
    const { page, id } = await collideAndReview('Merge')

    await page.click('[data-choice="merge"]')
    await page.waitForSelector('#save-state >> text=1 conflict to resolve')
    const merged = await editorText(page)
    const waiting = (await stored(id)).body
    await page.click('.cm-content')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Both.')
    await saved(page)

    expect(merged).toContain('Mine. One.')
    expect(merged).toContain('Theirs. One.')
    expect(waiting).toContain('Theirs.')
    expect((await stored(id)).body).toBe('Both.')
  })

  test('put off with Escape, it waits above the text', async () => {
    const { page, id } = await collideAndReview('Later')

    await page.keyboard.press('Escape')
    const notice = await page.locator('.page-notice').innerText()

    expect(notice).toContain('Review')
    expect((await stored(id)).body).toContain('Theirs.')
  })
})

test('the editor is clean for axe in both themes, also on a phone', async () => {
  const page = await openEditor(world.lamp.id)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
