// The tool calls of an answer: one by one while it is written, one line at its end.

import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

const gate = Promise.withResolvers<void>()
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
  ]),
})

beforeAll(async () => {
  world = await makeWorld(site())
})

test('calls show as chips with their object, and fold into a line at the end', async () => {
  const page = await site().open('/s/skerry-light')
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
    .toMatch(/^searched, read 1, listed .*s$/)
  expect(await page.locator('.tool-chip').count()).toBe(0)
})
