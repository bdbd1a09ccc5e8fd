import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
let scribe: ReturnType<ReturnType<typeof site>['as']>

beforeAll(async () => {
  world = await makeWorld(site())
  const { token } = await makeAgent(site(), { slug: 'scribe' })
  scribe = site().as(token)
})

const read = async (path: string) => (await site().owner.get(path)).body
const change = async (path: string, fields: Record<string, unknown>) => {
  const { version } = await read(path)
  return (
    await site()
      .owner.patch(path)
      .send({ version, ...fields })
  ).body
}
const make = async (kind: string, fields: Record<string, unknown>) =>
  (await site().owner.post(`/api/spaces/${world.space.id}/${kind}`).send(fields)).body
const draftTitle = async (id: string, title: string) => {
  const { version } = await read(`/api/pages/${id}`)
  return (await scribe.patch(`/api/pages/${id}`).send({ version, title })).body
}

describe('an approved draft', () => {
  test('is taken back from the message that follows, and given again', async () => {
    const task = await make('pages', { title: 'Fog horn', body: 'Loud.' })
    const draft = await draftTitle(task.id, 'Fog signal')
    const page = await site().open(`/inbox/${draft.id}`)

    await page.click('.inbox-detail [data-action=approve]')
    await page.click('.toast >> text=Undo')

    await page.waitForSelector('.toast >> text=Undid the change')
    expect((await read(`/api/pages/${task.id}`)).title).toBe('Fog horn')
    await page.click('.toast >> text=Redo')
    await page.waitForFunction(() => document.querySelectorAll('.toast').length > 0)
    await expect.poll(async () => (await read(`/api/pages/${task.id}`)).title).toBe('Fog signal')
  })

  test('is taken back from its card, and every tab shows it', async () => {
    const thing = await make('pages', { title: 'Bell', body: 'Clear.' })
    const draft = await draftTitle(thing.id, 'The bell')
    await site().owner.post(`/api/pending-changes/${draft.id}/approve`).send({})
    const page = await site().open(`/inbox/${draft.id}?tab=decided`)
    const other = await site().openTab(page, `/inbox/${draft.id}?tab=decided`)

    await page.click('.inbox-detail [data-action=undo]')

    await page.waitForSelector('.card-undone >> text=Undone by you')
    await other.waitForSelector('.card-undone >> text=Undone by you')
    expect((await read(`/api/pages/${thing.id}`)).title).toBe('Bell')
    await expectAccessible(page)
  })

  test('that was changed again since shows both sides, and the owner chooses', async () => {
    const thing = await make('pages', { title: 'Wick', body: 'Trim it daily.' })
    const draft = await draftTitle(thing.id, 'The wick')
    await site().owner.post(`/api/pending-changes/${draft.id}/approve`).send({})
    await change(`/api/pages/${thing.id}`, { title: 'Wicks' })
    const page = await site().open(`/inbox/${draft.id}?tab=decided`, { expectErrors: /409/ })

    await page.click('.inbox-detail [data-action=undo]')
    await page.waitForSelector('.dialog-undo >> text=has newer changes')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect((await read(`/api/pages/${thing.id}`)).title).toBe('Wicks')

    await page.click('.inbox-detail [data-action=undo]')
    await page.check('#undo-title-ours')
    await page.click('text=Undo with these choices')
    await page.waitForSelector('.toast >> text=Undid the change')
    expect((await read(`/api/pages/${thing.id}`)).title).toBe('Wick')
  })
})

describe('the history', () => {
  test('of a page says why, takes a sitting back as one, and compares any two versions', async () => {
    const thing = await make('pages', { title: 'Tides', body: 'High at noon.\n' })
    const path = `/api/pages/${thing.id}`
    await change(path, { body: 'High at one.\n' })
    await change(path, { body: 'High at two.\n' })
    const { body: draft } = await scribe
      .patch(path)
      .send({ version: 3, title: 'Tide table', reason: 'It is a table.' })
    await site().owner.post(`/api/pending-changes/${draft.id}/approve`).send({})
    const page = await site().open(`/s/${world.space.slug}/pages/${thing.id}?history=1`)

    await page.waitForSelector('.version-reason >> text=It is a table.')
    await page.selectOption('#compare-from', '1')
    await page.selectOption('#compare-to', '3')
    await page.click('#compare')
    await page.waitForSelector('.compare-result ins >> text=two')
    expect(await page.locator('.compare-result').innerText()).not.toContain('Tide table')
    await expectAccessible(page)

    await page.click('.version:nth-child(2) summary')
    await page.click('.version:nth-child(2) button:has-text("Undo")')

    await page.waitForSelector('.version >> text=undoing an earlier change')
    expect(await read(path)).toMatchObject({ title: 'Tide table', body: 'High at noon.\n', version: 5 })
  })

  test.each([
    ['tasks', 'Paint the door'],
    ['projects', 'Autumn repairs'],
    ['refs', 'An almanac'],
    ['resources', 'A chart'],
    ['source-docs', 'A letter'],
  ])('of %s is one key away, with the way back', async (kind, title) => {
    const thing = await make(kind, { title })
    await change(`/api/${kind}/${thing.id}`, { title: `${title}, again` })
    const page = await site().open(`/s/${world.space.slug}/${kind}/${thing.id}`)

    await page.keyboard.press('h')
    await page.waitForSelector('.dialog-history >> text=changed title')
    await expectAccessible(page)
    await page.click('.history-version:first-child button:has-text("Undo")')

    await page.waitForSelector('.toast >> text=Undid the change')
    await page.waitForSelector(`#rename:text-is("${title}")`)
    expect((await read(`/api/${kind}/${thing.id}`)).title).toBe(title)
  })
})

