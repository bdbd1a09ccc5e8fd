// `[label](target)` and `![label](target)`, also where CommonMark has none: within the label of another link.

import type { LinkTarget } from './link-target.ts'

/** CommonMark's limit for parentheses within a target. */
const maxParentheses = 32
/** In characters. A label that holds links within links within links is shorter, or labels would add up to n². */
const maxLabel = 1000
const maxNestedLabel = 100
const maxNesting = 4

/** An opening bracket, and how deep links are nested in what follows it. */
type Bracket = { at: number; nesting: number }

/** The inline links of a text whose code is masked, in the order of their ends. */
export function inlineLinks(text: string): LinkTarget[] {
  const links: LinkTarget[] = []
  const open: Bracket[] = []
  for (const { index, 0: found } of text.matchAll(/\\.|[[\]]/gs)) {
    if (found === '[') open.push({ at: index, nesting: 0 })
    if (found !== ']') continue
    const bracket = open.pop()
    if (!bracket) continue
    const link = linkBetween(text, bracket, index)
    if (link) {
      links.push(link)
      bracket.nesting += 1
    }
    const outer = open.at(-1)
    if (outer) outer.nesting = Math.max(outer.nesting, bracket.nesting)
  }
  return links
}

function linkBetween(text: string, { at: open, nesting }: Bracket, close: number): LinkTarget | null {
  if (text[close + 1] !== '(') return null
  let from = close + 2
  while (isSpace(text[from])) from++
  const end = targetEnd(text, from)
  if (end === from) return null
  const isImage = text[open - 1] === '!'
  return {
    kind: isImage ? 'image' : 'link',
    label: text.slice(
      open + 1,
      Math.min(close, open + 1 + (nesting < maxNesting ? maxLabel : maxNestedLabel)),
    ),
    target: text[from] === '<' ? text.slice(from + 1, end - 1) : text.slice(from, end),
    start: isImage ? open - 1 : open,
    end,
    target_start: close,
  }
}

const isSpace = (character: string | undefined) =>
  character === ' ' || character === '\t' || character === '\n'

/** A target ends behind its `>`, at white space, or at the parenthesis that closes the link; at `from` it is none. */
function targetEnd(text: string, from: number): number {
  if (text[from] === '<') {
    return from + (/^<[^<>\n]{0,10000}>/.exec(text.slice(from, from + 10_002))?.[0].length ?? 0)
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') at++
    else if (character === '(' && ++depth > maxParentheses) return from
    else if (character === ')' && depth-- === 0) return at
    else if (character === '<' || isSpace(character)) return at
  }
  return text.length
}
