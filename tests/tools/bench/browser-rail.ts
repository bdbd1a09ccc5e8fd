import type { Page } from 'playwright-core'
import { type BenchBrowser, openBrowser, readMemory, whenTrue } from './browser.ts'
import { startChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { readTurn } from './read-turn.ts'
import { makeDataFolder, makeSpaces, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const deltas = 2000
const paceMs = 5
const turns = 500

/** The companion's rail while a long answer streams, with nothing before it and after a long history. */
export const browserRail: Measurement = {
  name: 'browser-rail',
  about: `Chromium shows an answer of ${deltas} deltas, one every ${paceMs} ms; beside the same after ${turns} turns of history`,
  async run(log) {
    const data = makeDataFolder()
    const model = await startChildServer(new URL('./paced-model.ts', import.meta.url))
    const server = await startVoid(data.folder, model.url)
    const browser = await openBrowser()
    try {
      const [turnUrl] = await makeSpaces(server.url, 1)
      log('an answer in an empty thread')
      const page = await browser.open(server.url, '/s/bench-1')
      const fresh = await readMemory(page)
      const first = await stream(browser, page)
      await page.context().close()

      log(`${turns} turns, all read back, and an answer after them`)
      for (let n = 0; n < turns; n += 1) await readTurn(turnUrl!, `question ${n}`)
      const later = await browser.open(server.url, '/s/bench-1')
      const opened = await readMemory(later)
      await readBack(later)
      const scrolled = await readMemory(later)
      await later.locator('.to-end').click()
      const second = await stream(browser, later)
      const after = await readMemory(later)

      const task = { bound: { kind: 'at most' as const, value: 50 } }
      const whole = { bound: { kind: 'at least' as const, value: deltas } }
      return [
        { name: 'longest task', unit: 'ms', value: first.longest, ...task },
        { name: 'longest task, its own time on the processor', unit: 'ms', value: first.maxCpuLength },
        { name: 'task, p99', unit: 'ms', value: first.p99 },
        { name: 'main thread busy', unit: 'x', value: first.busy },
        { name: 'deltas shown', unit: 'deltas', value: first.shown, ...whole },
        { name: 'longest task after the history', unit: 'ms', value: second.longest, ...task },
        {
          name: 'longest task after the history, its own time on the processor',
          unit: 'ms',
          value: second.maxCpuLength,
        },
        { name: 'main thread busy after the history', unit: 'x', value: second.busy, baseline: first.busy },
        { name: 'deltas shown after the history', unit: 'deltas', value: second.shown, ...whole },
        ...memory('on opening the thread', opened, fresh),
        ...memory('with all of it read back', scrolled, fresh),
        ...memory('at its end again', after, fresh),
      ]
    } finally {
      await browser.close()
      await server.stop()
      await model.stop()
      data.remove()
    }
  },
}

type Streamed = { longest: number; maxCpuLength: number; p99: number; busy: number; shown: number }

async function stream(browser: BenchBrowser, page: Page): Promise<Streamed> {
  const composer = page.locator('#composer')
  await composer.fill(`paced ${deltas} ${paceMs} please`)
  const started = performance.now()
  const tasks = await browser.trace(page, async () => {
    await composer.press('Enter')
    await page.locator('.send-stop').waitFor({ state: 'visible' })
    await page.locator('.send-stop').waitFor({ state: 'hidden', timeout: 120_000 })
  })
  const elapsed = performance.now() - started
  const text = (await page.locator('#rail .turn').last().textContent()) ?? ''
  const words = new Set(text.match(/w\d+/g))
  return {
    longest: Math.max(...tasks.map(({ ms }) => ms)),
    maxCpuLength: Math.max(...tasks.map(({ cpuMs }) => cpuMs)),
    p99: percentile(
      tasks.map(({ ms }) => ms),
      0.99,
    ),
    busy: tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / elapsed,
    shown: Array.from({ length: deltas }, (_, n) => `w${n + 1}`).filter((word) => words.has(word)).length,
  }
}

/** Asks for earlier messages until there are none. */
async function readBack(page: Page): Promise<void> {
  const older = page.locator('#rail .older')
  const count = () => page.locator('#rail .turn').count()
  await page.locator('#rail .log').evaluate('(log) => log.scrollTo(0, -1e9)')
  while (await older.isVisible()) {
    const before = await count()
    await older.click()
    await whenTrue(page, `document.querySelectorAll('#rail .turn').length > ${before}`)
  }
}

const memory = (
  when: string,
  value: { heap: number; nodes: number },
  baseline: { heap: number; nodes: number },
): Figure[] => [
  { name: `script heap ${when}`, unit: 'kB', value: value.heap / 1000, baseline: baseline.heap / 1000 },
  { name: `nodes ${when}`, unit: 'nodes', value: value.nodes, baseline: baseline.nodes },
]
