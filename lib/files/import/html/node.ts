// The subset of a DOM node that the converter uses. The nodes come from linkedom, whose own types depend on the
// browser's.

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

/** True if a reader of the page sees the element: hidden content must not be imported. */
export function isSeen(node: HtmlNode): boolean {
  if (unseen.has(nameOf(node)) || node.getAttribute?.('hidden') != null) return false
  return !/display:none|visibility:hidden|font-size:0(?![.\d])|opacity:0(?![.\d])/i.test(
    styleOf(node).replace(/\s/g, ''),
  )
}

/** In a browser, pasted styles have the other name, since the page's policy reports inline styles. */
export const styleOf = (node: HtmlNode): string => attribute(node, 'style') || attribute(node, 'data-style')
