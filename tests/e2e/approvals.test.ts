import { beforeAll, expect, test } from 'vitest'
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
