// Where a turn is resumed after its server died: behind its last finished step. What was said after that step is
// dropped and said again.

import { z } from 'zod'
import { addProgress, emptyProgress, type TurnProgress } from '../../ai/agent/events.ts'
import type { EarlierAttempt } from '../../ai/agent/turn.ts'
import { endsTurn } from '../../ai/history/repair-history.ts'
import {
  addUsage,
  type ContentBlock,
  type ModelMessage,
  noUsage,
  type ToolResultBlock,
  withoutThinking,
} from '../../ai/model.ts'
import type { Queryable } from '../../db/pool.ts'
import { createTurnStepsRepo, type EventRow, type StepRow } from '../../db/repos/turn_steps.ts'
import { fromRow } from '../stream/turn-stream.ts'

export type Resumption = {
  progress: TurnProgress
  stepCount: number
  /** The turn's messages so far, behind the one that it answers; the last one's calls may not all be answered. */
  messages: ModelMessage[]
  steps: readonly StepRow[]
  earlier: EarlierAttempt
  /** Set when nothing is left to do but to store the end: why the last message stopped. */
  ended: { stopReason: string } | null
}

const blocks = z.array(z.looseObject({ type: z.string() }))

/** `null` when no step was finished: the turn starts over. */
export async function loadResumption(db: Queryable, turnId: string): Promise<Resumption | null> {
  const steps = await createTurnStepsRepo(db).list([turnId])
  const last = steps.at(-1)
  if (!last) return null
  const log = await createTurnStepsRepo(db).listEventsUntil(turnId, last.event_seq)
  const progress = progressOf(log)
  if (log.length === 0) progress.text = textOf(steps)
  return { progress, stepCount: steps.length, messages: toMessages(steps), steps, ...toEnd(steps, last) }
}

/** For another model than the one that began: thinking is never sent to a model that did not think it. */
export const forAnotherModel = (resumption: Resumption | null): Resumption | null =>
  resumption && {
    ...resumption,
    messages: resumption.messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : withoutThinking(content),
    })),
  }

/** What these rows of a log, in order, have come to. */
export function progressOf(rows: readonly EventRow[]): TurnProgress {
  const progress = emptyProgress()
  let after = 0
  for (const row of rows) {
    addProgress(progress, fromRow(row, after))
    after = row.seq
  }
  return progress
}

/** The model's texts in finished steps, where there is no log. */
export function textOf(steps: readonly Pick<StepRow, 'role' | 'content'>[]): string {
  return steps
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => blocks.parse(JSON.parse(content)))
    .flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []))
    .join('\n\n')
}

function toMessages(steps: readonly StepRow[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  let results: ToolResultBlock[] = []
  for (const { role, content } of steps) {
    const parsed: ContentBlock[] = blocks.parse(JSON.parse(content))
    if (role === 'user') {
      results.push(...parsed.filter(isToolResult))
      continue
    }
    if (results.length > 0) messages.push({ role: 'user', content: results })
    results = []
    messages.push({ role, content: parsed })
  }
  return results.length > 0 ? [...messages, { role: 'user', content: results }] : messages
}

function toEnd(steps: readonly StepRow[], last: StepRow): Pick<Resumption, 'earlier' | 'ended'> {
  const said = steps.filter(({ role }) => role === 'assistant')
  const stopReason = said.at(-1)?.stop_reason ?? null
  const usage = said.reduce((sum, step) => addUsage(sum, { ...noUsage, ...step.usage }), noUsage)
  const isFinal = last.role === 'assistant' && endsTurn(blocks.parse(JSON.parse(last.content)), stopReason)
  return {
    earlier: {
      usage,
      modelCalls: said.length,
      stopReason,
      continuing: stopReason === 'pause_turn' && last.role === 'assistant',
      bytes: steps.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    },
    ended: isFinal ? { stopReason: stopReason ?? 'end_turn' } : null,
  }
}

function isToolResult(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'tool_result' && 'tool_use_id' in block
}
