// The links of a note as the tools that people come from read them: by another parser than Void's, so that neither vouches
// for itself.

import { Marked, type Token, type TokensList } from 'marked'

export type Written = {
  form: 'wiki' | 'path'
  /** Decoded, without heading and query. */
  target: string
  embed: boolean
}

const wikilink = {
  name: 'wikilink',
  level: 'inline' as const,
  start: (text: string) => /!?\[\[/.exec(text)?.index,
  tokenizer(text: string) {
    const match = /^(!?)\[\[([^[\]\n]+)\]\]/.exec(text)
    return match ? { type: 'wikilink', raw: match[0], embed: match[1] === '!', inside: match[2] } : undefined
  },
  renderer: () => '',
}

const marked = new Marked({ gfm: true, extensions: [wikilink] })

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?:.*?\r?\n)??---[ \t]*(?:\r?\n|$)/s

/** In order. `labelFirst`: `[[label|target]]`, as Dendron has it. */
export function readWritten(text: string, { labelFirst = false } = {}): Written[] {
  const found: Written[] = []
  walk(marked.lexer(text.replace(frontMatter, '')), found, labelFirst)
  return found
}

function walk(tokens: Token[] | TokensList, found: Written[], labelFirst: boolean): void {
  for (const token of tokens) {
    if (token.type === 'wikilink') addWiki(token.inside, token.embed, found, labelFirst)
    if (token.type === 'link' || token.type === 'image') addPath(token.href, token.type === 'image', found)
    if (token.type === 'html') addHtml(token.raw, found)
    if (token.type === 'table')
      for (const cell of [...token.header, ...token.rows.flat()]) walk(cell.tokens, found, labelFirst)
    else if (token.type === 'list') for (const item of token.items) walk(item.tokens, found, labelFirst)
    else if ('tokens' in token && token.tokens && token.type !== 'image')
      walk(token.tokens, found, labelFirst)
  }
}

function addWiki(inside: string, embed: boolean, found: Written[], labelFirst: boolean): void {
  // In a table the bar is escaped.
  const parts = inside.replaceAll('\\|', '|').split('|')
  const said = (labelFirst ? parts.at(-1) : parts[0]) ?? ''
  const target = said
    .replace(/^dendron:\/\/[^/]*\//, '')
    .replace(/[#^].*$/s, '')
    .trim()
  if (target !== '') found.push({ form: 'wiki', target, embed })
}

function addPath(href: string, embed: boolean, found: Written[]): void {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(href)) return
  const target = decode(href.replace(/[?#].*$/s, ''))
  if (target.trim() !== '' && !target.startsWith('[[')) found.push({ form: 'path', target, embed })
}

function addHtml(raw: string, found: Written[]): void {
  const html = raw.replace(/<!--.*?-->/gs, '')
  for (const [, tag = '', , value = ''] of html.matchAll(
    /<(a|img)\s[^>]*?\b(?:href|src)\s*=\s*(["'])(.*?)\2/gis,
  ))
    addPath(value, tag.toLowerCase() === 'img', found)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
