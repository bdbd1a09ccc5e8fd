// Where a turn is taken up after its server died: behind its last finished step. What was said after that step is
// dropped and said again.

import { z } from 'zod'
import type { EarlierAttempt, TurnOptions } from '../ai/agent/turn.ts'
import { addUsage, type ContentBlock, type ModelMessage, noUsage, type ToolResultBlock } from '../ai/model.ts'
import type { Queryable } from '../db/pool.ts'
import { createTurnEventsRepo, type EventRow } from '../db/repos/turn_events.ts'
import { createTurnStepsRepo, type StepRow } from '../db/repos/turn_steps.ts'
import { endsTurn } from './ends-turn.ts'
import { fromRow } from './logged-events.ts'
import { addProgress, noProgress, type TurnProgress } from './turn-progress.ts'

export type Resumption = {
  progress: TurnProgress
  stepCount: number
  /** The turn's messages so far, behind the one that it answers. */
  messages: ModelMessage[]
  /** Results of calls in the last message. */
  answered: NonNullable<TurnOptions['answered']>
  earlier: EarlierAttempt
  /** Set when nothing is left to do but to store the end: why the last message stopped. */
  ended: { stopReason: string } | null
}

const blocks = z.array(z.looseObject({ type: z.string() }))

/** `null` when no step was finished: the turn begins anew. */
export async function loadResumption(db: Queryable, turnId: string): Promise<Resumption | null> {
  const steps = await createTurnStepsRepo(db).list([turnId])
  const last = steps.at(-1)
  if (!last) return null
  const log = await createTurnEventsRepo(db).listUntil(turnId, last.event_seq)
  const said = steps.filter(({ role }) => role === 'assistant')
  const progress = progressOf(log)
  if (log.length === 0) progress.text = textOf(said)
  return { ...toHistory(steps), progress, stepCount: steps.length, ...toEnd(said, last, progress.text) }
}

/** What these rows of a log, in order, have come to. */
export function progressOf(rows: readonly EventRow[]): TurnProgress {
  const progress = noProgress()
  let after = 0
  for (const row of rows) {
    addProgress(progress, fromRow(row, after))
    after = row.seq
  }
  return progress
}

/** The texts of finished messages, where there is no log. */
export function textOf(steps: readonly Pick<StepRow, 'content'>[]): string {
  return steps
    .flatMap(({ content }) => blocks.parse(JSON.parse(content)))
    .flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []))
    .join('\n\n')
}

function toHistory(steps: readonly StepRow[]): Pick<Resumption, 'messages' | 'answered'> {
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
  const open = messages.at(-1)
  const calls = open && typeof open.content !== 'string' ? open.content.filter(isToolUse) : []
  if (results.length > 0 && results.length === calls.length) {
    return { messages: [...messages, { role: 'user', content: results }], answered: [] }
  }
  return {
    messages,
    answered: results.map((result) => ({ type: 'tool_result' as const, result, call: toRecord(result) })),
  }
}

/** The call's own events were told by the earlier attempt: all that counts is how much the model was given. */
function toRecord(result: ToolResultBlock): Resumption['answered'][number]['call'] {
  return {
    tool_use_id: result.tool_use_id,
    name: '',
    args: null,
    status: result.is_error ? 'error' : 'done',
    summary: null,
    duration_ms: 0,
    draftId: null,
    target: null,
    effects: [],
    bytes: Buffer.byteLength(JSON.stringify(result.content)),
  }
}

function toEnd(said: readonly StepRow[], last: StepRow, text: string): Pick<Resumption, 'earlier' | 'ended'> {
  const stopReason = said.at(-1)?.stop_reason ?? null
  const usage = said.reduce((sum, step) => addUsage(sum, { ...noUsage, ...step.usage }), noUsage)
  const isFinal = last.role === 'assistant' && endsTurn(blocks.parse(JSON.parse(last.content)), stopReason)
  return {
    earlier: {
      text,
      usage,
      modelCalls: said.length,
      stopReason,
      continuing: stopReason === 'pause_turn' && last.role === 'assistant',
    },
    ended: isFinal ? { stopReason: stopReason ?? 'end_turn' } : null,
  }
}

const isToolUse = (block: { type: string }) => block.type === 'tool_use'

function isToolResult(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'tool_result' && 'tool_use_id' in block
}
