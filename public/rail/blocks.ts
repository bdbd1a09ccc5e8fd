// A streaming answer, cut into blocks of Markdown. A block that is followed by another one is closed: later text
// cannot change it, so it is rendered once. Only the open one at the end is rendered anew.

import { blocksOf } from '../markdown.ts'

export type Block = {
  /** Where it stands in the text. */
  start: number
  text: string
}

export type BlockSplitter = {
  /** Takes the text so far, which begins with what was given before, and returns all its blocks. Closed ones are the same objects again. */
  split(text: string): readonly Block[]
}

export function createBlockSplitter(): BlockSplitter {
  let closed: Block[] = []
  let closedEnd = 0

  return {
    split(text) {
      const blocks: Block[] = []
      let start = closedEnd
      for (const raw of blocksOf(text.slice(closedEnd))) {
        blocks.push({ start, text: raw })
        start += raw.length
      }
      // White space may yet become part of a list or a code block, so the last block with words stays open.
      const open = Math.max(
        0,
        blocks.findLastIndex((block) => block.text.trim() !== ''),
      )
      const done = blocks.slice(0, open)
      const last = done.at(-1)
      if (last) {
        closed = [...closed, ...done]
        closedEnd = last.start + last.text.length
      }
      return [...closed, ...blocks.slice(open)]
    },
  }
}
