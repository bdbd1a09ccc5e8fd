import type { Tokens } from 'marked'
import { blockReferenceAt } from '../../../lib/core/text/links/block-reference.ts'

// What Void adds to Markdown within a line and many texts have: `[[wikilinks]]` and citations.

/** Around the number of a citation, in a text to be rendered. The text itself contains neither. */
export const citeOpen = '\uE000'

export const citeClose = '\uE001'

export type WikilinkToken = Tokens.Generic & {
  target: string
  heading: string
  label: string
  embed: boolean
}

type CiteToken = Tokens.Generic & { n: string }

/** How far marked may look for a block that ends a paragraph, in characters; it looks at every paragraph. */
const maxLookahead = 20_000

/**
 * Finds where in the paragraph that a text begins with a line starts as `line` says; `isBlock`: whether a block begins
 * there. marked leaves out the first character, so the first line is none of them.
 */
export function lineOfParagraph(line: RegExp, isBlock = (_text: string): boolean => true) {
  const pattern = new RegExp(`\\n[ \\t]*\\n|(?<=\\n)(${line.source})`, 'gm')
  return (source: string): number | undefined => {
    for (const { index, 1: start } of source.slice(0, maxLookahead).matchAll(pattern)) {
      if (start === undefined) return undefined
      if (isBlock(source.slice(index))) return index
    }
    return undefined
  }
}

/** A text without the marks of citations, which would break it. */
export const withoutCites = (text: string) => text.replace(new RegExp(`${citeOpen}\\d+${citeClose}`, 'g'), '')

export const wikilinkSyntax = {
  name: 'wikilink',
  level: 'inline' as const,
  start: (source: string) => /!?\[\[/.exec(source)?.index,
  tokenizer(source: string): WikilinkToken | undefined {
    const match = /^(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/.exec(source)
    if (!match) return undefined
    const [raw, bang, target = '', heading = '', label = ''] = match
    return {
      type: 'wikilink',
      raw,
      target: target.trim(),
      heading: heading.trim(),
      label: label.trim(),
      embed: bang === '!',
    }
  },
}

/** Logseq's reference to a block, as a link to what has a block of that id. */
export const blockReferenceSyntax = {
  name: 'block-reference',
  level: 'inline' as const,
  start: (source: string) => /\(\([\da-f]{8}-/i.exec(source)?.index,
  tokenizer(source: string): WikilinkToken | undefined {
    const found = blockReferenceAt(source, 0)
    if (!found) return undefined
    const { id, end } = found
    const raw = source.slice(0, end)
    return { type: 'block-reference', raw, target: id, heading: `^${id}`, label: '', embed: false }
  },
}

export const inlineSyntax = [
  {
    name: 'cite',
    level: 'inline' as const,
    start: (source: string) => new RegExp(citeOpen).exec(source)?.index,
    tokenizer(source: string): CiteToken | undefined {
      const match = new RegExp(`^${citeOpen}(\\d+)${citeClose}`).exec(source)
      return match ? { type: 'cite', raw: match[0], n: match[1]! } : undefined
    },
    renderer: (token: Tokens.Generic) =>
      `<span class="cite" data-cite="${Number(token.n)}">${Number(token.n)}</span>`,
  },
]

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML, for content and quoted attributes. */
export const escapeAll = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** As `escapeAll`, but entities in the text stay entities. */
export const escapeText = (text: string) =>
  text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,32});)/gi, (character) => escapes[character]!)
