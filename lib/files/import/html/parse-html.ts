// Separate from node.ts, which the browser also uses: linkedom must not get into its bundle.

import { SkippedFile } from '../../vault/paths.ts'
import { closeOpen } from './close-open.ts'
import type { HtmlDocument } from './node.ts'

/** Maximum nesting of elements. Parsing time grows with its square. */
const maxNestedTags = 3000

// Elements without an end tag, which do not count towards nesting.
const open =
  /^(area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|optgroup|option|p|param|rp|rt|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/

/**
 * The document of an HTML text; throws `SkippedFile` if it is nested too deeply. linkedom is loaded on first use: only
 * the parser's thread has it.
 */
export async function parseHtml(html: string): Promise<HtmlDocument> {
  if (depthOf(html) > maxNestedTags) throw new SkippedFile('it is nested too deeply to be read')
  const { parseHTML } = await import('linkedom')
  const closed = closeOpen(html)
  // Without a body element, the content would end up outside of one.
  const whole = /<body[\s>]/i.test(closed)
    ? closed
    : `<!doctype html><html><head></head><body>${closed}</body></html>`
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
