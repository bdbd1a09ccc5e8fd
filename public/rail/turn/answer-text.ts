import { inBrowser } from '#platform'
import type { Citation } from '../../../lib/contract/events/events.ts'
import { type Place, placesOf } from '../../../lib/core/text/cited/cited-markdown.ts'
import { el } from '../../ui/dom.ts'
import { type MarkdownContext, renderMarkdown } from '../../ui/markdown/markdown.ts'
import { type Block, createBlockSplitter } from './blocks.ts'
import { markBlock } from './place-citations.ts'

export type AnswerText = {
  element: HTMLElement
  /** Shows the text so far. Blocks that have not changed keep their nodes. */
  show(text: string, citations: readonly Citation[]): void
}

type Cited = { citations: readonly Citation[]; places: readonly Place[] }

type Shown = { block: Block; citations: readonly Citation[]; marked: string; node: HTMLElement }

/** The text of an answer; `toChip` makes the node of a citation. */
export function createAnswerText(
  context: MarkdownContext,
  toChip: (citation: Citation) => HTMLElement,
): AnswerText {
  const element = el('div', { class: 'answer-text' })
  let splitter = createBlockSplitter()
  let before = ''
  let shown: Shown[] = []

  return {
    element,
    show(text, citations) {
      // A turn that is read again from its beginning starts over.
      if (!text.startsWith(before)) splitter = createBlockSplitter()
      before = text
      const places = placesOf(text, citations)
      const next = splitter
        .split(text)
        .filter((block) => block.text.trim() !== '')
        .map((block, index) => render(block, { citations, places }, shown[index]))
      if (next.length !== shown.length || next.some(({ node }, index) => node !== shown[index]?.node))
        patch(next)
      shown = next
    },
  }

  function render(block: Block, { citations, places }: Cited, old: Shown | undefined): Shown {
    if (old && old.block === block && old.citations === citations) return old
    const marked = markBlock(block, places)
    if (old && old.marked === marked) return { ...old, block, citations }
    const node = renderMarkdown(marked, context)
    if (inBrowser) placeChips(node, citations)
    return { block, citations, marked, node }
  }

  function placeChips(node: HTMLElement, citations: readonly Citation[]): void {
    for (const mark of node.querySelectorAll<HTMLElement>('.cite[data-cite]')) {
      const citation = citations.find(({ n }) => n === Number(mark.dataset.cite))
      if (citation) mark.replaceWith(toChip(citation))
    }
  }

  function patch(next: readonly Shown[]): void {
    if (!inBrowser || shown.length === 0) {
      element.replaceChildren(...next.map(({ node }) => node))
      return
    }
    for (const [index, { node }] of next.entries()) {
      const old = shown[index]?.node
      if (old === node) continue
      if (old) old.replaceWith(node)
      else element.append(node)
    }
    for (const { node } of shown.slice(next.length)) node.remove()
  }
}
