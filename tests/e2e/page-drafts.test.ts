// A draft in the page that it would change: the same draft as in the rail and the Inbox.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
let agent: ReturnType<ReturnType<typeof site>['as']>

beforeAll(async () => {
  world = await makeWorld(site())
  agent = site().as((await makeAgent(site(), { slug: 'surveyor' })).token)
})

const before = `# Rota

The watch is four hours. Two people keep it.

- Monday: Ada
- Tuesday: Ben

## Stores

Oil for nine nights.

Bread.
`
const after = before
  .replace('four hours', 'six hours')
  .replace('- Tuesday: Ben', '- Tuesday: Cleo')
  .replace('Bread.\n', 'Bread.\n\nWater for a month.\n')

/** A page with a draft of three changes, and the page in a browser. */
async function draft(fields: Record<string, unknown> = { body: after }) {
  const { owner } = site()
  const { body: row } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Rota', body: before })
  const { body: change } = await agent
    .patch(`/api/pages/${row.id}`)
    .send({ version: 1, reason: 'The log says so.', ...fields })
  return { id: row.id as string, draft: change.id as string, href: `/s/skerry-light/pages/${row.id}` }
}

const bodyOf = async (id: string) => (await site().owner.get(`/api/pages/${id}`)).body.body
const waiting = async (id: string) =>
  (await site().owner.get(`/api/pending-changes?status=pending&entity_id=${id}`)).body.items

/** After the next two frames. */
const whenDrawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

const changes = (page: Page) => page.locator('.draft-change')

test('each change is shown at its place in the text, with what goes and what comes', async () => {
  const { href } = await draft()

  const page = await site().open(href)

  await expect.poll(() => changes(page).count()).toBe(3)
  expect(await page.locator('#draft-bar').innerText()).toContain('3 changes')
  const [first, second, third] = [0, 1, 2].map((n) => changes(page).nth(n))
  expect(await first!.locator('del').innerText()).toBe('four')
  expect(await first!.locator('ins').innerText()).toBe('six')
  expect(await second!.innerText()).toContain('Cleo')
  expect(await third!.innerText()).toContain('Water for a month.')
  const order = await page.evaluate(() =>
    [...document.querySelectorAll('.page-main > .prose > :not([hidden])')].map(
      (node) => node.className || `${node.tagName} ${node.textContent}`,
    ),
  )
  expect(order).toEqual([
    'draft-group',
    'draft-group',
    'H2 Stores',
    'P Oil for nine nights.',
    'P Bread.',
    'draft-group',
  ])
  expect(await page.locator('.draft-same').allInnerTexts()).toEqual(['- Monday: Ada'])
  await expectAccessible(page)
})

test('a change is approved or rejected by itself, and the same draft goes on in the Inbox', async () => {
  const { href, id, draft: first } = await draft()
  const page = await site().open(href)
  const inbox = await site().openTab(page, `/inbox/${first}`)
  await page.bringToFront()

  await changes(page).nth(0).locator('[data-action=approve]').click()
  await expect.poll(() => bodyOf(id)).toContain('six hours')
  await expect.poll(() => changes(page).count()).toBe(2)
  await expect.poll(() => page.locator('.page-main > .prose').innerText()).toContain('six hours')
  await changes(page).nth(0).locator('[data-action=reject]').click()
  await expect.poll(() => changes(page).count()).toBe(1)

  expect(await bodyOf(id)).toBe(before.replace('four', 'six'))
  const [rest] = await waiting(id)
  expect(rest.payload.body).toBe(after.replace('Cleo', 'Ben'))
  await inbox.waitForSelector(`.card[data-status=approved]`)
  await page.click('#draft-bar [data-action=approve]')
  await expect.poll(() => bodyOf(id)).toBe(after.replace('Cleo', 'Ben'))
  await expect.poll(() => page.locator('#draft-bar').count()).toBe(0)
  expect(await waiting(id)).toEqual([])
})

