// Markdown to nodes: the one place where text becomes HTML. The markup is safe by construction (every text escaped,
// every URL checked, raw HTML shown as text but for a few bare tags), and in the browser DOMPurify sanitizes it once
// more. Trusted Types accepts only its result.

import { Lexer, Marked, type MarkedOptions, type RendererObject, type Tokens, type TokensList } from 'marked'
import { trustMarkup } from '#platform'
import type { Links } from '../../lib/contract/entities/links.ts'
import { splitFrontMatter } from '../../lib/text/front-matter.ts'
import { normalizeName } from '../../lib/text/normalize-name.ts'
import { el } from '../dom.ts'
import { entityHref } from '../entities/addresses.ts'
import { type Callout, calloutOf } from './callout.ts'
import { escapeAll, escapeText } from './escape.ts'
import { createLinkFinder, type LinkFinder } from './link-finder.ts'
import { citeClose, citeOpen, extensions, type WikilinkToken } from './syntax-extensions.ts'

export type MarkdownContext = {
  /** The Space that links and images belong to. */
  slug: string
  /** The targets of the wikilinks, from the API. */
  links?: Links['links']
  /**
   * Renders a page that is embedded on a line of its own: safe HTML, or null for a link instead. `place`: the context of
   * the text around it.
   */
  embed?: (page: { id: string; heading: string }, place: MarkdownContext) => string | null
}

/** What the renderers of one text share. */
type Scope = { context: MarkdownContext; targets: LinkFinder }

/** Raw tags that are allowed, without attributes. None of them has an effect outside its parent element. */
const bareTag = /^<\/?(?:br|wbr|sub|sup|kbd|mark|del|details|summary)\s*\/?>$/i

/** An element with the rendered text. */
export function renderMarkdown(text: string, context: MarkdownContext): HTMLDivElement {
  const element = el('div', { class: 'prose' })
  element.innerHTML = trustMarkup(markdownToHtml(text, context))
  return element
}

/** Safe HTML of a text. Never throws: a text that marked cannot read, or not in time, is shown as it is. */
export function markdownToHtml(text: string, context: MarkdownContext): string {
  const { yaml, content } = splitFrontMatter(text)
  try {
    if (tooDeep.test(content)) return asItIs(text)
    const marked = markedFor(context)
    return withTabStops(frontMatterHtml(yaml) + marked.parser(tokensOf(content, marked.defaults)))
  } catch {
    return asItIs(text)
  }
}

const asItIs = (text: string) => withTabStops(`<pre>${escapeAll(text)}</pre>`)

/** Makes elements that may scroll sideways reachable by keyboard. */
const withTabStops = (html: string) => html.replace(/<(pre|table)(?! tabindex)/g, '<$1 tabindex="0"')

/**
 * The top-level blocks of a text, as in the source; joined they are the text, with `\n` line breaks. A text that
 * is nested too deeply for marked is a single block.
 */
export function blocksOf(text: string): string[] {
  const lines = text.replace(/\r\n|\r/g, '\n')
  if (tooDeep.test(lines)) return [lines]
  let end = 0
  return new Lexer({ gfm: true }).blockTokens(withoutRareBreaks(lines), []).map(({ raw }) => {
    end += raw.length
    return lines.slice(end - raw.length, end)
  })
}

/**
 * With white space for U+2028 and U+2029, which end a line for marked's patterns and not for its paragraphs: it would
 * put such lines together one by one and copy what it has each time.
 */
const withoutRareBreaks = (text: string) => text.replace(/[\u2028\u2029]/g, ' ')

/**
 * A line a hundred quotes or lists deep. marked reads the text again for each level and takes minutes for a thousand; then
 * it runs out of stack.
 */
const tooDeep = /^(?:(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}|[ \t]{400,}[-*+>\d])/m

/**
 * The cost of the inline marks of one text, in characters. marked scans the rest of a paragraph for each mark: a real
 * text of 2 MB costs 20 million, and 300 million take about a third of a second.
 */
const maxInlineCost = 300_000_000

