// axe on every view in both themes, on wide and on small screens. Only what it calls serious or critical counts.

import { beforeAll, describe, test } from 'vitest'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
let draft: string
let scan: string

beforeAll(async () => {
  const { owner, as } = site()
  world = await makeWorld(site())
  const at = `/api/spaces/${world.space.id}`
  const { token } = await makeAgent(site(), { slug: 'surveyor' })
  const made = await as(token)
    .patch(`/api/pages/${world.lamp.id}`)
    .send({ version: 1, body: 'The lamp turns once in ten seconds.', reason: 'It was measured.' })
  draft = made.body.id
  await as(token).post(`${at}/tasks`).send({ title: 'Oil the gears', reason: 'They squeak.' })
  const other = await as(token).delete(`/api/tasks/${world.paint.id}`).send({ version: 1, reason: 'Done.' })
  await owner.post(`/api/pending-changes/${other.body.id}/reject`).send({ reason: 'Not yet.' })
  await owner
    .post(`${at}/refs`)
    .send({ title: 'Light list', url: 'https://example.com/lights', author: 'Board' })
  await owner.post(`${at}/resources`).send({ title: 'Paint', kind: 'material' })
  await owner
    .post(`${at}/tasks`)
    .send({ title: 'Wind the clock', due_on: '2026-01-02', status: 'in_progress' })
  const gone = await owner.post(`${at}/pages`).send({ title: 'Old rota' })
  await owner.delete(`/api/pages/${gone.body.id}`).send({ version: 1 })
  const base64 = Buffer.from('The storm of 1911').toString('base64')
  await owner.post(`${at}/import`).send({ source: 'desk', files: [{ path: 'storm.txt', base64 }] })
  scan = (await owner.get(`${at}/source-docs`)).body.items[0]?.id
})

const views: [string, () => string][] = [
  ['the home of a Space', () => '/s/skerry-light'],
  ['an empty Space', () => '/s/harbour-office'],
  ['the list of Spaces', () => '/spaces'],
  ['the pages', () => '/s/skerry-light/pages'],
  ['a page', () => `/s/skerry-light/pages/${world.lamp.id}`],
  ['the editor of a page', () => `/s/skerry-light/pages/${world.lamp.id}?edit`],
  ['the history of a page', () => `/s/skerry-light/pages/${world.lamp.id}?history`],
  ['the tasks', () => '/s/skerry-light/tasks'],
  ['the board', () => '/s/skerry-light/tasks?view=board'],
  ['a task', () => `/s/skerry-light/tasks/${world.paint.id}`],
  ['the projects', () => '/s/skerry-light/projects'],
  ['a project', () => `/s/skerry-light/projects/${world.repairs.id}`],
  ['the refs', () => '/s/skerry-light/refs'],
  ['the resources', () => '/s/skerry-light/resources'],
  ['the source documents', () => '/s/skerry-light/source-docs'],
  ['a source document', () => `/s/skerry-light/source-docs/${scan}`],
  ['the trash', () => '/s/skerry-light/trash'],
  ['the Inbox', () => '/inbox'],
  ['a draft', () => `/inbox/${draft}`],
  ['what was decided', () => '/inbox?tab=decided'],
  ['the search', () => '/search?q=lamp'],
  ['a search that finds nothing', () => '/search?q=zeppelin'],
  ['the activity', () => '/activity'],
  ['the settings', () => '/settings'],
  ['the agents', () => '/settings/agents'],
  ['an address there is nothing at', () => '/s/skerry-light/nowhere'],
]

describe('axe finds nothing serious', () => {
  test.each(views)('on %s', async (_name, address) => {
    const page = await site().open(address(), { expectErrors: /404/ })

    await expectAccessible(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await page.context().close()
  })

  test('on the sign-in page', async () => {
    const page = await site().open('/sign-in', { signedIn: false })

    await expectAccessible(page)
  })

  test('with an answer, its sources and a draft in the rail', async () => {
    const page = await site().open('/s/skerry-light')
    const composer = page.locator('#rail textarea')

    for (const text of ['What does the lamp burn?', 'Create a task to polish the lens']) {
      await composer.fill(text)
      await composer.press('Enter')
      await page.waitForSelector('#rail .turn:last-child .said-companion')
      await page.waitForSelector('#rail .working', { state: 'detached' })
    }
    await page.waitForSelector('#rail .card')

    await expectAccessible(page)
  })

  test('with the palette and the list of keys open', async () => {
    const page = await site().open('/s/skerry-light')

    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('lamp')
    await page.waitForSelector('dialog[open] [role=option]')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')

    await expectAccessible(page)
  })
})
