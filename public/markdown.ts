// Markdown to nodes: the one place where text becomes HTML. The markup is safe by construction (every text escaped,
// every address checked, raw HTML shown as text but for a few bare tags), and in the browser DOMPurify goes over it
// once more, whose result is what Trusted Types lets into the document.

import { Lexer, Marked, type MarkedOptions, type RendererObject, type Tokens, type TokensList } from 'marked'
import { trustMarkup } from '#platform'
import type { Links } from '../lib/contract/entities.ts'
import { normalizeName } from '../lib/links/normalize-name.ts'
import { entityHref } from './addresses.ts'
import { type Callout, calloutOf } from './callout.ts'
import { el } from './dom.ts'

export type MarkdownContext = {
  /** The Space that links and images belong to. */
  slug: string
  /** What the wikilinks of the text lead to, as the API tells. */
  links?: Links['links']
  /**
   * What stands in place of an embedded page on lines of its own: safe HTML, or null where a link has to do. `place` is
   * where it stands.
   */
  embed?: (page: { id: string; heading: string }, place: MarkdownContext) => string | null
}

/** Around the number of a citation, in a text that is about to be rendered. Texts themselves hold neither. */
export const citeOpen = '\uE000'
export const citeClose = '\uE001'

/** Raw tags that may stand in a text, without attributes. None of them reaches beyond the element it stands in. */
const bareTag = /^<\/?(?:br|wbr|sub|sup|kbd|mark|del|details|summary)\s*\/?>$/i

/** An element with the rendered text. */
export function renderMarkdown(text: string, context: MarkdownContext): HTMLDivElement {
  const element = el('div', { class: 'prose' })
  element.innerHTML = trustMarkup(markdownToHtml(text, context))
  return element
}

/** Safe HTML of a text. Never throws: a text that marked cannot read, or not in time, is shown as it is. */
export function markdownToHtml(text: string, context: MarkdownContext): string {
  const { frontMatter, content } = splitFrontMatter(text)
  try {
    if (tooDeep.test(content)) return asItIs(text)
    const marked = markedFor(context)
    return withStops(frontMatterHtml(frontMatter) + marked.parser(tokensOf(content, marked.defaults)))
  } catch {
    return asItIs(text)
  }
}

const asItIs = (text: string) => withStops(`<pre>${escapeAll(text)}</pre>`)

/** What may be wider than the text scrolls by itself, and has to be reached by keys for that. */
const withStops = (html: string) => html.replace(/<(pre|table)(?! tabindex)/g, '<$1 tabindex="0"')

/**
 * The top-level blocks of a text, each as it stands there; joined they are the text, its line breaks made `\n`. One
 * that is nested too deeply for marked is a single block.
 */
export function blocksOf(text: string): string[] {
  const lines = text.replace(/\r\n|\r/g, '\n')
  return tooDeep.test(lines) ? [lines] : new Lexer({ gfm: true }).blockTokens(lines, []).map(({ raw }) => raw)
}

/**
 * A line a hundred quotes or lists deep. marked reads a text anew for each level and takes minutes for a thousand; then
 * it runs out of stack.
 */
const tooDeep = /^(?:(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}|[ \t]{400,}[-*+>\d])/m

/**
 * What the inline marks of one text may cost. marked looks at the rest of a paragraph for each of its marks: a real
 * text of 2 MB costs 20 million, and 300 million take about a third of a second.
 */
const mostInline = 300_000_000

