import { formulaOf } from './formula.ts'
import { attribute, childrenOf, type HtmlNode, isBlock, isSeen, nameOf, positionOf, styleOf } from './node.ts'

const deepest = 200

const marks: Record<string, string> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
  mark: '==',
}

/** The text of nodes as Markdown on one line, except for hard breaks (two spaces and a line break). */
export function inlineOf(nodes: readonly HtmlNode[], depth = 0): string {
  const pieces: string[] = []
  let text = ''
  let wasBlock = false
  const endText = () => {
    add(plain(text), false)
    text = ''
  }
  // A block that is in a line, as in a cell or a heading, is a word of its own.
  const add = (piece: string, isBlock: boolean) => {
    if (piece === '') return
    const before = pieces.at(-1)?.at(-1) ?? ' '
    if ((isBlock || wasBlock) && !/\s/.test(before) && !/^\s/.test(piece)) pieces.push(' ')
    pieces.push(piece)
    wasBlock = isBlock
  }
  // The parser splits text, for example at each `&`; only the whole text shows which characters need escaping.
  for (const node of nodes) {
    if (nameOf(node) === '#text') text += node.textContent ?? ''
    else {
      endText()
      add(inline(node, depth), isBlock(node))
    }
  }
  endText()
  return pieces.join('')
}

const plain = (text: string) => escapeMarkdown(text.replace(/\s+/g, ' '))

function inline(node: HtmlNode, depth: number): string {
  const name = nameOf(node)
  if (name === '') return ''
  const formula = formulaOf(node)
  if (formula !== null) return formula
  if (!isSeen(node)) return ''
  if (depth > deepest) return plain(node.textContent ?? '')
  if (name === 'br') return '  \n'
  if (name === 'img') return image(node)
  if (name === 'code' || name === 'kbd' || name === 'samp') return code(node.textContent ?? '')

  const inner = inlineOf(childrenOf(node), depth + 1)
  if (name === 'a') return link(node, inner)
  const position = name === 'sup' || name === 'sub' ? name : isBlock(node) ? null : positionOf(styleOf(node))
  if (position) return raised(inner, position)
  if (name === 'span' && /-(?:en|evernote)-highlight:/.test(styleOf(node))) return around(inner, marks.mark!)
  return marks[name] && !isPlain(node) ? around(inner, marks[name]) : inner
}

/** Google Docs wraps copied content in a `b` that is not bold. */
const isPlain = (node: HtmlNode) =>
  nameOf(node) === 'b' && /font-weight:\s*(?:normal|[1-4]00)\b/i.test(styleOf(node))

/** Once: elements within each other may say it both. */
const raised = (inner: string, name: 'sup' | 'sub') =>
  /^\s*<su[pb]>/.test(inner) ? inner : around(inner, `<${name}>`, `</${name}>`)

// Markup must adjoin words: leading and trailing spaces move outside.
function around(inner: string, mark: string, end = mark): string {
  const text = inner.trim()
  if (text === '' || text.includes('\n\n')) return inner
  const start = inner.slice(0, inner.length - inner.trimStart().length)
  return start + mark + text + end + inner.slice(inner.trimEnd().length)
}

function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  if (flat.trim() === '') return flat
  const runs = flat.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const padded = flat.startsWith('`') || flat.endsWith('`') ? ` ${flat} ` : flat
  return fence + padded + fence
}

function link(node: HtmlNode, inner: string): string {
  const target = targetOf(attribute(node, 'href'))
  if (isNoteReference(node)) return raised(inner, 'sup')
  if (!target || target.startsWith('#')) return inner
  // A link holds no other: of a picture in it that is one, its name.
  const label = inner
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<![!\\])\[((?:\\.|[^[\]\\])*)\]\([^()\s]*\)/g, '$1')
  return label.trim() === '' ? '' : `[${label}](${target})`
}

/** The number of a note, as books write it. */
const isNoteReference = (node: HtmlNode): boolean =>
  /(?:^|[\s-])noteref(?:\s|$)/.test(`${attribute(node, 'role')} ${attribute(node, 'epub:type')}`)

// A picture in the folder is embedded; a remote one becomes a link, so that viewing a page loads nothing.
function image(node: HtmlNode): string {
  const target = targetOf(attribute(node, 'src'))
  const alt = escapeMarkdown(attribute(node, 'alt').replace(/\s+/g, ' ').trim())
  if (!target) return alt
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)
    ? `[${alt || 'picture'}](${target})`
    : `![${alt}](${target})`
}

/** A URL that is safe in a text; empty for one that runs code or carries data. */
function targetOf(address: string): string {
  // Browsers ignore these characters inside a scheme, so they are ignored here, too.
  const bare = [...address].filter((character) => character > ' ').join('')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase()
  if (scheme && !['http', 'https', 'mailto'].includes(scheme)) return ''
  return address
    .trim()
    .replace(
      /[\s<>()\\]/g,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    )
}

/**
 * Escapes plain text for Markdown: it creates no tag, link, emphasis or heading. An underscore inside a word stays,
 * since it has no meaning there.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
}

/** A line escaped so that it does not begin a heading, a list, a quote, a rule or a fence. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)(?=#{1,6}(\s|$)|[-+>](\s|$|[-+=>])|>|-{3,}|=+\s*$|:::)/, '$1\\')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
