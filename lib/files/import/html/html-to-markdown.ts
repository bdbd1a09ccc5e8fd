// Converts HTML to Markdown: text, headings, lists, tables, code, quotes, links and pictures. Everything else is
// dropped, above all scripts and hidden content, and no tag is kept.

import { cleanText } from '../../../core/text/clean.ts'
import { formulaOf } from './formula.ts'
import { escapeLineStart, inlineOf } from './inline.ts'
import { attribute, childrenOf, type HtmlNode, isBlock, isSeen, nameOf, styleOf } from './node.ts'
import { isForLayout, readTable, tableOf } from './table.ts'

const maxDepth = 200

/** The Markdown of an element's content. Never throws for an element's content; deep nesting is flattened. */
export function htmlToMarkdown(root: HtmlNode): string {
  return cleanText(blocksOf(childrenOf(root), 0).join('\n\n'))
}

/** The blocks of nodes; runs of inline nodes between them are paragraphs. */
function blocksOf(nodes: readonly HtmlNode[], depth: number): string[] {
  const blocks: string[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    blocks.push(...paragraph(inlineOf(run)))
    run = []
  }

  for (const node of nodes) {
    if (!isSeen(node) && formulaOf(node) === null) continue
    if (!holdsBlock(node)) run.push(node)
    else {
      endRun()
      blocks.push(...block(node, depth + 1))
    }
  }
  endRun()
  return blocks
}

// Inline elements around blocks (`<a><div>…`) are descended into.
function holdsBlock(node: HtmlNode, depth = 0): boolean {
  if (isBlock(node) || isCallout(node)) return true
  if (formulaOf(node) !== null) return false
  return (
    depth < 30 && nameOf(node) !== '#text' && childrenOf(node).some((child) => holdsBlock(child, depth + 1))
  )
}

function block(node: HtmlNode, depth: number): string[] {
  const name = nameOf(node)
  const children = childrenOf(node)
  if (depth > maxDepth) return paragraph(inlineOf([node], maxDepth + 1))
  if (/^h[1-6]$/.test(name)) return heading(Number(name[1]), inlineOf(children))
  if (name === 'hr') return ['---']
  if (name === 'pre' || isCode(node)) return fenced(node)
  if (name === 'blockquote') return indented(blocksOf(children, depth), () => '> ')
  if (name === 'ul' || name === 'ol') return list(node, depth)
  if (name === 'table') return table(node, depth)
  if (isCallout(node)) return callout(blocksOf(children, depth))
  return blocksOf(children, depth)
}

function paragraph(text: string): string[] {
  const lines = text
    .split(/ *\n */)
    .map((line) => escapeLineStart(line.trim()))
    .filter((line, index, all) => line !== '' || (index > 0 && all[index - 1] !== ''))
  const whole = lines.join('  \n').trimEnd()
  return whole === '' ? [] : [whole]
}

function heading(level: number, text: string): string[] {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? [] : [`${'#'.repeat(level)} ${line}`]
}

function fenced(node: HtmlNode): string[] {
  const text = linesOf(node, 0).replace(/^\n|(?<!\n)\n+$/g, '')
  if (text.trim() === '') return []
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${languageOf(node)}\n${text}\n${fence}`]
}

/** Code as Evernote writes it: each line is an element. */
const isCode = (node: HtmlNode): boolean =>
  nameOf(node) === 'div' && /-en-codeblock:\s*true/.test(styleOf(node))

/** The text of code, with the line breaks of its elements. */
function linesOf(node: HtmlNode, depth: number): string {
  if (nameOf(node) === '#text')
    return (node.textContent ?? '').replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ')
  if (nameOf(node) === 'br') return '\n'
  if (depth > maxDepth) return node.textContent ?? ''
  let text = ''
  for (const child of childrenOf(node)) {
    const inner = linesOf(child, depth + 1)
    if (!isBlock(child)) text += inner
    else
      text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${inner}${inner.endsWith('\n') ? '' : '\n'}`
  }
  return text
}

