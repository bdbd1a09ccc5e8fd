// What a running turn leaves behind as it goes: its steps, its tool calls, and the events that readers see. Each step
// is stored before the next begins.

import { v7 as uuid } from 'uuid'
import type { AgentEvent, TurnStep } from '../ai/agent/events.ts'
import type { ContentBlock, ModelMessage } from '../ai/model.ts'
import { loadCard } from '../changes/cards.ts'
import type { ToolTraceEntry } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createToolCallsRepo } from '../db/repos/tool_calls.ts'
import { createTurnsRepo, type StepRow, type TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import { cleanDeep } from '../text/clean.ts'
import type { CitationChecker } from './citations.ts'
import type { TurnStream } from './turn-stream.ts'

export type RecorderDeps = {
  database: Database
  kinds: Kinds
  logger: Logger
  turn: TurnRow
  stream: TurnStream
  citations: CitationChecker
}

type ResultStep = Extract<TurnStep, { type: 'tool_result' }>

export function createTurnRecorder({ database, kinds, logger, turn, stream, citations }: RecorderDeps) {
  const trace: ToolTraceEntry[] = []
  let text = ''
  let seq = 0

  return {
    /** The calls so far, as they are kept with the answer. */
    trace: trace as readonly ToolTraceEntry[],
    /** The answer so far. */
    text: () => text,

    onEvent(event: AgentEvent): void {
      switch (event.type) {
        case 'text':
          text += event.text
          stream.emit({ type: 'delta', data: { text: event.text } })
          return
        case 'status':
          stream.emit({ type: 'status', data: { message: event.message } })
          return
        case 'tool_start': {
          const { name: tool, tool_use_id, args } = event
          stream.emit({ type: 'tool', data: { tool, tool_use_id, args, status: 'running' } })
          return
        }
        case 'tool_end': {
          const entry = toTraceEntry(event)
          trace.push(entry)
          stream.emit({ type: 'tool', data: { ...entry, summary: entry.summary ?? '' } })
          return
        }
        case 'tool_crash':
          logger.error({ err: event.error, turn_id: turn.id, tool: event.name }, 'a tool failed')
      }
    },

    async onStep(step: TurnStep): Promise<void> {
      switch (step.type) {
        case 'message':
          await createTurnsRepo(database).insertStep(toStep('assistant', step.content))
          await tellCitations(step.content)
          return
        case 'tool_result':
          await storeResult(step)
          citations.admit([{ role: 'user', content: [step.result] }])
          await tellDraft(step)
          return
        case 'compaction':
          logger.info({ turn_id: turn.id }, 'the history was compacted')
      }
    },

    /** Notes what the model is given to begin with. */
    admit: (messages: readonly ModelMessage[]) => citations.admit(messages),
  }

  function toStep(role: 'user' | 'assistant', content: ContentBlock[]): StepRow {
    seq += 1
    return { turn_id: turn.id, seq, role, content: JSON.stringify(cleanDeep(content)) }
  }

  async function tellCitations(content: ContentBlock[]): Promise<void> {
    const length = content.reduce(
      (sum, block) => sum + (block.type === 'text' && 'text' in block ? String(block.text).length : 0),
      0,
    )
    for (const citation of await citations.read(content, text.length - length)) {
      stream.emit({ type: 'citation', data: citation })
    }
  }

  async function storeResult({ call, result }: ResultStep): Promise<void> {
    const row = {
      id: uuid(),
      space_id: turn.space_id,
      agent_id: turn.agent_id,
      turn_id: turn.id,
      tool_use_id: call.tool_use_id,
      name: call.name,
      arguments: call.args ?? null,
      result: call.summary ?? '',
      entity_type: call.target?.entity_type ?? null,
      entity_id: call.target?.entity_id ?? null,
      status: call.status,
      duration_ms: Math.round(call.duration_ms),
    }
    await createToolCallsRepo(database).insertWithStep(row, toStep('user', [result]))
  }

  async function tellDraft({ call }: ResultStep): Promise<void> {
    if (!call.draftId) return
    const within = { space_ids: [turn.space_id], agent_id: turn.agent_id }
    const change = await createPendingChangesRepo(database).find(call.draftId, within)
    if (!change) return
    const card = await loadCard(database, kinds, change)
    stream.emit({ type: 'draft', data: { pending_change_id: change.id, summary: card.summary, card } })
  }
}

function toTraceEntry(event: Extract<AgentEvent, { type: 'tool_end' }>): ToolTraceEntry {
  return {
    tool: event.name,
    tool_use_id: event.tool_use_id,
    args: event.args ?? null,
    status: event.status,
    summary: event.summary,
    duration_ms: Math.round(event.duration_ms),
  }
}
