// A history that a model has found too long, made shorter: its first half becomes a short form, as the beginning of a
// long conversation does. The question that is being answered stays as it is, whatever came after it.

import { isText } from '../../ai/history/normalize-response.ts'
import { repairHistory } from '../../ai/history/repair-history.ts'
import type { ContentBlock, ModelMessage } from '../../ai/model.ts'
import { type Said, toDigestMessage, withoutDigest } from './history-text.ts'
import { type SummarizeDeps, shorten } from './summarize-older.ts'

/** Characters of one message or result that go into the short form. */
const maxSaid = 600
const maxCall = 150

type CompactDeps = Omit<SummarizeDeps, 'database'>

/** `null`: there is nothing that could be left out. */
export function compactHistory(
  deps: CompactDeps,
  messages: readonly ModelMessage[],
): Promise<ModelMessage[]> | null {
  const { summary, rest } = withoutDigest(messages)
  const cut = Math.floor(rest.length / 2)
  const asked = rest.findLastIndex(isQuestion)
  const dropped = rest.slice(0, cut).filter((_, at) => at !== asked)
  const kept = rest.filter((_, at) => at >= cut || at === asked)
  return dropped.length === 0 ? null : compact(deps, { summary, dropped, kept })
}

type Parts = Record<'dropped' | 'kept', readonly ModelMessage[]> & { summary: string }

async function compact(deps: CompactDeps, { summary, dropped, kept }: Parts): Promise<ModelMessage[]> {
  const digest = await shorten(deps, summary, dropped.flatMap(toSaid))
  return repairHistory([toDigestMessage(digest), ...kept])
}

const partsOf = ({ content }: ModelMessage): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** The owner's own words, and no result of a call. */
const isQuestion = (message: ModelMessage): boolean =>
  message.role === 'user' && partsOf(message).some(isText)

/** What was said, called and found in a message, by its first words. */
function toSaid(message: ModelMessage): Said[] {
  return partsOf(message).flatMap((block): Said[] => {
    const said = (body: string): Said[] => [{ role: 'assistant', body: body.slice(0, maxSaid), agent: null }]
    if (isText(block)) return [{ role: message.role, body: block.text.slice(0, maxSaid), agent: null }]
    if (block.type === 'tool_use' && 'name' in block) {
      const input = JSON.stringify('input' in block ? block.input : {}) ?? ''
      return said(`called ${String(block.name)} ${input.slice(0, maxCall)}`)
    }
    if (block.type === 'tool_result' && 'content' in block) return said(`found: ${textIn(block.content)}`)
    return []
  })
}

/** The texts of a result and of the passages in it, up to what is kept of it. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  let text = ''
  for (const part of Array.isArray(content) ? content : []) {
    if (text.length >= maxSaid) break
    text += ` ${typeof part?.text === 'string' ? part.text : textIn(part?.content)}`
  }
  return text.trim()
}
