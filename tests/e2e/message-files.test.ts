// Files and images that come with a message.

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

let requests: ModelRequest[] = []
const model: CallModel = async (request) => {
  requests.push({ ...request, messages: structuredClone(request.messages) })
  return scriptedModel([{ text: `Answer ${requests.length}.` }])(request)
}
const site = useSite({ callModel: model })
let home: string

beforeEach(async () => {
  requests = []
  const { body: space } = await site().owner.post('/api/spaces').send({ name: 'Chart room' })
  home = `/s/${space.slug}`
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const chart = { name: 'Chart.png', mimeType: 'image/png', buffer: pixel }
const log = { name: 'Log.txt', mimeType: 'text/plain', buffer: Buffer.from('Fog all day.') }
const items = (page: Page) => page.locator('.composer-files .file-item')
const given = () => JSON.stringify(requests.at(-1)!.messages)

async function choose(page: Page, files: (typeof chart)[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add to the message' }).click()
  await page.getByRole('menuitem', { name: 'Files…' }).click()
  await (await chooser).setFiles(files)
  await expect.poll(() => items(page).count()).toBeGreaterThan(0)
  // One that is on its way says how far it is.
  await expect.poll(() => items(page).filter({ hasText: '%' }).count()).toBe(0)
}

test('files are chosen, survive a reload, can be removed, and go with the message', async () => {
  const page = await site().open(`${home}?companion=1`)
  await choose(page, [chart, log])
  await expect.poll(() => items(page).count()).toBe(2)
  await page.reload()
  await expect.poll(() => items(page).count()).toBe(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove Chart.png' }).click()
  await expect.poll(() => items(page).count()).toBe(1)

  await page.fill('#composer', 'What was the weather?')
  await page.keyboard.press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  expect(given()).toContain('Fog all day.')
  expect(given()).not.toContain('"type":"image"')
  expect(await items(page).count()).toBe(0)
  const link = page.locator('.said-you').getByRole('link', { name: 'Log.txt' })
  await expectAccessible(page)
  await link.click()
  await page.waitForURL(/source-docs/)
})

test('an image that is pasted, and one that is dropped, are shown to the model without a word', async () => {
  const page = await site().open(`${home}?companion=1`)
  for (const type of ['paste', 'drop']) {
    await page.locator('#composer').evaluate(
      (field, { type, bytes }) => {
        const data = new DataTransfer()
        const file = new File([Uint8Array.from(bytes)], type === 'paste' ? 'image.png' : 'Dropped.png', {
          type: 'image/png',
        })
        data.items.add(file)
        const init = { bubbles: true, cancelable: true }
        field.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        )
      },
      { type, bytes: [...pixel] },
    )
    await expect.poll(() => items(page).locator('img').count()).toBe(type === 'paste' ? 1 : 2)
  }
  expect(await items(page).allInnerTexts()).toEqual(['Picture for this message', 'Dropped.png'])

  await page.locator('#composer').press('Enter')

  await page.waitForSelector('.said-companion >> text=Answer 1.')
  expect(given().split('"type":"image"')).toHaveLength(3)
  await expect.poll(() => page.locator('.said-you .said-files img').count()).toBe(2)
})

test('an image that is too large is refused before it is sent, and the text stays', async () => {
  const page = await site().open(`${home}?companion=1`)
  await page.fill('#composer', 'Look at this')
  const buffer = Buffer.concat([pixel, Buffer.alloc(5 * 1024 * 1024)])
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add to the message' }).click()
  await page.getByRole('menuitem', { name: 'Files…' }).click()
  await (await chooser).setFiles([{ ...chart, buffer }])

  await page.getByText('is too large: an image may have 5 MB.').waitFor()
  expect(await items(page).count()).toBe(0)
  expect(await page.inputValue('#composer')).toBe('Look at this')
})
