import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { holdScripts } from './support/hold-scripts.ts'
import { useSite } from './support/site.ts'
import { whenAnswered } from './support/when-answered.ts'

const site = useSite()
const space = '/s/skerry-light'
let world: World
let letter: string
let chart: string

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  world = await makeWorld(site())
  const files = [
    { path: 'letter.txt', base64: Buffer.from('The rent will be <b>430</b> crowns.').toString('base64') },
    { path: 'chart.png', base64: pixel },
  ]
  await site().owner.post(`/api/spaces/${world.space.id}/import`).send({ source: 'test', files }).expect(200)
  const { body } = await site().owner.get(`/api/spaces/${world.space.id}/source-docs?sort=title`)
  ;[chart, letter] = body.items.map(({ id }: { id: string }) => id)
})

async function make(kind: string, fields: Record<string, unknown>): Promise<{ id: string; version: number }> {
  const { body } = await site().owner.post(`/api/spaces/${world.space.id}/${kind}`).send(fields).expect(201)
  return body
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

const read = async (kind: string, id: string) => (await site().owner.get(`/api/${kind}/${id}`)).body

describe('a task', () => {
  test('is changed field by field where it stands, and the next change follows on the last', async () => {
    const { id } = await make('tasks', { title: 'Wind the clock' })
    const page = await site().open(`${space}/tasks/${id}`)

    await page.selectOption('#field-priority', 'urgent')
    await page.selectOption('#field-project_id', { label: 'Summer repairs' })
    await page.click('#field-due_on')
    await page.fill('#day-words', '1 March 2031')
    await page.keyboard.press('Enter')
    await expect.poll(() => read('tasks', id)).toMatchObject({ due_on: '2031-03-01' })
    await page.keyboard.press('3')

    await expect
      .poll(() => read('tasks', id))
      .toMatchObject({
        priority: 'urgent',
        project_id: world.repairs.id,
        due_on: '2031-03-01',
        status: 'done',
      })
  })

  test('is not shown as it was before the last change, however late that comes', async () => {
    const { id } = await make('tasks', { title: 'Grease the gears' })
    const page = await site().open(`${space}/tasks/${id}`)
    const held: PromiseWithResolvers<void>[] = []
    let holding = true
    await page.route(`**/api/tasks/${id}`, async (route) => {
      if (!holding || route.request().method() !== 'GET') return await route.continue()
      const response = await route.fetch()
      if (!holding) return await route.fulfill({ response })
      const gate = Promise.withResolvers<void>()
      held.push(gate)
      await gate.promise
      await route.fulfill({ response })
    })

    await page.selectOption('#field-priority', 'urgent')
    // One for the change itself, another one for its live event if that comes first.
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const before = held.length
    await page.selectOption('#field-project_id', { label: 'Summer repairs' })
    await expect.poll(() => held.length).toBeGreaterThan(before)
    await page.evaluate(() => document.querySelector('.detail-fields')?.setAttribute('data-before', ''))
    await whenAnswered(page, `**/api/tasks/${id}`, held[0]!.resolve)
    expect(await page.locator('.detail-fields[data-before]').count()).toBe(1)
    holding = false
    for (const gate of held) gate.resolve()

    await page.waitForSelector('.detail-fields:not([data-before])')
    await page.keyboard.press('3')
    await expect
      .poll(() => read('tasks', id))
      .toMatchObject({ priority: 'urgent', project_id: world.repairs.id, status: 'done' })
  })

  test('is renamed in place; Escape leaves the title as it was', async () => {
    const { id } = await make('tasks', { title: 'Mend the coat' })
    const page = await site().open(`${space}/tasks/${id}`)

    await page.keyboard.press('r')
    await page.waitForSelector('.detail-title-field:focus')
    await page.keyboard.type('Burn the coat')
    await page.keyboard.press('Escape')
    expect(await page.textContent('h1')).toBe('Mend the coat')
    await page.keyboard.press('r')
    await page.waitForSelector('.detail-title-field:focus')
    await page.keyboard.type('Mend both coats')
    await page.keyboard.press('Enter')

    await expect.poll(async () => (await read('tasks', id)).title).toBe('Mend both coats')
    await expect.poll(() => page.title()).toContain('Mend both coats')
  })

  test('what is typed before the editor of its text is loaded is written there', async () => {
    const { id } = await make('tasks', { title: 'Splice the rope' })
    const page = await site().open(`${space}/tasks/${id}`)
    const { held, load } = await holdScripts(page, /body-field/)

    await page.keyboard.press('e')
    await page.keyboard.type('Nine turns')
    await expect.poll(held).toBeGreaterThan(0)
    load()

    await expect.poll(() => page.inputValue('#body-field')).toBe('Nine turns')
  })

  test('keeps a text that was not saved over a reload', async () => {
    const { id } = await make('tasks', { title: 'Copy the log', body: 'September' })
    const page = await site().open(`${space}/tasks/${id}`)

    await page.keyboard.press('e')
    await page.fill('#body-field', 'September and **October**')
    await page.reload()
    await page.waitForSelector('.notice >> text=Restored unsaved changes')
    expect(await page.inputValue('#body-field')).toBe('September and **October**')
    await page.focus('#body-field')
    await page.keyboard.press('Control+Enter')

    await page.waitForSelector('#body strong >> text=October')
    expect((await read('tasks', id)).body).toBe('September and **October**')
  })

  test('shows both texts when it was changed elsewhere, and overwrites only when told to', async () => {
    const { id, version } = await make('tasks', { title: 'Sort the flags', body: 'By colour' })
    const page = await site().open(`${space}/tasks/${id}`, { expectErrors: /409/ })

    await page.keyboard.press('e')
    await page.fill('#body-field', 'By size')
    await site().owner.patch(`/api/tasks/${id}`).send({ version, body: 'By meaning' }).expect(200)
    await page.click('button:text("Save")')
    await page.waitForSelector('.notice >> text=Edited in another window')
    expect(await page.inputValue('#body-field')).toBe('By size')
    expect(await page.textContent('.notice details')).toContain('By meaning')
    expect((await read('tasks', id)).body).toBe('By meaning')
    await page.click('button:text("Keep my version")')

    await page.waitForSelector('#body .prose >> text=By size')
    expect((await read('tasks', id)).body).toBe('By size')
  })

  test('restores an unsaved text over a newer version only when told to', async () => {
    const { id, version } = await make('tasks', { title: 'Sort the ropes', body: 'By colour' })
    const page = await site().open(`${space}/tasks/${id}`, { expectErrors: /409/ })

    await page.keyboard.press('e')
    await page.fill('#body-field', 'By size')
    await page.goto('about:blank')
    await site().owner.patch(`/api/tasks/${id}`).send({ version, body: 'By meaning' }).expect(200)
    await page.goto(`${site().url}${space}/tasks/${id}`)
    await page.waitForSelector('.notice >> text=Edited in another window')

    expect(await page.inputValue('#body-field')).toBe('By size')
    await page.setViewportSize({ width: 720, height: 450 })
    await page.click('.body-editor .button-primary')
    expect((await read('tasks', id)).body).toBe('By meaning')
    await expect.poll(() => page.locator('.body-notice').evaluate(isInSight)).toBe(true)
    await page.click('button:text("Keep my version")')
    await page.waitForSelector('#body .prose >> text=By size')
    expect((await read('tasks', id)).body).toBe('By size')
  })

  test('keeps the unsaved texts of two tabs apart', async () => {
    const { id } = await make('tasks', { title: 'Wash the panes', body: 'Inside' })
    const one = await site().open(`${space}/tasks/${id}`)
    const other = await site().openTab(one, `${space}/tasks/${id}`)

    for (const [page, text] of [
      [one, 'Outside'],
      [other, 'Both sides'],
    ] as const) {
      await page.keyboard.press('e')
      await page.fill('#body-field', text)
    }
    await one.click('button:text("Cancel")')
    await one.waitForSelector('#body .prose >> text=Inside')
    // A tab that is open takes the text of one that has closed, and a reload closes the old one.
    await one.close()
    await other.reload()
    await other.waitForSelector('.notice >> text=Restored unsaved changes')

    expect(await other.inputValue('#body-field')).toBe('Both sides')
  })

  test('does not take its own rename for a change from elsewhere', async () => {
    const body = 'As [[Trim the lamp]] says.'
    const { id } = await make('tasks', { title: 'Trim the lamp', body })
    const page = await site().open(`${space}/tasks/${id}`)

    await page.keyboard.press('e')
    await page.fill('#body-field', `${body} Twice.`)
    await page.click('#rename')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Trim the wick')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read('tasks', id)).title).toBe('Trim the wick')
    await page.click('button:text("Save")')

    await expect.poll(async () => (await read('tasks', id)).body).toBe('As [[Trim the wick]] says. Twice.')
  })

  test('saves what was typed while changes from elsewhere drew it anew, once and when it is left', async () => {
    const { id } = await make('refs', { title: 'Tide tables' })
    const rename = async (title: string) => {
      const { version } = await read('refs', id)
      await site().owner.patch(`/api/refs/${id}`).set('if-match', `"${version}"`).send({ title }).expect(200)
      await page.waitForSelector(`h1 >> text=${title}`)
    }
    const page = await site().open(`${space}/refs/${id}`)
    const sent: (string | null)[] = []
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postData()))

    await page.focus('#field-author')
    await page.keyboard.type('The Admi')
    await rename('Tide tables 1912')
    await rename('Tide tables 1913')
    expect(sent).toEqual([])
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await read('refs', id)).author).toBe('The Admi')

    await page.focus('#field-author')
    await page.keyboard.press('End')
    await page.keyboard.type('ralty')
    await rename('Tide tables 1914')
    await page.keyboard.type(', 1')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read('refs', id)).author).toBe('The Admiralty, 1')
    expect(sent).toHaveLength(2)
  })

  test('names what links to it, is deleted and comes back', async () => {
    const { id } = await make('tasks', { title: 'Clean the cistern' })
    await make('pages', { title: 'Water', body: 'See [[Clean the cistern]].' })
    const page = await site().open(`${space}/tasks/${id}`)
    await page.waitForSelector('section[aria-label="Linked from"] >> text=Water')

    await page.click('#delete')
    await page.waitForURL(`**${space}/tasks`)
    await page.click('.toast button:text("Undo")')

    await expect(page.locator('h1 >> text=Clean the cistern')).toBeVisible()
  })

  test('is clean for axe in both themes, while it is edited too', async () => {
    const page = await site().open(`${space}/tasks/${world.paint.id}`)
    await expectAccessible(page)
    await page.keyboard.press('e')
    await page.waitForSelector('#body-field')
    await expectAccessible(page)
  })
})

