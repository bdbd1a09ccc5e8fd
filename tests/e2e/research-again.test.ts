// Research whose sources change afterwards, in the browser: the answer says so, and a repeated run what became of it.

import { beforeAll, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { createStageModel } from '../companion/research/research-client.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const model = createStageModel()
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const site = useSite({ callModel, namingQuietMs: 3_600_000 })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('an answer says that its sources changed, and a repeated run what became of its claims', async () => {
  const { owner } = site()
  const home = `/s/${world.space.slug}`
  const page = await site().open(`${home}?companion=1`)
  const rail = page.locator('#rail')
  const main = page.getByRole('main')
  await page.selectOption('#research', 'quick')
  await page.fill('#composer', 'How often does the lamp turn?')
  await page.press('#composer', 'Enter')
  await rail.getByRole('button', { name: 'Continue' }).click()
  await rail.locator('.turn').last().locator('.card').getByRole('button', { name: 'Approve' }).click()
  const find = async (title: string) =>
    (await owner.get(`/api/spaces/${world.space.id}/pages`)).body.items.find(
      (one: { title: string }) => one.title === title,
    )
  const title = 'Research: How often does the lamp turn?'
  await expect.poll(() => find(title)).toBeTruthy()

  const lamp = (await owner.get(`/api/pages/${world.lamp.id}`)).body
  const body = lamp.body.replace('twelve seconds', 'thirty seconds')
  await owner.patch(`/api/pages/${lamp.id}`).send({ version: lamp.version, body }).expect(200)
  await page.goto(`${home}/pages/${(await find(title)).id}`)
  const line = main.locator('.research-stale')
  await expect.poll(() => line.textContent()).toContain('1 of 2 cited passages have changed since.')
  await expect.poll(() => rail.locator('.turn').last().locator('.research-stale').count()).toBe(1)
  await expectAccessible(page)
  await line.getByRole('link').click()
  await main.locator('.research-stale').waitFor()
  await main.getByRole('button', { name: 'Run again' }).click()
  await rail.locator('.turn').last().locator('.card').waitFor()

  await page.goto(`${home}/research`)
  await main.getByRole('link', { name: 'How often does the lamp turn?' }).first().click()
  await main.getByRole('heading', { name: 'Since the previous run' }).waitFor()
  const changes = main.locator('.research-table tbody tr')
  await expect.poll(() => changes.first().textContent()).toContain('contradicted')
  await expectAccessible(page)
  await main.getByText('Passages that differ').click()
  await expect.poll(() => main.locator('#changed-passages').textContent()).toContain('The lamp changed')
})