/** The tokens of a text; paragraphs that would exceed the cost stay plain text. */
function tokensOf(text: string, options: MarkedOptions): TokensList {
  const lexer = new Lexer(options)
  lexer.blockTokens(withoutRareBreaks(text.replace(/\r\n|\r/g, '\n')), lexer.tokens)
  let spent = 0
  for (const { src, tokens } of lexer.inlineQueue) {
    const total = spent + src.length * src.replace(/[^[*_`<~!@:\\&^]/g, '').length
    if (total > maxInlineCost) tokens.push({ type: 'text', raw: src, text: src, escaped: false })
    else {
      spent = total
      lexer.inlineTokens(src, tokens)
    }
  }
  return lexer.tokens
}

const frontMatterHtml = (yaml: string): string =>
  yaml.trim() === ''
    ? ''
    : `<details class="front-matter"><summary>Properties</summary><pre>${escapeAll(yaml.trimEnd())}</pre></details>`

const embedLine = /^ {0,3}!\[\[[^[\]\n]*\]\][ \t]*$/m
/** How far marked may look for the line of an embed that ends a paragraph, in characters; it looks at every paragraph. */
const maxLookahead = 20_000

/** The rest of the paragraph that a text begins with. */
function paragraphOf(source: string): string {
  const ahead = source.slice(0, maxLookahead)
  const end = ahead.search(/\n[ \t]*\n/)
  return end === -1 ? ahead : ahead.slice(0, end)
}

function markedFor(context: MarkdownContext): Marked {
  const [inline, ...others] = extensions
  const scope: Scope = { context, targets: createLinkFinder(context.links) }
  const wikilink = {
    ...inline!,
    renderer: (token: Tokens.Generic) => wikilinkHtml(token as WikilinkToken, scope),
  }
  const embed = {
    name: 'embed',
    level: 'block' as const,
    start: (source: string) => embedLine.exec(paragraphOf(source))?.index,
    tokenizer(source: string) {
      const line = /^ {0,3}(!\[\[[^[\]\n]*\]\])[ \t]*(?:\n+|$)/.exec(source)
      const token = line && inline!.tokenizer(line[1]!)
      return token ? { ...token, type: 'embed', raw: line[0] } : undefined
    },
    renderer: (token: Tokens.Generic) => embedHtml(token as WikilinkToken, scope),
  }
  return new Marked({
    gfm: true,
    renderer: rendererFor(scope),
    extensions: [embed, wikilink, ...others],
  })
}

function embedHtml(token: WikilinkToken, scope: Scope): string {
  const { context, targets } = scope
  const found = targets.find(token.target)
  const isPage = found?.to_type === 'page' && found.to_id
  const shown = isPage && context.embed?.({ id: found.to_id!, heading: token.heading }, context)
  return shown || `<p>${wikilinkHtml(token, scope)}</p>`
}

function rendererFor(scope: Scope): RendererObject {
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) =>
      text.replace(/<[^<>]*>|[^<]+|</g, (part) =>
        bareTag.test(part) ? part.toLowerCase() : escapeAll(part),
      ),
    text(token: Tokens.Text | Tokens.Escape) {
      return 'tokens' in token && token.tokens
        ? this.parser.parseInline(token.tokens)
        : escapeText(token.text)
    },
    blockquote(token: Tokens.Blockquote) {
      const callout = calloutOf(token)
      if (!callout) return `<blockquote>\n${this.parser.parse(token.tokens)}</blockquote>\n`
      const title =
        callout.title.length > 0 ? this.parser.parseInline(callout.title) : escapeAll(callout.name)
      return calloutHtml(callout, title, this.parser.parse(callout.body))
    },
    code: ({ text, lang }: Tokens.Code) =>
      `<pre data-language="${escapeAll((lang ?? '').split(/\s/)[0]!.slice(0, 40))}"><code>${escapeAll(plain(text))}</code></pre>`,
    codespan: ({ text }: Tokens.Codespan) => `<code>${escapeAll(plain(text))}</code>`,
    link({ href, title, text, tokens }: Tokens.Link) {
      const label = this.parser.parseInline(tokens)
      // An external image inside a link would be a link in a link.
      return linkHtml(href, title ?? null, label.includes('<a ') ? escapeText(text) : label)
    },
    image: ({ href, text }: Tokens.Image) => imageHtml(href, text, scope),
  }
}

function calloutHtml({ tone, fold }: Callout, title: string, body: string): string {
  const attributes = `class="callout callout-${tone}"`
  if (fold === 'none')
    return `<blockquote ${attributes}><p class="callout-title">${title}</p>${body}</blockquote>\n`
  const open = fold === 'open' ? ' open' : ''
  return `<details ${attributes}${open}><summary class="callout-title">${title}</summary>${body}</details>\n`
}

function linkHtml(href: string, title: string | null, label: string): string {
  const url = externalUrl(href)
  if (!url) {
    const inside = /^(#|\/s\/)/.test(href)
    return inside
      ? `<a href="${escapeAll(href)}">${label}</a>`
      : `<span title="${escapeAll(href)}">${label}</span>`
  }
  const where = url.protocol === 'mailto:' ? url.pathname : url.host
  const host = namesPlace(label, where) ? '' : ` data-host="${escapeAll(where)}"`
  const hint = title ? `${title} — ${url.href}` : url.href
  return `<a href="${escapeAll(url.href)}" rel="noopener noreferrer" target="_blank" title="${escapeAll(hint)}"${host}>${label}</a>`
}

/** Whether a label, as HTML, is the address it leads to: the same host, not a host that merely contains it. */
function namesPlace(label: string, where: string): boolean {
  const said = /^(?:https?:\/\/|mailto:)?([^/?#\s\\]+)(?:[/?#]\S*)?$/i.exec(label.trim())?.[1]
  return said?.toLowerCase() === escapeAll(where).toLowerCase()
}

/** An image of the Space is shown; an external one becomes a link, so that nothing is loaded unasked. */
function imageHtml(href: string, alt: string, { targets }: Scope, size = ''): string {
  const own = /^\/api\/source-docs\/[0-9a-f-]{36}\/original$/.test(href) ? href : attachment(href, targets)
  if (own) return `<img src="${escapeAll(own)}" alt="${escapeAll(plain(alt))}" loading="lazy"${size}>`
  const label = escapeAll(plain(alt).trim() || 'image')
  return linkHtml(href, null, `<span class="image-link">${label}</span>`)
}

function attachment(name: string, targets: LinkFinder): string | null {
  const found = targets.findFile(safeDecode(name))
  return found ? `/api/source-docs/${found.to_id}/original` : null
}

function wikilinkHtml({ target, heading, label, embed }: WikilinkToken, scope: Scope): string {
  const found = scope.targets.find(target)
  if (embed && found?.to_type === 'source_doc' && isImage(target)) return embeddedImage(target, label, scope)
  const text = escapeAll(label || [target, heading].filter(Boolean).join(' › '))
  if (normalizeName(target) === '' && heading)
    return `<a href="#${escapeAll(encodeURIComponent(heading))}" class="wikilink">${text}</a>`
  const href =
    found?.to_type && found.to_id ? entityHref(scope.context.slug, found.to_type, found.to_id) : null
  if (!href)
    return `<span class="wikilink-missing" title="${missingTitle}${escapeAll(target)}">${text}</span>`
  const hash = heading ? `#${encodeURIComponent(heading)}` : ''
  return `<a href="${escapeAll(href + hash)}" class="wikilink">${text}</a>`
}

/** A numeric label is the width, as in `![[Tower.png|300]]` and `300x200`. */
function embeddedImage(target: string, label: string, scope: Scope): string {
  const width = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label)?.[1]
  return imageHtml(target, width || !label ? target : label, scope, width && ` width="${width}"`)
}

/** The start of the title of a link without a target; the name in the link follows. */
export const missingTitle = 'Page not found: '

const isImage = (name: string) => /\.(png|jpe?g|gif|webp|avif)$/i.test(name)

/** The URL of an external link; `null` for any other kind of URL, such as `javascript:`. */
function externalUrl(href: string): URL | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href.trim()) || !URL.canParse(href)) return null
  return new URL(href)
}

const plain = (text: string) => text.replace(new RegExp(`${citeOpen}\\d+${citeClose}`, 'g'), '')

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
