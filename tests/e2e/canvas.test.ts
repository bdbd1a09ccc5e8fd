// Drawing boards, pictures and what else of a file is to be looked at.

import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
const files: Record<string, string> = {}

const canvas = {
  nodes: [
    { id: 'g', type: 'group', label: 'The tower', x: -40, y: -60, width: 700, height: 300, color: '5' },
    { id: 'a', type: 'text', text: '# Oil\n\nSee [[The lamp]]', x: 0, y: 0, width: 260, height: 160 },
    { id: 'b', type: 'file', file: 'Notes/Care.md', x: 360, y: 0, width: 260, height: 160, color: '#cc2200' },
    { id: 'c', type: 'link', url: 'https://example.org/x', x: 0, y: 300, width: 260, height: 60 },
    { id: 'd', type: 'link', url: 'javascript:alert(1)', x: 300, y: 300, width: 260, height: 60 },
    { id: 'e', type: 'file', file: 'Gone.md', x: 600, y: 300, width: 260, height: 60 },
    { id: 'p', type: 'file', file: 'dot.png', x: 0, y: 400, width: 120, height: 120 },
  ],
  edges: [{ id: '1', fromNode: 'a', toNode: 'b', label: 'needs' }],
}
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  world = await makeWorld(site())
  const at = `/api/spaces/${world.space.id}`
  const { owner } = site()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  await owner.post(`${at}/import`).send({
    source: 'board',
    files: [
      { path: 'Notes/Care.md', base64: base64('# Care\n\nTrim the wick.') },
      { path: 'Board.canvas', base64: base64(JSON.stringify(canvas)) },
      { path: 'dot.png', base64: pixel },
    ],
  })
  const { body } = await owner.get(`${at}/source-docs`)
  for (const { id, title } of body.items) files[title] = `/s/skerry-light/source-docs/${id}`
})

const named = (start: string) => files[Object.keys(files).find((title) => title.startsWith(start))!]!

test('a canvas is drawn: cards with what they hold, groups, arrows with their labels', async () => {
  const page = await site().open(named('Board'))
  await page.waitForSelector('.canvas-card')

  expect(await page.locator('.canvas-card').count()).toBe(6)
  expect(await page.locator('.canvas-group').innerText()).toBe('The tower')
  expect(await page.locator('.canvas-label').innerText()).toBe('needs')
  expect(await page.locator('.canvas-line').count()).toBe(1)
  await page.waitForSelector('.canvas-card:has-text("Trim the wick.")')
  expect(await page.locator('.canvas-card a:text-is("The lamp")').getAttribute('href')).toContain('/pages/')
  expect(await page.locator('.canvas-card a[target=_blank]').getAttribute('href')).toBe(
    'https://example.org/x',
  )
  expect(await page.locator('.canvas-card a[href^=javascript]').count()).toBe(0)
  expect(await page.locator('.canvas-missing').innerText()).toBe('Not found: Gone')
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('.canvas-picture img')!.naturalWidth > 0,
  )
  await expectAccessible(page)
})

test('cards lie where the file says, and zoom and Fit keep them together', async () => {
  const page = await site().open(named('Board'))
  await page.waitForSelector('.canvas-card')
  const gap = () =>
    page.evaluate(() => {
      const [one, two] = [...document.querySelectorAll('.canvas-card')].map((card) =>
        card.getBoundingClientRect(),
      )
      return two!.left - one!.left
    })
  const first = await gap()

  await page.click('[aria-label="Zoom in"]')
  expect((await gap()) / first).toBeCloseTo(1.3, 1)
  await page.click('[aria-label="Fit the canvas"]')

  expect(await gap()).toBeCloseTo(first, 0)
})

test('its links are reached by Tab, and opened by Enter', async () => {
  const page = await site().open(named('Board'))
  await page.waitForSelector('.canvas-card a:text-is("The lamp")')

  await page.focus('.canvas-scroller')
  await page.keyboard.press('Tab')
  while (!(await page.evaluate(() => document.activeElement?.textContent === 'The lamp')))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await page.waitForSelector('#page-title:has-text("The lamp")')
  expect(new URL(page.url()).pathname).toContain('/pages/')
})

