// Puts the changes of a draft where they are in the rendered page. The blocks that a change touches are hidden and shown
// as source, with the change in it; everything else of the page stays as it is.

import type { CardHunk } from '../../../lib/contract/changes/text-change.ts'
import type { Links, Page } from '../../../lib/contract/entities.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { blocksOf, renderPlain } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'

/** A block of the source: its lines, counted from 0, and the nodes that show it. */
type Block = { start: number; end: number; nodes: Element[] }

/** Blocks that are shown as source, with the changes in them. */
type Group = { from: number; to: number; changes: Drawn[] }

type Drawn = { element: HTMLElement; hunk: CardHunk }

type Place = { main: HTMLElement; page: Page; links: Links['links']; slug: string }

/** Characters of a text whose blocks are looked for; in a longer one the changes stand above the text. */
const maxText = 200_000

/** Draws the changes; the returned function undoes it. */
export function drawInText({ main, page, links, slug }: Place, changes: readonly Drawn[]): () => void {
  const prose = main.querySelector<HTMLElement>(':scope > .prose')
  const lines = page.body.split('\n')
  const blocks = prose ? findBlocks(prose, page, { slug, links }) : null
  if (!prose || !blocks) {
    ;(prose ?? main.firstElementChild ?? main).before(...changes.map(({ element }) => element))
    return () => {}
  }

  const added: Element[] = []
  const hidden: HTMLElement[] = []
  for (const group of groupsOf(blocks, changes)) {
    const touched = blocks.slice(group.from, group.to)
    const next = blocks.slice(group.from).find(({ nodes }) => nodes.length > 0)?.nodes[0] ?? null
    const node = renderGroup(group, { lines, touched })
    prose.insertBefore(node, next)
    added.push(node)
    const elements = touched.flatMap(({ nodes }) => nodes).filter((block) => block instanceof HTMLElement)
    // Whoever had come to a link in it goes on from the change.
    if (elements.some((block) => block.contains(document.activeElement)))
      group.changes[0]?.element.focus({ preventScroll: true })
    for (const block of elements) block.hidden = true
    hidden.push(...elements)
  }
  return () => {
    for (const node of added) node.remove()
    for (const node of hidden) node.hidden = false
  }
}

/** `null` where the nodes cannot be told apart by the blocks of the source. */
function findBlocks(
  prose: HTMLElement,
  { body, title }: Page,
  context: { slug: string; links: Links['links'] },
): Block[] | null {
  const source = body.replaceAll('\r\n', '\n')
  if (source.includes('\r') || source.length > maxText) return null
  const text = withoutTitle(splitFrontMatter(source).content, title)
  if (!source.endsWith(text)) return null
  let line = breaksIn(source.slice(0, source.length - text.length))
  const children = withoutFootnotes(prose)
  let child = 0
  const blocks = blocksOf(text).map((raw): Block => {
    const start = line
    line += breaksIn(raw)
    const count = raw.trim() === '' ? 0 : withoutFootnotes(renderPlain(raw, context)).length
    const nodes = children.slice(child, child + count)
    child += count
    return { start, end: raw.endsWith('\n') ? line : line + 1, nodes }
  })
  return child === children.length ? blocks : null
}

/** Those stand at the end of the page, wherever the source has them. */
const withoutFootnotes = (prose: HTMLElement) =>
  [...prose.children].filter((child) => !child.matches('.footnotes'))

const breaksIn = (text: string) => text.split('\n').length - 1

/** Where each change belongs; changes that touch the same block are one group. `to` is behind the last block. */
function groupsOf(blocks: readonly Block[], changes: readonly Drawn[]): Group[] {
  const groups: Group[] = []
  for (const change of changes) {
    const { from, to } = touchedBy(blocks, change.hunk)
    const last = groups.at(-1)
    if (last && from < last.to) {
      last.to = Math.max(last.to, to)
      last.changes.push(change)
    } else groups.push({ from, to, changes: [change] })
  }
  return groups
}

/** The blocks whose lines go, or within which lines come; none for lines that come between two blocks. */
function touchedBy(blocks: readonly Block[], { lines: { before } }: CardHunk) {
  const start = before.start - 1
  const end = start + before.count
  const isTouched = (block: Block) =>
    before.count === 0 ? block.start < start && start < block.end : block.start < end && start < block.end
  const from = blocks.findIndex(isTouched)
  if (from >= 0) return { from, to: blocks.findLastIndex(isTouched) + 1 }
  const behind = blocks.findIndex((block) => block.start >= start)
  const at = behind < 0 ? blocks.length : behind
  return { from: at, to: at }
}

function renderGroup({ changes }: Group, { lines, touched }: { lines: string[]; touched: Block[] }) {
  let at = touched[0]?.start ?? 0
  const nodes: Element[] = []
  // A table shows the rows that change under its header.
  const isTable = changes.every(({ hunk }) => hunk.table)
  const withSame = touched.length > 0 && !isTable
  const addSame = (until: number) => {
    const same = lines.slice(at, until).join('\n')
    if (same.trim() !== '')
      nodes.push(el('div', { class: 'draft-same diff-text diff-same', dir: 'auto' }, visible(same)))
  }
  for (const { element, hunk } of changes) {
    const start = hunk.lines.before.start - 1
    if (withSame) addSame(start)
    nodes.push(element)
    at = start + hunk.lines.before.count
  }
  if (withSame) addSame(touched.at(-1)?.end ?? 0)
  return el('div', { class: 'draft-group' }, nodes)
}
