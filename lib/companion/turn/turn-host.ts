// What makes the agent loop a durable turn: each step is stored, together with the events up to it, before the next
// begins; a message whose calls only read is stored with their results, and the last one with the end of the turn. Citations are checked here, and effects are held to the turn's Space.

import { v7 as uuid } from 'uuid'
import type { ToolResultStep, TurnProgress } from '../../ai/agent/events.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { TurnHost } from '../../ai/agent/turn.ts'
import { isToolUse } from '../../ai/history/normalize-response.ts'
import { endsTurn } from '../../ai/history/repair-history.ts'
import type { ContentBlock, ModelResponse } from '../../ai/model.ts'
import { boundJson } from '../../core/text/bound-json.ts'
import { cleanDeep, cleanText } from '../../core/text/clean.ts'
import { passageOf } from '../../core/text/plain-text.ts'
import { retryWhileDatabaseUnavailable } from '../../db/retry-while-unavailable.ts'
import { compactHistory } from '../prompt/compact-history.ts'
import type { CitationChecker } from '../reading/citations.ts'
import { createEffectGate } from '../reading/effect-gate.ts'
import type { RunningTurn } from './running-turn.ts'
import type { NewStep, TurnStorage } from './turn-storage.ts'

export type TurnHostParts = {
  storage: TurnStorage
  citations: CitationChecker
  /** What the turn has come to so far; added to. */
  progress: TurnProgress
}

export function createTurnHost(
  { deps, turn, message, model, resumption, controller }: RunningTurn,
  { storage, citations, progress }: TurnHostParts,
): TurnHost {
  const { logger } = deps
  const { signal } = controller
  const { id: turn_id, space_id, conversation_id } = turn
  const summary = { purpose: 'summary', space_id, conversation_id, turn_id } as const
  let gate: ReturnType<typeof createEffectGate> | undefined
  let seq = resumption?.stepCount ?? 0
  /** Calls of the last message whose results are still to come and may be held with it. */
  let repeatable = 0

  return {
    progress,
    earlier: resumption?.earlier ?? null,
    readCitations: citations.read,
    ...(model.mode === 'online'
      ? { refuseCall: () => retryWhileDatabaseUnavailable(deps.budget.refusal, signal) }
      : {}),
    compact: (tooLong) => compactHistory({ small: () => deps.sideModels.small(summary), logger }, tooLong),
    admitEffect({ effect }) {
      gate ??= createEffectGate(deps, { turn, message, signal })
      return gate(effect)
    },
    onToolError: (tool, err) => logger.error({ err, turn_id: turn.id, tool }, 'tool failed'),

    async onStep(step) {
      if (step.type === 'message') await storeMessage(step.content, step.response)
      else if (step.type === 'tool_result') await storeResult(step)
      else logger.info({ turn_id: turn.id }, 'history compacted')
    },
  }

  async function storeMessage(content: ContentBlock[], { stopReason, usage }: ModelResponse): Promise<void> {
    const row = { ...nextStep('assistant', content), stop_reason: stopReason, usage }
    const calls = content.filter(isToolUse)
    repeatable = calls.every(({ name }) => isRepeatable(name)) ? calls.length : 0
    if (endsTurn(content, stopReason) || repeatable > 0) storage.holdStep(row)
    else await storage.storeStep(row)
  }

  async function storeResult({ call, result, target, given }: ToolResultStep): Promise<void> {
    citations.admit([{ role: 'user', content: [result] }], new Map([[call.tool_use_id, given]]), 'turn')
    const step = { ...nextStep('user', [result]), given }
    const record = {
      id: uuid(),
      space_id: turn.space_id,
      agent_id: turn.agent_id,
      turn_id: turn.id,
      tool_use_id: call.tool_use_id,
      name: call.tool,
      arguments: boundJson(call.args),
      result: cleanText(call.summary ?? ''),
      entity_type: target?.entity_type ?? null,
      entity_id: target?.entity_id ?? null,
      passage: passageOf(target?.passage),
      status: call.status,
      duration_ms: call.duration_ms,
    }
    repeatable -= 1
    if (repeatable > 0) storage.holdStep(step, record)
    else await storage.storeStep(step, record)
  }

  /** Only looks: run again after a crash, the call costs time and changes nothing. */
  function isRepeatable(tool: string): boolean {
    return deps.registry.getTool(tool)?.capability === 'read'
  }

  function nextStep(role: 'user' | 'assistant', content: ContentBlock[]): NewStep {
    seq += 1
    const json = JSON.stringify(cleanDeep(content))
    return { seq, role, content: json, stop_reason: null, usage: null, given: null }
  }
}

/**
 * The services as a turn reaches them: a database that is unavailable for a moment costs a call nothing but time, until
 * the signal is aborted. Each is safe to run twice: a draft is stored once for each call, a retracted one stays so, and
 * the others read.
 */
export function withDatabaseRetry(services: ToolServices, signal: AbortSignal): ToolServices {
  const retrying = <Result>(run: () => Promise<Result>) => retryWhileDatabaseUnavailable(run, signal)

  return {
    search: (...given) => retrying(() => services.search(...given)),
    read: (...given) => retrying(() => services.read(...given)),
    list: (...given) => retrying(() => services.list(...given)),
    readView: (...given) => retrying(() => services.readView(...given)),
    name: (...given) => retrying(() => services.name(...given)),
    findQuotedText: (...given) => retrying(() => services.findQuotedText(...given)),
    propose: (...given) => retrying(() => services.propose(...given)),
    outcomes: (...given) => retrying(() => services.outcomes(...given)),
    findOutsideTools: (...given) => retrying(() => services.findOutsideTools(...given)),
    // Not run twice: what it does happens elsewhere.
    callOutsideTool: services.callOutsideTool,
    readOutsideResult: (...given) => retrying(() => services.readOutsideResult(...given)),
    searchMail: (...given) => retrying(() => services.searchMail(...given)),
    readMailThread: (...given) => retrying(() => services.readMailThread(...given)),
    retract: (...given) => retrying(() => services.retract(...given)),
    // Of outside agents alone, and stored anew each time.
    revise: services.revise,
  }
}
