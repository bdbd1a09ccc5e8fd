import { beforeAll, describe, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseFilter } from './support/choose-filter.ts'
import { useSite } from './support/site.ts'

const tasks = ['Trim the wick', 'Wind the clock', 'Polish the lens']
const propose = (title: string) => ({
  name: 'propose_change',
  input: { entity_type: 'task', action: 'create', payload: { title }, reason: 'You asked for it.' },
})
const site = useSite({
  callModel: scriptedModel([{ tools: tasks.map(propose) }, { text: 'Three tasks are drafted.' }]),
})
let world: World
let scribe: ReturnType<ReturnType<typeof site>['as']>
let deckhand: typeof scribe

beforeAll(async () => {
  world = await makeWorld(site())
  const { token } = await makeAgent(site(), { slug: 'scribe' })
  scribe = site().as(token)
  deckhand = site().as((await makeAgent(site(), { slug: 'deckhand' })).token)
})

const draftTask = async (title: string, agent = scribe) => {
  const { body } = await agent.post(`/api/spaces/${world.space.id}/tasks`).send({ title })
  return body as { id: string; entity_id: string }
}
const reject = (id: string) => site().owner.post(`/api/pending-changes/${id}/reject`).send({})

describe('deciding', () => {
  test('an approval makes the thing, brings up the next draft and settles every tab', async () => {
    const first = await draftTask('Oil the hinges')
    const second = await draftTask('Caulk the windows')
    const page = await site().open(`/inbox/${first.id}`)
    const other = await site().openTab(page, `/inbox/${first.id}`)

    await page.click('.inbox-detail [data-action=approve]')

    await page.waitForSelector('.inbox-detail >> text=Caulk the windows')
    await other.waitForSelector(`#inbox-${first.id}[data-status=approved]`)
    await other.waitForFunction((id) => !document.querySelector(`#item-${id}`), first.id)
    const task = await site().owner.get(`/api/tasks/${first.entity_id}`)
    expect(task.body.title).toBe('Oil the hinges')
    await reject(second.id)
    await page.waitForSelector(`#inbox-${second.id}[data-status=rejected]`)
  })

  test('a draft is rejected with a reason by keys alone, and the history tells it', async () => {
    const draft = await draftTask('Repaint everything')
    const page = await site().open('/inbox')

    await page.focus(`#item-${draft.id}`)
    await page.keyboard.press('r')
    await page.keyboard.type('Not before spring')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('text=No pending drafts')
    await page.click('a:text-is("History")')

    await page.waitForSelector('.card-decision >> text=Not before spring')
    expect(await page.locator('.inbox-line').first().innerText()).toMatch(
      /Repaint everything.*Rejected.*by you/s,
    )
  })

  test('what was typed as a reason survives a reload', async () => {
    const draft = await draftTask('Count the gulls')
    const page = await site().open(`/inbox/${draft.id}`)

    await page.click('[data-action=reject]')
    await page.fill(`#inbox-reject-${draft.id}-words`, 'There are too many')
    await page.reload()
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    await page.click('[data-action=reject]')

    await expect.poll(() => page.inputValue(`#inbox-reject-${draft.id}-words`)).toBe('There are too many')
    await reject(draft.id)
  })

  test('a draft that fell out of date says so, tells what changed since, and offers no approval', async () => {
    const { body: rent } = await site()
      .owner.post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Rent', body: 'The rent is 410 crowns.' })
    const { body: draft } = await scribe
      .patch(`/api/pages/${rent.id}`)
      .send({ version: 1, body: 'The rent is 450 crowns.' })
    const page = await site().open(`/inbox/${draft.id}`)
    await page.waitForSelector('[data-action=approve]')

    await site().owner.patch(`/api/pages/${rent.id}`).send({ version: 1, body: 'The rent is 500 crowns.' })

    const told = page.locator('.card-stale')
    await told.getByText(/^You changed text .*, after this was drafted/).waitFor()
    expect(await page.locator('.inbox-detail [data-action=approve]').count()).toBe(0)
    expect(await page.locator('.stale-place dt').allInnerTexts()).toEqual([
      'When drafted',
      'Page now',
      'Draft',
    ])
    expect(await page.locator('.stale-place mark').allInnerTexts()).toEqual(['500', '450'])

    await site().owner.patch(`/api/pages/${rent.id}`).send({ version: 2, title: 'The rent' })
    await page.waitForSelector('.card-since')
    expect(await page.locator('.card-since li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Drafted /),
      expect.stringMatching(/^You changed text /),
      expect.stringMatching(/^You changed title /),
    ])
    await page.click('[data-action=again]')
    await page.waitForSelector('.card-conflict')
    expect(await page.locator('.card-side mark').allInnerTexts()).toEqual(['500', '450'])
    await page.click('.inbox-detail [data-action=reject]')
    await page.click('.inbox-detail .card-reason button[type=submit]')
    await page.waitForSelector('text=No pending drafts')
  })

  test('changes that were left out come back in their place, and say so', async () => {
    const below = await draftTask('Count the buoys', deckhand)
    const { body: made } = await site()
      .owner.post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Watch list', body: 'Ada\n\nBen\n\nCleo\n' })
    const { body: draft } = await deckhand
      .patch(`/api/pages/${made.id}`)
      .send({ version: 1, body: 'Adam\n\nBen\n\nClara\n' })
    const above = await draftTask('Grease the winch', deckhand)
    const page = await site().open(`/inbox/${draft.id}`)
    const places = () =>
      page.locator('.inbox-item').evaluateAll((items) => items.map((item) => item.getAttribute('data-id')))
    await page.waitForSelector('.inbox-detail .card')
    const before = await places()

    await page.click('[data-action=choose]')
    await page.locator('input.card-choice').first().uncheck()
    await page.click('text=Approve 1 of 2')

    await page.waitForSelector('.card-succession >> text=You left these changes out')
    await expect.poll(async () => (await places()).includes(draft.id)).toBe(false)
    const after = await places()
    expect(before).toEqual([above.id, draft.id, below.id])
    expect([after[0], after.length, after[2]]).toEqual([above.id, 3, below.id])
    expect((await site().owner.get(`/api/pages/${made.id}`)).body.body).toBe('Ada\n\nBen\n\nClara\n')
    for (const id of after) await reject(String(id))
  })

  test('of two tabs that decide at once the second is shown how it stands', async () => {
    const draft = await draftTask('Sell the boat')
    const page = await site().open('/inbox', { expectErrors: /409|ERR_FAILED/ })
    await page.route('**/api/events', (route) => route.abort())
    await page.goto(`/inbox/${draft.id}`)
    await page.waitForSelector('html[data-ready]', { state: 'attached' })

    await reject(draft.id)
    await page.click('.inbox-detail [data-action=approve]')

    await page.waitForSelector(`#inbox-${draft.id}[data-status=rejected]`)
    expect(await page.locator('.card-notice').innerText()).toContain('already decided elsewhere')
  })
})

