// The passages of the text in view: the selection, or the paragraphs, headings, items and rows one by one.

import type { VisibleText } from './locate-passage.ts'

const blockSelector = 'p, li, h1, h2, h3, h4, h5, h6, pre, tr, summary'

/** The selection in a text; `null` without one. */
export function selectedIn(text: HTMLElement): Range | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const isInside = text.contains(range.startContainer) && text.contains(range.endContainer)
  return isInside && range.toString().trim() !== '' ? range.cloneRange() : null
}

/** Its blocks in order, each without nested ones; those of embedded pages are left out. */
export function blocksIn(text: HTMLElement): Range[] {
  const blocks = [...text.querySelectorAll<HTMLElement>(blockSelector)].filter(
    (block) => !block.closest('.embed, .front-matter'),
  )
  const ranges = (blocks.length > 0 ? blocks : [text]).map((block) => {
    const range = document.createRange()
    range.selectNodeContents(block)
    const inner = block.querySelector(blockSelector)
    if (inner) range.setEndBefore(inner.closest('ul, ol') ?? inner)
    return range
  })
  return ranges.filter((range) => range.toString().trim() !== '')
}

/** The first block that is visible. */
export function firstInSight(blocks: readonly Range[]): number {
  const top = document.querySelector('#content')?.getBoundingClientRect().top ?? 0
  const at = blocks.findIndex((block) => block.getBoundingClientRect().bottom > top + 8)
  return Math.max(0, at)
}

/** A range with what is shown around it. */
export function shownAround(text: HTMLElement, range: Range): VisibleText {
  const before = document.createRange()
  before.setStart(text, 0)
  before.setEnd(range.startContainer, range.startOffset)
  const after = document.createRange()
  after.setStart(range.endContainer, range.endOffset)
  after.setEnd(text, text.childNodes.length)
  return { before: before.toString(), passage: range.toString(), after: after.toString() }
}
