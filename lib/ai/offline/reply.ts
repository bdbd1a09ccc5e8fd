// A reply is a run of parts; a part that quotes carries the blocks it quotes from. No part is only white space, since
// such a block may not be sent back to the Messages API.

import type { TextBlock, TextCitation } from '../model.ts'
import type { Found } from './answers.ts'

export type Evidence = { found: Found; block: number }
export type Part = { text: string; evidence?: Evidence[] }
export type Reply = Part[]

/** A reply that quotes nothing. */
export function say(...paragraphs: string[]): Reply {
  const text = paragraphs.filter(Boolean).join('\n\n')
  return text === '' ? [] : [{ text }]
}

/** Replies after each other, with an empty line between them. */
export function joinReplies(replies: Reply[]): Reply {
  const filled = replies.filter((reply) => reply.length > 0)
  return filled.flatMap((reply, index) => {
    if (index === filled.length - 1) return reply
    const last = reply.at(-1)!
    return [...reply.slice(0, -1), { ...last, text: `${last.text.trimEnd()}\n\n` }]
  })
}

export function toTextBlocks(reply: Reply): TextBlock[] {
  const parts = reply.filter(({ text }) => text.trim() !== '')
  return parts.map(({ text, evidence = [] }, at) => ({
    type: 'text',
    text: (at === parts.length - 1 ? text.trimEnd() : text).toWellFormed(),
    ...(evidence.length > 0 ? { citations: evidence.map(toCitation) } : {}),
  }))
}

/** As the API gives it: the whole text of the cited block, `end_block_index` exclusive. */
function toCitation({ found, block }: Evidence): TextCitation {
  return {
    type: 'search_result_location',
    cited_text: found.blocks[block] ?? '',
    source: found.source,
    title: found.title,
    search_result_index: found.index,
    start_block_index: block,
    end_block_index: block + 1,
  }
}
