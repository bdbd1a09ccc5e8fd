// What stands within the lines of an open block and is more than formatted words: formulas, footnotes, tags, pictures,
// comments, raw HTML. Each is shown as the page has drawn it, but for the one that the caret is in.

import { type EditorView, WidgetType } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'
import type { Drawn } from './blocks/block-widget.ts'
import { blocksField } from './blocks/blocks.ts'
import type { Drawing } from './drawing.ts'
import { isVerbatim } from './markdown-marks.ts'

/** As the source has it, and as the page draws it. */
const constructs: readonly [RegExp, string][] = [
  [/(?<!\\)\$\$[^$\n]{1,5000}\$\$|(?<![\\$])\$(?![\s$])[^$\n]{0,2000}(?<!\s)\$(?!\d)/g, 'code.math'],
  [/\[\^[^\s[\]]{1,100}\]|(?<!\\)\^\[[^[\]\n]{1,2000}\]/g, 'sup.footnote'],
  [/(?<!\S)#[\p{L}\p{N}_/-]{1,200}/gu, 'a.tag'],
  [/%%(?:[^%]|%(?!%)){0,2000}%%/g, 'details.comment'],
  [
    /!\[\[[^[\]\n]{1,500}\]\]|!\[[^[\]\n]{0,500}\]\([^()\n]{0,1000}\)/g,
    'img, audio, video, a:has(> .image-link)',
  ],
  [
    /<(kbd|sub|sup|ins|u|small|b|i|em|strong|abbr|mark|del|s)>[^<\n]{0,500}<\/\1>|<br ?\/?>/g,
    'kbd, sub, sup:not(.footnote), ins, u, small, b, i, abbr, br',
  ],
]

const maxBlock = 20_000

const cached = new WeakMap<HTMLElement, { source: string; nodes: Map<string, Element> }>()

/** The drawn nodes of a block by their source; of a construct whose nodes are not surely told apart there are none. */
function nodesBySource({ node, source }: Drawn): ReadonlyMap<string, Element> {
  if (!node || source.length > maxBlock) return new Map()
  const known = cached.get(node)
  if (known?.source === source && [...known.nodes.values()].every((each) => node.contains(each)))
    return known.nodes
  const nodes = new Map<string, Element>()
  for (const [pattern, selector] of constructs) {
    const sources = source.match(pattern) ?? []
    const drawn = [...node.querySelectorAll(selector)]
    if (sources.length === drawn.length) sources.forEach((each, at) => void nodes.set(each, drawn[at]!))
  }
  cached.set(node, { source, nodes })
  return nodes
}

/** Draws those of the open blocks that are visible. */
export function drawInline(view: EditorView, drawing: Drawing): void {
  const blocks = view.state.field(blocksField, false)
  if (!blocks) return
  for (const { drawn, from, to } of blocks.list) {
    if (!blocks.open.has(drawn) || to - from > maxBlock) continue
    const nodes = nodesBySource(drawn)
    if (nodes.size === 0) continue
    const text = view.state.sliceDoc(from, to)
    for (const [pattern] of constructs) {
      for (const match of text.matchAll(pattern)) {
        const node = nodes.get(match[0])
        const span = { from: from + match.index, to: from + match.index + match[0].length }
        if (!node || drawing.isRevealed(span) || isVerbatim(view.state, span.from + 1)) continue
        drawing.replace(span.from, span.to, new InlineWidget(node, match[0]))
      }
    }
  }
}

let ids = 0

/** A copy of what the page drew, in a slot. */
class InlineWidget extends WidgetType {
  readonly #node: Element
  readonly #source: string

  constructor(node: Element, source: string) {
    super()
    this.#node = node
    this.#source = source
  }

  override eq(other: InlineWidget): boolean {
    return other.#source === this.#source && other.#node === this.#node
  }

  override toDOM(view: EditorView): HTMLElement {
    // The root that the editor was given: it is not in there yet when it draws for the first time.
    const { root } = view
    ids += 1
    const name = `inline-${ids}`
    const copy = el('span', { class: 'prose-inline', slot: name }, this.#node.cloneNode(true))
    if (root instanceof ShadowRoot) root.host.append(copy)
    return el('span', { class: 'md-inline' }, el('slot', { name }))
  }

  override destroy(dom: HTMLElement): void {
    for (const slot of dom.querySelectorAll('slot')) {
      for (const node of slot.assignedElements()) node.remove()
    }
  }

  override ignoreEvent(): boolean {
    return false
  }
}
