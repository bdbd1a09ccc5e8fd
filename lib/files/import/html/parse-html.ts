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
  const content = contentOf(closed)
  const whole = content === null ? closed : `<!doctype html><html><head></head><body>${content}</body></html>`
  return parseHTML(whole).document as unknown as HtmlDocument
}

/** What begins and ends a document, behind comments and raw text, in which it does not. */
const frame =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<!doctype[^<>]*>|<(\/?)(html|body)\b[^<>]*>/gi

/**
 * The text without what begins and ends documents, where some of it would end up outside of the body: mail servers put
 * notices before and behind a whole document, and a browser shows them as one. Null: it is one document.
 */
function contentOf(html: string): string | null {
  const kept: string[] = []
  let [end, isInside, bodies, isOutside] = [0, false, 0, false]
  const keep = (text: string) => {
    isOutside ||= !isInside && /[\p{L}\p{N}]/u.test(text.replace(/<[^<>]*>/g, ''))
    kept.push(text)
  }
  for (const { index, 0: tag, 1: raw, 2: isEnd, 3: name } of html.matchAll(frame)) {
    keep(html.slice(end, index))
    end = index + tag.length
    if (tag.startsWith('<!--') || raw !== undefined) kept.push(tag)
    else if (name !== undefined) isInside = isEnd === '' && name.toLowerCase() === 'body'
    if (isInside && isEnd === '' && name !== undefined) bodies += 1
  }
  keep(html.slice(end))
  return bodies === 1 && !isOutside ? null : kept.join('')
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