/** The class set by highlighters: on the block or the code in it. */
function languageOf(node: HtmlNode): string {
  const named = /--en-(?:syntaxLanguage|codeblockLanguage):\s*([\w+#-]{1,30})/.exec(styleOf(node))?.[1]
  if (named) return named === 'plaintext' ? '' : named
  const classes = [node, ...childrenOf(node)].map((one) => attribute(one, 'class')).join(' ')
  return /(?:^|\s)(?:lang(?:uage)?|highlight-source)-([\w+#-]{1,30})(?:\s|$)/.exec(classes)?.[1] ?? ''
}

function callout(inner: readonly string[]): string[] {
  const [icon = '', ...text] = inner
  const [first = '', ...others] = /[\p{L}\p{N}]/u.test(icon)
    ? inner
    : [`${icon} ${text[0] ?? ''}`.trim(), ...text.slice(1)]
  return indented([`[!note]\n${first}`, ...others], () => '> ')
}

/** A callout as Notion writes it. */
const isCallout = (node: HtmlNode): boolean => /(?:^|\s)callout(?:\s|$)/.test(attribute(node, 'class'))

function indented(inner: readonly string[], prefix: (line: number) => string): string[] {
  if (inner.length === 0) return []
  const lines = inner.join('\n\n').split('\n')
  // Two spaces at the end of a line are a break.
  return [lines.map((line, at) => (line === '' ? prefix(at).trimEnd() : prefix(at) + line)).join('\n')]
}

function list(node: HtmlNode, depth: number): string[] {
  const ordered = nameOf(node) === 'ol'
  const first = Number.parseInt(attribute(node, 'start'), 10)
  let number = Number.isSafeInteger(first) && first >= 0 ? first : 1
  const items: string[] = []
  let width = 0
  for (const child of childrenOf(node)) {
    if (!isSeen(child)) continue
    // A list that is in no item, or in one of its own, as Evernote and Google Docs write one, belongs to the item before.
    const isInner = isList(child) || holdsListAlone(child)
    const inner = blocksOf(nameOf(child) === 'li' ? childrenOf(child) : [child], depth)
    if (inner.length === 0) continue
    if (isInner && items.length === 0) {
      items.push(...inner)
      continue
    }
    const mark = isInner ? '' : ordered ? `${number++}. ` : '- '
    // The box is part of the text: what is further in would be code.
    if (!isInner) width = mark.length
    const start = isInner ? ' '.repeat(width) : mark + checkboxOf(child)
    items.push(...indented(inner, (line) => (line === 0 ? start : ' '.repeat(width))))
  }
  return items.length === 0 ? [] : [items.join('\n')]
}

const isList = (node: HtmlNode): boolean => nameOf(node) === 'ul' || nameOf(node) === 'ol'

const holdsListAlone = (item: HtmlNode): boolean => {
  const parts = childrenOf(item).filter((child) =>
    nameOf(child) === '#text' ? (child.textContent ?? '').trim() !== '' : nameOf(child) !== '',
  )
  return parts.length > 0 && parts.every(isList)
}

/** A task's checkbox; empty for any other item. */
function checkboxOf(item: HtmlNode, depth = 0): string {
  const first = childrenOf(item).find((node) => nameOf(node) !== '' && (node.textContent ?? '').trim() !== '')
  const box = childrenOf(item).find(
    (node) => nameOf(node) === 'input' && attribute(node, 'type') === 'checkbox',
  )
  if (box) return box.getAttribute?.('checked') == null ? '[ ] ' : '[x] '
  const drawn = childrenOf(item).find((node) =>
    /(?:^|\s)checkbox-(?:on|off)(?:\s|$)/.test(attribute(node, 'class')),
  )
  if (drawn) return attribute(drawn, 'class').includes('checkbox-on') ? '[x] ' : '[ ] '
  const mayHold = first && depth < 3 && ['p', 'label', 'div', 'span'].includes(nameOf(first))
  return mayHold ? checkboxOf(first, depth + 1) : ''
}

function table(node: HtmlNode, depth: number): string[] {
  const parts = readTable(node)
  const rows = parts.flatMap((part) => ('row' in part ? [part.row] : []))
  if (isForLayout(rows))
    return parts.flatMap((part) =>
      'row' in part
        ? part.row.flatMap((cell) => blocksOf(childrenOf(cell), depth))
        : blocksOf(part.beside, depth),
    )
  const beside = parts.flatMap((part) => ('row' in part ? [] : blocksOf(part.beside, depth)))
  return [...beside, ...(rows.length > 0 ? [tableOf(rows)] : [])]
}