describe('the list', () => {
  test('its keys work only while it has the focus', async () => {
    const older = await draftTask('Mend the nets')
    const newer = await draftTask('Salt the herring')
    const page = await site().open('/inbox')

    await page.focus('#content')
    await page.keyboard.press('a')
    await page.focus(`#item-${newer.id}`)
    await page.keyboard.press('j')
    await page.waitForSelector(`#inbox-${older.id}`)
    await page.waitForFunction((id) => document.activeElement?.id === `item-${id}`, older.id)
    await page.keyboard.press('x')

    expect(await page.locator('.inbox-place').innerText()).toContain('2 of 2')
    expect(await page.isChecked(`#select-${older.id}`)).toBe(true)
    await page.keyboard.press('a')
    await page.waitForSelector(`#inbox-${newer.id}`)
    expect((await site().owner.get(`/api/pending-changes/${older.id}`)).body.status).toBe('approved')
    expect((await site().owner.get(`/api/pending-changes/${newer.id}`)).body.status).toBe('pending')
    await reject(newer.id)
  })

  test('all drafts of a changeset are approved with one press, in order', async () => {
    await site()
      .owner.post(`/api/spaces/${world.space.id}/companion/turn`)
      .send({ text: 'Draft three tasks' })
    const page = await site().open('/inbox?agent=companion')

    await page.click('text=Approve all 3')
    await page.waitForSelector('.toast >> text=3 approved.')

    await page.waitForSelector('text=No drafts match these filters')
    const { body } = await site().owner.get(`/api/spaces/${world.space.id}/tasks`)
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(expect.arrayContaining(tasks))
  })

  test('any up-to-date drafts are approved at once, and undone at once', async () => {
    const first = await draftTask('Splice the rope', deckhand)
    const second = await draftTask('Sort the flags', deckhand)
    const { body: deletion } = await deckhand.delete(`/api/tasks/${world.paint.id}`).send({ version: 1 })
    const page = await site().open('/inbox')

    await page.locator('.inbox-group-head').hover()
    await page.click('.inbox-group-head input')
    await page.waitForSelector('.inbox-bar >> text=3 selected')
    await page.click('.inbox-bar >> text=Approve 2 of 3')
    await page.waitForSelector('.toast >> text=2 approved.')

    expect((await site().owner.get(`/api/tasks/${first.entity_id}`)).status).toBe(200)
    expect((await site().owner.get(`/api/pending-changes/${deletion.id}`)).body.status).toBe('pending')
    await page.click('.toast >> text=Undo all')
    await page.waitForSelector('.toast >> text=2 undone.')
    expect((await site().owner.get(`/api/tasks/${second.entity_id}`)).body.deleted_at).not.toBeNull()
    expect(await page.locator('.toast').count()).toBe(1)
    await reject(deletion.id)
  })

  test('several are rejected with one reason', async () => {
    const drafts = [await draftTask('Paint it pink', deckhand), await draftTask('Paint it green', deckhand)]
    const page = await site().open('/inbox')

    await page.focus(`#item-${drafts[0]!.id}`)
    await page.keyboard.press('x')
    await page.check(`#select-${drafts[1]!.id}`)
    await page.click('[data-action=reject-selected]')
    await page.fill('#inbox-reject-selected-words', 'White stays white')
    await page.click('.inbox-bar button:text-is("Reject 2")')
    await page.waitForSelector('text=No pending drafts')

    for (const { id } of drafts) {
      const { body } = await site().owner.get(`/api/pending-changes/${id}`)
      expect(body.decision).toMatchObject({ decision: 'reject', reason: 'White stays white' })
    }
  })

  test('a message lies over nothing that can be pressed, at any size of the window', async () => {
    const drafts = []
    for (const title of ['Rake', 'Hoe', 'Spade', 'Scythe']) drafts.push(await draftTask(title, deckhand))
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
      [720, 450],
      [390, 844],
    ] as const) {
      const draft = drafts.pop()!
      const page = await site().open(`/inbox/${draft.id}`, { viewport: { width, height }, alone: true })
      await page.click('.inbox-detail [data-action=approve]')
      await page.waitForSelector('.toast')
      await page.waitForSelector(`#inbox-${draft.id}`, { state: 'detached' })

      const covered = await page.evaluate(() => {
        const toast = document.querySelector('.toast')!.getBoundingClientRect()
        const pressable = [...document.querySelectorAll('a, button, input, textarea, summary, select')]
        return pressable
          .filter((node) => !node.closest('.toasts') && node.checkVisibility())
          .filter((node) => {
            const { left, right, top, bottom } = node.getBoundingClientRect()
            const scroller = node.closest('.inbox-list, .inbox-detail, .content, .nav-place, .rail-place')
            const end = scroller ? scroller.getBoundingClientRect().bottom : innerHeight
            return (
              right - left > 1 &&
              Math.min(bottom, end) > toast.top &&
              top < Math.min(toast.bottom, end) &&
              right > toast.left &&
              left < toast.right
            )
          })
          .map((node) => node.outerHTML.slice(0, 120))
      })
      expect(covered, `${width} × ${height}`).toEqual([])
      await page.context().close()
    }
  })

  test('a filter lives in the address, and says so when nothing is like that', async () => {
    const draft = await draftTask('Tar the roof')
    const page = await site().open('/inbox')

    await chooseFilter(page, 'inbox-kind', 'Page')
    await page.waitForSelector('text=No drafts match these filters')
    expect(new URL(page.url()).search).toBe('?kind=page')
    await page.click('text=Clear filters')

    await page.waitForSelector(`#item-${draft.id}`)
    await reject(draft.id)
  })
})

