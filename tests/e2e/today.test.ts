// Where a day begins: Today over all Spaces, and the Home of one.

import { beforeAll, expect, test } from 'vitest'
import { addDays, dayIn } from '../../lib/core/schedule/zoned.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
/** Where the day is seldom that of the server, which knows UTC. */
const zone = 'Pacific/Kiritimati'
const today = dayIn(new Date(), zone)

beforeAll(async () => {
  world = await makeWorld(site())
  await site().owner.put('/api/time-zone').send({ time_zone: zone }).expect(200)
  const task = (space: { id: string }, fields: Record<string, unknown>) =>
    site().owner.post(`/api/spaces/${space.id}/tasks`).send(fields).expect(201)
  await task(world.space, { title: 'Trim the wick', due_on: '2019-05-05' })
  await task(world.other, { title: 'Pay the rent', due_on: today })
  await task(world.space, { title: 'Wind the clock', due_on: addDays(today, 1) })
  const agent = site().as((await makeAgent(site(), { slug: 'scribe' })).token)
  await agent.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Tides', reason: 'So.' }).expect(202)
})

test('Today has what is overdue and due where the owner is, in every Space, and what waits', async () => {
  const page = await site().open('/today', { alone: true })

  const section = (id: string) => page.locator(`section[aria-labelledby=${id}]`)
  await section('today-due').locator('text=Pay the rent').waitFor()
  await expect
    .poll(() => section('today-overdue').locator('.row-title').allInnerTexts())
    .toContain('Trim the wick')
  expect(await section('today-due').locator('.row-title').allInnerTexts()).toEqual(['Pay the rent'])
  expect(await section('today-due').innerText()).toContain(world.other.name)
  expect(await section('home-drafts').innerText()).toContain('Create page ‘Tides’')
  expect(await page.locator('text=Wind the clock').count()).toBe(0)
  await expectAccessible(page)

  await section('today-due').getByLabel('Done: Pay the rent').check()
  await section('today-due').locator('text=No tasks due today').waitFor()
  await page.click('.toast >> text=Undo')
  await section('today-due').locator('text=Pay the rent').waitFor()
})

test('is in the navigation, and its note opens in the Space', async () => {
  const page = await site().open('/s/skerry-light/tasks')

  await page.click('.nav >> text=Today')
  await page.waitForSelector('#view h1 >> text=Today')
  await page.click('#view >> text=Today’s note')

  await page.waitForURL(/\/s\/skerry-light\/pages\//)
  await expect.poll(() => page.title()).toMatch(/^\d{4}-\d\d-\d\d · Void$/)
})

test('Home has what waits, what is due and where one left off, and nothing twice', async () => {
  const page = await site().open('/s/skerry-light?companion=1')

  const titles = () =>
    page.locator('#view section:not([aria-labelledby=home-folders]) .row-title').allInnerTexts()
  await expect.poll(titles).toContain('Trim the wick')
  const shown = await titles()

  expect(await page.locator('#view h2').allInnerTexts()).toEqual([
    'First steps',
    '1 pending draft',
    'Due',
    'Recently edited',
    'Folders',
  ])
  expect(new Set(shown).size).toBe(shown.length)
  expect(shown).toContain('The lamp')
  await expectAccessible(page)
})
