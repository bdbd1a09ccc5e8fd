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
} & HtmlScope

/** Where elements are looked for. */
type HtmlScope = {
  querySelector(selector: string): HtmlElement | null
  querySelectorAll(selector: string): Iterable<HtmlElement>
}

export type HtmlElement = HtmlNode &
  HtmlScope & { remove(): void; setAttribute(name: string, value: string): void }

/** The element's name in lower case; `#text` for text, empty for anything else. */
export function nameOf(node: HtmlNode): string {
  if (node.nodeType === 3) return '#text'
  return node.nodeType === 1 ? node.nodeName.toLowerCase() : ''
}

const blocks = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** True if the element is on lines of its own. */
export const isBlock = (node: HtmlNode): boolean => blocks.has(nameOf(node))

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
  // What is drawn of a formula beside its source, such as that of KaTeX.
  if (/(?:^|\s)(?:katex-html|mwe-math-fallback-image-\w+)(?:\s|$)/.test(attribute(node, 'class')))
    return false
  const style = styleOf(node)
  return !hidesText(style) && (!hasNoSize(style) || holdsSized(node, 0))
}

/** Containers of newsletters have no size, against gaps between them; the texts in them do. */
const hasNoSize = (style: string): boolean => noSize.test(style.slice(0, maxStyle).replace(/\s/g, ''))
const noSize = /(?:^|;)font-size:0(?![.\d])/i
const ownSize = /(?:^|;)font(?:-size)?:(?!0(?![.\d]))/i
const maxLevels = 16

const holdsSized = (node: HtmlNode, level: number): boolean =>
  level < maxLevels &&
  childrenOf(node).some(
    (child) =>
      ownSize.test(styleOf(child).slice(0, maxStyle).replace(/\s/g, '')) || holdsSized(child, level + 1),
  )

const hiding = new RegExp(
  [
    'display:none',
    'visibility:(?:hidden|collapse)',
    'opacity:0(?![.\\d])',
    'mso-hide:all',
    'text-indent:-\\d{3}',
    '(?:^|;)(?:left|top|right|margin-left):-\\d{4}',
    'clip:rect\\((?:0|1px)',
    'clip-path:inset\\((?:50|100)%',
    '(?:^|;)(?:max-)?(?:height|width):0(?![.\\d]).*overflow:hidden',
    'overflow:hidden.*;(?:max-)?(?:height|width):0(?![.\\d])',
    '(?:^|;)color:transparent',
  ].join('|'),
  'i',
)

const maxStyle = 2000

/** True if a style keeps text from being seen. */
export const hidesText = (style: string): boolean => hiding.test(style.slice(0, maxStyle).replace(/\s/g, ''))

const position = /(?:^|;)vertical-align:(super|sub)(?![\w-])/i

/** `sup` or `sub` where a style sets text above or below the line. */
export function positionOf(style: string): 'sup' | 'sub' | null {
  const [, name] = position.exec(style.slice(0, maxStyle).replace(/\s/g, '')) ?? []
  return name === undefined ? null : name.toLowerCase() === 'sub' ? 'sub' : 'sup'
}

/** In a browser, pasted styles have the other name, since the page's policy reports inline styles. */
export const styleOf = (node: HtmlNode): string => attribute(node, 'style') || attribute(node, 'data-style')
