import type { Page } from 'playwright-core'
import { openBrowser, whenTrue } from './browser.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { createProse } from './prose.ts'
import { makeDataFolder, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const size = 1_000_000
/** The text beside it, which says what the browser takes for itself. */
const shortSize = 5000
const keys = 300
const delayMs = 40

/** What a key costs in the editor on a long page, wherever in it one writes. */
export const browserTyping: Measurement = {
  name: 'browser-typing',
  about: `Chromium writes in a page of ${size / 1000} kB: the work of a key, its layout included`,
  async run(log) {
    const data = makeDataFolder()
    const store = await openStore(data.folder)
    const body = longText()
    await store.importPages([
      { title: 'Short page', body: body.slice(0, shortSize) },
      { title: 'Long page', body },
    ])
    await store.close()
    const server = await startVoid(data.folder)
    const browser = await openBrowser()
    try {
      const page = await browser.open(server.url, '/s/imported?companion=1')
      await openPage(page, 'Short page')
      await goTo(page, 'end')
      const short = await type(page)
      await openPage(page, 'Long page')
      log(`${keys} keys at each place, one every ${delayMs} ms`)
      const figures: Figure[] = []
      for (const place of ['beginning', 'middle', 'end'] as const) {
        await goTo(page, place)
        const times = await type(page)
        figures.push(
          {
            name: `at the ${place}, p50`,
            unit: 'ms',
            value: percentile(times, 0.5),
            baseline: percentile(short, 0.5),
          },
          {
            name: `at the ${place}, p95`,
            unit: 'ms',
            value: percentile(times, 0.95),
            baseline: percentile(short, 0.95),
            bound: { kind: 'at most', value: 16 },
          },
        )
      }
      return figures
    } finally {
      await browser.close()
      await server.stop()
      data.remove()
    }
  },
}

async function openPage(page: Page, title: string): Promise<void> {
  await page.goto('/s/imported/pages')
  const path = await page
    .locator(`#content a[href*="/pages/"]:has-text("${title}")`)
    .first()
    .getAttribute('href')
  await page.goto(`${path}?edit=1`)
  await page.waitForSelector('.cm-content')
}

/** Prose with all that the live preview draws. */
function longText(): string {
  const prose = createProse(7)
  const parts: string[] = []
  for (let length = 0; length < size; length += parts.at(-1)!.length + 2) {
    const [one, two, three] = prose.words(3)
    const rich = [
      `- [ ] **${one}** and *${two}*\n- [x] [[${three}]] and [${one}](https://${two}.example/)`,
      `> [!note] ${one}\n> ${two} \`${three}\``,
      `| ${one} | ${two} |\n| --- | --- |\n| ${three} | **${one}** |`,
      `\`\`\`js\n${one}()\n\`\`\``,
    ]
    parts.push(prose.page('', []).body, rich[parts.length % rich.length]!)
  }
  return parts.join('\n\n').slice(0, size)
}

async function goTo(page: Page, place: 'beginning' | 'middle' | 'end'): Promise<void> {
  await page.click('.cm-content')
  await page.keyboard.press(place === 'end' ? 'Control+End' : 'Control+Home')
  if (place === 'middle') {
    const half = `(() => { const { scroller } = probe.editor(); scroller.scrollTop = scroller.scrollHeight / 2 })()`
    await page.evaluate(half)
    await whenTrue(page, `probe.editor().line !== null`)
    await page.mouse.click(700, 500)
  }
  await page.keyboard.press('End')
}

async function type(page: Page): Promise<number[]> {
  const before = (await page.evaluate('probe.typed.length')) as number
  const words = 'the lamp turns once in twelve seconds and '.repeat(Math.ceil(keys / 42)).slice(0, keys)
  await page.keyboard.type(words, { delay: delayMs })
  await whenTrue(page, `probe.typed.length >= ${before + keys}`)
  return ((await page.evaluate('probe.typed')) as number[]).slice(before)
}
