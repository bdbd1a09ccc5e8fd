// A streaming answer, cut into blocks of Markdown. A block that is followed by another one is closed: later text
// cannot change it, so it is rendered once. Only the open one at the end is rendered again.

import type { Place } from '../../../lib/core/text/cited/citation-places.ts'
import { blocksOf } from '../../ui/markdown/markdown.ts'
import { citeClose, citeOpen } from '../../ui/markdown/syntax.ts'

export type Block = {
  /** Its offset in the text. */
  start: number
  text: string
}

type BlockSplitter = {
  /** Returns all blocks of the text so far, which extends the previous one. Closed blocks are the same objects again. */
  split(text: string): readonly Block[]
}

export function createBlockSplitter(): BlockSplitter {
  let closed: readonly Block[] = []
  let closedEnd = 0
  let linesEnd = 0

  return {
    split(text) {
      // Half a line may parse differently from the whole: only whole lines close the blocks before them.
      const end = text.lastIndexOf('\n') + 1
      if (end > linesEnd) close(text.slice(0, end))
      return [...closed, ...blocksFrom(text, closedEnd)]
    },
  }

  function close(lines: string): void {
    linesEnd = lines.length
    const blocks = blocksFrom(lines, closedEnd)
    // White space may still become part of a list or a code block, so the last block with text stays open.
    const last = blocks.findLastIndex(({ text }) => text.trim() !== '')
    // So does what a comment or a formula without its end may take in.
    const open = blocks.findIndex(({ start, text }) =>
      [...text.matchAll(/^ {0,3}(%%|\$\$)/gm)].some(({ index, 0: { length }, 1: mark }) => {
        const rest = lines.slice(start + index + length)
        return rest.length < 10_000 && !rest.includes(mark!)
      }),
    )
    const done = blocks.slice(0, Math.max(0, open === -1 ? last : Math.min(open, last)))
    const end = done.at(-1)
    if (!end) return
    closed = [...closed, ...done]
    closedEnd = end.start + end.text.length
  }
}

function blocksFrom(text: string, from: number): Block[] {
  let start = from
  return blocksOf(text.slice(from)).map((raw) => {
    const block = { start, text: raw }
    start += raw.length
    return block
  })
}

/** A block with the marks that fall into it. Signs that would pass for a mark are taken out of the text first. */
export function markBlock({ text, start }: Block, places: readonly Place[]): string {
  const clean = text.replace(new RegExp(`[${citeOpen}${citeClose}]`, 'g'), ' ')
  const pieces: string[] = []
  let done = 0
  for (const { at, numbers, below } of places) {
    if (at <= start || at > start + text.length) continue
    const marks = numbers.map((n) => `${citeOpen}${n}${citeClose}`).join('')
    pieces.push(clean.slice(done, at - start), below ? `\n\n${marks}\n\n` : marks)
    done = at - start
  }
  return pieces.join('') + clean.slice(done)
}
