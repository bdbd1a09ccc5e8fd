import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite({
  callModel: scriptedModel([
    {
      tools: [
        {
          name: 'propose_change',
          input: {
            entity_type: 'task',
            action: 'create',
            payload: { title: 'Oil the hinges' },
            reason: 'You asked for it.',
          },
        },
      ],
    },
    { text: 'It is drafted.' },
  ]),
})
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('a change appears while one looks, with its words and a link to its thing', async () => {
  const page = await site().open('/activity')

  await site().owner.patch(`/api/tasks/${world.paint.id}`).send({ version: 1, status: 'in_progress' })

  const entry = page.locator('.activity-entry').first()
  await entry.locator('text=changed status of the task').waitFor()
  await entry.locator('a', { hasText: 'Paint the gallery rail' }).click()
  await page.waitForURL(`**/tasks/${world.paint.id}`)
})

test('what the companion called stands there with its draft, and can be filtered for', async () => {
  await site().owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({ text: 'Draft a task' })
  const page = await site().open('/activity')

  await page.selectOption('#activity-what', 'call')
  await page.waitForURL('**/activity?what=call')
  const calls = page.locator('.activity-entry')
  await calls.first().locator('code', { hasText: 'propose_change' }).waitFor()

  expect(await calls.count()).toBe(1)
  await calls.first().locator('summary').click()
  expect(await calls.first().locator('pre').innerText()).toContain('Oil the hinges')
  await calls.first().locator('text=the draft').click()
  await page.waitForSelector('.inbox-detail >> text=Oil the hinges')
})

test('axe finds nothing serious, with entries and with none', async () => {
  const page = await site().open('/activity')
  await expectAccessible(page)
  await page.goto('/activity?kind=ref')
  await page.waitForSelector('text=Nothing like that has happened')
  await expectAccessible(page)
})
