// What the converter needs of a DOM node. The nodes come from linkedom, whose own types want those of a browser.

import { SkippedFile } from '../../vault/paths.ts'

export type HtmlNode = {
  nodeType: number
  nodeName: string
  textContent: string | null
  childNodes: ArrayLike<HtmlNode>
  getAttribute?(name: string): string | null
}

export type HtmlDocument = {
  documentElement: HtmlNode | null
  body: HtmlNode | null
  querySelector(selector: string): (HtmlNode & { remove(): void }) | null
  querySelectorAll(selector: string): Iterable<HtmlNode & { remove(): void }>
}

/** The element's name in lower case; `#text` for text, empty for anything else. */
export function nameOf(node: HtmlNode): string {
  if (node.nodeType === 3) return '#text'
  return node.nodeType === 1 ? node.nodeName.toLowerCase() : ''
}

export const childrenOf = (node: HtmlNode): HtmlNode[] => Array.from(node.childNodes)

export const attribute = (node: HtmlNode, name: string): string => node.getAttribute?.(name) ?? ''

const unseen = new Set(
  'script style noscript template title head iframe object embed svg canvas audio video button input select textarea'.split(
    ' ',
  ),
)

/** Whether a reader of the page sees the element: what is hidden must not reach anybody by way of an import. */
export function isSeen(node: HtmlNode): boolean {
  if (unseen.has(nameOf(node)) || node.getAttribute?.('hidden') != null) return false
  return !/display:none|visibility:hidden|font-size:0(?![.\d])|opacity:0(?![.\d])/i.test(
    styleOf(node).replace(/\s/g, ''),
  )
}

/** In a browser, styles of what is pasted come under the other name: the page's policy reports any by its own. */
export const styleOf = (node: HtmlNode): string => attribute(node, 'style') || attribute(node, 'data-style')

/** Elements inside one another. The parser takes time with the square of it. */
const maxNestedTags = 3000

// What needs no end tag, so that a count of tags does not tell how deep it lies.
const open =
  /^(area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|optgroup|option|p|param|rp|rt|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/

/**
 * The document of an HTML text; throws `SkippedFile` for one that is nested too deeply. linkedom is loaded when it is
 * first needed: only the parser's thread has it.
 */
export async function parseHtml(html: string): Promise<HtmlDocument> {
  if (depthOf(html) > maxNestedTags) throw new SkippedFile('it is nested too deeply to be read')
  const { parseHTML } = await import('linkedom')
  // Without a body of its own, what there is would end up outside of one.
  const whole = /<body[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`
  return parseHTML(whole).document as unknown as HtmlDocument
}

function depthOf(html: string): number {
  let depth = 0
  let most = 0
  for (const [, end, name = '', close] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)[^<>]*?(\/?)>/gi)) {
    if (close || open.test(name.toLowerCase())) continue
    depth = end ? Math.max(0, depth - 1) : depth + 1
    most = Math.max(most, depth)
  }
  return most
}
