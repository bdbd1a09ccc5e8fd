// The model of the ready-made routine Tidy: code in the place of one. It drafts what was found, and says what it could not
// draft; a run whose drafts are all refused, because they wait or were rejected, ends in silence.

import { type CallModel, type ModelMessage, type ModelResponse, noUsage } from '../../ai/model.ts'
import type { Queryable } from '../../db/pool.ts'
import { maxDraftsPerRun } from './admit-draft.ts'
import { findUntidy } from './find-untidy.ts'
import { nothingToDoTool } from './nothing-to-do.ts'

/** Prefix of the ids of its calls. */
const ownCall = 'tidy_'

export const createTidyModel =
  (database: Queryable, spaceId: string): CallModel =>
  async ({ messages, tools, signal, onTextDelta }) => {
    signal?.throwIfAborted()
    const drafted = countDrafted(messages)
    const { drafts, notes } = await findUntidy(database, spaceId)
    if (drafted === null && drafts.length > 0)
      return callTools(drafts.slice(0, maxDraftsPerRun).map((input) => ({ name: 'propose_change', input })))
    if (!drafted && tools.length > 0)
      return callTools([{ name: nothingToDoTool.name, input: { why: 'Nothing new is untidy.' } }])
    const text = [
      drafted === 1 ? 'One thing to tidy.' : `${drafted ?? 0} things to tidy.`,
      ...(notes.length > 0 ? ['', 'Not drafted, because only you know what is right:', ''] : []),
      ...notes.map((note) => `- ${note}`),
    ].join('\n')
    onTextDelta?.(text)
    return { text, content: [{ type: 'text', text }], toolUses: [], stopReason: 'end_turn', usage: noUsage }
  }

/** Calls of this run that stored a draft; `null`: none were made yet. */
function countDrafted(messages: readonly ModelMessage[]): number | null {
  const results = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter((block) => block.type === 'tool_result' && String(Object(block).tool_use_id).startsWith(ownCall))
  if (results.length === 0) return null
  return results.filter((block) => Object(block).is_error !== true).length
}

function callTools(calls: { name: string; input: Record<string, unknown> }[]): ModelResponse {
  const toolUses = calls.map((call, index) => ({ id: `${ownCall}${index + 1}`, ...call }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return { text: '', content, toolUses, stopReason: 'tool_use', usage: noUsage }
}
