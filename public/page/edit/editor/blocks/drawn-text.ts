// The nodes of a page's text while it is written. They stay children of the text, where the styles of the page reach
// them, and the editor, in the shadow of the same element, shows each in its slot. So what nobody writes in is not
// drawn again: it is the same nodes in the same places.

import type { EditorState, Extension } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type MarkdownContext, renderMarkdown } from '../../../../ui/markdown/markdown.ts'
import { type Drawn, drawBlock } from './block-widget.ts'
import {
  type Block,
  type Blocks,
  begin,
  blockAt,
  blocksField,
  createDrawn,
  readBlocks,
  readsBreaks,
  settle,
  unseen,
} from './blocks.ts'

type DrawnTextOptions = {
  prose: HTMLElement
  text: string
  /** Where what is shown begins. */
  start: number
  context: () => MarkdownContext
}

/** The blocks of a text whose nodes are in `prose`, measured as they lie there. */
export function drawnText({ prose, text, start, context }: DrawnTextOptions): Extension {
  const list = pair(prose, text, start) ?? renderEach(prose, text, start, context())
  const bottom = measure(prose, list)
  const notes = prose.querySelector<HTMLElement>(':scope > .footnotes')
  const foot = notes ? notes.getBoundingClientRect().bottom - bottom : 0
  if (notes) notes.slot = 'foot'
  return [
    blocksField.init((state) => begin(state, { list, start, foot })),
    readsBreaks.of(context().breaks === true),
    drawBlock.of((drawn, view) => place(prose, drawn, view, context())),
    freshNodes(prose),
  ]
}

export function nodeToBlock(state: EditorState, node: Element): Block | null {
  const { list } = state.field(blocksField)
  return list.find(({ drawn }) => drawn.node === node) ?? null
}

/** The tags that a kind of block becomes. */
const tags: Readonly<Record<string, RegExp>> = {
  heading: /^H[1-6]$/,
  list: /^[OU]L$/,
  table: /^TABLE$/,
  code: /^(?:PRE|FIGURE|DIV)$/,
  hr: /^HR$/,
  blockquote: /^(?:BLOCKQUOTE|DETAILS)$/,
}

/** `null`: the nodes are not surely those of the blocks, one for each. */
function pair(prose: HTMLElement, text: string, start: number): Block[] | null {
  const nodes = ownNodes(prose)
  const list: Block[] = []
  let at = 0
  for (const block of readBlocks(text, start)) {
    const drawn = createDrawn(text.slice(block.from, block.to).trimEnd())
    drawn.isUnseen = unseen.test(block.kind)
    if (!drawn.isUnseen) {
      const node = nodes[at++]
      if (!node || tags[block.kind]?.test(node.tagName) === false) return null
      drawn.node = node
    }
    list.push({ ...block, drawn })
  }
  return at === nodes.length ? list : null
}

const ownNodes = (prose: HTMLElement) =>
  [...prose.children].filter(
    (node): node is HTMLElement =>
      node instanceof HTMLElement && !node.matches('.footnotes, .front-matter, .prose-inline'),
  )

function renderEach(prose: HTMLElement, text: string, start: number, context: MarkdownContext): Block[] {
  for (const node of ownNodes(prose)) node.remove()
  const foot = prose.firstElementChild
  return readBlocks(text, start).map((block) => {
    const source = text.slice(block.from, block.to).trimEnd()
    const drawn = createDrawn(source, nodeOf(source, text, context))
    drawn.isUnseen = unseen.test(block.kind) || drawn.node === null
    if (drawn.node) prose.insertBefore(drawn.node, foot)
    return { ...block, drawn }
  })
}

/** Returns where the last block ends. */
function measure(prose: HTMLElement, list: readonly Block[]): number {
  let bottom = prose.getBoundingClientRect().top
  for (const { drawn } of list) {
    if (!drawn.node) continue
    const rect = drawn.node.getBoundingClientRect()
    drawn.height = rect.bottom - bottom
    bottom = rect.bottom
  }
  return bottom
}

