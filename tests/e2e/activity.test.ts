import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { useSite } from './support/site.ts'

const drafting = scriptedModel([
  {
    tools: [
      {
        name: 'propose_change',
        input: {
          entity_type: 'task',
          action: 'create',
          payload: { title: 'Oil the hinges' },
          reason: 'You asked for it.',
        },
      },
    ],
  },
  { text: 'It is drafted.' },
])
const site = useSite({
  callModel: (request) =>
    drafting.requests.length < 2 ? drafting(request) : scriptedModel([{ text: 'Yes.' }])(request),
})
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('a change appears while one looks, with its words and a link to its thing', async () => {
  const page = await site().open('/activity')

  await site().owner.patch(`/api/tasks/${world.paint.id}`).send({ version: 1, status: 'in_progress' })

  const entry = page.locator('.activity-entry').first()
  await entry.locator('text=changed status of the task').waitFor()
  await entry.locator('a', { hasText: 'Paint the gallery rail' }).click()
  await expect(page).toHaveURL(`**/tasks/${world.paint.id}`)
})

test('what the companion called stands there with its draft, and can be filtered for', async () => {
  await site().owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({ text: 'Draft a task' })
  const page = await site().open('/activity')

  await chooseFilter(page, 'activity-what', 'Tool calls')
  await page.waitForURL('**/activity?what=call')
  expect(await page.getAttribute('a[download]', 'href')).toBe('/api/activity/export?source=call')
  const calls = page.locator('.activity-entry')
  await calls.first().locator('code', { hasText: 'propose_change' }).waitFor()

  expect(await calls.count()).toBe(1)
  await calls.first().locator('summary').click()
  expect(await calls.first().locator('pre').innerText()).toContain('Oil the hinges')
  await calls
    .first()
    .locator('a', { hasText: /^draft$/ })
    .click()
  await page.waitForSelector('.inbox-detail >> text=Oil the hinges')
})

test('a call leads to its place in the conversation, however long ago and in whichever thread', async () => {
  const at = `/api/spaces/${world.space.id}`
  const { conversation_id } = (await site().owner.get(`${at}/companion`)).body
  for (let n = 0; n < 27; n += 1)
    await site()
      .owner.post(`${at}/companion/turn`)
      .send({ text: `And then ${n}?`, conversation_id })
  await site().owner.post(`${at}/conversations`).expect(201)
  const page = await site().open('/activity?what=call')

  await page
    .locator('.activity-entry', { hasText: 'propose_change' })
    .locator('a', { hasText: /^conversation$/ })
    .click()

  const call = page.locator('#rail .tool-marked')
  await call.locator('.tool-result', { hasText: 'Oil the hinges' }).waitFor()
  expect(await call.evaluate((item) => item.closest('details')?.open)).toBe(true)
  const [rail, item] = [await page.locator('.log').boundingBox(), await call.boundingBox()]
  expect(item!.y).toBeGreaterThanOrEqual(rail!.y - 1)
  expect(item!.y).toBeLessThan(rail!.y + rail!.height)
  expect(await page.textContent('.said-text >> nth=0')).toBe('Draft a task')
})