test('a picture comes first, and without a text nothing is said of one', async () => {
  const page = await site().open(named('dot'))
  await page.waitForSelector('.original-image img')

  expect(await page.locator('h2:has-text("Text")').count()).toBe(0)
  expect(await page.locator('text=No text could be extracted').count()).toBe(0)
  await expectAccessible(page)
})

test('a drawing of Excalidraw is shown as the picture beside it, without its data as text', async () => {
  const { body: made } = await site().owner.post('/api/spaces').send({ name: 'Drawings' })
  const add = async (title: string, fields: object) =>
    (
      await site()
        .owner.post(`/api/spaces/${made.id}/pages`)
        .send({ title, ...fields })
    ).body.id
  const data = '%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwg\n```\n%%'
  const body = `---\nexcalidraw-plugin: parsed\n---\nNeeds tar.\n\n# Excalidraw Data\n\n${data}`
  const drawn = await add('Slip', { path: 'Slip.excalidraw.md', body })
  const bare = await add('Boat', { path: 'Boat.excalidraw.md', body })
  const { body: file } = await site()
    .owner.post(`/api/spaces/${made.id}/attachments?name=Slip.excalidraw.svg`)
    .type('application/octet-stream')
    .send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>'))
  await site().owner.patch(`/api/source-docs/${file.id}`).send({ path: 'Slip.excalidraw.svg', version: 1 })
  const page = await site().open(`/s/${made.slug}/pages/${drawn}`)

  const picture = page.locator('.page-main img')
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toBe(`/api/source-docs/${file.id}/original`)
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(90)
  const text = await page.locator('.page-main').innerText()
  expect(text).toContain('Needs tar.')
  expect(text).not.toContain('N4KAkARALgngDgUwg')
  await page.goto(`/s/${made.slug}/pages/${bare}`)
  await page.getByText('An Excalidraw drawing without a picture.').waitFor()
  await expectAccessible(page)
})

test('the data of a drawing is folded while its note is written, and is as it was behind what was', async () => {
  const { body: made } = await site().owner.post('/api/spaces').send({ name: 'Written drawings' })
  const data =
    '\n==⚠  Switch to EXCALIDRAW VIEW. ⚠==\n\n# Excalidraw Data\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwg\n```\n%%'
  const front = '---\nexcalidraw-plugin: parsed\n---\n'
  const add = async (title: string, notes: string) =>
    (
      await site()
        .owner.post(`/api/spaces/${made.id}/pages`)
        .send({ title, path: `${title}.excalidraw.md`, body: `${front}${notes}${data}` })
    ).body.id
  const [noted, bare] = [await add('Slip', 'Needs tar.\n'), await add('Boat', '')]
  const bodyOf = async (id: string) => (await site().owner.get(`/api/pages/${id}`)).body.body
  const page = await site().open(`/s/${made.slug}/pages/${noted}`)
  const shown = async () =>
    `${await page.locator('.page-main').innerText()}\n${await page.locator('.cm-content').innerText()}`
  const write = async (text: string) => {
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(text)
    await page.locator('#save-state[data-state="saved"]').waitFor()
  }

  await page.getByText('Needs tar.').click()
  await write(' And rope.')
  await page.getByText('The data of the drawing is folded.').waitFor()
  await page.getByText('An Excalidraw drawing without a picture.').waitFor()
  expect(await shown()).not.toMatch(/N4KAk|Switch to|Excalidraw Data/)
  await expectAccessible(page)
  await expect.poll(() => bodyOf(noted)).toBe(`${front}Needs tar. And rope.\n${data}`)

  await page.getByRole('button', { name: 'Show the source' }).click()
  expect(await shown()).toContain('N4KAkARALgngDgUwg')
  await page.getByRole('button', { name: 'Hide the source' }).click()
  expect(await shown()).not.toContain('N4KAk')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => bodyOf(noted)).toBe(`${front}Needs tar.\n${data}`)
  await page.keyboard.press('Escape')
  await page.locator('.drawing-fold').waitFor({ state: 'detached' })

  await page.goto(`/s/${made.slug}/pages/${bare}`)
  await page.locator('.page-main').waitFor()
  await page.keyboard.press('e')
  await write('Found adrift.')
  expect(await shown()).not.toMatch(/N4KAk|Switch to|Excalidraw Data/)
  await expect.poll(() => bodyOf(bare)).toBe(`${front}Found adrift.${data}`)
})