/** A block by itself, with what it refers to elsewhere in the text. `null`: it shows nothing. */
function nodeOf(source: string, text: string, context: MarkdownContext): HTMLElement | null {
  const names = /\[\^|\]\[|\]/.test(source) ? definitionsIn(text) : ''
  const box = renderMarkdown(`${source}\n\n${names}`, context)
  box.querySelector(':scope > .footnotes')?.remove()
  const nodes = ownNodes(box)
  for (const input of box.querySelectorAll('input')) input.disabled = false
  // A diagram takes the place of its source.
  if (nodes.length <= 1 && !nodes[0]?.matches('[data-language="mermaid"]')) return nodes[0] ?? null
  box.className = 'prose-part'
  return box
}

const maxDefinitions = 20_000

const definitionsIn = (text: string): string =>
  (text.match(/^ {0,3}\[[^\]\n]{1,100}\]:.*$/gm) ?? []).join('\n').slice(0, maxDefinitions)

/** Sees that a block has a node among the others, in the order of the text. */
function place(prose: HTMLElement, drawn: Drawn, view: EditorView, context: MarkdownContext): void {
  const { list } = view.state.field(blocksField)
  if (!drawn.node) {
    const text = view.state.doc.toString()
    drawn.node = nodeOf(drawn.source, text, context)
    const at = list.findIndex((block) => block.drawn === drawn)
    const below = list.slice(at + 1).find((block) => block.drawn.node?.parentElement === prose)
    const foot = prose.querySelector(':scope > .footnotes')
    if (drawn.node) {
      prose.insertBefore(drawn.node, below?.drawn.node ?? foot)
      rendered.set(drawn.node, drawn.node.cloneNode(true))
    }
  }
  if (drawn.node) drawn.node.slot = drawn.id
}

/** Sees that open blocks have nodes, too, and takes away those of blocks that are no more. */
const freshNodes = (prose: HTMLElement): Extension =>
  ViewPlugin.define((view) => ({
    update({ state, startState }: ViewUpdate): void {
      const [now, before] = [state.field(blocksField), startState.field(blocksField, false)]
      if (!before || now.list === before.list || isSameList(now, before)) return
      const kept = new Set(now.list.map(({ drawn }) => drawn.node))
      for (const node of ownNodes(prose)) if (/^block-/.test(node.slot) && !kept.has(node)) node.remove()
      for (const { drawn } of now.list) {
        if (!now.open.has(drawn) || drawn.isUnseen) continue
        for (const draw of state.facet(drawBlock)) draw(drawn, view)
      }
    },
  }))

/** Where the links of the text lead is known anew: what was rendered here, and has any, is rendered again. */
export function drawLinksAgain(view: EditorView, prose: HTMLElement, context: MarkdownContext): void {
  const { list } = view.state.field(blocksField)
  for (const { drawn } of list) {
    if (!drawn.node || !rendered.has(drawn.node) || !/\[\[|\]\(/.test(drawn.source)) continue
    const node = nodeOf(drawn.source, view.state.doc.toString(), context)
    if (!node || node.isEqualNode(rendered.get(drawn.node) ?? null)) continue
    if (drawn.node.parentElement !== prose) continue
    rendered.set(node, node.cloneNode(true))
    node.slot = drawn.node.slot
    drawn.node.replaceWith(node)
    drawn.node = node
  }
}

/** Nodes that came from here, and not with the page: as they were before they got their slots, colours and formulas. */
const rendered = new WeakMap<HTMLElement, Node>()

/** All blocks are children of the text again, as before it was written in. */
export function showAll(view: EditorView, prose: HTMLElement): void {
  view.dispatch({ effects: settle.of(null) })
  for (const { drawn } of view.state.field(blocksField).list) {
    if (drawn.node || drawn.isUnseen) continue
    for (const draw of view.state.facet(drawBlock)) draw(drawn, view)
  }
  for (const node of prose.querySelectorAll(':scope > .prose-inline')) node.remove()
  for (const node of prose.children) node.removeAttribute('slot')
}

/** Mapped by a key alone: the same blocks. */
const isSameList = (now: Blocks, before: Blocks) =>
  now.list.length === before.list.length &&
  now.list.every(({ drawn }, at) => drawn === before.list[at]!.drawn)

export const blockOf = (state: EditorState, at: number): Block | null => {
  const { list } = state.field(blocksField)
  return list[blockAt(list, at)] ?? null
}
