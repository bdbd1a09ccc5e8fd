// What a text may hold beyond plain Markdown and wikilinks: callouts, footnotes, formulas, highlights, comments, tags, raw HTML. Most
// texts have none of it, so a browser loads it with the first that does.

import type { RendererObject, Token, TokenizerObject, Tokens } from 'marked'
import { cleanTag, closedTag, hashTag, joinTag } from '../../../lib/core/text/properties/tag.ts'
import { tagHref } from '../words/addresses.ts'
import { type Callout, calloutOf } from './callout.ts'
import { createFootnotes, definitionSyntax, footnoteSyntax, inlineNoteSyntax } from './footnotes.ts'
import { rawHtml, readRawHtml } from './inline-html.ts'
import { commentSyntax, inlineSyntax } from './marks.ts'
import { mathBlockSyntax, mathSyntax } from './math.ts'
import { escapeAll, withoutCites } from './syntax.ts'

/** What is drawn only where a browser shows it, by code that most texts do not need. */
const enriched = '.callout, code.math, pre[data-language]:not([data-language=""])'

export const blockSyntax = [...commentSyntax, mathBlockSyntax, definitionSyntax]

const tagSyntax = {
  name: 'tag',
  level: 'inline' as const,
  start: (source: string) => /(?<!\S)#/.exec(source)?.index,
  tokenizer(this: unknown, source: string, before: Token[]): Tokens.Generic | undefined {
    if (!source.startsWith('#') || (this as Lexing).lexer.state.inLink) return undefined
    if (!/(?:^|\s)$/.test(before.at(-1)?.raw.slice(-1) ?? '')) return undefined
    const closed = openingClosed.exec(source)
    const match = closed ?? opening.exec(source)
    const tag = match && cleanTag(closed ? joinTag(match[1]!) : match[1]!)
    return tag ? { type: 'tag', raw: match[0], tag } : undefined
  },
}

export const textSyntax = [
  ...blockSyntax,
  footnoteSyntax,
  inlineNoteSyntax,
  mathSyntax,
  tagSyntax,
  ...inlineSyntax,
]

/** An underlined heading ends where a block of these begins, as a paragraph does. */
export const tokenizer: TokenizerObject = {
  lheading(source) {
    const heading = this.rules.block.lheading.exec(source)?.[0]
    const isCut =
      heading !== undefined && blockSyntax.some(({ start }) => (start(source) ?? Infinity) < heading.length)
    return isCut ? undefined : false
  },
}

/** Draws in a text what takes code of its own, once that has loaded. */
export function enrichLater(element: HTMLElement, { offersImages }: { offersImages?: boolean }): void {
  // Found at once: by the time the code has loaded they may stand in another element.
  const found = [...element.querySelectorAll<HTMLElement>(enriched)]
  if (found.length > 0) import('./enrich.ts').then(({ enrich }) => enrich(found)).catch(() => {})
  const images = offersImages ? [...element.querySelectorAll<HTMLElement>('.image-link')] : []
  if (images.length > 0)
    import('./external-images.ts').then(({ offerImages }) => offerImages(images)).catch(() => {})
}

/** Called with the tokens of a whole text, before they are rendered. */
export { readRawHtml }

/** What renders it in one text. `folds`: how the ids of its folds begin; left out: they have none. */
export function richRenderers(
  tokens: readonly Token[],
  { slug, folds }: { slug: string; folds?: string | undefined },
) {
  const footnotes = createFootnotes(tokens)
  let fold = 0
  const foldId = () => {
    if (folds === undefined) return ''
    fold += 1
    return ` id="fold-${escapeAll(folds)}-${fold}"`
  }
  /** Open to whoever reads the text: what a model reads of it is never hidden from its owner. */
  const comment = ({ text }: Tokens.Generic) =>
    `<details class="comment"${foldId()}><summary>Comment</summary><span class="comment-text">${escapeAll(withoutCites(text))}</span></details>`

  return {
    extensions: [
      ...inlineSyntax,
      mathSyntax,
      mathBlockSyntax,
      tagRenderer(slug),
      { name: 'comment', renderer: comment },
      { name: 'comment-block', renderer: comment },
      { name: 'inline-note', renderer: (token: Tokens.Generic) => footnotes.note(token) },
      { name: 'footnote', renderer: ({ name }: Tokens.Generic) => footnotes.reference(String(name)) },
      definitionSyntax,
    ],
    renderer: rendererFor(foldId),
    footnotes: footnotes.list,
  }
}

function rendererFor(foldId: () => string): RendererObject {
  return {
    html: (token: Tokens.HTML | Tokens.Tag) =>
      rawHtml(token).replace(/<details(?![^>]* id=)/g, (tag) => tag + foldId()),
    paragraph({ tokens }: Tokens.Paragraph) {
      // One that only names the block above it has no box.
      const isName = tokens.length === 1 && /^block-(?:id|line)$/.test(tokens[0]!.type)
      return `${paragraphHtml(this.parser.parseInline(tokens), isName ? ' class="block-name"' : '')}\n`
    },
    blockquote(token: Tokens.Blockquote) {
      const callout = calloutOf(token)
      if (!callout) return `<blockquote>\n${this.parser.parse(token.tokens)}</blockquote>\n`
      const title =
        callout.title.length > 0 ? this.parser.parseInline(callout.title) : escapeAll(callout.name)
      return calloutHtml(callout, { title, body: this.parser.parse(callout.body), foldId })
    },
  }
}

/** A paragraph, or its like where a fold would end it. */
function paragraphHtml(inner: string, attributes = ''): string {
  const tag = inner.includes('<details') ? 'div' : 'p'
  return `<${tag}${attributes}>${inner}</${tag}>`
}

function calloutHtml(
  { kind, tone, fold }: Callout,
  { title, body, foldId }: { title: string; body: string; foldId: () => string },
): string {
  const attributes = `class="callout callout-${tone}" data-kind="${escapeAll(kind)}"`
  if (fold === 'none')
    return `<blockquote ${attributes}>${paragraphHtml(title, ' class="callout-title"')}${body}</blockquote>\n`
  const open = fold === 'open' ? ' open' : ''
  return `<details ${attributes}${foldId()}${open}><summary class="callout-title">${title}</summary>${body}</details>\n`
}

// `#tags` in a text, as links to the pages that have them. What is one is the same as in lib/content/properties/page-data.ts.

type Lexing = { lexer: { state: { inLink: boolean } } }

/** A tag at the beginning of a text. */
const opening = new RegExp(`^(?:${hashTag.source})`, 'u')
const openingClosed = new RegExp(`^(?:${closedTag.source})`, 'u')

const tagRenderer = (slug: string) => ({
  name: 'tag',
  renderer: ({ raw, tag }: Tokens.Generic) =>
    `<a href="${escapeAll(tagHref(slug, String(tag)))}" class="tag">${escapeAll(raw)}</a>`,
})
