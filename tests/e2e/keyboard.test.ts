// The whole product without a mouse: every view is gone round with Tab, and every flow is done with keys. There is no
// call to a mouse in this file, and the focus is looked at after every step.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileChooser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { allViews, type FullWorld, makeFullWorld } from './support/all-views.ts'
import { type Hand, handOn } from './support/hand.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
const home = '/s/skerry-light'
let world: FullWorld

beforeAll(async () => {
  world = await makeFullWorld(site())
})

const draftTask = async (title: string): Promise<string> => {
  const made = await site()
    .as(world.agentToken)
    .post(`/api/spaces/${world.space.id}/tasks`)
    .send({ title, reason: 'It was found on the round.' })
  return made.body.id
}

const open = async (path: string, options = {}): Promise<{ page: Page; hand: Hand }> => {
  const page = await site().open(path, options)
  return { page, hand: handOn(page) }
}

describe('Tab goes round, every stop has a name and is seen', () => {
  let page: Page

  beforeAll(async () => {
    page = await site().open('/spaces', { alone: true, kept: true, expectErrors: /404/ })
  })

  test.each(allViews)('in %s', async (_name, address) => {
    await page.goto(address(world))
    await whenReady(page)
    const hand = handOn(page)

    // In the editor Tab indents, until it is told to move on.
    if (address(world).includes('?edit')) {
      await page.click('.cm-content')
      await page.keyboard.press('Control+m')
    }
    const stops = await hand.goRound()
    const reached = new Set(stops.map(({ tag, id, name }) => `${tag}#${id} ${name}`))

    expect(stops.filter(({ seen }) => !seen)).toEqual([])
    expect(stops.filter(({ name, tag }) => name === '' && !/SUMMARY|DIV|PRE/.test(tag))).toEqual([])
    expect(reached.size).toBeGreaterThan(7)
  })

  test('on a phone, with its bar', async () => {
    const { hand } = await open(`${home}?companion=1`, { viewport: { width: 390, height: 844 } })

    const stops = await hand.goRound()

    expect(stops.filter(({ seen }) => !seen)).toEqual([])
    expect(stops.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Skerry Light', 'Search', 'Companion']),
    )
  })
})

test('signing in', async () => {
  const page = await site().open('/sign-in?next=/s/skerry-light/tasks', { signedIn: false })
  const hand = handOn(page)

  await hand.expectAt('#token')
  await hand.type(ownerToken)
  await hand.press('Enter')
  await page.waitForURL('**/tasks')
  await whenReady(page)

  await hand.expectSomewhere()
})

test('going from view to view: links, the palette, the keys on offer, back', async () => {
  const { page, hand } = await open(`${home}?companion=1`)

  await hand.press('?')
  await page.waitForSelector('dialog >> text=Keyboard shortcuts')
  await hand.press('Escape')
  await hand.pressOn('Projects')
  await page.waitForURL('**/projects')
  await hand.expectSomewhere()
  await hand.press('Control+k')
  await page.waitForSelector('.palette')
  await hand.type('lease')
  await page.waitForSelector('[role=option] mark >> text=Lease')
  await hand.press('Enter')
  await page.waitForURL('**/pages/**')
  await page.goBack()
  await page.waitForURL('**/projects')
  await hand.expectSomewhere()
  await hand.press('Control+k')
  await page.waitForSelector('.palette')
  await hand.press('Escape')
  await page.waitForSelector('.palette', { state: 'detached' })

  await hand.expectSomewhere()
})

