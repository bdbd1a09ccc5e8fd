import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

let world: World
const script: Parameters<typeof scriptedModel>[0] = []
let system = ''
const site = useSite({
  callModel: (request) => {
    system = request.system
    return scriptedModel(script.splice(0, 1))(request)
  },
})
const space = '/s/skerry-light'
const lease = "Lease of the keeper's house"

beforeAll(async () => {
  world = await makeWorld(site())
})
// What one test left over is not for the next one.
beforeEach(() => void script.splice(0))

const open = (input: Record<string, unknown>) => ({ name: 'open', input: { action: 'open', ...input } })
const say = async (page: Page, text: string) => {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
}
const tabs = (page: Page, side = 'left') => page.locator(`#tabs-${side} .tab-title`).allInnerTexts()
const beside = (page: Page) => page.frameLocator('#beside')

/** From the card of the draft, which stays where it is until then. */
async function openPreview(page: Page): Promise<void> {
  const card = page.locator('#rail .card[data-status=pending]').last()
  await card.locator('.card-details-word').click()
  expect(await page.textContent('#view h1')).toBe('Tasks')
  await card.locator('[data-action=preview]').click()
}

/** By the key for a new tab, pressed in the page or in the pane beside it, and the palette of the page. */
async function openTab(page: Page, title: string, pane: Pick<Page, 'locator'> = page): Promise<void> {
  await pane.locator('#content').press('Alt+t')
  await page.locator('dialog[open] input').fill(title)
  // A conversation may be called “Show me the lamp”.
  await page.locator(`dialog[open] [role=option] >> text=/^${title}/`).first().click()
}

