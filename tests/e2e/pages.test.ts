import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

type Row = { id: string; version: number; title: string; parent_id: string | null }

async function makePage(title: string, fields: Record<string, unknown> = {}): Promise<Row> {
  const { body } = await site()
    .owner.post(`/api/spaces/${world.space.id}/pages`)
    .send({ title, ...fields })
  return body
}

const stored = async (id: string): Promise<Row & { body: string }> =>
  (await site().owner.get(`/api/pages/${id}`)).body
const pathOf = (id: string) => `/s/skerry-light/pages/${id}`
const pages = '/s/skerry-light/pages'

describe('reading a page', () => {
  test('shows its properties, its place, its outline and what links to it', async () => {
    const body =
      '---\nstatus: in use\ntags: [boats]\n---\n# Boat\n\nSee [[The lamp]].\n\n## Oars\n\nTwo.\n\n## Sail\n\nRed.\n'
    const boat = await makePage('Boat', { body, parent_id: world.lamp.id })
    await makePage('Landing', { body: 'The [[Boat]] lies here.' })

    const page = await site().open(pathOf(boat.id))

    expect(await page.locator('.page-crumbs').innerText()).toContain('The lamp')
    expect(await page.locator('.properties').innerText()).toContain('in use')
    expect(await page.locator('.outline').innerText()).toMatch(/Oars\s+Sail/)
    expect(await page.locator('.page-around').innerText()).toContain('Landing')
    expect(await page.locator('h1').count()).toBe(1)
    await expectAccessible(page)
  })

  test('goes to a heading from the outline, from its address and from another page', async () => {
    const filler = 'A line of the log.\n\n'.repeat(60)
    const log = await makePage('Long log', { body: `## First\n\n${filler}## Last watch\n\n${filler}` })
    const from = await makePage('Points', { body: '[[Long log#Last watch]]' })
    const isNearTop = () => {
      const heading = [...document.querySelectorAll('h2')].find((each) => each.textContent === 'Last watch')
      return Math.abs(heading?.getBoundingClientRect().top ?? 9999) < 160
    }

    const page = await site().open(pathOf(log.id))
    await page.hover('.outline-ticks', { force: true })
    await page.click('.outline >> text=Last watch')
    await page.waitForFunction(isNearTop)
    await page.goto(pathOf(from.id))
    await page.click('.prose a')
    await page.waitForFunction(isNearTop)

    expect(page.url()).toContain('#Last%20watch')
  })

  test('offers to create the page that a link waits for', async () => {
    const { id } = await makePage('Stores', { body: 'See [[Winter stores]].' })
    const page = await site().open(pathOf(id))

    await page.click('button.wikilink-missing')
    await page.waitForSelector('.cm-content')
    const made = await stored(page.url().split('/').at(-1)!.split('?')[0]!)
    await page.goBack()
    await page.waitForSelector('.prose a.wikilink >> text=Winter stores')

    expect(made.title).toBe('Winter stores')
  })

  test('is renamed in place, with Undo', async () => {
    const { id } = await makePage('Old name')
    const page = await site().open(pathOf(id))

    await page.keyboard.press('F2')
    await page.keyboard.type('New name')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=Renamed')
    const renamed = (await stored(id)).title
    await page.click('.toast >> text=Undo')
    await page.waitForSelector('h1 >> text=Old name')

    expect(renamed).toBe('New name')
    expect((await stored(id)).title).toBe('Old name')
  })

  test('is renamed by what is typed right after F2, on a slow network too', async () => {
    const { id } = await makePage('Old name')
    const page = await site().open('/spaces')
    await page.route('**/*.js', async (route) => {
      await wait(500)
      await route.continue()
    })
    await page.goto(pathOf(id))
    await whenReady(page)

    await page.keyboard.press('F2')
    await page.keyboard.type('New name')
    await page.keyboard.press('Enter')

    await page.waitForSelector('.toast >> text=Renamed')
    expect((await stored(id)).title).toBe('New name')
  })

  test('is renamed with the links to it, and its old name kept as an alias where that is wanted', async () => {
    const { id } = await makePage('Winter plan')
    const from = await makePage('Where it is linked', { body: 'See [[Winter plan]].' })
    const page = await site().open(pathOf(id))

    await page.keyboard.press('F2')
    await page.keyboard.type('Summer plan')
    await page.getByLabel('Keep “Winter plan” as an alias').check()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=Renamed')

    expect((await stored(id)).title).toBe('Summer plan')
    expect((await stored(id)).body).toContain('aliases:')
    expect((await stored(from.id)).body).toBe('See [[Summer plan]].')
    await page.click('.toast >> text=Undo')
    await page.waitForSelector('h1 >> text=Winter plan')

    expect((await stored(id)).body).not.toContain('aliases:')
    expect((await stored(from.id)).body).toBe('See [[Winter plan]].')
  })

  test('keeps what is typed in its title when it is changed elsewhere meanwhile', async () => {
    const { id, version } = await makePage('Half a name')
    const other = await makePage('Beside it')
    const page = await site().open(pathOf(id), { expectErrors: /409/ })
    await page.keyboard.press('F2')
    await page.keyboard.type('The whole ')

    await site().owner.patch(`/api/pages/${id}`).send({ version, body: 'From elsewhere.' }).expect(200)
    await site()
      .owner.patch(`/api/pages/${other.id}`)
      .send({ version: other.version, title: 'Beside it still' })
      .expect(200)
    await page.waitForSelector('.nav >> text=Beside it still')
    await page.keyboard.type('name')
    await page.keyboard.press('Enter')

    await page.waitForSelector('.toast >> text=Renamed to “The whole name”')
    await page.waitForSelector('.prose >> text=From elsewhere.')
    expect((await stored(id)).title).toBe('The whole name')
  })

  test('marks the passage that a citation names', async () => {
    const page = await site().open(
      `${pathOf(world.lamp.id)}?cite=${encodeURIComponent('burns rapeseed oil')}`,
    )

    await page.waitForFunction(() => CSS.highlights.has('cited'))
    const marked = await page.evaluate(() => {
      const range = [...(CSS.highlights.get('cited') ?? [])][0]
      return range ? String(range) : null
    })

    expect(marked).toBe('burns rapeseed oil')
  })

  test('follows a change from elsewhere', async () => {
    const { id, version } = await makePage('Tide table', { body: 'High at six.' })
    const page = await site().open(pathOf(id))

    await site().owner.patch(`/api/pages/${id}`).send({ version, body: 'High at seven.' })

    await expect(page.locator('.prose >> text=High at seven.')).toBeVisible()
  })

  test('is put in the trash from its menu by keyboard, and Undo brings it back', async () => {
    const { id } = await makePage('Short-lived')
    const page = await site().open(pathOf(id))

    await page.focus('.page-actions .menu-button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#page-menu [role^=menuitem]:focus')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=to trash')
    await page.click('.toast >> text=Undo')

    await expect(page.locator('h1 >> text=Short-lived')).toBeVisible()
  })

  test('tells its history: who, when, and the words that changed', async () => {
    const { id, version } = await makePage('Rent', { body: 'The rent is 410 crowns.' })
    await site().owner.patch(`/api/pages/${id}`).send({ version, title: 'Rent of the house' })
    await site()
      .owner.patch(`/api/pages/${id}`)
      .send({ version: version + 1, body: 'The rent is 420 crowns.' })
    const page = await site().open(pathOf(id))

    await page.keyboard.press('h')
    await page.waitForSelector('.version')
    const newest = page.locator('.version').first()

    expect(await newest.innerText()).toContain('You edited the text and renamed it from “Rent”')
    expect(await newest.locator('del').allInnerTexts()).toContain('410')
    expect(await newest.locator('ins').allInnerTexts()).toContain('420')
    await expectAccessible(page)
  })
})

