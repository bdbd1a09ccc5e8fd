// What differs between the browser and the server's first paint. This is the browser's side; `#platform` in
// package.json names both.

import DOMPurify from 'dompurify'

export const document: Document = globalThis.document

/** False where views are only rendered to HTML. */
export const inBrowser: boolean = true

/** The tags that `renderMarkdown` makes; all others are removed. */
const tags =
  'a abbr audio b blockquote br caption code del details div em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre s ' +
  'small span strong sub summary sup table tbody td tfoot th thead tr u ul video wbr'
const attributes =
  'href rel target title src alt loading align start type checked disabled class open width tabindex id aria-label ' +
  'colspan rowspan data-block data-cite data-language data-host data-kind data-n data-back controls preload'
const allowed = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: attributes.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true as const,
}

/** Originals of the Space: a text loads nothing else. The content security policy blocks it too. */
const ownFile = /^\/api\/source-docs\/[\da-f-]{36}\/original$/
/** None of the ids that the app looks for. */
const textId = /^(?:text|fn|fnref|fold)-/

// What is parsed for reading alone (`RETURN_DOM`) never gets into the document.
DOMPurify.addHook('afterSanitizeAttributes', (node, _event, { RETURN_DOM }) => {
  if (RETURN_DOM) return
  if (!ownFile.test(node.getAttribute('src') ?? '')) node.removeAttribute('src')
  if (!textId.test(node.id)) node.removeAttribute('id')
})

const drawingTags = 'svg g path rect circle ellipse line polyline polygon text tspan defs marker title'
const drawingAttributes =
  'viewbox width height x y x1 y1 x2 y2 cx cy r rx ry d points dx dy transform fill fill-opacity stroke stroke-width ' +
  'stroke-dasharray stroke-linecap stroke-linejoin opacity font-size font-weight font-style text-anchor ' +
  'dominant-baseline text-decoration class id refx refy markerwidth markerheight orient marker-start marker-end'
const allowedInDrawing = {
  ...allowed,
  ALLOWED_TAGS: drawingTags.split(' '),
  ALLOWED_ATTR: drawingAttributes.split(' '),
}

let drawings = 0

/** A drawing that was made from foreign text, cleaned like markup. It refers to nothing but its own arrow heads. */
export function trustDiagram(drawing: string): string {
  drawings += 1
  const own = `text-diagram-${drawings}-`
  const named = drawing
    .replace(/<marker id="/g, `$&${own}`)
    .replace(/(marker-(?:start|end)="url\(#)/g, `$1${own}`)
    .replace(/\burl\((?!#text-diagram-)/gi, '(')
  return DOMPurify.sanitize(named, allowedInDrawing) as unknown as string
}

/** Markup that was made from foreign text, cleaned and fit to be parsed into the document. */
export function trustMarkup(markup: string): string {
  // Typed as string for the property it is assigned to; under Trusted Types it is a TrustedHTML.
  return DOMPurify.sanitize(markup, allowed) as unknown as string
}
