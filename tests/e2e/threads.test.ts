// Threads in the rail: where a message went, the way back, and the list with its keys.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

let choice: object = { choice: 'continue' }
let hold: Promise<void> | null = null
const small: CallModel = async (request) => scriptedModel([{ text: JSON.stringify(choice) }])(request)
const big: CallModel = async (request) => {
  // Behind the time at which it was sent.
  const content = request.messages.at(-1)?.content
  const last = Array.isArray(content) ? content.at(-1) : undefined
  const words = last?.type === 'text' ? last.text : content
  await hold
  return scriptedModel([{ text: `You said: ${words}` }])(request)
}
const site = useSite({ callModel: big, smallModel: small })

let home: string
let at: string
let boat: string
let lease: string

beforeEach(async () => {
  hold = null
  const { body } = await site().owner.post('/api/spaces').send({ name: 'Log room' })
  home = `/s/${body.slug}`
  at = `/api/spaces/${body.id}`
  boat = await begin('Planks for the boat')
  lease = await begin('When does the lease end?')
})

async function begin(text: string): Promise<string> {
  const { body } = await site().owner.post(`${at}/conversations`)
  await site().owner.post(`${at}/companion/turn`).send({ text, conversation_id: body.id })
  return body.id
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
}

test('a new thread suggests questions, with a model too, and where the last one had messages', async () => {
  await site().owner.post(`${at}/pages`).send({ title: 'Wicks', body: 'Two of them.' })
  const page = await site().open(`${home}?companion=1`)
  await page.waitForSelector('.turn')
  expect(await page.locator('.question').count()).toBe(0)

  await page.getByRole('button', { name: 'New thread' }).click()
  await expect.poll(() => page.locator('.question:visible').count()).toBe(3)
  const question = await page.locator('.question').first().innerText()
  await page.locator('.question').first().click()

  await expect.poll(() => page.locator('.said-you .said-text').allInnerTexts()).toEqual([question])
  await expect.poll(() => page.locator('.question:visible').count()).toBe(0)
})

const bodies = async (id: string): Promise<string[]> =>
  (await site().owner.get(`/api/conversations/${id}/messages`)).body.items.map(
    ({ body }: { body: string }) => body,
  )
const title = (page: Page) => page.locator('.thread-title').innerText()

describe('a routed message', () => {
  test('turns the rail to the thread it was put in, says so, and one key brings it back', async () => {
    const page = await site().open(`${home}?companion=1`)
    choice = { choice: 'resume', id: boat }

    await say(page, 'How many planks?')
    await page.waitForSelector('.routed >> text=Continued in “Planks for the boat”')
    await page.waitForSelector('.said-companion >> text=You said: How many planks?')
    expect(await title(page)).toBe('Planks for the boat')
    const questions = () => page.locator('.said-you .said-text').allInnerTexts()
    await expect.poll(questions).toEqual(['Planks for the boat', 'How many planks?'])
    await expectAccessible(page)

    await page.keyboard.press('Control+u')
    await page.waitForFunction(() => document.querySelector('.thread-title')?.textContent?.startsWith('When'))
    await expect.poll(questions).toEqual(['When does the lease end?', 'How many planks?'])
    await page.waitForSelector('.routed', { state: 'detached' })
    expect(await bodies(lease)).toContain('How many planks?')
    expect(await bodies(boat)).not.toContain('How many planks?')
  })

  test('begins a thread, and goes where the owner points instead', async () => {
    const page = await site().open(`${home}?companion=1`)
    choice = { choice: 'new' }

    await say(page, 'Who has the keys?')
    await page.waitForSelector('.routed >> text=Started a new thread')
    await page.waitForSelector('.said-companion >> text=You said')
    expect(await title(page)).toBe('Who has the keys?')
    expect(await page.locator('.turn').count()).toBe(1)

    await page.click('.routed >> text=Other thread')
    await page.click('.thread-item >> text=Planks for the boat')
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2)
    expect(await title(page)).toBe('Planks for the boat')
    expect(await bodies(boat)).toContain('Who has the keys?')
  })

  test('that went on can be given a thread of its own while its answer is being written', async () => {
    const page = await site().open(`${home}?companion=1`)
    choice = { choice: 'continue' }
    const answered = Promise.withResolvers<void>()
    hold = answered.promise

    await say(page, 'Who has the keys?')
    await page.waitForSelector('.routed', { state: 'attached' })
    expect(await page.locator('.routed').isVisible()).toBe(false)
    await page.keyboard.press('Control+u')
    await page.waitForSelector('.routed >> text=Moves when')
    answered.resolve()

    await page.waitForFunction(
      () => document.querySelector('.thread-title')?.textContent === 'Who has the keys?',
    )
    expect(await page.locator('.turn').count()).toBe(1)
    expect(await bodies(lease)).toEqual(['When does the lease end?', 'You said: When does the lease end?'])
  })

  test('is spoken of once, while after a reload the key still moves it back', async () => {
    const page = await site().open(`${home}?companion=1`)
    choice = { choice: 'resume', id: boat }
    await say(page, 'How many planks?')
    await page.waitForSelector('.routed')
    await page.waitForSelector('.said-companion >> text=You said: How many planks?')

    await page.reload()
    await whenReady(page)
    await page.waitForSelector('.routed', { state: 'attached' })
    expect(await page.locator('.routed').isVisible()).toBe(false)
    await page.keyboard.press('Control+u')

    await expect.poll(() => title(page)).toBe('When does the lease end?')
  })

  test('is not spoken of when it was obvious', async () => {
    const page = await site().open(`${home}?companion=1`)
    choice = { choice: 'resume', id: boat }

    // What the companion says ends with the same sign.
    await say(page, 'The one of 2019.')

    await page.waitForSelector('.said-companion >> text=You said: The one of 2019.')
    expect(await title(page)).toBe('When does the lease end?')
    expect(await page.locator('.routed').count()).toBe(0)
  })
})

describe('the list of threads', () => {
  test('opens with a key, is walked, renamed, put away, deleted and taken back by keys', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.locator('#view h2').first().click()
    await page.keyboard.press('l')
    await page.waitForSelector('.thread-item >> nth=1')
    await page.keyboard.press('ArrowDown')

    await page.keyboard.press('r')
    await page.keyboard.type('Lease review')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.thread-name >> text=Lease review')
    await page.waitForFunction(
      () => document.querySelector('.rail .thread-title')?.textContent === 'Lease review',
    )

    await page.keyboard.press('j')
    await page.keyboard.press('d')
    await page.waitForSelector('.thread-status >> text=Deleted “Planks for the boat”')
    await page.waitForFunction(() => document.querySelectorAll('.thread-item').length === 1)
    await page.keyboard.press('u')
    await page.waitForFunction(() => document.querySelectorAll('.thread-item').length === 2)

    await page.keyboard.press('a')
    await page.waitForFunction(() => document.querySelectorAll('.thread-item').length === 1)
    await page.selectOption('.dialog select', 'archived')
    await page.waitForSelector('.thread-item')
    await expectAccessible(page)
    expect(await page.locator('.thread-item').count()).toBe(1)
  })

  test('finds by words and opens; what is put away elsewhere leaves the rail', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.click('.thread-button')
    await page.fill('.dialog input[type=search]', 'planks')
    await page.waitForFunction(() => document.querySelectorAll('.thread-item').length === 1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() =>
      document.querySelector('.thread-title')?.textContent?.startsWith('Planks'),
    )

    await site().owner.delete(`${at}/conversations/${boat}`)

    await expect.poll(() => page.locator('.thread-title').textContent()).toMatch(/^When/)
  })
})
