// Runs a stored turn and stores how it ended, or leaves it at its last step for another server to resume.

import { v7 as uuid } from 'uuid'
import { emptyProgress, type ToolResultStep } from '../../ai/agent/events.ts'
import { runTurn } from '../../ai/agent/runtime.ts'
import type { Source } from '../../ai/agent/sources.ts'
import type { TurnHost } from '../../ai/agent/turn.ts'
import { isToolUse } from '../../ai/history/normalize-response.ts'
import { endsTurn } from '../../ai/history/repair-history.ts'
import type { ContentBlock, ModelResponse } from '../../ai/model.ts'
import type { TurnError, TurnEvent } from '../../contract/events/events.ts'
import { boundJson } from '../../core/text/bounds.ts'
import { cleanDeep, cleanText } from '../../core/text/clean.ts'
import { passageOf } from '../../core/text/markdown.ts'
import { retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'
import { compactHistory } from '../prompt/digest.ts'
import { createCitationChecker } from '../reading/citations.ts'
import { createEffectGate } from '../reading/effect-gate.ts'
import { findStoredText } from '../reading/read-entity.ts'
import { createRunBudget, routineTerms } from '../routines/routine-turn.ts'
import { withCards } from '../stream/read-turn.ts'
import { type PreparedTurn, prepareTurn } from './prepare-turn.ts'
import { runResearchTurn } from './research-turn.ts'
import {
  Interruption,
  interruptionReason,
  type NewStep,
  type RunningTurn,
  type TurnHostParts,
  TurnStorage,
  type TurnStorageDeps,
  toActor,
  withDatabaseRetry,
} from './running-turn.ts'
import { finishTurn, type TurnOutcome, toRecord } from './turn-outcome.ts'

/** How a turn came to its end before its duration is known. */
type Ended = Pick<TurnOutcome, 'stopReason' | 'usage' | 'error'>

/** What is known of the conversation of a turn that has ended or was left. */
export type TurnLeft = {
  /** Long enough for a running summary. */
  isLong: boolean
  /** Of the wording that the model was given. */
  promptHash?: string
  /** The lines of memory that it was given. */
  memory?: TurnOutcome['memory']
}

/**
 * Runs a stored turn to its end and stores how it ended. Never rejects: whatever fails becomes the turn's error. A turn
 * that was lost or is handed over is left at its last step, and its stream is detached.
 */
export async function runCompanionTurn(
  running: RunningTurn,
  stored: Pick<TurnStorageDeps, 'storeEvents' | 'onStored'>,
): Promise<TurnLeft> {
  const { deps, turn, lease, stream, controller, resumption } = running
  const { database, logger } = deps
  const storage = new TurnStorage({
    database,
    logger,
    lease,
    onInterruption: (interruption) => controller.abort(interruption),
    ...stored,
  })
  const progress = resumption?.progress ?? emptyProgress()
  const citations = createCitationChecker((source) => findSource(running, source), progress.citations)
  const startedAt = performance.now()
  const state: TurnLeft = { isLong: false }

  try {
    const ended = await converse(running, { storage, citations, progress }, state).catch((error) => {
      if (!isStop(error)) throw error
      return { stopReason: 'aborted', usage: null, error: null }
    })
    if (isLeft(controller.signal)) await leave()
    else await finish(ended)
  } catch (error) {
    if (error instanceof Interruption || isLeft(controller.signal)) await leave()
    else await fail(error)
  } finally {
    storage.close()
  }
  return state

  async function finish(ended: Ended): Promise<void> {
    const duration_ms = Math.round(performance.now() - startedAt)
    const outcome = { ...ended, ...state, progress, duration_ms, question: running.message.text }
    await finishTurn({ database, turn, lease, stream, storage }, outcome)
  }

  async function fail(error: unknown): Promise<void> {
    logger.error({ err: error, turn_id: turn.id }, 'turn failed')
    await finish({ stopReason: 'error', usage: null, error: turnFailed }).catch((cause) => {
      logger.error({ err: cause, turn_id: turn.id }, 'end of turn not stored')
      stream.emit({ type: 'error', data: turnFailed })
    })
  }

  async function leave(): Promise<void> {
    storage.close()
    try {
      if (interruptionReason(controller.signal) === 'draining') {
        await storage.flush()
        await createTurnsRepo(database).release(lease)
      }
    } catch (error) {
      logger.warn({ err: error, turn_id: turn.id }, 'turn not handed over; its lease will expire')
    }
    stream.detach()
  }
}

const turnFailed: TurnError = {
  code: 'turn_failed',
  message: 'Something went wrong in Void. The text so far is kept; try again.',
  retryable: true,
}

/** Whether the owner stopped the turn while it waited for the database. */
const isStop = (error: unknown) => error instanceof Interruption && error.why === 'stopped'

const isLeft = (signal: AbortSignal) => ['lost', 'draining'].includes(interruptionReason(signal) ?? '')

async function converse(running: RunningTurn, parts: TurnHostParts, state: TurnLeft): Promise<Ended> {
  const { turn, resumption } = running
  if (turn.attempt > 1) await emitResumed(running, parts)
  if (resumption?.ended) {
    return { stopReason: resumption.ended.stopReason, usage: resumption.earlier.usage, error: null }
  }
  const { research } = running.message
  if (!research) return await answer(running, parts, state)
  const ended = await runResearchTurn(running, parts, { ask: research, state })
  if (!('left' in ended)) return ended
  return await answer({ ...running, message: { ...running.message, text: ended.left } }, parts, state)
}

async function answer(running: RunningTurn, parts: TurnHostParts, state: TurnLeft): Promise<Ended> {
  const { deps, turn, controller } = running
  const prepared = await retryWhileDatabaseUnavailable(
    (again) => prepareTurn(running, { again: again || turn.attempt > 1 }),
    controller.signal,
  )
  const { isLong, promptHash, memory } = prepared
  Object.assign(state, { isLong, promptHash, memory })
  deps.logger.info({ turn_id: turn.id, prompt_hash: prepared.promptHash }, 'turn prepared')
  const { messages, ownFrom, declared, outside, composed } = prepared
  parts.citations.admitOutside(outside, composed)
  parts.citations.admit(messages.slice(0, ownFrom), declared, 'history')
  parts.citations.admit(messages.slice(ownFrom), declared, 'turn')

  const { stopReason, usage, error } = await run(running, parts, prepared)
  if (error) deps.logger.warn({ err: error, turn_id: turn.id }, 'model call failed')
  const { code, message, retryable } = error ?? turnFailed
  return { stopReason, usage, error: error && { code, message, retryable } }
}

async function run(
  running: RunningTurn,
  parts: TurnHostParts,
  { prompt, tools, messages, opening }: PreparedTurn,
) {
  const { deps, turn, agent, message, stream, controller } = running
  const retrying = withDatabaseRetry(deps.services, controller.signal)
  const actor = toActor(agent, turn.space_id)
  const usual = { ...running, actor, services: retrying, wallClockMs: deps.maxTurnMs }
  const { model, services, wallClockMs } = message.routine ? await routineTerms(deps, usual) : usual
  const host = createTurnHost(running, parts)
  if (opening) await host.onStep?.({ type: 'message', content: opening.content, response: opening })
  return await runTurn({
    callModel: model.callModel,
    thinking: message.thinking ?? agent.thinking,
    registry: tools,
    system: prompt,
    messages,
    ctx: {
      agent,
      space_id: turn.space_id,
      view: message.view ?? null,
      actor,
      turn: { id: turn.id, conversation_id: turn.conversation_id },
      given: parts.citations.given,
      signal: controller.signal,
      services,
    },
    onEvent(event) {
      if (event.type === 'tool' && event.data.status === 'running')
        parts.storage.begin(toRecord(turn, event.data, { status: 'pending', result: '' }))
      parts.storage.add(stream.emit(event))
    },
    signal: controller.signal,
    host,
    ...(wallClockMs ? { limits: { wallClockMs } } : {}),
  })
}

/** Emits, to readers of an earlier attempt, what of it counts. */
async function emitResumed({ deps, turn, stream, controller }: RunningTurn, parts: TurnHostParts) {
  const { storage, progress } = parts
  const { draftIds, ...rest } = structuredClone(progress)
  const event = { type: 'snapshot' as const, seq: 0, data: { ...rest, draft_ids: draftIds } }
  const [snapshot] = await retryWhileDatabaseUnavailable(
    () => withCards(deps, turn, [event]),
    controller.signal,
  )
  if (snapshot) storage.add(stream.emit(toEvent(snapshot)))
}

const findSource = ({ deps, turn, controller }: RunningTurn, source: Source) =>
  retryWhileDatabaseUnavailable(() => findStoredText(deps, turn.space_id, source), controller.signal)

const toEvent = ({ seq: _, ...event }: TurnEvent & { seq: number }): TurnEvent => event

/**
 * What makes the agent loop a durable turn: each step is stored, together with the events up to it, before the next
 * begins; a message whose calls only read is stored with their results, and the last one with the end of the turn.
 * Citations are checked here, and effects are held to the turn's Space.
 */
function createTurnHost(
  { deps, turn, message, model, resumption, controller }: RunningTurn,
  { storage, citations, progress }: TurnHostParts,
): TurnHost {
  const { signal } = controller
  const { id: turn_id, space_id, conversation_id } = turn
  const summary = { purpose: 'summary', space_id, conversation_id, turn_id } as const
  let gate: ReturnType<typeof createEffectGate> | undefined
  let seq = resumption?.stepCount ?? 0
  /** Calls of the last message whose results are still to come and may be held with it. */
  let repeatable = 0
  const budget = message.routine && createRunBudget(deps, message.routine, { model, resumption })

  return {
    progress,
    earlier: resumption?.earlier ?? null,
    readCitations: citations.read,
    ...(model.mode === 'online'
      ? { refuseCall: () => retryWhileDatabaseUnavailable(budget?.refusal ?? deps.budget.refusal, signal) }
      : {}),
    compact: (tooLong) => compactHistory({ ...deps, small: () => deps.sideModels.small(summary) }, tooLong),
    admitEffect({ effect }) {
      gate ??= createEffectGate(deps, { turn, message, signal })
      return gate(effect)
    },
    onToolError: (tool, err) => deps.logger.error({ err, turn_id: turn.id, tool }, 'tool failed'),

    async onStep(step) {
      if (step.type === 'message') await storeMessage(step.content, step.response)
      else if (step.type === 'tool_result') await storeResult(step)
      else deps.logger.info({ turn_id: turn.id }, 'history compacted')
    },
  }

  async function storeMessage(content: ContentBlock[], { stopReason, usage }: ModelResponse): Promise<void> {
    budget?.count(usage)
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
