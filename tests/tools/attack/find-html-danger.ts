import { parseHTML } from 'linkedom'

/** What a page must not hold: script but its own, handlers, documents within it, addresses that run or load elsewhere. */
export function findHtmlDanger(html: string, attacker: string): string[] {
  const { document } = parseHTML(html)
  const found: string[] = []
  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName
    const note = (what: string) => found.push(`${what}: ${element.outerHTML.slice(0, 300)}`)
    if (/^(frame|frameset|object|embed|base|portal|applet|math|marquee|template)$/.test(tag)) note(tag)
    if (tag === 'style') note(tag)
    if (tag === 'script' && !isOwnScript(element)) note(tag)
    if (tag === 'meta' && element.hasAttribute('http-equiv')) note('meta')
    for (const { name, value } of element.attributes) {
      if (/^on|^srcdoc$|^formaction$|^ping$|^background$|^style$/i.test(name)) note(name)
      if (/^(src|srcset|data|poster|action|xlink:href)$/i.test(name) && !/^(\/(?!\/)|#|$)/.test(value))
        note(name)
      if (name === 'href' && tag !== 'a' && value.includes(attacker)) note(name)
      if (name === 'href' && tag === 'a' && !/^(https?:|mailto:|tel:|\/(?!\/)|#|\?)/i.test(value)) note(name)
    }
  }
  return found
}

function isOwnScript(element: { id: string; getAttribute(name: string): string | null }): boolean {
  const source = element.getAttribute('src')
  return source === null ? element.id === 'preloaded' : /^\/assets\//.test(source)
}