describe('a project', () => {
  test('has its tasks, and takes new ones', async () => {
    const { id } = await make('projects', { title: 'New fog bell' })
    const page = await site().open(`${space}/projects/${id}`)

    await page.fill('#quick-add', 'Cast the bell')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.task-title >> text=Cast the bell')

    const { body } = await site().owner.get(`/api/spaces/${world.space.id}/task-groups?project_id=${id}`)
    expect(body.groups[0].items).toMatchObject([{ title: 'Cast the bell' }])
    await expectAccessible(page)
  })
})

describe('refs and resources', () => {
  test('are made from the list by keys, and show where their address leads', async () => {
    const page = await site().open(`${space}/refs`)

    await page.keyboard.press('n')
    await page.keyboard.type('Notices to mariners')
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://notices.example.org/31')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1 >> text=Notices to mariners')

    const link = page.locator('a.external')
    expect(await link.textContent()).toContain('notices.example.org')
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      'noopener noreferrer',
      '_blank',
    ])
    await expectAccessible(page)
  })

  test('are listed in the order asked for, and deleted with a way back', async () => {
    await make('resources', { title: 'Almanac', kind: 'book' })
    await make('resources', { title: 'Sextant', kind: 'tool' })
    const page = await site().open(`${space}/resources`)

    expect(await page.textContent('#list .row-title')).toBe('Sextant')
    await chooseFilter(page, 'list-sort', 'By title')
    await page.waitForFunction(() => document.querySelector('.row-title')?.textContent === 'Almanac')
    await page.press('#list .row-title', 'Delete')
    await page.waitForFunction(() => document.querySelector('#list .row-title')?.textContent === 'Sextant')
    await page.click('.toast button:text("Undo")')

    await page.waitForSelector('#list >> text=Almanac')
    await expectAccessible(page)
  })

  test('come back when the news of it overtakes the answer', async () => {
    await make('resources', { title: 'Barometer', kind: 'tool' })
    const page = await site().open(`${space}/resources?sort=title`)
    const [refreshing, restored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.press('#list .row-title:text("Barometer")', 'Delete')
    await page.waitForSelector('#list .row-title:text("Barometer")', { state: 'detached' })
    // The refresh after the news waits for the answer, and is shown after it.
    await page.route('**/restore', async (route) => {
      const response = await route.fetch()
      await refreshing.promise
      await route.fulfill({ response })
      restored.resolve()
    })
    await page.route('**/api/spaces/*/resources?*', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('Barometer')) refreshing.resolve()
      await restored.promise
      await new Promise((resolve) => setTimeout(resolve, 100))
      await route.fulfill({ response })
    })

    await page.click('.toast button:text("Undo")')

    await page.waitForSelector('#list >> text=Barometer')
    expect(await page.locator('#list .row-title:text("Barometer")').count()).toBe(1)
  })

  test('are shown as far as asked for, without a jump', async () => {
    for (let n = 0; n < 60; n += 1) await make('resources', { title: `Lamp glass ${n}`, kind: 'part' })
    const page = await site().open(`${space}/resources`)
    expect(await page.locator('#list li').count()).toBe(50)

    await page.locator('#more').scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => document.querySelector('#content')?.scrollTop)
    await page.click('#more')
    await page.waitForFunction(() => document.querySelectorAll('#list li').length > 60)

    expect(await page.evaluate(() => document.querySelector('#content')?.scrollTop)).toBe(before)
  })
})

describe('a source document', () => {
  test('shows its text as text beside the original, and lets its title be corrected', async () => {
    const page = await site().open(`${space}/source-docs/${letter}`)

    expect(await page.textContent('.as-text')).toContain('<b>430</b>')
    expect(await page.textContent('.original-text')).toContain('<b>430</b>')
    await page.keyboard.press('r')
    await page.waitForSelector('.detail-title-field:focus')
    await page.keyboard.type('The landlord’s letter')
    await page.keyboard.press('Enter')

    await expect
      .poll(() => read('source-docs', letter))
      .toMatchObject({
        title: 'The landlord’s letter',
      })
    await expectAccessible(page)
  })

  test('shows an image where it is', async () => {
    const page = await site().open(`${space}/source-docs/${chart}`)

    const width = () =>
      page.locator('.original-image img').evaluate((node) => Reflect.get(node, 'naturalWidth'))
    await expect.poll(width).toBe(1)
  })
})