test('what is decided in the Inbox leaves the page at once', async () => {
  const { href, draft: id } = await draft()
  const page = await site().open(href)
  await expect.poll(() => changes(page).count()).toBe(3)

  await site().owner.post(`/api/pending-changes/${id}/reject`).send({}).expect(200)

  await expect.poll(() => page.locator('#draft-bar, .draft-change').count()).toBe(0)
  expect(await page.locator('.page-main > .prose > [hidden]').count()).toBe(0)
})

test('what has the focus when a draft comes or goes passes it on', async () => {
  const { owner } = site()
  const text = 'See [[Lease of the keeper’s house]] and [[The lamp]].\n'
  const { body: row } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Papers', body: text })
  const page = await site().open(`/s/skerry-light/pages/${row.id}`)
  const focused = (selector: string) =>
    page.evaluate((selector) => document.activeElement?.matches(selector), selector)
  await page.focus('.prose a >> nth=0')

  const { body: change } = await agent
    .patch(`/api/pages/${row.id}`)
    .send({ version: 1, reason: 'The log says so.', body: text.replace('See', 'Read') })
  await expect.poll(() => changes(page).count()).toBe(1)
  expect(await focused('.draft-change')).toBe(true)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve')

  await owner.post(`/api/pending-changes/${change.id}/reject`).send({ reason: 'No.' })
  await expect.poll(() => changes(page).count()).toBe(0)
  await expect.poll(() => focused('#view *')).toBe(true)
})

test('the tab of the page carries a mark while a draft waits, also in the background', async () => {
  const { href, draft: id } = await draft()
  const page = await site().open(href)
  const mark = page.locator('.tab', { hasText: 'Rota' }).locator('.tab-mark')

  await expect.poll(() => mark.allInnerTexts()).toEqual(['a draft is waiting'])
  await site().owner.post(`/api/pending-changes/${id}/reject`).send({}).expect(200)
  await expect.poll(() => mark.count()).toBe(0)
})

test('the keys of the Inbox go through the changes and decide them', async () => {
  const { href, id } = await draft()
  const page = await site().open(href)
  await expect.poll(() => changes(page).count()).toBe(3)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

  await page.click('[aria-label="Next change"]')
  await expect.poll(focused).toBe('Change 1 of 3')
  await page.keyboard.press('j')
  await expect.poll(focused).toBe('Change 2 of 3')
  expect(await page.locator('.draft-place').innerText()).toBe('Change 2 of 3')
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect.poll(focused).toBe('Change 3 of 3')
  await page.keyboard.press('a')
  await expect.poll(() => bodyOf(id)).toContain('Water')
  await expect.poll(focused).toBe('Change 2 of 2')
  await page.keyboard.press('r')
  await expect.poll(focused).toBe('Change 1 of 1')

  expect(await bodyOf(id)).toBe(before.replace('Bread.\n', 'Bread.\n\nWater for a month.\n'))
})

test('a page that has changed since, a deletion and a new title say so above the text', async () => {
  const stale = await draft()
  await site().owner.patch(`/api/pages/${stale.id}`).send({ version: 1, title: 'Rota II' }).expect(200)
  const titled = await draft({ title: 'Winter rota' })
  const page = await site().open(stale.href)

  await page.waitForSelector('#draft-bar >> text=Page changed since')
  expect(await page.locator('#draft-bar [data-action], .draft-change').count()).toBe(0)
  await page.goto(titled.href)
  await page.waitForSelector('#draft-bar >> text=Winter rota')
  await page.click('#draft-bar [data-action=reject]')
  await expect.poll(() => waiting(titled.id)).toEqual([])
})

test('hidden characters and the target of a link are written out', async () => {
  const body = before.replace('Bread.', '[Bread](https://bakery.example/x)\u202e.')
  const { href } = await draft({ body })

  const page = await site().open(href)

  await expect.poll(() => changes(page).count()).toBe(1)
  expect(await changes(page).innerText()).toContain('https://bakery.example/x')
  expect(await changes(page).locator('.hidden-character').count()).toBeGreaterThan(0)
  expect(await page.locator('#draft-bar .card-warning').count()).toBeGreaterThan(0)
})

