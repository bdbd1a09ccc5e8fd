import type { Page } from 'playwright-core'
import { openBrowser, whenTrue } from './browser.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { makeDataFolder, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const size = 10_000
const queries = 16

/** From a keystroke to results on the screen, the server included. */
export const browserPalette: Measurement = {
  name: 'browser-palette',
  about: `Chromium's palette over ${size} pages: from a keystroke to the results`,
  async run(log) {
    const data = makeDataFolder()
    const pages = makePages(size)
    const store = await openStore(data.folder)
    await store.importPages(pages)
    await store.deps.search.maintain()
    await store.close()
    const server = await startVoid(data.folder)
    const browser = await openBrowser()
    try {
      const page = await browser.open(server.url, '/s/imported?companion=1')
      log(`${queries} titles typed, a character at a time`)
      await page.keyboard.press('Control+k')
      await page.waitForSelector('dialog [role=option]')
      const titles = Array.from({ length: queries }, (_, n) => pages[n * 601]!.title.slice(0, 8))
      const keys = await type(page, titles)
      const first = keys.map(({ shownAfter }) => shownAfter[0]!)
      const last = keys.map(({ shownAfter }) => shownAfter.at(-1)!)
      return [
        figure('first results, p50', percentile(first, 0.5)),
        { ...figure('first results, p95', percentile(first, 0.95)), bound: { kind: 'at most', value: 100 } },
        figure('all results, p50', percentile(last, 0.5)),
        figure('all results, p95', percentile(last, 0.95)),
      ]
    } finally {
      await browser.close()
      await server.stop()
      data.remove()
    }
  },
}

type Key = { shownAfter: number[] }

/** Types each query from its beginning, waiting for all results of a character before the next one. */
async function type(page: Page, queriesToType: readonly string[]): Promise<Key[]> {
  for (const [n, query] of queriesToType.entries()) {
    if (n > 0) {
      await page.locator('dialog input').fill('')
      await shownTimes(page, 1)
    }
    for (const character of query) {
      await page.keyboard.type(character)
      await shownTimes(page, 2)
    }
  }
  const keys = (await page.evaluate('probe.keys')) as Key[]
  return keys.filter(({ shownAfter }) => shownAfter.length >= 2)
}

/** Resolves when the list was drawn that often since the last character. */
async function shownTimes(page: Page, times: number): Promise<void> {
  await whenTrue(page, `probe.keys.at(-1)?.shownAfter.length >= ${times}`)
}

const figure = (name: string, value: number): Figure => ({ name, unit: 'ms', value })
