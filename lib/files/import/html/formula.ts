// Formulas in HTML, which pages hold several times: as MathML, as what is drawn of it, and as the TeX they were written in.

import { mathMlToTex } from './mathml.ts'
import { attribute, childrenOf, type HtmlNode, nameOf } from './node.ts'

/** What renderers of formulas put around one: KaTeX, MathJax 3 and 4, MathJax 2, MediaWiki, LaTeXML. */
const holders =
  /(?:^|\s)(?:katex|katex-display|MathJax(?:_Display|_Preview)?|mwe-math-element|ltx_Math)(?:\s|$)/

const maxDepth = 100

/** A formula as Markdown, in TeX; `null` for any other element. Each is told of once. */
export function formulaOf(node: HtmlNode): string | null {
  const name = nameOf(node)
  if (name === 'script') return scripted(node)
  if (sources.test(attribute(node, 'class'))) return writtenOut(node.textContent ?? '')
  const isHolder = name === 'math' || name === 'mjx-container' || holders.test(attribute(node, 'class'))
  if (!isHolder) return null
  if (/MathJax/.test(attribute(node, 'class'))) return ''
  const tex = texOf(node, 0)
  const isDisplay = isOnItsOwn(node) || childrenOf(node).some((child) => isOnItsOwn(child))
  if (tex !== null) return asMarkdown(tex, isDisplay)
  const math = find(node, (each) => nameOf(each) === 'math', 0)
  if (!math) return (node.textContent ?? '').replace(/\s+/g, ' ').trim()
  return asMarkdown(mathMlToTex(math), isDisplay)
}

/** What Pandoc and Arithmatex put around TeX that a script draws later. */
const sources = /(?:^|\s)(?:math|arithmatex)(?:\s|$)/

/** TeX between the marks that MathJax looks for. */
function writtenOut(text: string): string | null {
  const [, inline, display] = /^\s*\\(?:\(([\s\S]*)\\\)|\[([\s\S]*)\\\])\s*$/.exec(text) ?? []
  if (inline !== undefined) return asMarkdown(inline, false)
  return display === undefined ? null : asMarkdown(display, true)
}

// MathJax 2 leaves the source in a script beside what it drew.
function scripted(node: HtmlNode): string | null {
  const type = attribute(node, 'type')
  if (!type.startsWith('math/tex')) return null
  return asMarkdown(node.textContent ?? '', type.includes('display'))
}

function texOf(node: HtmlNode, depth: number): string | null {
  const annotation = find(node, (each) => /^application\/x-tex$/i.test(attribute(each, 'encoding')), depth)
  if (annotation) return annotation.textContent
  const named = find(node, (each) => nameOf(each) === 'math' && attribute(each, 'alttext') !== '', depth)
  return named ? attribute(named, 'alttext') : null
}

const isOnItsOwn = (node: HtmlNode): boolean =>
  attribute(node, 'display') === 'block' ||
  attribute(node, 'display') === 'true' ||
  /(?:^|\s)(?:katex-display|mwe-math-element-block)(?:\s|$)/.test(attribute(node, 'class'))

function asMarkdown(source: string, isDisplay: boolean): string {
  const tex = source
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\{\\(?:display|text)style (.*)\}$/, '$1')
    .trim()
  if (tex === '') return ''
  return isDisplay ? `$$${tex}$$` : `$${tex}$`
}

function find(node: HtmlNode, test: (node: HtmlNode) => boolean, depth: number): HtmlNode | null {
  if (test(node)) return node
  if (depth > maxDepth) return null
  for (const child of childrenOf(node)) {
    const match = nameOf(child) === '#text' ? null : find(child, test, depth + 1)
    if (match) return match
  }
  return null
}
