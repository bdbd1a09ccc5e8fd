import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ownerToken } from './spaces.ts'

export type BenchBrowser = {
  /** A signed-in page of a browser that has nothing in its cache, taken over by the app. */
  open(url: string, path: string): Promise<Page>
  /** The tasks of the page's main thread while `work` goes on. */
  trace(page: Page, work: () => Promise<void>): Promise<Task[]>
  close(): Promise<void>
}

/** How long a task took, and for how much of that it had a processor: the rest went to other processes. */
type Task = { ms: number; cpuMs: number }

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const quiet = 'disable-background-networking disable-component-update disable-sync no-first-run disable-quic'
const args = ['no-sandbox', 'disable-gpu', ...quiet.split(' ')].map((name) => `--${name}`)

export async function openBrowser(): Promise<BenchBrowser> {
  const browser = await chromium.launch({ executablePath, args })
  const probe = await bundleProbe()

  return {
    async open(url, path) {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
      await context.addInitScript({ content: probe })
      await context.request.post('/api/session', { data: { token: ownerToken } })
      const page = await context.newPage()
      await page.goto(path)
      await whenReady(page)
      return page
    },
    trace: (page, work) => traceTasks(browser, page, work),
    close: () => browser.close(),
  }
}

/** Resolves when the app has taken over the page. */
async function whenReady(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60_000 })
}

/** Resolves when an expression is true in the page. The page's policy forbids it to evaluate one by itself. */
export async function whenTrue(page: Page, expression: string, timeoutMs = 20_000): Promise<void> {
  const until = performance.now() + timeoutMs
  while (!(await page.evaluate(expression))) {
    if (performance.now() > until) throw new Error(`Not true after ${timeoutMs} ms: ${expression}`)
    await delay(10)
  }
}

/** Live bytes of script and the number of nodes, after a garbage collection. */
export async function readMemory(page: Page): Promise<{ heap: number; nodes: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { heap: usedSize, nodes }
}

async function bundleProbe(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('in-page/probe.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
  })
  return outputFiles[0]!.text
}

type TraceEvent = {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

async function traceTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = traceEvents.filter(({ name, dur }) => name.endsWith('RunTask') && dur !== undefined)
  const byThread = Map.groupBy(tasks, ({ pid, tid }) => `${pid}/${tid}`)
  // Of the renderers, the one that did the most is the page's.
  const busiest = [...byThread]
    .filter(([thread]) => mains.has(thread))
    .map(([, ours]) => ours.map(({ dur = 0, tdur = dur }) => ({ ms: dur / 1000, cpuMs: tdur / 1000 })))
    .toSorted((a, b) => b.length - a.length)[0]
  if (!busiest) throw new Error('The trace names no main thread of a renderer')
  return busiest
}
