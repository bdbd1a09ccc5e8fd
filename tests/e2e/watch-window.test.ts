import { existsSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { asking, digIn, scriptedGlance, seen, speak } from '../companion/glance/glance-world.ts'
import { deliver } from '../outside/mail/deliver.ts'
import { writeMail } from '../outside/mail/write-mail.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const { script, asked, callModel } = scriptedGlance()
const site = useSite({ callModel, smallModel: callModel })
const message = 'Anna Berg: “could you send me the signed lease by Friday?”'
let made = 0

/** A Space with a mail that is shown in another window. */
async function lighthouse(mode = 'live') {
  const { owner, deps } = site()
  const name = `Skerry ${++made}`
  const { body: space } = await owner.post('/api/spaces').send({ name }).expect(201)
  await owner.patch(`/api/spaces/${space.id}/glance-settings`).send({ mode }).expect(200)
  await deliver(
    deps,
    space.id,
    writeMail({ ...asking, date: new Date(Date.now() - 3_600_000).toUTCString() }),
  )
  asked.triage.length = 0
  script.triage = () => digIn(seen)
  script.analyst = ({ messages }) =>
    messages.length > 1
      ? speak(undefined)
      : { calls: [{ name: 'search_email', input: { q: 'signed lease boathouse' } }] }
  return space
}

/** The browser asks for no window: it is a canvas, whose colour the test sets. */
async function shareCanvas(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 360
    const paint = (color: string) => {
      const brush = canvas.getContext('2d')!
      brush.fillStyle = color
      brush.fillRect(0, 0, 640, 360)
    }
    paint('white')
    const streams: MediaStream[] = []
    Object.assign(window, { paint, streams })
    navigator.mediaDevices.getDisplayMedia = async () => {
      const stream = canvas.captureStream(30)
      streams.push(stream)
      paint('white')
      return stream
    }
  })
}

const paint = (page: Page, color: string) =>
  page.evaluate((to) => (window as unknown as { paint(color: string): void }).paint(to), color)

const isShared = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { streams: MediaStream[] }).streams.some((stream) => stream.active),
  )

const lineOf = (page: Page) => page.getByRole('region', { name: 'Watched window' })

async function startWatching(space: { name: string; slug: string }): Promise<Page> {
  const page = await site().open('/spaces', { alone: true })
  await shareCanvas(page)
  await watch(page, space)
  return page
}

/** From the settings of the Space, with a clock that the test moves. */
async function watch(page: Page, space: { name: string; slug: string }): Promise<void> {
  await page.clock.install()
  await page.goto(`/s/${space.slug}/settings`)
  await whenReady(page)
  const article = page.getByRole('region', { name: 'Glance', exact: true })
  // What watches a window is loaded when the browser is idle.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(2000)
        await article.getByRole('button', { name: 'Watch a window…' }).click()
        return await lineOf(page).count()
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(1)
}

/** Moves the clock on in the steps in which the window is looked at, until a condition holds. */
async function pass(page: Page, isDone: () => boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(10_000)
        return isDone()
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe(true)
}

test('a window is looked at when it has changed and is still, once, and what it says is a nudge', async () => {
  const space = await lighthouse()
  const page = await startWatching(space)
  await pass(page, () => asked.triage.length === 1)

  await page.getByRole('region', { name: 'Suggestion' }).getByText(message).waitFor()
  expect(JSON.stringify(asked.triage[0]!.messages)).toContain('"image/jpeg"')
  await lineOf(page)
    .getByText(/^Last checked/)
    .waitFor()
  await expectAccessible(page)
  await page.clock.runFor(120_000)
  const { body } = await site().owner.get(`/api/spaces/${space.id}/glances`).expect(200)
  expect(body.items.map(({ source }: { source: string }) => source)).toEqual(['image'])
  expect((await site().owner.get(`/api/spaces/${space.id}/source-docs`)).body.items).toEqual([])

  await paint(page, 'black')
  await pass(page, () => true)
  await expect
    .poll(
      async () => {
        await page.clock.runFor(10_000)
        const { body: later } = await site().owner.get(`/api/spaces/${space.id}/glances`).expect(200)
        return later.items.length
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(1)
})

test('one click ends it', async () => {
  const space = await lighthouse()
  const page = await startWatching(space)
  await lineOf(page).getByRole('button', { name: 'Stop watching' }).click()

  await expect.poll(() => lineOf(page).count()).toBe(0)
  expect(await isShared(page)).toBe(false)
  await page.clock.runFor(120_000)
  expect(asked.triage).toHaveLength(0)
})

test('a picture is stored only when the owner saves it', async () => {
  const space = await lighthouse()
  const page = await startWatching(space)
  await expect(lineOf(page).locator('canvas')).toBeVisible()
  await lineOf(page).getByRole('button', { name: 'Save picture' }).click()

  await page.getByText('Picture saved to Files.').first().waitFor()
  const { body } = await site().owner.get(`/api/spaces/${space.id}/source-docs`).expect(200)
  expect(body.items).toMatchObject([{ mime: 'image/png', title: expect.stringMatching(/^Window /) }])
})

test('it ends when the glance is turned off, and is not offered where it is', async () => {
  const space = await lighthouse()
  const page = await startWatching(space)
  await site().owner.patch(`/api/spaces/${space.id}/glance-settings`).send({ mode: 'off' }).expect(200)
  await expect
    .poll(
      async () => {
        await page.clock.runFor(10_000)
        return await lineOf(page).count()
      },
      { timeout: 20_000 },
    )
    .toBe(0)
  expect(await isShared(page)).toBe(false)
  expect(asked.triage).toHaveLength(0)
  const article = page.getByRole('region', { name: 'Glance', exact: true })
  await expect(article.getByRole('button', { name: 'Watch a window…' })).toBeDetached()
})

/** Only the whole browser has what chooses a window; the shell of it that the other tests use has not. */
const wholeBrowser = '/usr/bin/chromium'
const otherTitle = 'The harbour post office'

async function openWholeBrowser(): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: wholeBrowser,
    // Without the flag of Playwright's own, which is the shell's.
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      // Chosen in the browser's own dialog, as the owner would.
      `--auto-select-tab-capture-source-by-title=${otherTitle}`,
    ],
  })
  const context = await browser.newContext({ baseURL: site().url, serviceWorkers: 'block' })
  await site().signIn(context)
  return context
}

/** The red, green and blue in the middle of the thumbnail. */
const thumbnailColor = (page: Page) =>
  lineOf(page)
    .locator('canvas')
    .evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement
      const brush = (canvas as HTMLCanvasElement).getContext('2d')!
      return [...brush.getImageData(width / 2, height / 2, 1, 1).data.slice(0, 3)]
    })

test.skipIf(!existsSync(wholeBrowser))(
  'a tab that the browser itself shares is looked at',
  { timeout: 120_000 },
  async () => {
    const space = await lighthouse()
    const context = await openWholeBrowser()
    try {
      const other = await context.newPage()
      await other.setContent(`<title>${otherTitle}</title><body style="background: rgb(0, 0, 255)">`)
      const page = await context.newPage()
      await watch(page, space)
      await pass(page, () => asked.triage.length === 1)

      const [red, green, blue] = await thumbnailColor(page)
      expect(blue! - Math.max(red!, green!)).toBeGreaterThan(150)
      expect(JSON.stringify(asked.triage[0]!.messages)).toContain('"image/jpeg"')
      await lineOf(page).getByRole('button', { name: 'Stop watching' }).click()
      await expect.poll(() => lineOf(page).count()).toBe(0)
    } finally {
      await context.browser()?.close()
    }
  },
)
