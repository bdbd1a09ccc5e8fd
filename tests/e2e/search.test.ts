import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { indexConversations } from '../../lib/search/reindex.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { holdScripts } from './support/hold-scripts.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
  await site()
    .owner.post(`/api/spaces/${world.other.id}/pages`)
    .send({
      title: 'Oil prices',
      body: 'A barrel of `<img src=x onerror=alert(1)>` rapeseed costs <b>40</b> crowns.',
    })
    .expect(201)
})

const chosen = (page: Page) => page.textContent('[role=option][aria-selected=true] .palette-title')
async function highlighted(page: Page): Promise<string> {
  await page.waitForFunction(() => CSS.highlights.has('cited'))
  return await page.evaluate(() =>
    [...(CSS.highlights.get('cited') ?? [])].map((range) => String(range)).join(),
  )
}

describe('the palette', () => {
  async function openPalette(path = '/s/skerry-light'): Promise<Page> {
    const page = await site().open(path)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.palette [role=option]')
    return page
  }

  /** Its code comes once `load` is called. */
  async function openSlowly(path: string) {
    const context = await site().context()
    const { held, load } = await holdScripts(context, /palette-field/)
    await site().signIn(context)
    const page = await context.newPage()
    await page.goto(path)
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    await expect.poll(held).toBe(1)
    return { page, load }
  }

  test('finds titles by the beginnings of their words while one is typed, and opens the chosen one', async () => {
    const page = await openPalette()

    await page.keyboard.type('lea kee')
    // What is found for the first letters alone may hold it, too, but not first.
    await expect.poll(() => chosen(page)).toBe("Lease of the keeper's house")
    await page.keyboard.press('Enter')

    await page.waitForURL(`**/pages/${world.lease.id}`)
    await page.waitForSelector('.palette', { state: 'detached' })
  })

  test('opens a passage where it stands, with the words marked', async () => {
    const page = await openPalette()

    await page.keyboard.type('litres nights')
    await page.waitForSelector('[aria-label="Passages"] mark >> text=litres')
    await page.click('[aria-label="Passages"] [role=option]')

    await page.waitForURL(`**/pages/${world.lamp.id}?cite=*`)
    expect(await highlighted(page)).toContain('the tank holds 40 litres')
  })

  test('waits with Enter for what was typed last', async () => {
    const page = await openPalette()
    const entered = Promise.withResolvers<void>()
    await page.route('**/api/suggest?*', async (route) => {
      await entered.promise
      await route.continue()
    })

    await page.keyboard.type('gallery')
    await page.keyboard.press('Enter')
    entered.resolve()

    await expect(page).toHaveURL(`**/tasks/${world.paint.id}`)
  })

  test('is a combobox whose choice the arrows move and Escape leaves as it was', async () => {
    const page = await openPalette()
    const active = () => page.getAttribute('[role=combobox]', 'aria-activedescendant')
    // What arrives later stands before the option that is chosen, which stays so under another number.
    await expect.poll(() => page.innerText('.palette [role=status]')).toMatch(/result/)

    expect(await active()).toBe('palette-0')
    await page.keyboard.press('ArrowDown')
    expect(await active()).toBe('palette-1')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const last = (await page.locator('[role=option]').count()) - 1
    expect(await active()).toBe(`palette-${last}`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.waitForSelector('.palette', { state: 'detached' })
  })

  test('opens again at once, and lets no key through that was meant for it', async () => {
    const page = await openPalette()

    await page.evaluate(() => {
      document.querySelector<HTMLDialogElement>('.palette')?.close()
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
    })

    await page.waitForSelector('.palette[open] [role=option]')
    expect(await page.locator('dialog[open]').count()).toBe(1)
  })

  test('keeps what is typed while its code is on the way, and leaves it out of the field behind', async () => {
    const { page, load } = await openSlowly('/s/skerry-light?companion=1')

    await page.focus('#composer')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lamm')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('p')
    load()

    await page.waitForSelector('.palette[open]')
    expect(await page.inputValue('.palette-field')).toBe('lamp')
    expect(await page.inputValue('#composer')).toBe('')
  })

  test('stays away where Escape came before it was loaded', async () => {
    const { page, load } = await openSlowly('/s/skerry-light')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('lamp')
    await page.keyboard.press('Escape')
    load()
    await page.keyboard.press('Control+k')

    await page.waitForSelector('.palette[open]')
    expect(await page.inputValue('.palette-field')).toBe('')
  })

  test('jumps to a view, to a Space, and does things', async () => {
    const page = await openPalette()
    await page.keyboard.type('inbox')
    await page.waitForSelector('[role=option] >> text=Go to Inbox')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/inbox')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme')
    await page.click('[role=option] >> text=Toggle dark theme')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).not.toBe('system')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('Polish the brass tomorrow')
    await page.click('[role=option] >> text=New task “Polish')
    await page.waitForSelector('.toast >> text=Polish the brass')
  })

  test('hands a question to the companion without sending it', async () => {
    const page = await openPalette()

    await page.keyboard.type('How much oil is left?')
    await page.click('[role=option] >> text=Ask the companion')

    await expect.poll(() => page.inputValue('#composer')).toBe('How much oil is left?')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer')
  })

  test('hands over the whole question while its results are still awaited', async () => {
    const page = await openPalette()
    await page.keyboard.type('H')
    await page.waitForSelector('[role=option] >> text=Ask the companion “H”')
    await page.route(/\/api\/(suggest|search)/, () => {})

    await page.keyboard.type('ow much oil is left?')
    await page.click('[role=option] >> text=Ask the companion')

    await expect.poll(() => page.inputValue('#composer')).toBe('How much oil is left?')
  })

  test('offers first what was looked at last', async () => {
    const page = await site().open(`/s/skerry-light/pages/${world.lamp.id}`)
    await page.goto('/s/skerry-light')
    await page.waitForSelector('html[data-ready]', { state: 'attached' })

    await page.keyboard.press('Control+k')
    await page.waitForSelector('[aria-label=Recent]')

    expect(await chosen(page)).toBe('The lamp')
  })
})

