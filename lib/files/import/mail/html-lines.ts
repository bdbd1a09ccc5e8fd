// The HTML of a message as lines of Markdown. Pictures are their descriptions, and long addresses of links stand below the
// text, as references: they would be half of it. What a broken head would swallow is read all the same.

import type { BodyLine } from '../../../core/text/mail/find-folds.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { attribute, type HtmlNode } from '../html/node.ts'
import { parseHtml } from '../html/parse-html.ts'

/** Lines of the text, and references by their numbers. Throws `SkippedFile` for HTML nested too deeply. */
export async function htmlLines(
  html: string,
  firstLink: number,
): Promise<{ lines: BodyLine[]; links: string[] }> {
  const plain = html.replace(/[\uE0F2\uE0F3]/g, '').replace(typedMark, `$1${signatureStart}-- `)
  const whole = await convert(plain, firstLink)
  const { markdown, links } = /[\p{L}\p{N}]/u.test(whole.markdown)
    ? whole
    : await convert(withoutHead(plain), firstLink)
  return { lines: toLines(markdown), links }
}

/** Characters that stand for the beginning and the end of a signature while the HTML is converted. */
const signatureStart = '\uE0F2'
const signatureEnd = '\uE0F3'

/** A line of two hyphens and a space. */
const typedMark = /(>\s{0,3}|\n)--(?: |&nbsp;|\u00A0)\s{0,3}(?=<(?:br|\/div|\/p|\/span)\b)/gi

/** Elements in which mail programs put a signature. */
const signatures = [
  '.gmail_signature',
  '[data-smartmail="gmail_signature"]',
  '.moz-signature',
  '#Signature',
  '#x_Signature',
  '#ms-outlook-mobile-signature',
  '#AppleMailSignature',
  '.protonmail_signature_block',
  '.yahoo_signature',
].join(', ')

/** Of what linkedom makes, which the converter needs not. */
type Element = HtmlNode & {
  setAttribute(name: string, value: string): void
  before(...nodes: unknown[]): void
  after(...nodes: unknown[]): void
  replaceWith(...nodes: unknown[]): void
  textContent: string | null
}

const maxInlineAddress = 80
const maxLinks = 500

async function convert(html: string, firstLink: number): Promise<{ markdown: string; links: string[] }> {
  const document = await parseHtml(html)
  const { body } = document
  if (!body) return { markdown: '', links: [] }
  const all = (selector: string) =>
    [...(document.querySelectorAll(selector) as Iterable<unknown>)] as Element[]
  const paragraph = (text: string) => {
    const made = (document as unknown as { createElement(name: string): Element }).createElement('p')
    made.textContent = text
    return made
  }
  for (const element of all(signatures)) {
    element.before(paragraph(signatureStart))
    element.after(paragraph(signatureEnd))
  }
  for (const picture of all('img')) picture.replaceWith(` ${attribute(picture, 'alt')} `)
  const links: string[] = []
  for (const link of all('a')) {
    const address = attribute(link, 'href').trim()
    if (address.length <= maxInlineAddress || links.length >= maxLinks || !/^https?:/i.test(address)) continue
    links.push(address)
    link.setAttribute('href', `${placeholder}${firstLink + links.length - 1}`)
    const text = link.textContent?.trim() ?? ''
    if (text.length > maxInlineAddress && /^https?:/i.test(text)) link.textContent = `${hostOf(text)}…`
  }
  const markdown = htmlToMarkdown(body).replace(new RegExp(`\\]\\(${placeholder}(\\d{1,6})\\)`, 'g'), '][$1]')
  return { markdown, links: links.map(escapeAddress) }
}

const placeholder = 'https://reference.invalid/'

const hostOf = (address: string): string => /^https?:\/\/([^/?#\s]{1,80})/i.exec(address)?.[1] ?? 'link'

const escapeAddress = (address: string): string =>
  address.replace(
    /[\s<>()\\]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )

/** Only what stands behind a head that never ends, and nothing that hides the rest. */
function withoutHead(html: string): string {
  const body = html.search(/<body\b/i)
  return withoutRaw(html.slice(Math.max(0, body))).replace(
    /<!--|-->|<!\[[^\]<>]{0,100}\]>|<\/?(?:html|head|title|meta|link|base|style|script|body|noscript|textarea)\b[^<>]*>/gi,
    ' ',
  )
}

/** Without style sheets and scripts that end. */
function withoutRaw(html: string): string {
  const lower = html.toLowerCase()
  const parts: string[] = []
  let from = 0
  for (const { index, 1: name } of lower.matchAll(/<(style|script)\b/g)) {
    if (index < from) continue
    const end = lower.indexOf(`</${name}`, index)
    if (end < 0) break
    parts.push(html.slice(from, index))
    from = end
  }
  return parts.join(' ') + html.slice(from)
}

function toLines(markdown: string): BodyLine[] {
  let isFenced = false
  return markdown.split('\n').map((line) => {
    const [, marks = '', rest = ''] = /^((?:> ?)*)(.*)$/s.exec(line) ?? []
    const isFence = /^\s{0,3}(?:`{3,}|~{3,})/.test(rest)
    const isCode = isFenced || isFence
    if (isFence) isFenced = !isFenced
    const depth = isCode ? 0 : marks.replaceAll(' ', '').length
    const mark = depth > 0 ? null : markOf(rest)
    const bare = line.replace(/[\uE0F2\uE0F3]/g, '')
    return { markdown: bare, plain: isCode ? line.trim() : readable(rest), depth, mark, isWhole: true }
  })
}

function markOf(line: string): BodyLine['mark'] {
  if (line.includes(signatureStart)) return 'signature'
  return line.includes(signatureEnd) ? 'end of signature' : null
}

/** A line of Markdown as it is read. */
const readable = (line: string): string =>
  line
    .replace(/[\uE0F2\uE0F3\p{Cf}]/gu, '')
    .replace(/(?<!\\)\[([^\]\n]{0,300})\](?:\([^()\s]{0,2000}\)|\[\d{1,6}\])/g, '$1')
    .replace(/^#{1,6} |(?<!\\)\*{1,3}|\\(?=[\\`*[\]<~_&#+=>.)-])/g, '')
    .trim()