test('a search, a passage that was marked and a call with a token lead to what they were about', async () => {
  const { token } = await makeAgent(site(), { slug: 'scribe', spaces: [world.space.id] })
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${site().url}/api/search?q=rapeseed%20oil`, { headers })
  await fetch(`${site().url}/api/pages/${world.lamp.id}`, { headers })
  const page = await site().open('/activity?what=call&actor=agent:scribe')

  const rows = page.locator('.activity-entry')
  expect(await rows.count()).toBe(2)
  expect(await rows.nth(0).locator('a', { hasText: 'The lamp' }).getAttribute('href')).toContain(
    world.lamp.id,
  )
  await rows.nth(1).locator('a', { hasText: 'rapeseed oil' }).click()
  await page.waitForURL('**/search?q=rapeseed*')
})

test('it narrows to a tool, to what failed, and from a call to its item, message and conversation', async () => {
  const page = await site().open('/activity')

  await chooseFilter(page, 'activity-tool', 'propose_change')
  await page.waitForURL('**/activity?tool=propose_change')
  const calls = page.locator('.activity-entry')
  await expect.poll(() => calls.count()).toBe(1)
  await chooseFilter(page, 'activity-result', 'Failed or cancelled')
  await page.waitForSelector('text=No activity matches these filters')
  await page.click('[aria-label="Remove filter Result"]')
  await calls.first().locator('summary').click()
  await calls.first().locator('a', { hasText: 'This conversation' }).click()
  await page.waitForURL('**conversation=*')
  await page.waitForSelector('.activity-ones >> text=/Conversation: “.+”/')
  expect(await page.locator('.activity-entry[data-source=message]').count()).toBeGreaterThan(1)
  expect(await page.getAttribute('a[download]', 'href')).toContain('conversation_id=')
  await expectAccessible(page)
  await page.click('.activity-ones a')
  await page.waitForURL((url) => !url.searchParams.has('conversation'))
})

test('a call that was cut off says so', async () => {
  const { database } = site().deps
  await database.query(
    `insert into tool_calls (id, space_id, agent_id, name, arguments, result, entity_type, entity_id, status)
     select '018f0000-0000-7000-8000-00000000000c', $1, id, 'read', '{}', 'Stopped.', 'page', $2, 'cancelled'
     from agents where slug = 'companion'`,
    [world.space.id, world.lamp.id],
  )

  const page = await site().open('/activity?result=cancelled')

  const entry = page.locator('.activity-entry')
  expect(await entry.count()).toBe(1)
  expect(await entry.locator('.badge').innerText()).toBe('cancelled')
  expect(await entry.innerText()).toContain('The lamp')
})

test('a page says what agents did there, and a read from the middle opens at its passage', async () => {
  const { token } = await makeAgent(site(), { slug: 'reader', spaces: [world.space.id] })
  await site()
    .owner.patch(`/api/pages/${world.lamp.id}`)
    .send({
      version: 1,
      body: `It is old.\n\n${'Wind.\n\n'.repeat(80)}It burns **rapeseed** oil.`,
    })
  await site().deps.database.query(
    `insert into tool_calls (id, space_id, agent_id, name, arguments, result, entity_type, entity_id, status, passage)
     select '018f0000-0000-7000-8000-00000000000d', $1, id, 'read', '{}', 'The lamp', 'page', $2, 'done',
       'It burns rapeseed oil.'
     from agents where slug = 'reader'`,
    [world.space.id, world.lamp.id],
  )
  await fetch(`${site().url}/api/pages/${world.lamp.id}`, { headers: { authorization: `Bearer ${token}` } })
  const page = await site().open(`/s/skerry-light/pages/${world.lamp.id}`)

  await page.click('#agents-section summary')
  const entries = page.locator('#agents-section .activity-entry')
  await expect.poll(() => entries.count()).toBeGreaterThan(1)
  expect(await entries.locator('strong').allInnerTexts()).toContain('Reader')
  await expectAccessible(page)
  await page.click('#agents-section >> text=View all in Activity')
  await page.waitForURL(`**/activity?thing=${world.lamp.id}&actor=agents`)
  const read = page.locator('.activity-entry a[href*="cite="]')
  await read.click()

  const words = () => [...(CSS.highlights.get('cited') ?? [])].map(String).join()
  await expect.poll(() => page.evaluate(words)).toBe('It burns rapeseed oil.')
})

test('axe finds nothing, with entries and with none', async () => {
  const page = await site().open('/activity')
  await expectAccessible(page)
  await page.goto('/activity?kind=ref')
  await page.waitForSelector('text=No activity matches these filters')
  await expectAccessible(page)
})
