import { beforeAll, describe, expect, test } from 'vitest'
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

    await page.waitForSelector('.toast >> text=is as it was before')
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
    await page.waitForSelector('.dialog-undo >> text=was changed again since')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect((await read(`/api/pages/${thing.id}`)).title).toBe('Wicks')

    await page.click('.inbox-detail [data-action=undo]')
    await page.check('#undo-title-ours')
    await page.click('text=Undo with these choices')
    await page.waitForSelector('.toast >> text=is as it was before')
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
    await page.click('.version:nth-child(2) >> text=Undo this')

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
    await page.click('.history-version:first-child >> text=Undo this')

    await page.waitForSelector('.toast >> text=is as it was before')
    await page.waitForSelector(`#rename:text-is("${title}")`)
    expect((await read(`/api/${kind}/${thing.id}`)).title).toBe(title)
  })
})