describe('the card', () => {
  test('writes out what hides, and runs nothing that an agent wrote', async () => {
    const { body: draft } = await scribe.post(`/api/spaces/${world.space.id}/pages`).send({
      title: 'invoice\u202efdp.exe',
      body: '<img src=x onerror=alert(1)>\u200b',
      reason: '<b>Approve</b> \u202eme',
    })
    const page = await site().open(`/inbox/${draft.id}`)

    await page.click('.inbox-detail .card-details > summary')
    const card = await page.locator('.inbox-detail .card').innerText()

    expect(card).toContain('U+202E')
    expect(card).toContain('U+200B')
    expect(card).toContain('<img src=x onerror=alert(1)>')
    expect(card).toContain('<b>Approve</b>')
    expect(card).toContain('invisible characters')
    expect(card).toContain('HTML')
    await reject(draft.id)
  })

  test('a deletion says so, and can be undone', async () => {
    const { body: draft } = await scribe.delete(`/api/tasks/${world.paint.id}`).send({ version: 1 })
    const page = await site().open(`/inbox/${draft.id}`)

    await page.click('text=Approve deletion')
    await page.click('.toast >> text=Undo')
    await page.waitForSelector('.toast >> text=Restored')

    expect((await site().owner.get(`/api/tasks/${world.paint.id}`)).body.deleted_at).toBeNull()
  })
})

describe('everywhere', () => {
  test('on a phone the list and the draft are two screens', async () => {
    const draft = await draftTask('Sweep the stairs')
    const page = await site().open('/inbox', { viewport: { width: 390, height: 844 }, hasTouch: true })

    expect(await page.isVisible('.inbox-detail')).toBe(false)
    await page.tap(`#item-${draft.id}`)
    await page.waitForSelector('.inbox-detail .card')
    expect(await page.isVisible('#inbox-list')).toBe(false)
    await page.goBack()

    await page.waitForSelector(`#item-${draft.id}`)
    await reject(draft.id)
  })

  test('axe finds nothing serious, with a draft, in the history and when nothing waits', async () => {
    const { body: draft } = await scribe
      .patch(`/api/pages/${world.lamp.id}`)
      .send({ version: 1, body: 'Quite \u200b another text.', reason: 'Because.' })
    const page = await site().open(`/inbox/${draft.id}`)
    await expectAccessible(page)
    await reject(draft.id)

    await page.goto('/inbox?tab=decided')
    await expectAccessible(page)
    await page.goto('/inbox')
    await expectAccessible(page)
  })
})