test('the navigation: skipped, Spaces switched, a level of the tree opened', async () => {
  const { owner } = site()
  const at = `/api/spaces/${world.space.id}/pages`
  const { body: parent } = await owner.post(at).send({ title: 'Aab store' })
  await owner.post(at).send({ title: 'Ropes', parent_id: parent.id })
  const { page, hand } = await open(`${home}?companion=1`)

  await hand.pressOn('Skip to content')
  await hand.expectAt('#content')
  await hand.tabTo('Aab store', { back: true })
  await hand.press('ArrowRight')
  await page.waitForSelector('.tree-link >> text=Ropes')
  await hand.expectAt('Aab store')
  await hand.press('ArrowRight')
  await hand.expectAt('Ropes')
  await hand.tabTo('Space menu', { back: true })
  await hand.press('Enter')
  await hand.pressOn(/Harbour Office/)
  await page.waitForURL('**/s/harbour-office')

  await hand.expectSomewhere()
})

test('a page: made, written, saved, renamed, moved, deleted and taken back', async () => {
  // A key that comes before the view has heard of the last change is sent again for the newer version.
  const { page, hand } = await open(`${home}/pages`, { expectErrors: /409/ })

  await hand.press('n')
  await hand.expectAt('#quick-page')
  await hand.type('Keeper’s round')
  await hand.press('Enter')
  await page.waitForSelector('.page-row >> text=Keeper’s round')
  await hand.expectAt('#quick-page')
  await hand.press('Escape')
  await hand.press('End', '/')
  await hand.type('round')
  await page.waitForSelector('#found-pages >> text=Keeper’s round')
  await hand.press('ArrowDown', 'Enter')
  await page.waitForSelector('h1 >> text=Keeper’s round')
  await hand.press('e')
  await hand.expectAt('Page text')
  await hand.type('At dusk, [[The lamp]] is lit.')
  await hand.press('Control+s')
  await page.waitForSelector('#save-state[data-state=saved]')
  // Names for the brackets may still be on their way: the first Escape is for them.
  await expect
    .poll(async () => {
      if (!new URL(page.url()).searchParams.has('edit')) return true
      await hand.press('Escape')
      return false
    })
    .toBe(true)
  await page.waitForSelector('.prose >> text=At dusk')
  await hand.press('F2')
  await hand.expectAt('Title')
  await hand.type('Evening round')
  await hand.press('Enter')
  await page.waitForSelector('.toast >> text=Renamed')
  await hand.expectAt('#rename')
  await hand.press('m')
  await page.waitForSelector('dialog[open] .move-choice')
  await hand.type('lamp')
  await page.waitForFunction(() => document.querySelectorAll('.move-choice').length === 1)
  await hand.press('Enter')
  await page.waitForSelector('.toast >> text=below')
  await hand.press('Alt+u')
  await expect.poll(async () => (await pageCalled('Evening round'))?.parent_id).toBe(null)
  await hand.expectSomewhere()
  await hand.press('h')
  await page.waitForSelector('.version')
  await page.goBack()
  await page.waitForSelector('.page-title')
  await hand.pressOn('More actions')
  await hand.expectAt(/New child page/)
  await hand.press('End')
  await hand.expectAt('Move to trash')
  await hand.press('Enter')
  await page.waitForSelector('.toast >> text=to trash')
  await hand.expectSomewhere()
  await hand.press('Alt+u')
  await page.waitForSelector('h1 >> text=Evening round')

  await hand.expectSomewhere()
  // The heading may still be the one from before the deletion.
  await expect.poll(async () => (await pageCalled('Evening round'))?.deleted_at).toBe(null)
})

type StoredPage = { id: string; title: string; parent_id: string | null; deleted_at: string | null }

async function pageCalled(title: string): Promise<StoredPage | undefined> {
  const { body } = await site().owner.get(`/api/spaces/${world.space.id}/pages?limit=200`)
  return body.items.find((page: StoredPage) => page.title === title)
}

