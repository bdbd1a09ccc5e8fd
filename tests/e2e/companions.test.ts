// Companions of the owner's own: made in Settings, switched in the rail, asked by name, deleted.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const draft = {
  name: 'propose_change',
  input: { entity_type: 'task', action: 'create', payload: { title: 'Oil the hinges' }, reason: 'Asked.' },
}
const model: CallModel = async (request) => {
  const last = JSON.stringify(request.messages.at(-1)?.content)
  const wantsTask = last.includes('add a task') && !last.includes('tool_result')
  return scriptedModel([
    wantsTask ? { tools: [draft] } : { text: `${/“(\w+)/.exec(request.system)?.[1]} here.` },
  ])(request)
}
const listed = [
  { id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5' },
  { id: 'claude-opus-5', name: 'Claude Opus 5' },
]
const site = useSite({ callModel: model, listedModels: { models: listed, problem: null } })

let home: string
let made = 0
const names = { editor: '', reader: '' }
let editorId: string

beforeEach(async () => {
  const { owner } = site()
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Log room' })
  home = `/s/${space.slug}`
  // Names are shared by all Spaces: each test has its own.
  const letter = String.fromCharCode(65 + made++)
  Object.assign(names, { editor: `Editor${letter}`, reader: `Reader${letter}` })
  const create = (body: object) => owner.post('/api/agents').send({ spaces: [space.id], ...body })
  editorId = (await create({ name: names.editor, tier: 'suggest', color: 'teal' })).body.id
  await create({ name: names.reader, tier: 'read', color: 'rust' })
})

const shownName = (page: Page) => page.locator('.rail-agent').innerText()
const lastAnswer = (page: Page) => page.locator('.turn:last-child .said-companion')

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /switch companion$/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await page.waitForFunction((wanted) => document.querySelector('.rail-agent')?.textContent === wanted, name)
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
}

describe('the rail', () => {
  test('switches between companions, each with its own threads, and stays with it', async () => {
    const page = await site().open(`${home}?companion=1`)
    await say(page, 'Good evening')
    await page.waitForSelector('.said-companion >> text=Companion here.')

    await switchTo(page, names.editor)
    await expect.poll(() => page.locator('.said').count()).toBe(0)
    await say(page, 'Good evening, again')
    await page.waitForSelector(`.said-companion >> text=${names.editor} here.`)
    await page.reload()

    expect(await shownName(page)).toBe(names.editor)
    expect(await page.locator('.said-label').count()).toBeGreaterThan(0)
    expect(
      await page
        .locator('.said-label:visible')
        .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().width > 1).length),
    ).toBe(0)
    await switchTo(page, 'Companion')
    await page.waitForSelector('.said-companion >> text=Companion here.')
  })

  test('completes @ by keyboard, asks that companion, and the draft says whose it is', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.focus('#composer')

    await page.keyboard.type('@')
    await page.waitForSelector('#mentions [role=option]')
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('[role=option][aria-selected=true]').innerText()).toBe(names.reader)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    expect(await page.inputValue('#composer')).toBe(`@${names.editor} `)
    await page.keyboard.type('add a task')
    const asked = page.locator('.composer-asked')
    await expect.poll(() => asked.innerText()).toBe(`Asks ${names.editor} for this message`)
    await page.keyboard.press('Enter')

    await page.waitForSelector(`.card >> text=Draft by “${names.editor}”`)
    expect(await lastAnswer(page).locator('.said-label').innerText()).toBe(names.editor)
    expect(await shownName(page)).toBe('Companion')
    await say(page, 'And you?')
    await page.waitForSelector('.turn:last-child .said-companion >> text=Companion here.')
    await expectAccessible(page)
  })

  test('closes the list of names with Escape, and leaves an address alone', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.focus('#composer')

    await page.keyboard.type(`@${names.editor.slice(0, 3)}`)
    await page.waitForSelector('#mentions [role=option]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('#mentions', { state: 'hidden' })
    await page.fill('#composer', `Write to keeper@${names.editor}`)

    expect(await page.locator('.composer-asked').innerText()).toBe('')
    expect(await page.locator('#mentions').isHidden()).toBe(true)
  })

  test('chooses the model of a thread, with its price', async () => {
    const page = await site().open(`${home}?companion=1`)

    await page.getByRole('button', { name: /^Model of this thread/ }).click()
    await page.waitForSelector('.models >> text=$5 in, $25 out')
    await expectAccessible(page)
    await page.getByRole('button', { name: /Claude Opus 5/ }).click()

    await page.getByRole('button', { name: 'Model of this thread: claude-opus-5' }).waitFor()
    await switchTo(page, names.editor)
    await page.getByRole('button', { name: 'Model of this thread: scripted' }).waitFor()
  })

  test('goes on with the first companion, and says so, when one is deleted in another tab', async () => {
    const page = await site().open(`${home}?companion=1`)
    await switchTo(page, names.editor)
    await say(page, 'Good evening')
    await page.waitForSelector(`.said-companion >> text=${names.editor} here.`)

    await site().owner.delete(`/api/agents/${editorId}`)

    await page.waitForSelector('.thread-former')
    expect(await page.locator('.thread-former').innerText()).toBe(
      `This thread was with “${names.editor}”. Companion answers from here on.`,
    )
    expect(await lastAnswer(page).locator('.said-label').innerText()).toBe(names.editor)
    await say(page, 'Still there?')
    await page.waitForSelector('.turn:last-child .said-companion >> text=Companion here.')
  })
})

