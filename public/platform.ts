// What differs between the browser and the server's first paint. This is the browser's side; `#platform` in
// package.json names both.

import DOMPurify from 'dompurify'

export const document: Document = globalThis.document

/** False where views are only rendered to HTML. */
export const inBrowser: boolean = true

/** The tags that `renderMarkdown` makes; all others are removed. */
const allowed = {
  ALLOWED_TAGS: [
    ...[
      'a',
      'blockquote',
      'br',
      'code',
      'del',
      'details',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'img',
    ],
    ...[
      'input',
      'kbd',
      'li',
      'mark',
      'ol',
      'p',
      'pre',
      'strong',
      'sub',
      'summary',
      'sup',
      'table',
      'tbody',
      'td',
    ],
    ...['th', 'thead', 'tr', 'ul', 'wbr', 'span'],
  ],
  ALLOWED_ATTR: [
    ...[
      'href',
      'rel',
      'target',
      'title',
      'src',
      'alt',
      'loading',
      'align',
      'start',
      'type',
      'checked',
      'disabled',
    ],
    ...['class', 'open', 'width', 'tabindex', 'data-block', 'data-cite', 'data-language', 'data-host'],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true as const,
}

/** Originals of the Space: a text loads nothing else. The content security policy blocks it too. */
const ownImage = /^\/api\/source-docs\/[\da-f-]{36}\/original$/

// What is parsed for reading alone (`RETURN_DOM`) never gets into the document.
DOMPurify.addHook('afterSanitizeAttributes', (node, _event, { RETURN_DOM }) => {
  if (!RETURN_DOM && !ownImage.test(node.getAttribute('src') ?? '')) node.removeAttribute('src')
})

/** Markup that was made from foreign text, cleaned and fit to be parsed into the document. */
export function trustMarkup(markup: string): string {
  // Typed as string for the property it is assigned to; under Trusted Types it is a TrustedHTML.
  return DOMPurify.sanitize(markup, allowed) as unknown as string
}
