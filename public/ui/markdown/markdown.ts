// Markdown to nodes: the one place where text becomes HTML. The markup is safe by construction (every text escaped,
// every URL checked, raw HTML shown as text but for a few bare tags), and in the browser DOMPurify sanitizes it once
// more. Trusted Types accepts only its result.

import {
  Lexer,
  Marked,
  type MarkedOptions,
  type RendererObject,
  type Token,
  type TokenizerAndRendererExtension,
  type TokenizerObject,
  type Tokens,
  type TokensList,
} from 'marked'
import { inBrowser, trustMarkup } from '#platform'
import type { Links, Space } from '../../../lib/contract/entities.ts'
import { isLabelFirst, targetStart } from '../../../lib/core/text/links/label-first.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { el } from '../dom.ts'
import {
  createLinkFinder,
  imageHtml,
  type LinkScope,
  leadsToDrawing,
  linkHtml,
  wikilinkHtml,
} from './links.ts'
import {
  blockReferenceSyntax,
  escapeAll,
  escapeText,
  inlineSyntax,
  lineOfParagraph,
  type WikilinkToken,
  wikilinkSyntax,
  withoutCites,
} from './syntax.ts'

export type MarkdownContext = {
  /** The Space that links and images belong to. */
  slug: string
  /** The targets of the wikilinks, from the API. */
  links?: Links['links']
  /** The path of the text. */
  path?: string | null
  /** Its wikilinks say the label first. Default: where its front matter says so. */
  labelFirst?: boolean
  /** Single line breaks are shown as such. */
  breaks?: boolean
  /**
   * Renders a page that is embedded on a line of its own: safe HTML, or null for a link instead. `isLine`: the first line
   * of it alone, as plain text. `place`: the context of the text around it.
   */
  embed?: (page: { id: string; heading: string; isLine?: boolean }, place: MarkdownContext) => string | null
  /**
   * Whether it offers to load images from elsewhere, and loads those of hosts that were chosen before. Only for what the
   * owner has taken into the Space: in an answer of a model, an address could carry what it had read.
   */
  offersImages?: boolean
  /** How the ids of its folds begin, where a view that is drawn again keeps open what is. */
  folds?: string
}

/** How a text of a Space is read, with its links. */
export const textContext = (
  { slug, line_breaks }: Pick<Space, 'slug' | 'line_breaks'>,
  { links, label_first }: Pick<Links, 'links' | 'label_first'>,
) => ({ slug, links, labelFirst: label_first, breaks: line_breaks === true })

/** What the renderers of one text share. */
type Scope = LinkScope & { context: MarkdownContext }

/** An element with the rendered text. */
export function renderMarkdown(text: string, context: MarkdownContext): HTMLDivElement {
  const element = renderPlain(text, context)
  if (!inBrowser) return element
  rich?.enrichLater(element, context)
  const links = element.querySelectorAll<HTMLAnchorElement>('a[target="_blank"]')
  if (links.length > 0)
    import('./disguised-links.ts').then(({ nameDisguises }) => nameDisguises(links)).catch(() => {})
  return element
}

/** As `renderMarkdown`, without what is added once the text is shown. */
export function renderPlain(text: string, context: MarkdownContext): HTMLDivElement {
  const element = el('div', { class: 'prose' })
  element.innerHTML = trustMarkup(markdownToHtml(text, context))
  return element
}