test('tasks: added, walked, changed, given a day, deleted and taken back, in the list and on the board', async () => {
  const { page, hand } = await open(`${home}/tasks`)

  await hand.press('n')
  await hand.type('Scrub the steps friday !high')
  await hand.press('Enter')
  // Dim, and out of the keys' reach, until the server has it.
  await page.waitForSelector('a.task-title >> text=Scrub the steps')
  await hand.expectAt('#quick-add')
  await hand.press('Escape')
  await hand.press('j')
  for (let count = 0; count < 20 && !(await focusedTask(page)).includes('Scrub'); count += 1)
    await hand.press('j')
  await hand.press('2')
  await page.waitForSelector('section:has(#group-in_progress) >> text=Scrub the steps')
  await hand.expectAt(/Scrub the steps/)
  await hand.press('d')
  await page.waitForSelector('.calendar')
  await hand.pressOn('Clear')
  await page.waitForSelector('.calendar', { state: 'detached' })
  await hand.expectAt(/Scrub the steps/)
  await hand.press('Delete')
  await page.waitForSelector('.toast >> text=to trash')
  await hand.press('Alt+u')
  await page.waitForSelector('[data-task] >> text=Scrub the steps')
  await hand.expectSomewhere()

  await hand.tabTo('Board')
  await hand.press('Enter')
  await page.waitForSelector('.board')
  await hand.expectSomewhere()
  await hand.tabTo(/Scrub the steps/)
  await hand.press('Shift+ArrowRight')
  await page.waitForSelector('.board-column[data-status=done] >> text=Scrub the steps')
  await hand.expectAt(/Scrub the steps/)
  await hand.press('Enter')
  await page.waitForSelector('.detail')

  await hand.expectSomewhere()
})

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Its title; the column around the list holds that, too. */
const focusedTask = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.task-title')?.textContent ?? '')

test('lists: a ref made, its fields and text changed, renamed, deleted from the list and taken back', async () => {
  const { page, hand } = await open(`${home}/refs`)

  await hand.press('n')
  await hand.expectAt('Title')
  await hand.type('Tide tables')
  await hand.press('Enter')
  await page.waitForSelector('.detail-title >> text=Tide tables')
  await hand.expectSomewhere()
  await hand.tabTo('#field-author')
  await hand.type('The Admiralty')
  await hand.press('Tab')
  await expect.poll(async () => (await refCalled('Tide tables'))?.author).toBe('The Admiralty')
  await hand.pressOn('#edit-body')
  await hand.expectAt('Text (Markdown)')
  await hand.type('Springs and neaps.')
  await hand.press('Control+Enter')
  await page.waitForSelector('.prose >> text=Springs and neaps.')
  await hand.expectSomewhere()
  await hand.press('r')
  await hand.type('Tide tables 1912')
  await hand.press('Enter')
  await expect.poll(async () => (await refCalled('Tide tables 1912'))?.author).toBe('The Admiralty')
  await hand.expectAt('#rename')
  await hand.pressOn('Library', { back: true })
  await page.waitForURL('**/refs')
  await hand.press('j')
  await hand.expectAt('Tide tables 1912')
  await hand.press('Delete')
  await page.waitForSelector('.toast >> text=to trash')
  await hand.expectAt('Light list')
  await hand.press('Alt+u')
  await page.waitForSelector('.list-row >> text=Tide tables 1912')

  await hand.expectSomewhere()
})

const refCalled = async (title: string): Promise<{ author: string | null } | undefined> => {
  const { body } = await site().owner.get(`/api/spaces/${world.space.id}/refs`)
  return body.items.find((ref: { title: string }) => ref.title === title)
}

test('the search: asked, walked, opened', async () => {
  const { page, hand } = await open('/search?space=all')

  await hand.tabTo('#search-field')
  await hand.type('rapeseed')
  await page.waitForSelector('.result')
  await hand.press('ArrowDown', 'Enter')
  await page.waitForURL('**/pages/**')

  await hand.expectSomewhere()
})

