import { beforeAll, expect, test } from 'vitest'
import { createDrills } from '../../lib/attention/drills.ts'
import { createLedger } from '../../lib/changes/ledger.ts'
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

const attention = async () => (await site().owner.get('/api/attention')).body
const draftTask = async (title: string) =>
  (await scribe.post(`/api/spaces/${world.space.id}/tasks`).send({ title })).body

/** The drill that is due after a while, as the running server would put it there. */
async function comeDrill() {
  const drills = createDrills({
    database: site().deps.database,
    ledger: createLedger({ onChange: () => {} }),
    now: () => new Date(Date.now() + 60 * 24 * 60 * 60 * 1000),
    random: () => 0,
  })
  const drill = await drills.runDue()
  if (!drill) throw new Error('no drill was due')
  return drill
}

test('time to decide runs from when the card is in view', async () => {
  const draft = await draftTask('Oil the hinges')
  const page = await site().open(`/inbox/${draft.id}`)
  const shown = () =>
    site().deps.database.query('select from shown_changes where pending_change_id = $1', [draft.id])

  await expect.poll(async () => (await shown()).rows.length).toBe(1)
  await page.click('.inbox-detail [data-action=approve]')
  await page.waitForSelector('.toast >> text=Approved')

  expect((await attention()).all).toMatchObject({ approved: 1, unseen: 0 })
})

test('the settings show how one decides, with a gentle notice after thirty hasty approvals', async () => {
  for (let n = 0; n < 30; n += 1) {
    const { id } = await draftTask(`Task ${n}`)
    await site().owner.post(`/api/pending-changes/${id}/approve`).send({})
  }
  const page = await site().open('/settings/approvals')

  await page.waitForSelector('.notice >> text=of your last 30 drafts')
  expect(await page.locator('.figures').innerText()).toMatch(/Approved\s+30 \(100 %\)/)
  await expectAccessible(page)
})

test('drills are asked for, come among the others, and are told of at once when approved', async () => {
  const settings = await site().open('/settings/approvals')
  expect(await settings.isChecked('#drills')).toBe(false)
  await settings.check('#drills')
  await expect.poll(async () => (await attention()).drills.on).toBe(true)

  const drill = await comeDrill()
  const page = await site().open(`/inbox/${drill.id}`, { expectErrors: /409/ })
  expect(await page.locator('.inbox-detail').innerText()).not.toMatch(/drill/i)
  await page.click('.inbox-detail [data-action=approve]')
  await page.waitForSelector('.card-notice >> text=You approved a practice draft')
  await expectAccessible(page)
  expect((await site().owner.get(`/api/pages/${drill.entity_id}`)).body.deleted_at).toBeNull()

  await settings.reload()
  await settings.waitForSelector('.row-item >> text=approved')
  await settings.uncheck('#drills')
  await expect.poll(async () => (await attention()).drills.on).toBe(false)
})

test('one that was rejected says that it was seen', async () => {
  await site().owner.patch('/api/attention').send({ drills: true })
  const drill = await comeDrill()
  const page = await site().open(`/inbox/${drill.id}`)

  await page.click('.inbox-detail [data-action=reject]')
  await page.click('text=Reject draft')
  await page.waitForFunction((id) => !document.querySelector(`#item-${id}`), drill.id)
  await page.goto(`/inbox/${drill.id}?tab=decided`)

  await expect(page.locator('.card-drill >> text=You caught a practice draft')).toBeVisible()
})
