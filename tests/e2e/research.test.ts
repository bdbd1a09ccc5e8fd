// A whole standard run in the browser: the plan is edited, an answer is repaired, the page is approved.

import { beforeAll, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { claimsOf, createStageModel, lampAnswer, numberOf } from '../companion/research/research-client.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const wrong = claimsOf({ text: 'The lamp was bought by the Queen of Denmark.', cites: ['1'] })
const model = createStageModel({
  write: (request, round) => {
    if (round === 1) return wrong
    return typeof lampAnswer === 'function' ? lampAnswer(request, round) : lampAnswer
  },
})
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
// Of no use to the router, after which the rules decide.
const smallModel = scriptedModel(Array(9).fill({ text: '{"message":"something_else","confidence":0.9}' }))
const site = useSite({ callModel, smallModel, namingQuietMs: 3_600_000 })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('research is planned, edited, repaired, and its page approved', async () => {
  const home = `/s/${world.space.slug}`
  const page = await site().open(`${home}?companion=1`)
  const rail = page.locator('#rail')

  await page.selectOption('#research', 'standard')
  await page.fill('#composer', 'How does the lamp work?')
  await page.press('#composer', 'Enter')
  const edit = rail.getByRole('button', { name: 'Edit', exact: true })
  await edit.waitFor()
  expect(await rail.textContent()).not.toContain('/research')
  await expectAccessible(page)
  const plan = rail.getByLabel('Sub-questions, one per line')
  expect(await plan.isVisible()).toBe(false)
  await edit.click()
  await plan.fill('How often does the lamp turn?\nHow much oil does the tank hold?')
  await rail.getByRole('button', { name: 'Continue' }).click()

  const card = rail.locator('.card')
  await card.waitFor()
  const line = rail.locator('.turn').last().locator('.research-stages summary')
  await expect.poll(() => line.textContent()).toContain('2 claims: 2 quoted')
  // What stands in the passages word for word, as in the second answer, needs no judge.
  expect(model.calls).toEqual(['plan', 'calibrate', 'write', 'judge', 'write'])
  await line.click()
  await expect.poll(() => rail.locator('.research-substeps').count()).toBeGreaterThan(0)
  await expect.poll(() => rail.locator('.turn').last().locator('.cite').count()).toBe(2)
  await expect.poll(() => plan.count()).toBe(0)
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Approve' }).click()

  const findPage = async () =>
    (await site().owner.get(`/api/spaces/${world.space.id}/pages`)).body.items.find(
      ({ title }: { title: string }) => title === 'Research: How does the lamp work?',
    )
  await expect.poll(findPage).toBeTruthy()
  await page.goto(`${home}/pages/${(await findPage()).id}`)
  await whenReady(page)
  await page.getByRole('heading', { name: 'Verdicts' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'The lamp' }).first().click()
  await page.waitForURL(`**/pages/${world.lamp.id}#passage-*`)
})

test('runs are listed under Research, renamed, archived, and resumed', async () => {
  const home = `/s/${world.space.slug}`
  const page = await site().open(`${home}?companion=1`)
  await page.selectOption('#research', 'quick')
  await page.fill('#composer', 'What does the lamp burn?')
  await page.press('#composer', 'Enter')
  await page.locator('#rail').getByRole('button', { name: 'Cancel' }).click()
  await page.locator('#rail').getByRole('button', { name: 'Resume research' }).waitFor({ timeout: 20_000 })
  await page.locator('#rail .research-stages summary').filter({ hasText: 'Plan stopped' }).waitFor()

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Research', exact: true })
    .click()
  const main = page.getByRole('main')
  await expect.poll(() => main.locator('.row-item .badge').allTextContents()).toEqual(['stopped', 'checked'])
  await expectAccessible(page)
  await main.getByRole('link', { name: 'What does the lamp burn?' }).click()
  await main.getByRole('button', { name: 'Resume research' }).waitFor()
  await expectAccessible(page)
  await main.getByLabel('Title').fill('The oil of the lamp')
  await page.keyboard.press('Enter')
  await main.getByRole('heading', { name: 'The oil of the lamp' }).waitFor()
  await main.getByRole('button', { name: 'Resume research' }).click()
  await expect.poll(() => main.locator('.research-head .badge').textContent()).toBe('checked')
  await expect.poll(() => main.getByRole('heading', { level: 1 }).textContent()).toBe('The oil of the lamp')
  await main.getByLabel('Add label').fill('lease')
  await page.keyboard.press('Enter')
  await main.getByRole('link', { name: 'Research labeled lease' }).waitFor()
  await expectAccessible(page)
  await main.getByRole('link', { name: 'Research labeled lease' }).click()
  await expect.poll(() => main.locator('.row-title').allTextContents()).toEqual(['The oil of the lamp'])
  await expectAccessible(page)
  await main.getByRole('link', { name: 'The oil of the lamp' }).click()
  await main.getByRole('button', { name: 'Remove label lease' }).click()
  await expect.poll(() => main.locator('.research-label').count()).toBe(0)
  await main.getByRole('button', { name: 'Archive' }).click()
  await main.getByRole('button', { name: 'Unarchive' }).waitFor()
})

test('a message about something else leaves research only once that is confirmed', async () => {
  const page = await site().open(`/s/${world.space.slug}?companion=1`)
  const rail = page.locator('#rail')
  const say = async (text: string) => {
    await page.fill('#composer', text)
    await page.press('#composer', 'Enter')
  }
  await page.selectOption('#research', 'quick')
  await say('What does the lamp burn?')
  await rail.getByRole('button', { name: 'Continue' }).waitFor()
  await say('Who has the key of the shed?')
  const leave = rail.getByRole('button', { name: 'Leave research' })
  await leave.waitFor()
  await expect.poll(() => rail.getByRole('button', { name: 'Continue' }).count()).toBe(0)
  await expectAccessible(page)
  await leave.click()

  await rail.getByText('An ordinary answer.').waitFor()
  await expect.poll(() => leave.count()).toBe(0)
})

test('a claim that nobody vouches for has a grey number, though another claim cites the same passage', async () => {
  model.replies.write = (request) =>
    claimsOf(
      { text: 'The lamp turns once in twelve seconds.', cites: [numberOf(request, 'twelve seconds')] },
      { text: 'The lamp was bought in Denmark.', cites: [numberOf(request, 'twelve seconds')] },
    )
  const page = await site().open(`/s/${world.space.slug}?companion=1`)
  const rail = page.locator('#rail')
  await page.selectOption('#research', 'quick')
  await page.fill('#composer', 'What is known of the lamp?')
  await page.press('#composer', 'Enter')
  await rail.getByRole('button', { name: 'Continue' }).click()
  await rail.locator('.turn').last().locator('.card').waitFor()

  const chips = rail.locator('.turn').last().locator('.cite')
  await expect.poll(() => chips.allTextContents()).toEqual(['1', '1'])
  expect(
    await chips.evaluateAll((all) => all.map((chip) => chip.classList.contains('cite-unchecked'))),
  ).toEqual([false, true])
})
