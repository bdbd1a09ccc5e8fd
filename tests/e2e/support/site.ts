// A whole Void on a port of its own, and Chromium to look at it with. Every page that is opened fails its test when
// the policy is violated, an error reaches the console, or anything is asked for from another host.

import { createServer } from 'node:http'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { basePathOf } from '../../../lib/core/net/public-url.ts'
import { type BuildOptions, buildApp, ownerToken, type TestApp } from '../../helpers/build-app.ts'
import { findBrowser } from './browser.ts'

export type Site = TestApp & {
  url: string
  /** A signed-in page; `path` is opened and taken over by the app. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Another tab of the same browser. */
  openTab(page: Page, path: string, options?: Pick<OpenOptions, 'expectErrors'>): Promise<Page>
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Signs a context in, without a page. */
  signIn(context: BrowserContext): Promise<void>
  /** Breaks every connection that is open, as a network that goes away does. */
  dropConnections(): void
  /** Takes the network away, or gives it back: a service worker that starts anew does not know of `setOffline`. */
  setUnplugged(unplugged: boolean): void
  /** From then on nothing listens at the address, until `listenAgain`. */
  stopListening(): Promise<void>
  listenAgain(): Promise<void>
}

type OpenOptions = BrowserContextOptions & {
  signedIn?: boolean
  /** In a context of its own, for a test that changes what cannot be changed back, such as the clock. */
  alone?: boolean
  /** For all tests of a describe: it stays when a test ends. */
  kept?: boolean
  /** Console errors to be expected, such as those of a request that fails on purpose. */
  expectErrors?: RegExp
}

/** Starts a site for the tests of this file and stops it after them. Call it at the top of the file. */
export function useSite(options: BuildOptions | (() => BuildOptions) = {}): () => Site {
  let site: (Site & { close(): Promise<void>; emptyShared(): Promise<void> }) | null = null
  const problems: string[] = []
  const contexts = new Set<BrowserContext>()

  beforeAll(async () => {
    site = await startSite(typeof options === 'function' ? options() : options, { problems, contexts })
  })
  afterEach(async () => {
    await Promise.all([...contexts].map((context) => context.close()))
    contexts.clear()
    await site?.emptyShared()
    const found = problems.splice(0)
    expect(found).toEqual([])
  })
  afterAll(async () => {
    await site?.close()
  })

  return () => {
    if (!site) throw new Error('the site is there once the tests run')
    return site
  }
}

/** `contexts` are those that a test has opened, to be closed with it; what is opened before the tests stays. */
type Notes = { problems: string[]; contexts: Set<BrowserContext> }

async function startSite(options: BuildOptions, notes: Notes) {
  const built = await buildApp(options)
  const server = createServer(built.app)
  let unplugged = false
  server.on('connection', (socket) => unplugged && socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server has no port')
  const url = `http://127.0.0.1:${address.port}${basePathOf(options.publicUrl ?? null)}`
  const browser = await findBrowser()
  const signIn = async (context: BrowserContext) => {
    const { session } = await built.deps.server.authentication.openSession(ownerToken)
    await context.addCookies([
      { name: 'void_session', value: session, url, httpOnly: true, sameSite: 'Strict' },
    ])
  }
  const open = createOpener(browser, { url, signIn }, notes)

  return {
    ...built,
    url,
    ...open,
    dropConnections: () => server.closeAllConnections(),
    async stopListening() {
      const stopped = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await stopped
    },
    listenAgain: () => new Promise<void>((resolve) => server.listen(address.port, '127.0.0.1', resolve)),
    setUnplugged(now: boolean) {
      unplugged = now
      if (now) server.closeAllConnections()
    },
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()))
      built.deps.server.live.close()
      await built.deps.companion.drain(0, 5000)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type Opened = { url: string; signIn(context: BrowserContext): Promise<void> }

function createOpener(browser: Browser, { url, signIn }: Opened, { problems, contexts }: Notes) {
  const at = (path: string) => (path.startsWith('/') ? url + path : path)

  async function context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const made = await browser.newContext({
      baseURL: url,
      viewport: { width: 1440, height: 900 },
      // Each context would start another one and have it fetch its files.
      serviceWorkers: 'block',
      ...options,
    })
    if (expect.getState().currentTestName) contexts.add(made)
    return made
  }

  // A page in a new context takes two seconds to come alive, one in a context that is kept half of it. The first page of a
  // test is in that one, with what the test before left taken away; further ones are other browsers.
  let shared: Promise<{ kept: BrowserContext; stays: Page }> | null = null
  let isFree = true

  async function startShared() {
    const kept = await context()
    contexts.delete(kept)
    kept.on('close', () => {
      shared = null
    })
    const stays = await kept.newPage()
    await stays.goto(at('/icon.svg'))
    return { kept, stays }
  }

  async function takeShared(): Promise<BrowserContext> {
    isFree = false
    shared ??= startShared()
    return (await shared).kept
  }

  return {
    context,
    signIn,

    async emptyShared(): Promise<void> {
      isFree = true
      if (!shared) return
      const { kept, stays } = await shared
      await Promise.all(kept.pages().map((page) => (page === stays ? null : page.close())))
      await Promise.all([kept.clearCookies(), kept.clearPermissions(), kept.setOffline(false)])
      await stays.evaluate(async () => {
        localStorage.clear()
        const databases = await indexedDB.databases()
        for (const { name } of databases) if (name) indexedDB.deleteDatabase(name)
      })
    },

    async open(
      path: string,
      { signedIn = true, alone = false, kept = false, expectErrors, ...options }: OpenOptions = {},
    ): Promise<Page> {
      const usesShared = isFree && !alone && Object.keys(options).length === 0
      const made = usesShared ? await takeShared() : await context(options)
      if (kept) contexts.delete(made)
      made.setDefaultTimeout(30_000)
      const page = await made.newPage()
      watch(page, problems, expectErrors)
      if (signedIn) await signIn(made)
      await page.goto(at(path))
      if (signedIn) await whenReady(page)
      waitWhenLoaded(page)
      return page
    },

    async openTab(page: Page, path: string, options: Pick<OpenOptions, 'expectErrors'> = {}): Promise<Page> {
      const tab = await page.context().newPage()
      watch(tab, problems, options.expectErrors)
      await tab.goto(at(path))
      await whenReady(tab)
      waitWhenLoaded(tab)
      return tab
    },
  }
}

/** Resolves when the app has taken over the page that the server painted, and what it loads behind that is there. */
export async function whenReady(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready=whole]', { state: 'attached' })
}

/** Has a page that is opened or loaded again wait, too: a click on what the server painted would do nothing. */
function waitWhenLoaded(page: Page): void {
  const { goto, reload } = page
  const ready = async (response: Response | null) => {
    if ((await page.locator('#preloaded').count()) > 0) await whenReady(page)
    return response
  }
  page.goto = async (...asked) => await ready(await goto.apply(page, asked))
  page.reload = async (...asked) => await ready(await reload.apply(page, asked))
}

function watch(page: Page, problems: string[], expectErrors?: RegExp): void {
  const note = (problem: string) => {
    if (!expectErrors?.test(problem)) problems.push(problem)
  }
  page.on('pageerror', (error) => note(`error: ${error.stack || error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    if (!/^(http:\/\/(127\.0\.0\.1|localhost):|data:|blob:)/.test(request.url()))
      note(`foreign request: ${request.url()}`)
  })
  page.exposeFunction('noteViolation', (violation: string) => note(`policy: ${violation}`)).catch(() => {})
  page
    .addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => void }
        noteViolation(
          `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
        )
      })
    })
    .catch(() => {})
}
