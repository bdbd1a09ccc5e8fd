// Tells whether a hostile text has run. `__xss(n)` reaches the test from every frame of every page of the browser.

import type { BrowserContext, Page } from 'playwright-core'

export type Canary = {
  /** What happened that must not, since it was last asked: `ran 12`, `dialog …`, `asked http://…`. */
  take(): string[]
}

/**
 * Watches all pages of the browser. Requests to other hosts are written down and not sent: with `violations` those too that the
 * policy blocks.
 */
export async function setCanary(
  context: BrowserContext,
  { violations = false }: { violations?: boolean } = {},
): Promise<Canary> {
  const seen = new Set<string>()
  if (violations) await watchPolicy(context, (what) => seen.add(what))
  await context.exposeBinding('__xss', (_source, n: unknown) => {
    seen.add(`ran ${n}`)
  })
  context.on('weberror', (error) => {
    seen.add(`error ${error.error().stack ?? error.error().message}`)
  })
  context.on('dialog', async (dialog) => {
    seen.add(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  const isForeign = ({ protocol, hostname }: URL) => /^https?:$/.test(protocol) && hostname !== '127.0.0.1'
  if (violations) {
    // Without a route, which would take the browser's cache away. The browser's proxy takes nothing.
    context.on('request', (request) => {
      if (isForeign(new URL(request.url()))) seen.add(`asked ${request.url()}`)
    })
  } else {
    await context.route(isForeign, async (route) => {
      seen.add(`asked ${route.request().url()}`)
      await route.abort()
    })
  }

  return {
    take() {
      const found = [...seen]
      seen.clear()
      return found
    },
  }
}

async function watchPolicy(context: BrowserContext, note: (what: string) => void): Promise<void> {
  await context.exposeBinding('__violated', (_source, what: string) => note(`violated ${what}`))
  await context.addInitScript(() => {
    // Mermaid parses labels before it cleans them, which its frame is there for: what is refused in it has not run.
    if (location.pathname === '/diagrams') return
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { __violated } = globalThis as unknown as { __violated: (what: string) => void }
      __violated(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
}

/**
 * Does to everything on the page what people do: points at it, focuses it, clicks it. Links and forms that lead to
 * another document are left alone, since following one is not running it. Resolves when what that set off is over.
 */
export async function touchEverything(page: Page, root = 'body'): Promise<void> {
  await settle(page)
  await page.evaluate((selector) => {
    const runs = (address: string) =>
      /^(javascript|vbscript|data):/.test(new URL(address, location.href).protocol)
    const addressOf = (event: Event): string => {
      const { submitter = null } = event as SubmitEvent
      const from = event.target instanceof Element ? (event.target.closest('a, area') ?? event.target) : null
      const names = ['href', 'xlink:href', 'action']
      return (
        submitter?.getAttribute('formaction') ??
        names.map((name) => from?.getAttribute(name)).find(Boolean) ??
        ''
      )
    }
    const stay = (event: Event) => {
      const address = addressOf(event)
      if (!URL.canParse(address, location.href) || !runs(address)) event.preventDefault()
    }
    for (const type of ['click', 'submit']) addEventListener(type, stay, { capture: true })
    const types =
      'mouseover mouseenter pointerenter focus focusin input copy dblclick toggle beforetoggle close wheel animationstart'
    for (const element of document.querySelectorAll(`${selector} *`)) {
      for (const type of types.split(' ')) element.dispatchEvent(new Event(type, { bubbles: false }))
      if (element.matches('a, area, [onclick], [formaction], form button, form input, svg *')) {
        element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
      }
    }
    for (const type of ['click', 'submit']) removeEventListener(type, stay, { capture: true })
  }, root)
  await settle(page)
}

/** Resolves when an image that is asked for now has failed to load, and with it everything that was to fail before. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const image = new Image()
    await new Promise((resolve) => {
      image.onerror = resolve
      image.src = `/api/nothing?${Math.random()}`
    })
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }))
    await new Promise((resolve) => setTimeout(resolve))
  })
}