const drawn = (page: Page) =>
  page.evaluate(() => ({
    formulas: [...document.querySelectorAll('.page-main code.math')].map((math) =>
      math.matches('.math-drawn'),
    ),
    icons: document.querySelectorAll('.page-main .callout-title > svg').length,
    colours: document.querySelectorAll('.page-main .code-keyword').length > 0,
  }))

test('writing beside a draft shows the text as it is, drawn, and the changes again once it is left', async () => {
  const rich = `${before}\n> [!tip] Trim it\n> At $x^2$ past.\n\n$$\ny^2\n$$\n\n\`\`\`js\nconst lit = true\n\`\`\`\n\nThe last line.\n${'\nAnother day.\n'.repeat(40)}`
  const { owner } = site()
  const { body: row } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Rota', body: rich })
  await agent
    .patch(`/api/pages/${row.id}`)
    .send({ version: 1, reason: 'The log.', body: rich.replace('four hours', 'six hours') })
  const page = await site().open(`/s/skerry-light/pages/${row.id}`)
  await expect.poll(() => changes(page).count()).toBe(1)
  const whole = { formulas: [true, true], icons: 1, colours: true }
  await expect.poll(() => drawn(page)).toEqual(whole)
  const last = page.locator('.page-main .prose > p', { hasText: 'The last line.' })
  await page.evaluate(() => document.querySelector('#content')!.scrollTo(0, 150))
  const place = (await last.boundingBox())!.y

  await last.click()
  await page.waitForSelector('.page[data-writing] .cm-focused')
  await page.keyboard.type('^^')

  expect(await drawn(page)).toEqual(whole)
  expect(await changes(page).count()).toBe(0)
  expect(await page.locator('.page-main .prose > [hidden]').count()).toBe(0)
  expect(await page.locator('#draft-bar').innerText()).toContain('Approve')
  const caret = await page.evaluate(() => {
    const lines = document.querySelector('.page-main .prose')!.shadowRoot!.querySelectorAll('.cm-line')
    return [...lines].find((line) => line.textContent?.includes('^^'))!.getBoundingClientRect().y
  })
  expect(Math.abs(caret - place)).toBeLessThan(12)
  await expect.poll(() => bodyOf(row.id)).toContain('^^')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.page[data-writing]').count()).toBe(0)
  await expect.poll(() => drawn(page)).toEqual(whole)
  // The page is drawn anew, and its draft a moment behind it.
  await expect.poll(() => page.locator('#draft-bar').count()).toBe(1)
})

test('a click on a change is for its keys, and does not begin to write', async () => {
  const { href } = await draft()
  const page = await site().open(href)
  await expect.poll(() => changes(page).count()).toBe(3)

  await changes(page).nth(1).locator('.diff-text').click()

  expect(await page.locator('.draft-place').innerText()).toBe('Change 2 of 3')
  expect(await page.locator('.page[data-writing]').count()).toBe(0)
})

test('a draft that comes while the page is written waits until it is left', async () => {
  const { body: row } = await site()
    .owner.post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Rota', body: before })
  const page = await site().open(`/s/skerry-light/pages/${row.id}`)
  await page.locator('.page-main .prose > p', { hasText: 'Bread.' }).click()
  await page.waitForSelector('.page[data-writing] .cm-focused')

  const asked = page.waitForResponse(/pending-changes\/.*whole=true/)
  await agent.patch(`/api/pages/${row.id}`).send({ version: 1, reason: 'The log says so.', body: after })
  await asked
  await whenDrawn(page)

  expect(await page.locator('#draft-bar').count()).toBe(0)
  expect(await changes(page).count()).toBe(0)
  expect(await page.locator('.page-main .prose > [hidden]').count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => changes(page).count()).toBe(3)
})
