// What differs between the browser and the server's first paint. This is the browser's side; `#platform` in
// package.json names both.

import DOMPurify from 'dompurify'
import { isShownPicture } from '../../lib/core/text/data-pictures.ts'
import { addBase } from '../../lib/core/text/links/base-path.ts'

export const document: Document = globalThis.document

/** The owner's time zone as the server wrote it into the page; `null`: unknown. */
export const timeZone = (): string | null => globalThis.document?.documentElement.dataset.zone ?? null

/** The path that Void is served below: `''`, or such as `/void`. */
export const basePath: string = globalThis.document?.documentElement.dataset.base?.replace(/\/$/, '') ?? ''

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
const isOwn = (address: string): boolean => ownFile.test(address) || isShownPicture(address)
/** None of the ids that the app looks for. */
const textId = /^(?:text|fn|fnref|fold)-/

// What is parsed for reading alone (`RETURN_DOM`) never gets into the document.
DOMPurify.addHook('afterSanitizeAttributes', (node, _event, { RETURN_DOM }) => {
  if (RETURN_DOM) return
  if (!isOwn(node.getAttribute('src') ?? '')) node.removeAttribute('src')
  if (!textId.test(node.id)) node.removeAttribute('id')
  for (const name of ['href', 'src']) {
    const address = node.getAttribute(name)
    if (address !== null) node.setAttribute(name, addBase(basePath, address))
  }
})

/** Markup that was made from foreign text, cleaned and fit to be parsed into the document. */
export function trustMarkup(markup: string): string {
  // Typed as string for the property it is assigned to; under Trusted Types it is a TrustedHTML.
  return DOMPurify.sanitize(markup, allowed) as unknown as string
}

/** In a browser `nameDisguises` adds it. */
export const disguiseNote = (_label: string, _href: string): string => ''