test('the Inbox: walked, approved, rejected with a reason', async () => {
  const first = await draftTask('Air the flags')
  const second = await draftTask('Count the blankets')
  const { page, hand } = await open('/inbox')

  await hand.tabTo(/Count the blankets|Air the flags|Oil the gears/)
  while (!(await focusedText(page)).includes('Air the flags')) await hand.press('j')
  await page.waitForSelector(`#inbox-${first}`)
  await hand.press('a')
  await expect.poll(async () => await statusOf(first)).toBe('approved')
  await hand.expectSomewhere()
  await page.waitForSelector(`#item-${first}`, { state: 'detached' })
  await hand.expectSomewhere()
  await hand.tabTo(/Count the blankets/)
  // A line that Tab came to is not open yet; k opens what it rests on, and the newest draft is on top.
  await expect
    .poll(
      async () => {
        if (await page.isVisible(`#inbox-${second}`)) return true
        await hand.press('k')
        return false
      },
      { interval: 400 },
    )
    .toBe(true)
  await page.waitForSelector(`#inbox-${second}`)
  await hand.press('r')
  await hand.type('They were counted')
  await hand.press('Control+Enter')
  await expect.poll(async () => await statusOf(second)).toBe('rejected')

  await hand.expectSomewhere()
})

const statusOf = async (id: string): Promise<string> =>
  (await site().owner.get(`/api/pending-changes/${id}`)).body.status

test('settings: an agent added, its token made, copied and revoked', async () => {
  const { page, hand } = await open('/settings/agents')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

  await hand.tabTo('#agent-name')
  await hand.type('Night watch')
  await hand.press('Enter')
  await page.waitForSelector('.thing >> text=Night watch')
  await hand.expectSomewhere()
  await hand.tabTo('New token For one program or computer Create… for Night watch', { back: true })
  await hand.press('Enter')
  await hand.tabTo('Name')
  await hand.type('Lantern')
  await hand.press('Enter')
  await hand.expectAt('Copy: Token')
  const token = await page.inputValue('#new-token')
  await hand.press('Enter')
  await page.waitForSelector('dialog >> text=Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await hand.pressOn('Done')
  await page.waitForSelector('.thing >> text=Lantern')
  await hand.expectSomewhere()
  await hand.tabTo('Revoke Lantern', { back: true })
  await hand.press('Enter')
  await hand.press('Enter')
  await page.waitForSelector('.thing >> text=revoked')
  await hand.expectSomewhere()

  expect((await site().as(token).get(`/api/pages/${world.lamp.id}`)).status).toBe(401)
})

test('settings: files chosen and imported, the connection tested, the theme chosen', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'void-e2e-')), 'Gannet.md')
  await writeFile(file, 'The Gannet is a ketch.')
  const { page, hand } = await open('/settings')

  await hand.pressOn('Import')
  await page.waitForURL('**/settings/import')
  await hand.tabTo('#import-files')
  const choosers: FileChooser[] = []
  page.on('filechooser', (chooser) => choosers.push(chooser))
  // The section may be drawn anew between the focus and the key.
  await expect
    .poll(
      async () => {
        if (choosers.length === 0) await page.press('#import-files', 'Space')
        return choosers.length
      },
      { interval: 1000 },
    )
    .toBeGreaterThan(0)
  await choosers[0]!.setFiles(file)
  await page.waitForSelector('.import-job[data-phase=done]')
  await hand.expectSomewhere()
  await hand.pressOn('Model', { back: true })
  await hand.tabTo('#test-connection')
  await hand.press('Enter')
  await page.waitForSelector('.test-result')
  await hand.expectSomewhere()
  await hand.pressOn('Appearance', { back: true })
  await page.waitForURL('**/settings/appearance')
  await hand.tabTo(/System|Dark|Light/)
  await hand.press('ArrowDown')

  expect(await page.getAttribute('html', 'data-theme')).not.toBe(null)
})

test('the activity is filtered and left for the thing itself', async () => {
  const { page, hand } = await open('/activity')

  await hand.tabTo(/Kind|Space/)
  await hand.press('Enter')
  await page.waitForSelector('.menu:popover-open [role=menuitemradio]')
  await hand.press('ArrowDown')
  await hand.press('Enter')
  await page.waitForURL(/activity\?/)
  await hand.expectSomewhere()
})

