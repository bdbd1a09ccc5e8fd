import { openBrowser } from './browser.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { makeDataFolder, startVoid } from './spaces.ts'
import { median } from './statistics.ts'

const pages = 2000
const rounds = 7

type Load = { paint: number; ready: number; scripts: number; styles: number }

/** A cold load of a page in a large Space: nothing in the browser's cache. */
export const browserPaint: Measurement = {
  name: 'browser-paint',
  about: `Chromium opens a page of a Space of ${pages} pages, with an empty cache`,
  async run(log) {
    const data = makeDataFolder()
    try {
      const store = await openStore(data.folder)
      await store.importPages(makePages(pages))
      await store.close()
      log(`each the median of ${rounds} loads`)
      return [...(await measure(data.folder, 'home')), ...(await measure(data.folder, 'page'))]
    } finally {
      data.remove()
    }
  },
}

async function measure(folder: string, what: 'home' | 'page'): Promise<Figure[]> {
  const server = await startVoid(folder)
  const browser = await openBrowser()
  try {
    const loads: Load[] = []
    const page = await browser.open(server.url, '/s/imported?companion=1')
    const leaf = await page.locator('#content a[href*="/pages/"]').first().getAttribute('href')
    const path = what === 'home' || !leaf ? '/s/imported' : leaf
    for (let n = 0; n < rounds; n += 1) {
      const one = await browser.open(server.url, path)
      loads.push(
        await one.evaluate(
          `({ paint: probe.firstPaint(), ready: probe.ready, scripts: probe.bytes('.js'), styles: probe.bytes('.css') })`,
        ),
      )
      await one.context().close()
    }
    const of = (field: keyof Load) => median(loads.map((load) => load[field]))
    return [
      { name: `${what}: first contentful paint`, unit: 'ms', value: of('paint') },
      { name: `${what}: time to interactive`, unit: 'ms', value: of('ready') },
      bounded(`${what}: JavaScript`, of('scripts') / 1000, 60),
      bounded(`${what}: CSS`, of('styles') / 1000, 15),
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}

const bounded = (name: string, value: number, most: number): Figure => ({
  name,
  unit: 'kB',
  value,
  bound: { kind: 'at most', value: most },
})