describe('the companion', () => {
  test('opens the lease beside the tasks, and a stream that is read again opens nothing anew', async () => {
    script.push(
      {
        tools: [
          open({ view: 'tasks', side: 'left' }),
          open({ kind: 'page', id: world.lease.id, side: 'right' }),
        ],
      },
      { text: 'There they are.' },
    )
    const page = await site().open(`${space}?companion=1`)

    await say(page, 'Open the lease page beside my tasks')
    await page.waitForSelector('.said-companion >> text=There they are.')

    await page.waitForSelector('#view h1 >> text=Tasks')
    await beside(page).locator('h1 >> text=Lease of').waitFor()
    expect(new URL(page.url()).pathname).toBe(`${space}/tasks`)
    expect(new URL(page.url()).searchParams.get('beside')).toBe(`${space}/pages/${world.lease.id}`)

    script.push({ text: 'I see both.' })
    await say(page, 'What is open?')
    await page.waitForSelector('.said-companion >> text=I see both.')
    expect(system).toContain('- left, in view: the view tasks')
    expect(system).toContain(`- right, in view: the page “${lease}” (id ${world.lease.id})`)

    await page.click('#tabs-right .tab-close')
    await page.waitForSelector('#beside', { state: 'detached' })
    await page.reload()
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    await page.waitForSelector('.said-companion >> text=There they are.')
    expect(await page.locator('#beside').count()).toBe(0)
  })

  test('leaves the owner, who writes on while it opens pages, in the field', async () => {
    const { promise: written, resolve: go } = Promise.withResolvers<void>()
    const tools = [
      open({ view: 'projects', side: 'left' }),
      open({ kind: 'page', id: world.lamp.id, side: 'right' }),
    ]
    script.push(
      async () => {
        await written
        return { tools }
      },
      { text: 'Both are open.' },
    )
    const page = await site().open(`${space}?companion=1`)
    await say(page, 'Open the lamp beside the projects')
    await page.locator('#composer').pressSequentially('And')

    go()
    await page.waitForSelector('#view h1 >> text=Projects')
    await beside(page).locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.waitForSelector('.said-companion >> text=Both are open.')
    await page.keyboard.type(' the tasks')

    expect(await page.inputValue('#composer')).toBe('And the tasks')
  })

  test('marks the passage that it speaks of', async () => {
    const { body } = await site().owner.get(`/api/pages/${world.lease.id}`)
    const words = body.body.match(/[A-Z][^.\n]*\./)[0]
    script.push(
      { tools: [{ name: 'highlight', input: { kind: 'page', id: world.lease.id, text: words } }] },
      { text: 'Here it stands.' },
    )
    const page = await site().open(`${space}?companion=1`)

    await say(page, 'Where does it say so?')

    await page.waitForFunction(() => CSS.highlights.has('cited'))
    const marked = await page.evaluate(() => [...(CSS.highlights.get('cited') ?? [])].map(String).join(''))
    expect(marked.replace(/\s/g, '')).toBe(words.replace(/[\s*_`#>|[\]()~-]/g, ''))
  })

  test('marks a passage in a half that it has only just opened', async () => {
    script.push(
      {
        tools: [
          open({ kind: 'page', id: world.lamp.id, side: 'right' }),
          { name: 'highlight', input: { kind: 'page', id: world.lamp.id, text: 'once in twelve seconds' } },
        ],
      },
      { text: 'There.' },
    )
    const page = await site().open(`${space}?companion=1`)

    await say(page, 'Show me beside')

    await beside(page).locator('h1 >> text=The lamp').waitFor()
    const pane = page.frame({ url: /cite=once/ }) ?? (await page.waitForEvent('framenavigated'))
    await pane.waitForFunction(() => CSS.highlights.has('cited'))
    expect(await tabs(page, 'right')).toEqual(['The lamp'])
  })

  test('shows the version that it has read, where the page has missed a change', async () => {
    const { body: log } = await site()
      .owner.post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Log', body: 'Calm.' })
    script.push({ tools: [{ name: 'read', input: { kind: 'page', id: log.id } }] }, { text: 'A storm.' })
    const page = await site().open(`${space}?companion=1`, { expectErrors: /ERR_FAILED/ })
    await page.route('**/api/events', (route) => route.abort())
    await page.goto(`${site().url}${space}/pages/${log.id}`)
    await page.waitForSelector('.tab-act')
    await site().owner.patch(`/api/pages/${log.id}`).send({ version: 1, body: 'Storm.' })

    await say(page, 'What was the weather?')

    await expect(page.locator('#view .prose >> text=Storm.')).toBeVisible()
  })

  test('leaves the view alone when it drafts a page, whose preview becomes the page when it is approved', async () => {
    const payload = { title: 'Stores', body: '# Stores\n\nOil for **nine** nights.' }
    const create = { entity_type: 'page', action: 'create', payload, reason: 'You asked.' }
    script.push({ tools: [{ name: 'propose_change', input: create }] }, { text: 'Drafted.' })
    const page = await site().open(`${space}/tasks`)
    await page.waitForSelector('.tab-act')

    await say(page, 'Write down the stores')
    await openPreview(page)

    await page.waitForSelector('#view .new-page h1 >> text=Stores')
    await expect.poll(() => tabs(page)).toContain('Stores (draft)')
    expect(await page.locator('#view .new-page > .prose strong').innerText()).toBe('nine')
    expect(await page.locator('#view .new-page h1').count()).toBe(1)
    await expect
      .poll(() => page.locator('.tab', { hasText: 'Stores' }).locator('.tab-mark').allInnerTexts())
      .toEqual(['a draft is waiting'])
    await expectAccessible(page)
    await page.reload()
    await page.waitForSelector('#view .new-page h1 >> text=Stores')
    await page.click('#view [data-action=approve]')
    await page.waitForSelector('#view #favourite')
    await expect.poll(() => tabs(page)).toContain('Stores')
    expect(await page.locator('#view .prose').innerText()).toContain('Oil for nine nights.')
  })

  test('opens a new page that is approved in the rail, and no preview where the draft is gone', async () => {
    const create = { entity_type: 'page', action: 'create', payload: { title: 'Oars' }, reason: 'You asked.' }
    script.push({ tools: [{ name: 'propose_change', input: create }] }, { text: 'Drafted.' })
    const page = await site().open(`${space}/tasks`, { expectErrors: /404/ })
    await page.waitForSelector('.tab-act')
    await say(page, 'A page on oars')
    await openPreview(page)
    await page.waitForSelector('#view .new-page')
    const preview = new URL(page.url()).pathname
    await page.click('.nav a >> text=Tasks')
    await page.waitForSelector('#view h1 >> text=Tasks')

    await page.click('#rail .card [data-action=approve]')

    await page.waitForURL(`**${preview}*`)
    await page.waitForSelector('#view #favourite')
    await page.goto(preview.replace(/[0-9a-f]{8}$/, '00000000'))
    await page.waitForSelector('text=Page not found')
    expect((await site().owner.get('/api/pending-changes?status=pending')).body.items).toEqual([])
  })

  test('offers links instead where the owner moves the view alone', async () => {
    script.push({ tools: [open({ kind: 'page', id: world.lamp.id })] }, { text: 'Have a look.' })
    const page = await site().open('/settings/appearance')
    await page.uncheck('#move-view')
    await page.goto(`${site().url}${space}?companion=1`)
    await page.waitForSelector('html[data-ready]', { state: 'attached' })

    await say(page, 'Show me the lamp')
    await page.waitForSelector('.said-companion >> text=Have a look.')

    expect(new URL(page.url()).pathname).toBe(space)
    await page.waitForSelector('.said-companion a >> text=Open “The lamp”')
    await page.reload()
    await page.click('.said-companion a >> text=Open “The lamp”')
    await page.waitForSelector('#view h1 >> text=The lamp')
  })
})

describe('tabs', () => {
  test('are opened, walked, moved, closed and brought back by keys, and are there after a reload', async () => {
    const page = await site().open(`${space}/pages/${world.lamp.id}`)
    await page.waitForSelector('.tab-act')

    await page.keyboard.press('Alt+t')
    await page.waitForSelector('dialog[open] input')
    await page.keyboard.type('lease')
    await page.waitForSelector('dialog[open] [role=option] >> text=Lease of')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#view h1 >> text=Lease of')
    await expect.poll(() => tabs(page)).toEqual(['The lamp', lease])

    await page.keyboard.press('[')
    await page.waitForSelector('#view h1 >> text=The lamp')
    await page.keyboard.press('}')
    await expect.poll(() => tabs(page)).toEqual([lease, 'The lamp'])
    await page.reload()
    await page.waitForSelector('.tab-act')
    expect(await tabs(page)).toEqual([lease, 'The lamp'])

    await page.keyboard.press('Alt+w')
    await page.waitForSelector('#view h1 >> text=Lease of')
    expect(await tabs(page)).toEqual([lease])
    await page.keyboard.press('Alt+Shift+T')
    await page.waitForSelector('#view h1 >> text=The lamp')
  })

  test('are dragged to another place and to the other half, and back', async () => {
    const page = await site().open(`${space}/tasks`)
    await page.waitForSelector('.tab-act')
    await openTab(page, 'The lamp')
    await page.waitForSelector('#view h1 >> text=The lamp')
    await openTab(page, 'Lease of')
    await page.waitForSelector('#view h1 >> text=Lease of')
    await page.keyboard.press('\\')
    await beside(page).locator('h1 >> text=Lease of').waitFor()
    const [tasks, lamp] = await tabs(page)

    await page.dragAndDrop('#tab-left-1', '#tab-left-0')
    await expect.poll(() => tabs(page)).toEqual([lamp, tasks])
    await page.dragAndDrop('#tab-left-0', '#tab-right-0')
    await expect.poll(() => tabs(page, 'right')).toEqual([lamp, lease])
    await beside(page).locator('h1 >> text=The lamp').waitFor()
    await page.dragAndDrop('#tab-right-1', '#tab-left-0')

    await expect.poll(() => tabs(page)).toEqual([lease, tasks])
    expect(await tabs(page, 'right')).toEqual([lamp])
  })

  test('obey their keys from the right half too', async () => {
    const page = await site().open(`${space}/tasks?beside=${encodeURIComponent(`${space}/projects`)}`)
    await expect.poll(() => tabs(page, 'right')).toEqual(['Projects · Skerry Light'])

    await openTab(page, 'The lamp', beside(page))
    await beside(page).locator('h1 >> text=The lamp').waitFor()
    await expect.poll(() => tabs(page, 'right').then((all) => all.length)).toBe(2)
    await beside(page).locator('#content').press('[')
    await beside(page).locator('h1 >> text=Projects').waitFor()
    await beside(page).locator('#content').press('Alt+w')

    await expect.poll(() => tabs(page, 'right')).toEqual(['The lamp'])
    expect(await page.textContent('#view h1')).toBe('Tasks')
  })

  test('a link goes on in the tab that is shown, and the way back leads back', async () => {
    const page = await site().open(`${space}/pages/${world.lamp.id}`)
    await page.waitForSelector('.tab-act')
    const before = (await tabs(page)).length

    await page.click('.nav >> text=Tasks')
    await page.waitForSelector('#view h1 >> text=Tasks')
    await expect.poll(() => tabs(page).then((all) => all.length)).toBe(before)
    await page.goBack()

    await page.waitForSelector('#view h1 >> text=The lamp')
  })

  test('two stand side by side by an address, each with links of its own', async () => {
    const page = await site().open(
      `${space}/tasks?beside=${encodeURIComponent(`${space}/pages/${world.lamp.id}`)}`,
    )
    await beside(page).locator('h1 >> text=The lamp').waitFor()

    await beside(page).locator('.page-crumbs a').first().click()
    await beside(page).locator('h1 >> text=Pages').waitFor()

    await expect.poll(() => new URL(page.url()).searchParams.get('beside')).toBe(`${space}/pages`)
    expect(await page.textContent('#view h1')).toBe('Tasks')
  })

  test('both halves go by their own width, and neither by a finger that is not there', async () => {
    const page = await site().open(`${space}/tasks?beside=${encodeURIComponent(`${space}/tasks`)}`)
    await beside(page).locator('.task').first().waitFor()

    const [left, right] = await Promise.all(
      [page.locator('#view'), beside(page).locator('#view')].map((view) =>
        view.evaluate((each) => ({
          padding: Math.round(Number.parseFloat(getComputedStyle(each).paddingInlineStart)),
          wraps: getComputedStyle(each.querySelector('.task')!).flexWrap,
          filter: each.querySelector('.chip-face')?.clientHeight,
        })),
      ),
    )

    expect(left).toEqual(right)
    expect(left?.wraps).toBe('wrap')
    expect(left?.filter).toBeLessThan(40)
  })

  test('an address beside that is not the app’s is left out', async () => {
    for (const href of ['//evil.example/', 'javascript:alert(1)', '/api/spaces', '/nowhere']) {
      const page = await site().open(`${space}/tasks?beside=${encodeURIComponent(href)}`)
      expect(await page.locator('#beside').count()).toBe(0)
    }
  })

  test('say when an approved draft has changed what is not looked at', async () => {
    const page = await site().open(`${space}/pages/${world.lamp.id}`)
    await page.waitForSelector('.tab-act')
    await openTab(page, 'Lease of')
    await page.waitForSelector('#view h1 >> text=Lease of')
    script.push(
      {
        tools: [
          {
            name: 'propose_change',
            input: {
              entity_type: 'page',
              action: 'update',
              entity_id: world.lamp.id,
              payload: { body: 'Lit.' },
              reason: 'So.',
            },
          },
        ],
      },
      { text: 'Drafted.' },
    )

    await say(page, 'Change the lamp')
    await page.click('[data-action=approve]')

    await expect(page.locator('.tab[data-mark=changed] >> text=The lamp')).toBeVisible()
    await page.reload()
    await expect(page.locator('.tab[data-mark=changed] >> text=The lamp')).toBeVisible()
    await page.click('.tab >> text=The lamp')
    await expect(page.locator('.tab[data-mark=none] >> text=The lamp')).toBeVisible()
    await page.reload()
    await page.waitForSelector('.tab-act')
    expect(await page.locator('.tab[data-mark=changed]').count()).toBe(0)
  })

  test('say that they are in use by whatever tool is about them', async () => {
    const page = await site().open(`${space}/tasks/${world.paint.id}`)
    await page.waitForSelector('.tab-act')
    const input = { entity_type: 'task', action: 'update', entity_id: world.paint.id }
    const change = { ...input, payload: { priority: 'low' }, reason: 'You asked.' }
    script.push({ tools: [{ name: 'propose_change', input: change }] }, { hang: true })

    await say(page, 'Less urgent')

    await page.waitForSelector('.tab[data-mark=reading] >> text=Paint the gallery rail')
    await page.keyboard.press('Escape')
    await expect(page.locator('.tab[data-mark=draft] >> text=Paint the gallery rail')).toBeVisible()
  })

  test('remember the call that opened them, also after a reload', async () => {
    script.push({ tools: [open({ kind: 'page', id: world.lamp.id })] }, { text: 'There it is.' })
    const page = await site().open(`${space}/tasks`)
    await page.waitForSelector('.tab-act')
    await say(page, 'Bring up the light')
    await page.waitForSelector('#view h1 >> text=The lamp')
    await page.waitForSelector('.said-companion >> text=There it is.')
    const origin = page.locator('.tab', { hasText: 'The lamp' }).locator('.tab-origin')

    await expect.poll(() => origin.count()).toBe(1)
    expect(await origin.getAttribute('aria-label')).toMatch(/opened by the companion in (‘.+’|an untitled)/)
    expect(await page.locator('.tab', { hasText: 'Tasks' }).locator('.tab-origin').count()).toBe(0)
    await expectAccessible(page)
    await page.reload()
    await page.waitForSelector('.tab-act')
    await expect.poll(() => origin.count()).toBe(1)
    await origin.click()
    await page.waitForSelector('#rail .tool-marked')
    await page.waitForSelector('#view h1 >> text=The lamp')
    await expect.poll(() => origin.count()).toBe(1)
  })

  test('what is open in the right half is shown there, not opened on the left as well', async () => {
    const lamp = `${space}/pages/${world.lamp.id}`
    const page = await site().open(`${space}/tasks?beside=${encodeURIComponent(lamp)}`)
    await page.waitForSelector('.tab-act')
    await beside(page).locator('h1 >> text=The lamp').waitFor()

    await page.click('.nav a >> text=The lamp')

    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('beside')
    expect(await page.textContent('#view h1')).toBe('Tasks')
    expect(await tabs(page)).toEqual(['Tasks · Skerry Light'])
    await page.click(`.nav a >> text=Lease of`)
    await page.waitForSelector('#view h1 >> text=Lease of')
    await expect.poll(() => tabs(page, 'right')).toEqual(['The lamp'])
  })

  test('say which is being read, until something is said of it', async () => {
    const page = await site().open(`${space}/pages/${world.lamp.id}`)
    await page.waitForSelector('.tab-act')
    script.push({ tools: [{ name: 'read', input: { kind: 'page', id: world.lamp.id } }] }, { hang: true })

    await say(page, 'What does it burn?')
    await page.waitForSelector('.tab[data-mark=reading] >> text=The lamp')
    await page.keyboard.press('Escape')

    await expect(page.locator('.tab[data-mark=none] >> text=The lamp')).toBeVisible()
  })

  test('say that their text is unsaved, that it is being saved, and that it could not be', async () => {
    const page = await site().open(`${space}/pages/${world.lease.id}`, { expectErrors: /ERR_FAILED/ })
    await page.waitForSelector('.tab-act')
    const gate = Promise.withResolvers<void>()
    await page.route(`**/api/pages/${world.lease.id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return await route.continue()
      await gate.promise
      await route.abort()
    })

    await page.keyboard.press('e')
    await page.waitForSelector('.cm-content:focus')
    await page.keyboard.type('Renewed. ')

    await page.waitForSelector('#tabs-left .tab[data-mark=unsaved]')
    await page.waitForSelector('#tabs-left .tab[data-mark=saving]')
    gate.resolve()
    await page.waitForSelector('#tabs-left .tab[data-mark=error]')
    await page.unroute(`**/api/pages/${world.lease.id}`)
    await page.keyboard.type('Again. ')
    await expect(page.locator('#tabs-left .tab[data-mark=none]')).toBeVisible()
  })

  test('are clean for axe, alone and side by side, and gone on a phone', async () => {
    const page = await site().open(
      `${space}/tasks?beside=${encodeURIComponent(`${space}/pages/${world.lamp.id}`)}`,
    )
    await page.waitForSelector('.tab-act')
    await expectAccessible(page)

    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.isVisible('#tabs-left')).toBe(false)
    expect(await page.isVisible('#beside')).toBe(false)
  })
})

test('a strip that has not room for all tabs has a menu of them, and tabs stay wide enough to read', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    await site()
      .owner.post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: `Logbook ${n}` })
      .expect(201)
  }
  const page = await site().open(`${space}/tasks`, { viewport: { width: 1100, height: 800 } })
  await page.waitForSelector('.tab-act', { state: 'attached' })
  const menu = page.locator('#tabs-left [aria-label="All tabs"].menu-button')
  expect(await menu.isVisible()).toBe(false)
  for (const n of [1, 2, 3, 4, 5]) {
    await openTab(page, `Logbook ${n}`)
    await page.waitForSelector(`#view h1 >> text=Logbook ${n}`)
  }

  await menu.waitFor()
  const widths = await page
    .locator('#tabs-left .tab')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width))
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(96)
  // The menu takes room of the tab that was opened last, which has to be in sight with its button all the same.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const list = document.querySelector('#tabs-left .tab-list')!.getBoundingClientRect()
        const shown = document.querySelector('#tabs-left .tab:has([aria-current])')!.getBoundingClientRect()
        return Math.max(0, Math.round(shown.right - list.right))
      }),
    )
    .toBe(0)
  // So it has when the window becomes narrower, and the menu was there before.
  await page.setViewportSize({ width: 1180, height: 800 })
  const hiddenPart = () =>
    page.evaluate(() => {
      const list = document.querySelector('#tabs-left .tab-list')!
      const shown = list.querySelector('.tab:has([aria-current])')!.getBoundingClientRect()
      return Math.max(0, Math.round(shown.right - list.getBoundingClientRect().right))
    })
  await expect.poll(hiddenPart).toBe(0)
  expect(await menu.isVisible()).toBe(true)
  const width = await page.locator('#tabs-left').evaluate(({ clientWidth }) => clientWidth)
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect
    .poll(() => page.locator('#tabs-left').evaluate(({ clientWidth }) => clientWidth))
    .toBeLessThan(width)
  await expect.poll(hiddenPart).toBe(0)
  await menu.click()
  await page.click('[role=menuitemradio] >> text=Logbook 1')

  await page.waitForSelector('#view h1 >> text=Logbook 1')
  await expect.poll(() => page.textContent('#tabs-left [aria-current]')).toContain('Logbook 1')
  await expectAccessible(page)
  await page.setViewportSize({ width: 1900, height: 800 })
  await expect.poll(() => menu.isVisible()).toBe(false)
})