/** The tokens of a text as marked makes them, but for paragraphs that would take it too long: those stay plain. */
function tokensOf(text: string, options: MarkedOptions): TokensList {
  const lexer = new Lexer(options)
  lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), lexer.tokens)
  let spent = 0
  for (const { src, tokens } of lexer.inlineQueue) {
    const total = spent + src.length * src.replace(/[^[*_`<~!@:\\&^]/g, '').length
    if (total > mostInline) tokens.push({ type: 'text', raw: src, text: src, escaped: false })
    else {
      spent = total
      lexer.inlineTokens(src, tokens)
    }
  }
  return lexer.tokens
}

function splitFrontMatter(text: string): { frontMatter: string; content: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text)
  return found
    ? { frontMatter: found[1] ?? '', content: text.slice(found[0].length) }
    : { frontMatter: '', content: text }
}

const frontMatterHtml = (yaml: string): string =>
  yaml.trim() === ''
    ? ''
    : `<details class="front-matter"><summary>Properties</summary><pre>${escapeAll(yaml)}</pre></details>`

type WikilinkToken = Tokens.Generic & { target: string; heading: string; label: string; embed: boolean }
type CiteToken = Tokens.Generic & { n: string }

const extensions = [
  {
    name: 'wikilink',
    level: 'inline' as const,
    start: (source: string) => /!?\[\[/.exec(source)?.index,
    tokenizer(source: string): WikilinkToken | undefined {
      const found = /^(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/.exec(source)
      if (!found) return undefined
      const [raw, bang, target = '', heading = '', label = ''] = found
      return {
        type: 'wikilink',
        raw,
        target: target.trim(),
        heading: heading.trim(),
        label: label.trim(),
        embed: bang === '!',
      }
    },
  },
  {
    name: 'cite',
    level: 'inline' as const,
    start: (source: string) => new RegExp(citeOpen).exec(source)?.index,
    tokenizer(source: string): CiteToken | undefined {
      const found = new RegExp(`^${citeOpen}(\\d+)${citeClose}`).exec(source)
      return found ? { type: 'cite', raw: found[0], n: found[1]! } : undefined
    },
    renderer: (token: Tokens.Generic) =>
      `<span class="cite" data-cite="${Number(token.n)}">${Number(token.n)}</span>`,
  },
  {
    // Obsidian's name of the block that it ends, which `[[Page#^name]]` leads to.
    name: 'block-id',
    level: 'inline' as const,
    start: (source: string) => /\s\^[\w-]+\s*$/.exec(source)?.index,
    tokenizer(source: string): Tokens.Generic | undefined {
      const found = /^\s*\^([\w-]{1,100})\s*$/.exec(source)
      return found ? { type: 'block-id', raw: found[0], id: found[1] } : undefined
    },
    renderer: ({ id }: Tokens.Generic) =>
      `<span class="block-id" data-block="${escapeAll(String(id))}"></span>`,
  },
]

function markedFor(context: MarkdownContext): Marked {
  const [inline, ...others] = extensions
  const wikilink = {
    ...inline!,
    renderer: (token: Tokens.Generic) => wikilinkHtml(token as WikilinkToken, context),
  }
  const embed = {
    name: 'embed',
    level: 'block' as const,
    start: (source: string) => /^ {0,3}!\[\[[^[\]\n]*\]\][ \t]*$/m.exec(source)?.index,
    tokenizer(source: string) {
      const line = /^ {0,3}(!\[\[[^[\]\n]*\]\])[ \t]*(?:\n+|$)/.exec(source)
      const token = line && inline!.tokenizer(line[1]!)
      return token ? { ...token, type: 'embed', raw: line[0] } : undefined
    },
    renderer: (token: Tokens.Generic) => embedHtml(token as WikilinkToken, context),
  }
  return new Marked({
    gfm: true,
    renderer: rendererFor(context),
    extensions: [embed, wikilink, ...others],
  })
}

function embedHtml(token: WikilinkToken, context: MarkdownContext): string {
  const found = findLink(token.target, context)
  const isPage = found?.to_type === 'page' && found.to_id
  const shown = isPage && context.embed?.({ id: found.to_id!, heading: token.heading }, context)
  return shown || `<p>${wikilinkHtml(token, context)}</p>`
}

function findLink(target: string, { links }: MarkdownContext) {
  const name = normalizeName(target)
  return links?.find((link) => link.name === name && link.to_id)
}

function rendererFor(context: MarkdownContext): RendererObject {
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
      // An image from elsewhere inside a link would be a link in a link.
      return linkHtml(href, title ?? null, label.includes('<a ') ? escapeText(text) : label)
    },
    image: ({ href, text }: Tokens.Image) => imageHtml(href, text, context),
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
  const host = label.includes(escapeAll(where)) ? '' : ` data-host="${escapeAll(where)}"`
  const hint = title ? `${title} — ${url.href}` : url.href
  return `<a href="${escapeAll(url.href)}" rel="noopener noreferrer" target="_blank" title="${escapeAll(hint)}"${host}>${label}</a>`
}

/** An image of the Space is shown; one from elsewhere is a link, so that nothing is fetched without being asked for. */
function imageHtml(href: string, alt: string, context: MarkdownContext, size = ''): string {
  const own = /^\/api\/source-docs\/[0-9a-f-]{36}\/original$/.test(href) ? href : attachment(href, context)
  if (own) return `<img src="${escapeAll(own)}" alt="${escapeAll(plain(alt))}" loading="lazy"${size}>`
  const label = escapeAll(plain(alt).trim() || 'image')
  return linkHtml(href, null, `<span class="image-link">${label}</span>`)
}

function attachment(name: string, { links }: MarkdownContext): string | null {
  const wanted = normalizeName(safeDecode(name))
  const found = links?.find((link) => link.to_type === 'source_doc' && link.to_id && link.name === wanted)
  return found ? `/api/source-docs/${found.to_id}/original` : null
}

function wikilinkHtml({ target, heading, label, embed }: WikilinkToken, context: MarkdownContext): string {
  const name = normalizeName(target)
  const found = findLink(target, context)
  if (embed && found?.to_type === 'source_doc' && isImage(target))
    return embeddedImage(target, label, context)
  const text = escapeAll(label || [target, heading].filter(Boolean).join(' › '))
  if (name === '' && heading)
    return `<a href="#${escapeAll(encodeURIComponent(heading))}" class="wikilink">${text}</a>`
  const href = found?.to_type && found.to_id ? entityHref(context.slug, found.to_type, found.to_id) : null
  if (!href)
    return `<span class="wikilink-missing" title="${missingTitle}${escapeAll(target)}">${text}</span>`
  const hash = heading ? `#${encodeURIComponent(heading)}` : ''
  return `<a href="${escapeAll(href + hash)}" class="wikilink">${text}</a>`
}

/** A label that is a number says how wide it is to be, as in `![[Tower.png|300]]` and `300x200`. */
function embeddedImage(target: string, label: string, context: MarkdownContext): string {
  const width = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label)?.[1]
  return imageHtml(target, width || !label ? target : label, context, width && ` width="${width}"`)
}

/** What the title of a link to nothing begins with; the name it was looked for by follows. */
export const missingTitle = 'Nothing here is called '

const isImage = (name: string) => /\.(png|jpe?g|gif|webp|avif)$/i.test(name)

/** The address of a link that leaves the app; `null` for any other kind of address, `javascript:` among them. */
function externalUrl(href: string): URL | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href.trim()) || !URL.canParse(href)) return null
  return new URL(href)
}

const plain = (text: string) => text.replace(new RegExp(`${citeOpen}\\d+${citeClose}`, 'g'), '')

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeAll = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** As `escapeAll`, but an entity that the text spells out stays one. */
const escapeText = (text: string) =>
  text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,32});)/gi, (character) => escapes[character]!)

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