/** Whether a text, or any in the JSON of a page, may take what `loadRichSyntax` loads. */
export const mayBeRich = (text: string): boolean =>
  /[$<^]|\[!|==|%%|```|~~~|#[^\s#]|!\[[^[]|\\u003c/.test(text)

/** Safe HTML of a text. Never throws: a text that marked cannot read, or not in time, is shown as it is. */
export function markdownToHtml(text: string, context: MarkdownContext): string {
  const { yaml, content } = splitFrontMatter(text)
  try {
    if (tooDeep.test(content)) return asItIs(text)
    const { labelFirst = isLabelFirst(yaml) } = context
    return withTabStops(frontMatterHtml(yaml) + htmlOf(tokensOf(content), context, labelFirst))
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
export const blocksOf = (text: string): string[] => typedBlocksOf(text).map(({ raw }) => raw)

/** They with what marked calls them, such as `paragraph`; `space` is what lies between two of them. */
export function typedBlocksOf(text: string): { type: string; raw: string }[] {
  const lines = text.replace(/\r\n|\r/g, '\n')
  if (tooDeep.test(lines)) return [{ type: 'paragraph', raw: lines }]
  let end = 0
  return new Lexer(blocks).blockTokens(withoutRareBreaks(lines), []).map(({ type, raw }) => {
    end += raw.length
    return { type, raw: lines.slice(end - raw.length, end) }
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
function tokensOf(text: string): TokensList {
  const lexer = new Lexer(syntax)
  lexer.blockTokens(withoutRareBreaks(text.replace(/\r\n|\r/g, '\n')), lexer.tokens)
  let spent = 0
  for (const { src, tokens } of lexer.inlineQueue) {
    const total = spent + src.length * src.replace(/[^[*_`<~!@:\\&^=%$#]/g, '').length
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

const embedLine =
  / {0,3}(?:!\[\[[^[\]\n]*\]\]|\{\{embed (?:\[\[[^[\]\n]*\]\]|\(\([\da-f-]{36}\)\))\}\})[ \t]*$/
const embed = {
  name: 'embed',
  level: 'block' as const,
  start: lineOfParagraph(embedLine),
  tokenizer(source: string) {
    const line =
      /^ {0,3}(?:(!\[\[[^[\]\n]*\]\])|\{\{embed ((?:\[\[|\(\()[^[\]()\n]*(?:\]\]|\)\)))\}\})[ \t]*(?:\n+|$)/.exec(
        source,
      )
    const token =
      line &&
      (wikilinkSyntax.tokenizer(line[1] ?? `!${line[2]}`) ?? blockReferenceSyntax.tokenizer(line[2] ?? ''))
    return token ? { ...token, type: 'embed', raw: line[0] } : undefined
  },
}
/** What few texts hold; the server has it from the start. Until it is loaded, a text shows the source of it. */
let rich: typeof import('./rich-syntax.ts') | null = null

/** How texts are read, but for what depends on the place they are shown in: their blocks alone, and all of them. */
let [blocks, syntax] = [{ gfm: true } as MarkedOptions, readerWith([])]

/** Loads what reads the whole of Markdown, once; without a connection there is only the rest. */
export async function loadRichSyntax(): Promise<void> {
  if (rich) return
  rich = await import('./rich-syntax.ts').catch(() => null)
  if (!rich) return
  const { tokenizer } = rich
  blocks = new Marked({ gfm: true, tokenizer, extensions: rich.blockSyntax }).defaults
  syntax = readerWith(rich.textSyntax, tokenizer)
}

function readerWith(
  extensions: readonly TokenizerAndRendererExtension[],
  tokenizer: TokenizerObject = {},
): MarkedOptions {
  const all = [embed, ...extensions, wikilinkSyntax, blockReferenceSyntax, ...inlineSyntax]
  return new Marked({ gfm: true, tokenizer, extensions: all }).defaults
}

/** The tokens of a text, rendered in its place. */
function htmlOf(tokens: TokensList, context: MarkdownContext, labelFirst: boolean): string {
  const { slug, links, path, folds } = context
  const scope: Scope = { context, slug, targets: createLinkFinder(links, path) }
  const read = (token: Tokens.Generic) =>
    labelFirst ? labelled(token as WikilinkToken) : (token as WikilinkToken)
  const marked = new Marked({
    gfm: true,
    renderer: rendererFor(scope),
    extensions: [
      ...inlineSyntax,
      { name: 'embed', renderer: (token: Tokens.Generic) => embedHtml(read(token), scope) },
      { name: 'wikilink', renderer: (token: Tokens.Generic) => wikilinkHtml(read(token), scope) },
      {
        name: 'block-reference',
        renderer: (token: Tokens.Generic) => referenceHtml(token as WikilinkToken, scope),
      },
    ],
  })
  if (!rich) return marked.parser(tokens)
  rich.readRawHtml(tokens, scope)
  const { renderer, extensions, footnotes } = rich.richRenderers(tokens, { slug, folds })
  const parse = (list: Token[]) => marked.parser(list)
  marked.use({ renderer, extensions })
  return parse(tokens) + footnotes(parse)
}

/** As Dendron reads it. */
function labelled(token: WikilinkToken): WikilinkToken {
  const written = token.label || token.target
  const [target = '', heading = token.heading] = written.slice(targetStart(written)).split('#', 2)
  return { ...token, target, heading, label: token.label && token.target }
}

/** The line that it names, as a link to it. */
function referenceHtml(token: WikilinkToken, scope: Scope): string {
  const { context, targets } = scope
  const link = targets.find({ form: 'wiki', target: token.target })
  if (!link?.to_id) return escapeAll(token.raw)
  const page = { id: link.to_id, heading: token.heading, isLine: true }
  const label = context.embed?.(page, context) || link.to_title || 'Block'
  return wikilinkHtml({ ...token, label }, scope)
}

function embedHtml(token: WikilinkToken, scope: Scope): string {
  const { context, targets } = scope
  const link = targets.find({ form: 'wiki', target: token.target })
  const isPage = link?.to_type === 'page' && link.to_id && !leadsToDrawing(link)
  const embedded = isPage && context.embed?.({ id: link.to_id!, heading: token.heading }, context)
  if (embedded) return embedded
  const isList =
    link?.to_type === 'page_view' || (link?.to_type === 'source_doc' && /\.base$/i.test(token.target))
  return `<p${isList ? ' class="embed-list"' : ''}>${wikilinkHtml(token, scope)}</p>`
}

function rendererFor(scope: Scope): RendererObject {
  return {
    html: ({ raw }: Tokens.HTML | Tokens.Tag) => escapeAll(raw),
    text(token: Tokens.Text | Tokens.Escape) {
      return 'tokens' in token && token.tokens
        ? this.parser.parseInline(token.tokens)
        : scope.context.breaks
          ? // Where marked makes breaks itself, it reads the rest of a paragraph again for each line.
            escapeText(token.text).replace(/\n[ \t]*/g, '<br>')
          : escapeText(token.text)
    },
    code: ({ text, lang }: Tokens.Code) =>
      `<pre data-language="${escapeAll((lang ?? '').split(/\s/)[0]!.slice(0, 40))}"><code>${escapeAll(withoutCites(text))}</code></pre>`,
    codespan: ({ text }: Tokens.Codespan) => `<code>${escapeAll(withoutCites(text))}</code>`,
    link({ href, title, text, tokens }: Tokens.Link) {
      const label = this.parser.parseInline(tokens)
      // An external image inside a link would be a link in a link, and so would a footnote.
      const plain = /<(?:a |details)/.test(label) ? escapeText(text) : label
      return linkHtml(href, { title: title ?? null, label: plain, scope })
    },
    image: ({ href, text }: Tokens.Image) => imageHtml(href, text, scope),
  }
}

if (!inBrowser) await loadRichSyntax()