test('the trash gives a page back', async () => {
  const { page, hand } = await open(`${home}/trash`)

  await hand.pressOn('Restore Old rota')
  await page.waitForSelector('.toast >> text=Restored')
  await hand.expectSomewhere()
  await hand.press('Alt+u')

  await page.waitForSelector('h1 >> text=Old rota')
})

test('Spaces: made, renamed, deleted and taken back', async () => {
  const { page, hand } = await open('/spaces')

  await hand.tabTo('#new-space')
  await hand.type('Boat house')
  await hand.press('Enter')
  await page.waitForURL('**/s/boat-house')
  await hand.expectSomewhere()
  await page.goto('/spaces')
  await whenReady(page)
  await hand.pressOn('Edit Boat house')
  await hand.expectAt('#space-name')
  await hand.press('End')
  await hand.type(' and slip')
  await hand.press('Enter')
  await page.waitForSelector('.row-title >> text=Boat house and slip')
  await hand.expectSomewhere()
  await hand.tabTo('Delete Boat house and slip')
  await hand.press('Enter')
  await page.waitForSelector('.toast >> text=Moved the Space')
  await hand.expectSomewhere()
  await hand.press('Alt+u')
  await page.waitForSelector('.row-title >> text=Boat house and slip')

  await hand.expectSomewhere()
})

test('the companion: asked, its source opened, a draft approved, threads, closed and opened', async () => {
  const { page, hand } = await open(`${home}?companion=1`)

  await hand.press('c')
  await hand.expectAt('Message to the companion')
  await hand.type('What does the lamp burn?')
  await hand.press('Enter')
  await page.waitForSelector('.turn >> nth=-1 >> .cite')
  await page.waitForSelector('.send:not(.send-stop):visible')
  await hand.expectAt('Message to the companion')
  await hand.tabTo(/^Source 1/, { back: true })
  await page.waitForSelector('.citation-words:visible')
  await hand.press('Enter')
  await page.waitForURL(/cite=/)
  await hand.expectSomewhere()
  await hand.press('c')
  await hand.type('Create a task to sweep the stairs')
  await hand.press('Enter')
  await page.waitForSelector('#rail .card[data-status=pending]')
  await page.waitForSelector('.send:not(.send-stop):visible')
  await hand.tabTo('Approve', { back: true })
  await hand.press('Enter')
  await page.waitForSelector('#rail .card[data-status=approved]')
  await hand.expectSomewhere()
  await hand.tabTo('New thread', { back: true })
  await hand.press('Enter')
  await page.waitForSelector('.thread-empty:visible')
  await hand.expectSomewhere()
  await hand.tabTo(/^Untitled thread/, { back: true })
  await hand.press('Enter')
  await page.waitForSelector('.thread-item')
  await hand.tabTo(/lamp/i)
  await hand.press('Enter')
  await page.waitForSelector('.turn')
  await hand.expectSomewhere()
  await hand.tabTo('Hide companion')
  await hand.press('Enter')
  await hand.expectAt('Show companion')
  await hand.press('Enter')

  await hand.expectAt('Message to the companion')
})

test('a phone: its bar opens the navigation and the companion, and Escape closes them again', async () => {
  const { page, hand } = await open(`${home}?companion=1`, { viewport: { width: 390, height: 844 } })

  await hand.tabTo('Companion')
  await hand.press('Enter')
  await hand.expectAt('Message to the companion')
  await hand.press('Escape')
  await hand.expectAt('Companion')
  await hand.tabTo('Skerry Light', { back: true })
  await hand.press('Enter')
  await hand.expectSomewhere()
  await hand.pressOn('Tasks')
  await page.waitForURL('**/tasks')
  await page.waitForSelector('.nav', { state: 'hidden' })
  await hand.expectSomewhere()
  await hand.tabTo('Search')
  await hand.press('Enter')
  await page.waitForURL('**/search**')

  await hand.expectSomewhere()
})
