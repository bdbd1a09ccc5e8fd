import type { Page } from 'playwright-core'

/**
 * What stands in the document and must not: handlers in attributes, addresses that run or lead elsewhere unmarked,
 * elements that bring script or a document of their own.
 */
export async function findDanger(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = []
    const own = /^(https?|mailto|tel):$/
    for (const element of document.querySelectorAll('*')) {
      const tag = element.localName
      const note = (what: string) => found.push(`${what}: ${element.outerHTML.slice(0, 200)}`)
      // What draws diagrams has no origin, and gives back pictures.
      if (element.matches('iframe.diagram-frame[src="/diagrams"][sandbox="allow-scripts"]')) continue
      if (element.matches('.diagram > img[src^="blob:"]')) continue
      if (/^(iframe|frame|frameset|object|embed|base|portal|applet|marquee|template)$/.test(tag)) note(tag)
      // MathML only where a formula was drawn, and without what KaTeX would need to be trusted for.
      if (tag === 'math' && !element.closest('code.math-drawn')) note(tag)
      if (tag === 'script' && !/^\/assets\//.test(element.getAttribute('src') ?? '/assets/')) note(tag)
      if (tag === 'script' && !element.hasAttribute('src') && element.id !== 'preloaded') note(tag)
      if (tag === 'meta' && element.hasAttribute('http-equiv')) note(tag)
      for (const { name, value } of element.attributes) {
        if (/^on|^srcdoc$|^formaction$|^ping$|^background$/i.test(name)) note(name)
        if (!/^(href|src|action|xlink:href|poster|data|srcset)$/i.test(name)) continue
        const url = URL.canParse(value, location.href) ? new URL(value, location.href) : null
        if (!url || !own.test(url.protocol)) note(name)
        else if (url.origin !== location.origin && tag !== 'a') note(name)
        else if (url.origin !== location.origin && element.getAttribute('rel') !== 'noopener noreferrer')
          note('rel')
      }
    }
    return found
  })
}
