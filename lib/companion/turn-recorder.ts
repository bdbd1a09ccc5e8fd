// What a running turn leaves behind as it goes: its steps, its tool calls, and the events that readers see. Each step
// is stored, together with the events up to it, before the next begins; the last one with the end of the turn.

import { v7 as uuid } from 'uuid'
import type { AgentEvent, TurnStep } from '../ai/agent/events.ts'
import type { ContentBlock, ModelMessage } from '../ai/model.ts'
import type { DraftEvent, ToolEvent, ToolTraceEntry, TurnEvent } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import type { Asked, TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import { boundJson } from '../text/bound-json.ts'
import { cleanDeep } from '../text/clean.ts'
import type { CitationChecker } from './citations.ts'
import { endsTurn } from './ends-turn.ts'
import { toLogged } from './logged-events.ts'
import { createOpenPanels } from './open-panels.ts'
import { findDraft } from './show-drafts.ts'
import { addProgress, type TurnProgress } from './turn-progress.ts'
import type { NewStep, TurnStorage } from './turn-storage.ts'
import type { TurnStream } from './turn-stream.ts'
import { whyUnseen } from './why-unseen.ts'
import { withPatience } from './with-patience.ts'

export type RecorderDeps = {
  database: Database
  kinds: Kinds
  logger: Logger
  turn: TurnRow
  asked: Asked
  stream: TurnStream
  storage: TurnStorage
  citations: CitationChecker
  /** What an earlier attempt has come to; it is added to. */
  progress: TurnProgress
  /** Steps that are stored already. */
  stepCount: number
  /** Ends the wait for a database that is away. */
  signal: AbortSignal
}

export type TurnRecorder = ReturnType<typeof createTurnRecorder>

type MessageStep = Extract<TurnStep, { type: 'message' }>
type ResultStep = Extract<TurnStep, { type: 'tool_result' }>

export function createTurnRecorder(deps: RecorderDeps) {
  const { logger, turn, stream, storage, citations, progress } = deps
  const panels = createOpenPanels(deps.asked)
  let seq = deps.stepCount

  return {
    /** The calls so far, as they are kept with the answer. */
    trace: (): ToolTraceEntry[] => progress.tools.flatMap(toTraceEntry),
    /** The answer so far. */
    text: () => progress.text,
    draftIds: (): readonly string[] => progress.draftIds,
    citations: () => progress.citations,

    /** Tells readers of an earlier attempt what of it counts. */
    async tellResumed(): Promise<void> {
      const { draftIds, ...rest } = progress
      const found = await Promise.all(draftIds.map(find))
      const drafts = found.filter((draft) => draft !== null)
      tell({ type: 'snapshot', data: structuredClone({ ...rest, drafts }) })
    },

    onEvent(event: AgentEvent): void {
      switch (event.type) {
        case 'text':
          tell({ type: 'delta', data: { text: event.text } })
          return
        case 'status':
          tell({ type: 'status', data: { message: event.message } })
          return
        case 'tool_start': {
          const { name: tool, tool_use_id, args } = event
          tell({ type: 'tool', data: { tool, tool_use_id, args: args ?? null, status: 'running' } })
          return
        }
        case 'tool_end':
          tell({ type: 'tool', data: toToolEvent(event) })
          return
        case 'tool_crash':
          logger.error({ err: event.error, turn_id: turn.id, tool: event.name }, 'a tool failed')
      }
    },

    async onStep(step: TurnStep): Promise<void> {
      switch (step.type) {
        case 'message':
          await tellCitations(step.content)
          await storeMessage(step)
          return
        case 'tool_result':
          citations.admit([{ role: 'user', content: [step.result] }])
          await tellDraft(step)
          await tellEffects(step)
          await storeResult(step)
          return
        case 'compaction':
          logger.info({ turn_id: turn.id }, 'the history was compacted')
      }
    },

    /** Notes what the model is given to begin with. */
    admit: (messages: readonly ModelMessage[]) => citations.admit(messages),
    /** What the model has been given to read so far. */
    given: () => citations.given(),
  }

  function find(draftId: string): Promise<DraftEvent | null> {
    return withPatience(() => findDraft(deps, turn, draftId), deps.signal)
  }

  function tell(event: TurnEvent): void {
    addProgress(progress, toLogged(event))
    storage.add(stream.emit(event))
  }

  // The view of a Space is moved by its own turns only, and to what is there.
  async function tellEffects({ call: { name, tool_use_id, effects } }: ResultStep): Promise<void> {
    for (const effect of effects.filter(panels.concerns)) {
      const why = await withPatience(() => whyUnseen(deps, turn, effect), deps.signal)
      if (why !== null) {
        logger.warn({ turn_id: turn.id, tool: name, effect: effect.type, why }, 'an effect was dropped')
        continue
      }
      panels.note(effect)
      tell({ type: 'effect', data: { tool_use_id, effect } })
    }
  }

  function nextStep(role: 'user' | 'assistant', content: ContentBlock[]): NewStep {
    seq += 1
    return { seq, role, content: JSON.stringify(cleanDeep(content)), stop_reason: null, usage: null }
  }

  async function tellCitations(content: ContentBlock[]): Promise<void> {
    const length = content.reduce(
      (sum, block) => sum + (block.type === 'text' && 'text' in block ? String(block.text).length : 0),
      0,
    )
    for (const citation of await citations.read(content, progress.text.length - length)) {
      tell({ type: 'citation', data: citation })
    }
  }

  async function storeMessage({ content, response }: MessageStep): Promise<void> {
    const { stopReason: stop_reason, usage } = response
    const row = { ...nextStep('assistant', content), stop_reason, usage }
    if (endsTurn(content, stop_reason)) storage.holdLast(row)
    else await storage.storeStep(row)
  }

  async function storeResult({ call, result }: ResultStep): Promise<void> {
    await storage.storeResult(nextStep('user', [result]), {
      id: uuid(),
      space_id: turn.space_id,
      agent_id: turn.agent_id,
      turn_id: turn.id,
      tool_use_id: call.tool_use_id,
      name: call.name,
      arguments: boundJson(call.args ?? null),
      result: call.summary ?? '',
      entity_type: call.target?.entity_type ?? null,
      entity_id: call.target?.entity_id ?? null,
      status: call.status,
      duration_ms: Math.round(call.duration_ms),
    })
  }

  async function tellDraft({ call }: ResultStep): Promise<void> {
    const draft = call.draftId && (await find(call.draftId))
    if (draft) tell({ type: 'draft', data: draft })
  }
}

function toToolEvent(event: Extract<AgentEvent, { type: 'tool_end' }>): ToolEvent {
  return {
    tool: event.name,
    tool_use_id: event.tool_use_id,
    args: event.args ?? null,
    status: event.status,
    summary: event.summary ?? '',
    duration_ms: Math.round(event.duration_ms),
  }
}

/** A call that never came to its end is not part of what was done. */
function toTraceEntry({
  tool,
  tool_use_id,
  args,
  status,
  summary,
  duration_ms,
}: ToolEvent): ToolTraceEntry[] {
  if (status === 'running') return []
  return [{ tool, tool_use_id, args, status, summary: summary || null, duration_ms: duration_ms ?? 0 }]
}