describe('the search page', () => {
  test('shows its passages in the first paint, as text and marked', async () => {
    const page = await site().open('/search?space=all&q=rapeseed')

    const texts = await page.locator('.result-text').allTextContents()
    expect(texts.join()).toMatch(/A barrel of <img src=x onerror=alert\(1\)> rapeseed costs\s+40\s+crowns/)
    expect(await page.locator('.result-text mark').first().textContent()).toBe('rapeseed')
    await expectAccessible(page)
  })

  test('follows what is typed and what it is narrowed to, in the address', async () => {
    const page = await site().open('/search?space=all')

    await page.keyboard.type('rapeseed')
    await page.waitForSelector('.result')
    // Two hold the word; a third is what one of them links to.
    expect(await page.locator('.result').count()).toBe(3)
    await chooseFilter(page, 'search-space', 'Harbour Office')
    await page.waitForFunction(() => document.querySelectorAll('.result').length === 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('rapeseed')
    await chooseFilter(page, 'search-kind', 'Tasks')
    await page.waitForSelector('text=No results for “rapeseed”')
    await page.click('text=Clear filters')

    await page.waitForFunction(() => document.querySelectorAll('.result').length === 3)
  })

  test('begins with the Space one was in, and goes on to all of them', async () => {
    const page = await site().open('/s/harbour-office')

    await page.goto('/search?q=rapeseed')
    await page.waitForSelector('.result')
    expect(await page.locator('.result').count()).toBe(1)
    expect(await page.textContent('#search-space')).toBe('Space: Harbour Office')
    await page.fill('#search-field', 'Lease of the keeper')
    await page.waitForSelector('text=Try the other Spaces.')
    await page.click('text=Search all Spaces')
    await page.waitForSelector('.result >> text=Lease of the keeper')

    expect(new URL(page.url()).searchParams.get('space')).toBe('all')
  })

  test('goes on below the first results for as long as there are more', async () => {
    const { owner } = site()
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Log books' }).expect(201)
    for (let year = 1; year <= 45; year += 1) {
      const page = { title: `Log book ${year}`, body: 'Dense foghorns.' }
      await owner.post(`/api/spaces/${space.id}/pages`).send(page).expect(201)
    }
    const page = await site().open('/search?space=all&q=foghorns')
    expect(await page.textContent('#results-count')).toBe('Top 20 results')

    await page.click('text=Show more')
    await page.waitForFunction(() => document.querySelectorAll('.result').length === 40)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('result-20')
    await page.click('text=Show more')

    await page.waitForFunction(() => document.querySelectorAll('.result').length === 45)
    expect(await page.textContent('#results-count')).toBe('45 results')
    expect(await page.isVisible('text=Show more')).toBe(false)
  })

  test('shows a page once, with its other passages behind it', async () => {
    const { owner } = site()
    const sections = ['Spring', 'Summer', 'Autumn'].map(
      (name) => `## ${name}\n\nThe puffin was seen in ${name}.`,
    )
    const body = sections.join('\n\n')
    await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Bird log', body }).expect(201)
    const page = await site().open('/search?space=all&q=puffin')
    await page.waitForSelector('text=1 result')

    await page.click('text=2 more in this page')

    await expect.poll(() => page.locator('.result-other:visible').count()).toBe(2)
    await page.click('.result-other >> nth=1')
    await page.waitForSelector('h1:has-text("Bird log")')
  })

  test('is walked by keys, and a result opens where its passage stands', async () => {
    const page = await site().open('/search?space=all&q=twelve+seconds')

    await page.focus('#search-field')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    await page.waitForURL(`**/pages/${world.lamp.id}?cite=*`)
    expect(await highlighted(page)).toContain('turns once in twelve seconds')
  })

  test('suggests titles that come near when nothing is found', async () => {
    const page = await site().open('/search?space=all&q=gallxx')
    await page.waitForSelector('text=No results for “gallxx”')

    await expect(page.locator('.suggestions >> text=Paint the gallery rail')).toBeVisible()
  })

  test('is narrowed by status and day, and both stand in the address', async () => {
    const page = await site().open('/search?space=all&q=gallery')
    await page.waitForSelector('.result')

    await chooseFilter(page, 'search-status', 'Done')
    await page.waitForSelector('text=No results for “gallery”')
    await chooseFilter(page, 'search-status', 'Open')
    await page.waitForSelector('.result')
    await page.click('#search-since')
    await page.fill('#day-words', '2999-01-01')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=No results for “gallery”')

    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      space: 'all',
      q: 'gallery',
      status: 'open',
      since: '2999-01-01',
    })
  })

  test('finds what was said, and opens that conversation in the rail', async () => {
    const { owner, deps } = site()
    const at = `/api/spaces/${world.space.id}/conversations`
    const { body: said } = await owner.post(at).send({}).expect(201)
    await deps.database.query(
      "insert into messages (id, conversation_id, role, body) values (gen_random_uuid(), $1, 'user', 'Where is the narwhal?')",
      [said.id],
    )
    await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000) })
    await owner.post(at).send({}).expect(201)
    const page = await site().open('/search?space=all&q=narwhal')

    await page.click('.result-link')

    await page.waitForURL('**/s/skerry-light?companion=1')
    await expect(page.locator('.rail >> text=Where is the narwhal?')).toBeVisible()
  })
})