test('a form that is being filled in stays as it is when a companion is added elsewhere', async () => {
  const page = await site().open('/settings/companions')
  await page.getByText('New companion').click()
  const form = page.locator('#companion-new form')
  await form.getByLabel('Name').fill('Harbor')
  await form.getByLabel('Permissions').selectOption('read')
  await form.getByLabel('Pink').check()
  await form.getByLabel('Log room').first().check()
  await form.getByLabel('Instructions').fill('Count the boats.')
  await form
    .getByLabel('Instructions')
    .evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(3, 5))

  await site().owner.post('/api/agents').send({ name: 'From elsewhere', tier: 'read' })
  await page.locator('article.thing', { hasText: 'From elsewhere' }).waitFor()

  expect(await form.isVisible()).toBe(true)
  expect(await form.getByLabel('Name').inputValue()).toBe('Harbor')
  expect(await form.getByLabel('Permissions').inputValue()).toBe('read')
  expect(await form.getByLabel('Pink').isChecked()).toBe(true)
  expect(await form.getByLabel('Log room').first().isChecked()).toBe(true)
  const caret = await page.evaluate(() => {
    const field = document.activeElement
    return field instanceof HTMLTextAreaElement && [field.value, field.selectionStart, field.selectionEnd]
  })
  expect(caret).toEqual(['Count the boats.', 3, 5])
  await form.getByRole('button', { name: 'Create companion' }).click()
  await page.locator('article.thing', { hasText: 'Count the boats.' }).waitFor()
  await expect.poll(() => form.isVisible()).toBe(false)
  expect(await form.getByLabel('Name').inputValue()).toBe('')
  expect(await form.getByLabel('Permissions').inputValue()).toBe('suggest')
})

test('Settings make, change and delete a companion', async () => {
  const page = await site().open('/settings/companions')
  const article = (name: string) => page.locator('article.thing', { hasText: name })

  await page.getByText('New companion').click()
  const form = page.locator('#companion-new form')
  await form.getByLabel('Name').fill('Night watch')
  await form.getByLabel('Permissions').selectOption('read')
  await form.getByLabel('Instructions').fill('Watch the light.')
  await form.getByLabel('Model').fill('claude-haiku-4-5')
  await form.getByText('$1 in, $5 out for a million tokens').waitFor()
  await form.getByLabel('Pink').check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create companion' }).click()

  await article('Night watch').getByText('Watch the light.').first().waitFor()
  await article('Night watch').getByText('Read only, claude-haiku-4-5', { exact: true }).waitFor()
  await article('Night watch').getByText('Edit Night watch').click()
  await article('Night watch').getByLabel('Permissions').selectOption('suggest')
  await article('Night watch').getByRole('button', { name: 'Save' }).click()
  await article('Night watch').getByText('Read and draft').first().waitFor()
  await article('Night watch').getByRole('button', { name: 'Delete Night watch' }).click()
  // A change from elsewhere draws the list anew between the two clicks.
  const { items } = (await site().owner.get('/api/agents')).body
  const { id } = items.find(({ name }: { name: string }) => name === 'Night watch')
  await site().owner.patch(`/api/agents/${id}`).send({ instructions: 'Watch the sea.' }).expect(200)
  await article('Night watch').getByText('Watch the sea.').first().waitFor()
  await article('Night watch').getByRole('button', { name: 'Delete Night watch permanently' }).click()
  await article('Night watch').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Restore Night watch' }).click()
  await article('Night watch').getByText('Watch the sea.').first().waitFor()
  await page.getByRole('button', { name: 'Restore Night watch' }).waitFor({ state: 'detached' })

  const builtIn = article('Built in')
  await builtIn.getByText('Edit Companion').click()
  expect(await builtIn.getByLabel('Name').count()).toBe(0)
  await builtIn.getByLabel('Instructions').fill('Answer in one sentence.')
  await builtIn.getByRole('button', { name: 'Save' }).click()
  await builtIn.locator('.companion-words >> text=Answer in one sentence.').waitFor()
})

test('what every companion in a Space is told is written where the Space is edited', async () => {
  const page = await site().open('/spaces')
  const row = page.locator('.row-item', { hasText: 'Log room' }).first()
  const open = async () => {
    await row.getByRole('button', { name: 'Edit Log room' }).click()
    return page.getByLabel('Instructions for its companions')
  }

  await (await open()).fill('Dates as DD.MM.YYYY.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })

  const words = await open()
  await words.waitFor()
  expect(await words.inputValue()).toBe('Dates as DD.MM.YYYY.')
})
