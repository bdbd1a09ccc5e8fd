// XML of documents, read by the parser of HTML: it expands no entity but those of HTML, and fetches nothing.

import type { HtmlDocument } from './node.ts'
import { parseHtml } from './parse-html.ts'

const cdata = /<!\[CDATA\[((?:[^\]]|\](?!\]>))*)(?:\]\]>|$)/g

/** The document of a well-formed XML text. Names are compared in lower case. Throws `SkippedFile` if it nests too deeply. */
export async function parseXml(xml: string): Promise<HtmlDocument> {
  const plain = xml
    .replace(cdata, (_, text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`))
    .replace(/<\?[^<>]*\?>|<!DOCTYPE[^<>[]*(?:\[[^\]]*\]\s*)?>/gi, '')
  return await parseHtml(`<!doctype html><html><head></head><body>${withEndTags(plain)}</body></html>`)
}

/** XML in which an element without content has an end tag, as HTML knows it: none where HTML has none. */
export const withEndTags = (xml: string): string =>
  xml
    .replace(/<\/(?:br|hr|img|input)\s*>/gi, '')
    .replace(
      /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)[\s/])([a-z][\w.:-]{0,60})((?:\s[^<>]*)?)\/>/gi,
      '<$1$2></$1>',
    )
