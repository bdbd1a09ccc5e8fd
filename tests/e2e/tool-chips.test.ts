// What an answer took: its tool calls, one by one while it is written and one line at its end, and what was thought.

import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

const gate = Promise.withResolvers<void>()
const thought = Promise.withResolvers<void>()
let world: World

const site = useSite({
  callModel: scriptedModel([
    () => ({
      tools: [
        { name: 'search', input: { q: 'oil' } },
        { name: 'read', input: { kind: 'page', id: world.lamp.id } },
        { name: 'list', input: { kind: 'task' } },
      ],
    }),
    async () => {
      await gate.promise
      return { text: 'Rapeseed oil.' }
    },
    async (request) => {
      request.onThinkingDelta?.('The keeper fills it\n')
      await thought.promise
      request.onThinkingDelta?.('<b>each evening</b>.')
      return { text: 'Each evening.' }
    },
  ]),
})

beforeAll(async () => {
  world = await makeWorld(site())
})

test('calls show as chips with their object, and fold into a line at the end', async () => {
  const page = await site().open('/s/skerry-light?companion=1')
  await page.fill('#composer', 'What does the lamp burn?')
  await page.keyboard.press('Enter')

  await expect
    .poll(() => page.locator('.tool-chip').allTextContents(), { timeout: 20_000 })
    .toEqual(['searched “oil”', 'read “The lamp”', 'listed “task”'])
  gate.resolve()

  await expect
    .poll(
      () =>
        page
          .locator('.tools-line')
          .textContent()
          .catch(() => ''),
      { timeout: 20_000 },
    )
    .toMatch(/^Searched, read 1 page and listed$/)
  expect(await page.locator('.tool-chip').count()).toBe(0)
})

test('what the model thinks streams into a fold, and is there after a reload', async () => {
  const page = await site().open('/s/skerry-light?companion=1')
  await page.fill('#composer', 'When is it filled?')
  await page.keyboard.press('Enter')
  const fold = page.locator('.thought')
  const line = page.locator('.thought-line')

  await expect.poll(() => line.textContent(), { timeout: 20_000 }).toBe('Thinking…')
  await expect.poll(() => page.locator('.working').textContent()).toBe('')
  // A reader that comes in the middle sees it too.
  await page.reload()
  await line.click()
  await expect.poll(() => fold.textContent()).toBe('Thinking…The keeper fills it\n')
  thought.resolve()

  await expect.poll(() => line.textContent(), { timeout: 20_000 }).toMatch(/^Thought for \d+ m?s$/)
  expect(await page.locator('.thought-text').textContent()).toBe('The keeper fills it\n<b>each evening</b>.')
  expect(await fold.getAttribute('open')).not.toBeNull()
  expect(await page.locator('.answer-text').last().textContent()).toBe('Each evening.\n')
  await page.reload()
  await expect.poll(() => line.textContent()).toMatch(/^Thought for \d+ m?s$/)
  expect(await fold.getAttribute('open')).toBeNull()
})
