import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
beforeAll(async () => {
  world = await makeWorld(site())
})

const routines = async () => (await site().owner.get(`/api/spaces/${world.space.id}/routines`)).body.items
const shoot = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS
  if (folder) mkdirSync(folder, { recursive: true })
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('a routine is created, switched off, edited and deleted', async () => {
  const page = await site().open('/settings/routines')
  await page.click('#routine-new > summary')
  await page.selectOption('#routine-new-space', world.space.id)
  await page.fill('#routine-new-name', 'Weekly review')
  await page.fill('#routine-new-instruction', 'List open tasks without a date.')
  await page.selectOption('#routine-new-when', 'weekly')
  await page.selectOption('#routine-new-day', 'FR')
  await page.fill('#routine-new-time', '17:00')
  await page.click('text=Create routine')
  await page.waitForSelector('h3 >> text=Weekly review')
  const [made] = await routines()
  await expectAccessible(page)
  await shoot(page, 'routines')

  expect(made).toMatchObject({
    enabled: true,
    when: { schedule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0' },
  })
  await page.waitForSelector('text=Every Friday at 17:00')
  await page.click(`#toggle-${made.id}`)
  await expect.poll(async () => (await routines())[0].enabled).toBe(false)
  await page.click(`#edit-${made.id} > summary`)
  await page.fill(`#routine-${made.id}-time`, '')
  await page.fill(`#routine-${made.id}-time`, '18:30')
  await page.click(`#edit-${made.id} >> text=Save`)
  await page.waitForSelector('text=Every Friday at 18:30')
})

test('a schedule that never comes says so in the form, which keeps what was typed', async () => {
  const page = await site().open('/settings/routines', { expectErrors: /400/ })
  await page.click('#routine-new > summary')
  await page.fill('#routine-new-name', 'Never')
  await page.fill('#routine-new-instruction', 'x')
  await page.selectOption('#routine-new-when', 'rule')
  await page.fill('#routine-new-rule', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=8')
  await page.click('text=Create routine')

  await expect.poll(() => page.locator('#routine-new [role=alert]').innerText()).toMatch(/\w/)
  expect(await page.inputValue('#routine-new-name')).toBe('Never')
})

test('Tidy is switched on and run, without a model', async () => {
  const page = await site().open('/settings/routines', { colorScheme: 'dark' })
  await page.click('#edit-tidy > summary')
  await page.selectOption('#routine-tidy-space', world.space.id)
  await page.click('#edit-tidy >> text=Switch on')
  await expect
    .poll(async () => (await routines()).some(({ ready }: { ready: string }) => ready === 'tidy'))
    .toBe(true)
  const { id } = (await routines()).find(({ ready }: { ready: string }) => ready === 'tidy')
  await page.click(`#run-${id}`)
  await page.waitForSelector('text=Ran once in the last 7 days')
  await page.click(`#runs-${id} > summary`)
  await page.waitForSelector(`#runs-${id} td >> text=Nothing to do`)
  await shoot(page, 'routines-dark')
})

test('a ready-made routine is edited and switched on, tried, run, looked back on, and edited again', async () => {
  const { owner } = site()
  const at = `/api/spaces/${world.other.id}`
  for (const title of ['Tide table', 'Tide table'])
    await owner.post(`${at}/pages`).send({ title, body: 'High water at six and again at half past six.' })
  const tidy = async () => (await owner.get(`${at}/routines`)).body.items[0]
  const drafts = async () =>
    (await owner.get(`/api/pending-changes?space_id=${world.other.id}&status=pending`)).body.items
  const page = await site().open('/settings/routines')
  await page.click('#edit-tidy > summary')
  await page.selectOption('#routine-tidy-space', world.other.id)
  await page.fill('#routine-tidy-instruction', '- Pages with the same text')
  await page.click('#edit-tidy >> text=Switch on')
  await expect.poll(tidy).toMatchObject({ enabled: true, instruction: '- Pages with the same text' })
  const { id } = await tidy()

  await page.click(`#dry-${id}`)
  await expect
    .poll(async () => (await owner.get(`/api/routines/${id}/runs`)).body.items[0]?.status)
    .toBe('done')
  await page.click(`#runs-${id} > summary`)
  await page.waitForSelector(`#runs-${id} td >> text=Done (dry run)`, { timeout: 5000 })
  expect(await drafts()).toEqual([])

  await page.click(`#run-${id}`)
  await page.waitForSelector(`#runs-${id} td >> text=1 pending`, { timeout: 8000 })
  expect(await drafts()).toMatchObject([{ action: 'delete' }])
  await expectAccessible(page)
  await shoot(page, 'routines-history')

  await page.click(`#edit-${id} > summary`)
  await page.fill(`#routine-${id}-instruction`, '- Broken links')
  await page.click(`#edit-${id} >> text=Save`)
  await expect.poll(tidy).toMatchObject({ instruction: '- Broken links' })
})

test('of more routines than are listed, the newest are, and it says so', async () => {
  const { owner, deps } = site()
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Crowded' }).expect(201)
  const routine = { name: 'Look', instruction: 'Look.', when: { event: 'import' }, enabled: false }
  const { body: first } = await owner.post(`/api/spaces/${space.id}/routines`).send(routine).expect(201)
  const { fields } = await deps.database.query('select * from routines limit 0')
  const names = fields.map(({ name }) => name)
  const values = names.map((name) => (name === 'id' ? 'gen_random_uuid()' : name))
  await deps.database.query(
    `insert into routines (${names.join(', ')})
     select ${values.join(', ')} from routines, generate_series(1, 200) where id = $1`,
    [first.id],
  )
  const page = await site().open('/settings/routines')

  await page.waitForSelector('text=The newest 200 routines of Crowded.')
  expect(await page.getByRole('heading', { name: 'Look', exact: true }).count()).toBe(200)
})
