// A page of its own that renders texts, each in an element of its own. Bundled by the tests.

import { renderMarkdown } from '../../../../public/ui/markdown/markdown.ts'

declare global {
  var renderAll: (texts: readonly string[]) => void
}

// Before a text that is not cleaned can put something else under this name.
const { body } = document

globalThis.renderAll = (texts) => {
  body.replaceChildren(...texts.map((text) => renderMarkdown(text, { slug: 'skerry-light' })))
}