describe('“Where this came from”', () => {
  /** Selects words of the page that is read. */
  const select = (page: Page, words: string) =>
    page.evaluate((words) => {
      const walker = document.createTreeWalker(
        document.querySelector('.page-main .prose')!,
        NodeFilter.SHOW_TEXT,
      )
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(words) ?? -1
        if (at >= 0) getSelection()?.setBaseAndExtent(node, at, node, at + words.length)
      }
    }, words)

  test('names the draft that wrote a passage, its turn and its source, and who wrote the rest', async () => {
    const text = 'From May the rent is 450 crowns.'
    const letter = await make('source-docs', { title: 'Letter of the office', text })
    const { id } = await make('pages', { title: 'Rent', body: 'The rent is 410 crowns.\n\nPaid by hand.' })
    const draft = {
      entity_type: 'page',
      action: 'update',
      entity_id: id,
      payload: { body: 'The rent is 450 crowns.\n\nPaid by hand.' },
      reason: 'The letter says so.',
    }
    site().app.locals.callModel = scriptedModel([
      { tools: [{ name: 'read', input: { kind: 'source_doc', id: letter.id } }] },
      { tools: [{ name: 'propose_change', input: draft }] },
      { text: 'Drafted.' },
    ])
    const thread = await make('conversations', { title: 'The rent' })
    await site()
      .owner.post(`/api/spaces/${world.space.id}/companion/turn`)
      .send({ text: 'Put the new rent in', conversation_id: thread.id })
    const { items } = await read(`/api/pending-changes?space_id=${world.space.id}`)
    const made = items.find(({ entity_id }: { entity_id: string }) => entity_id === id)
    await site().owner.post(`/api/pending-changes/${made.id}/approve`).send({})
    const page = await site().open(`/s/skerry-light/pages/${id}`)
    await page.waitForFunction(() => document.querySelector('.prose'))

    // The view may be drawn again once, when its live events begin; that ends a selection.
    const offer = page.locator('.blame-offer:not([hidden])')
    await expect
      .poll(async () => {
        await select(page, '450')
        await page.keyboard.press('Shift')
        return await offer.count()
      })
      .toBe(1)
    await offer.click()

    const dialog = page.locator('.dialog-blame')
    await dialog.locator('text=Companion wrote this').waitFor()
    expect(await dialog.locator('.blame-quote').textContent()).toBe('450')
    expect(await dialog.textContent()).toContain('Approved by you')
    expect(await dialog.textContent()).toContain('Put the new rent in')
    const hrefs = await dialog
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs).toEqual([
      expect.stringContaining(`/source-docs/${letter.id}`),
      `/inbox/${made.id}?tab=decided`,
      `/s/skerry-light?turn=${made.turn_id}`,
    ])
    await expectAccessible(page)

    await page.click('[aria-label="Next passage"]')
    await dialog.locator('text=You created this').waitFor()
    expect(await dialog.locator('.blame-quote').textContent()).toBe('Paid by hand.')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.dialog-blame', { state: 'detached' })
  })

  test('keeps the passage in sight that it is about', async () => {
    const body = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.`).join('\n\n')
    const { id } = await make('pages', { title: 'Long', body })
    const page = await site().open(`/s/skerry-light/pages/${id}`, {
      viewport: { width: 1500, height: 900 },
    })
    await page.waitForSelector('.blame-offer', { state: 'attached' })

    await page.keyboard.press('y')
    await page.locator('.dialog-blame >> text=You created this').waitFor()
    const top = () =>
      page.evaluate(() => {
        const quoted = document.querySelector('.blame-quote')?.textContent
        const block = [...document.querySelectorAll('.prose p')].find(
          ({ textContent }) => textContent === quoted,
        )
        return block?.getBoundingClientRect().top
      })

    expect(await top()).toBeGreaterThan(0)
    expect(await top()).toBeLessThan(900)
    await page.click('[aria-label="Next passage"]')
    expect(await page.locator('.blame-quote').textContent()).toBe('Paragraph 1.')
    expect(await top()).toBeGreaterThan(0)
    const beside = async () => {
      const dialog = (await page.locator('.dialog-blame').boundingBox())!
      const text = (await page.locator('.page-main .prose').boundingBox())!
      return [dialog.x - text.x - text.width, Math.abs(dialog.y - ((await top()) ?? 0))].map(Math.round)
    }
    await expect.poll(beside).toEqual([12, expect.toSatisfy((off: number) => off < 12)])
  })

  test('is asked by a key on a phone too, and says when the server cannot be reached', async () => {
    const { id } = await make('tasks', { title: 'Sweep', body: 'The stairs, from the top.' })
    const page = await site().open(`/s/skerry-light/tasks/${id}`, {
      viewport: { width: 390, height: 800 },
      expectErrors: /ERR_FAILED/,
    })
    await page.waitForSelector('.blame-offer', { state: 'attached' })
    await page.route('**/blame', (route) => route.abort())

    await page.keyboard.press('y')
    await page.locator('.dialog-blame .problem').waitFor()
    await page.unroute('**/blame')
    await page.click('.blame-answer button')

    await page.locator('.dialog-blame >> text=You created this').waitFor()
    const box = (await page.locator('.dialog-blame').boundingBox())!
    expect([box.x, Math.round(box.width), Math.round(box.y + box.height)]).toEqual([0, 390, 800])
  })
})