describe('the tree of pages', () => {
  test('is walked by the arrow keys, and Enter opens', async () => {
    const parent = await makePage('Aaa harbour')
    const child = await makePage('Aab pier', { parent_id: parent.id })
    const page = await site().open(pages)

    await page.focus(`#row-${parent.id}`)
    await page.keyboard.press('ArrowLeft')
    await page.waitForSelector(`#row-${child.id}`, { state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector(`#row-${child.id}`)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')

    await page.waitForSelector('h1 >> text=Aab pier')
    expect(page.url()).toContain(child.id)
  })

  test('takes new pages one after the other, below the one in focus', async () => {
    const parent = await makePage('Aac garden')
    const page = await site().open(pages)

    await page.focus(`#row-${parent.id}`)
    await page.keyboard.press('n')
    for (const title of ['Kale', 'Leek']) {
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`.page-row >> text=${title}`)
    }

    const { body } = await site().owner.get(`/api/pages/${parent.id}/place`)
    expect(body.below.map(({ title }: Row) => title)).toEqual(['Kale', 'Leek'])
  })

  test('moves a page by keyboard, never below itself, and Undo moves it back', async () => {
    const barn = await makePage('Aad barn')
    const loft = await makePage('Aae loft')
    const hay = await makePage('Aaf hay', { parent_id: loft.id })
    const page = await site().open(pages)

    await page.focus(`#row-${loft.id}`)
    await page.keyboard.press('m')
    await page.waitForSelector('.move-choice >> text=Aad barn')
    const offered = await page.locator('.move-choice:not([aria-disabled])').allInnerTexts()
    await page.keyboard.type('barn')
    await page.waitForFunction(() => document.querySelectorAll('.move-choice').length === 1)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast >> text=below “Aad barn”')
    const moved = await stored(loft.id)
    await page.click('.toast >> text=Undo')
    await expect.poll(async () => (await stored(loft.id)).parent_id).toBe(null)

    expect(offered.join()).not.toContain('Aae loft')
    expect(offered.join()).not.toContain('Aaf hay')
    expect(moved.parent_id).toBe(barn.id)
    expect((await stored(hay.id)).parent_id).toBe(loft.id)
  })

  test('arranges neighbours with Alt and the arrow keys', async () => {
    const parent = await makePage('Aag shelf')
    for (const title of ['One', 'Two', 'Three']) await makePage(title, { parent_id: parent.id })
    const page = await site().open(pages)
    const order = async () => {
      const { body } = await site().owner.get(`/api/pages/${parent.id}/place`)
      return body.below.map(({ title }: Row) => title)
    }

    await page.focus(`#row-${parent.id}`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual(['Three', 'One', 'Two'])
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'One')
  })

  test('finds pages by a part of their title', async () => {
    const page = await site().open(pages)

    await page.keyboard.press('/')
    await page.keyboard.type('keeper')
    await page.waitForSelector('#found-pages >> text=Lease of the keeper')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    await expect(page.locator('h1 >> text=Lease of the keeper')).toBeVisible()
  })

  test('is clean for axe in both themes', async () => {
    await expectAccessible(await site().open(pages))
  })

  test('says so where there is no page yet', async () => {
    const page = await site().open('/s/harbour-office/pages')

    await page.waitForSelector('text=No pages yet.')
    await page.fill('#quick-page', 'Tides')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.page-row >> text=Tides')

    expect(await page.locator('#no-pages').isVisible()).toBe(false)
  })
})

describe('the trash', () => {
  test('lists what was deleted with the day it goes, and gives it back', async () => {
    const { id } = await makePage('Thrown away')
    await site().owner.delete(`/api/pages/${id}`)
    const page = await site().open('/s/skerry-light/trash')

    const listed = await page.locator('.trash-group').innerText()
    await expectAccessible(page)
    await page.click(`#restore-${id}`)
    await page.waitForSelector('text=Trash is empty.')

    expect(listed).toMatch(/Thrown away[\s\S]*until \d+ \w+/)
    expect((await site().owner.get(`/api/pages/${id}`)).body.deleted_at).toBe(null)
  })

  test('is where the address of a deleted page leads, with a way back', async () => {
    const { id } = await makePage('Gone for now')
    await site().owner.delete(`/api/pages/${id}`)
    const page = await site().open(pathOf(id))

    await page.click('text=Restore')

    await expect(page.locator('.page-title >> text=Gone for now')).toBeVisible()
  })
})
