import { emptyProgress } from '../../ai/agent/events.ts'
import { runTurn } from '../../ai/agent/runtime.ts'
import type { Source } from '../../ai/agent/sources.ts'
import { type ModelResponse, noUsage, type ToolUseBlock } from '../../ai/model.ts'
import { retryWithoutImages } from '../../ai/model-failure.ts'
import { textOf, titleOf } from '../../contract/entities/kind.ts'
import type { TurnError, TurnEvent } from '../../contract/events/events.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createToolResultsRepo } from '../../db/repos/tool_calls.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'
import { retryWhileDatabaseUnavailable } from '../../db/retry-while-unavailable.ts'
import { createCitationChecker, type FindSource } from '../reading/citations.ts'
import { findThread } from '../reading/read-entity.ts'
import { withCards } from '../stream/draft-cards.ts'
import { type PreparedTurn, prepareTurn } from './prepare-turn.ts'
import { runResearchTurn } from './research-turn.ts'
import { Interruption, interruptionReason, type RunningTurn, toActor } from './running-turn.ts'
import { createTurnHost, type TurnHostParts, withDatabaseRetry } from './turn-host.ts'
import { finishTurn, type TurnOutcome } from './turn-outcome.ts'
import { TurnStorage, type TurnStorageDeps } from './turn-storage.ts'

/** How a turn came to its end before its duration is known. */
type Ended = Pick<TurnOutcome, 'stopReason' | 'usage' | 'error'>

/** What is known of the conversation of a turn that has ended or was left. */
export type TurnLeft = {
  /** Long enough for a running summary. */
  isLong: boolean
  /** A message may wait in it. */
  queued: boolean
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
  const citations = createCitationChecker(sourceFinder(running), progress.citations)
  const startedAt = performance.now()
  const state: TurnLeft = { isLong: false, queued: true }

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
    const outcome = { ...ended, progress, duration_ms }
    state.queued = (await finishTurn({ database, turn, lease, stream, storage }, outcome)).queued
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

async function converse(
  running: RunningTurn,
  parts: TurnHostParts,
  state: { isLong: boolean },
): Promise<Ended> {
  const { turn, resumption } = running
  if (turn.attempt > 1) await emitResumed(running, parts)
  if (resumption?.ended) {
    return { stopReason: resumption.ended.stopReason, usage: resumption.earlier.usage, error: null }
  }
  const { research } = running.message
  if (!research) return await answer(running, parts, state)
  const ended = await runResearchTurn(running, parts, research)
  if (!('left' in ended)) return ended
  return await answer({ ...running, message: { ...running.message, text: ended.left } }, parts, state)
}

async function answer(
  running: RunningTurn,
  parts: TurnHostParts,
  state: { isLong: boolean },
): Promise<Ended> {
  const { deps, turn, controller } = running
  const prepared = await retryWhileDatabaseUnavailable(
    (again) => prepareTurn(running, { again: again || turn.attempt > 1 }),
    controller.signal,
  )
  state.isLong = prepared.isLong
  const { messages, ownFrom, declared, outside } = prepared
  parts.citations.admitOutside(outside)
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
  const { deps, turn, agent, model, message, stream, controller } = running
  const { signal } = controller
  const host = createTurnHost(running, parts)
  if (opening.length > 0)
    await host.onStep?.({ type: 'message', content: opening, response: asResponse(opening) })
  return await runTurn({
    callModel: retryWithoutImages(model.callModel),
    registry: tools,
    system: prompt,
    messages,
    ctx: {
      agent,
      space_id: turn.space_id,
      view: message.view ?? null,
      actor: toActor(agent, turn.space_id),
      turn: { id: turn.id, conversation_id: turn.conversation_id },
      given: parts.citations.given,
      signal,
      services: withDatabaseRetry(deps.services, signal),
    },
    onEvent: (event) => parts.storage.add(stream.emit(event)),
    signal,
    host,
  })
}

/** Calls that the message itself makes, as if a model had. */
const asResponse = (content: ToolUseBlock[]): ModelResponse => ({
  text: '',
  content,
  toolUses: content,
  stopReason: 'tool_use',
  usage: noUsage,
})

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

const toEvent = ({ seq: _, ...event }: TurnEvent & { seq: number }): TurnEvent => event

function sourceFinder({ deps, turn, controller }: RunningTurn): FindSource {
  const { database, kinds } = deps
  return (source) => retryWhileDatabaseUnavailable(() => find(source), controller.signal)

  async function find(source: Source) {
    const { entity_type: kind, entity_id: id } = source
    if (kind === 'conversation' || kind === 'mail_thread') {
      return await findThread(database, { space_id: turn.space_id, kind, id })
    }
    if (kind === 'tool_result') {
      const result = await createToolResultsRepo(database).find(id, turn.space_id)
      return result && { title: `${result.source_name} › ${result.tool}`, text: result.text }
    }
    const definition = kinds.find(kind)
    const row = definition && (await createEntitiesRepo(database).find(definition, turn.space_id, id))
    return row
      ? { title: titleOf(row), text: `${definition.searchText(row)}\n${textOf(row[definition.bodyField])}` }
      : null
  }
}
