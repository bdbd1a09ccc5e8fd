import { runTurn, type TurnResult } from '../ai/agent/runtime.ts'
import type { Source } from '../ai/agent/sources.ts'
import type { AgentActor } from '../auth/actor.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import { createTurnLeasesRepo } from '../db/repos/turn_leases.ts'
import type { Asked, Lease, TurnRow } from '../db/repos/turns.ts'
import { textOf, titleOf } from '../entities/kind.ts'
import { createCitationChecker, type FindSource } from './citations.ts'
import type { CompanionDeps } from './companion-deps.ts'
import { finishTurn, type TurnOutcome } from './finish-turn.ts'
import { Interruption, whyInterrupted } from './interruption.ts'
import type { CurrentModel } from './model-provider.ts'
import { createPatientServices } from './patient-services.ts'
import { prepareTurn } from './prepare-turn.ts'
import { findConversation } from './read-entity.ts'
import { repairHistory } from './repair-history.ts'
import type { Resumption } from './resumption.ts'
import { noProgress } from './turn-progress.ts'
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts'
import { createTurnStorage } from './turn-storage.ts'
import type { TurnStream } from './turn-stream.ts'
import { withPatience } from './with-patience.ts'

export type RunningTurn = CompanionDeps & {
  turn: TurnRow
  lease: Lease
  space: SpaceRow
  stream: TurnStream
  agent: AgentRow
  model: CurrentModel
  asked: Asked & { message_id: string }
  /** What an earlier attempt has done. */
  resumption: Resumption | null
  /** Aborted with an `Interruption`. */
  controller: AbortController
  onStored: () => void
  /** Called when the conversation is long enough for a running summary. */
  onLongHistory: () => void
}

/**
 * Runs a stored turn to its end and stores how it ended. Never rejects: whatever fails becomes the turn's error. A turn
 * that was lost or is to go on elsewhere is left as its last step stands, and its stream is detached.
 */
export async function runCompanionTurn(running: RunningTurn): Promise<void> {
  const { database, stream, turn, lease, logger, controller, resumption } = running
  const storage = createTurnStorage({
    database,
    logger,
    lease,
    onInterruption: (interruption) => controller.abort(interruption),
    onStored: running.onStored,
  })
  const progress = resumption?.progress ?? noProgress()
  const citations = createCitationChecker(sourceFinder(running), progress.citations)
  const stepCount = resumption?.stepCount ?? 0
  const { signal } = controller
  const recorder = createTurnRecorder({ ...running, storage, citations, progress, stepCount, signal })
  const startedAt = running.now().getTime()
  const finishing = { database, turn, lease, stream, storage, now: running.now, startedAt }

  try {
    const outcome = await converse(running, recorder).catch((error: unknown) => {
      if (!isStop(error)) throw error
      return outcomeOf(recorder, { stopReason: 'aborted', error: null })
    })
    if (isLeft(controller.signal)) return await leave()
    await finishTurn(finishing, outcome)
  } catch (error) {
    if (error instanceof Interruption || isLeft(controller.signal)) return await leave()
    logger.error({ err: error, turn_id: turn.id }, 'a turn failed')
    const message = 'The turn broke off on Void’s side. What was said so far is kept; try again.'
    const failure = { code: 'turn_failed', message, retryable: true }
    await finishTurn(finishing, outcomeOf(recorder, { error: failure })).catch((cause) => {
      logger.error({ err: cause, turn_id: turn.id }, 'the end of a turn could not be stored')
      stream.emit({ type: 'error', data: failure })
    })
  } finally {
    storage.close()
  }

  async function leave(): Promise<void> {
    storage.close()
    try {
      if (whyInterrupted(controller.signal) === 'draining') {
        await storage.flush()
        await createTurnLeasesRepo(database).release(lease)
      }
    } catch (error) {
      logger.warn(
        { err: error, turn_id: turn.id },
        'a turn could not be handed over; it waits for its lease to end',
      )
    }
    stream.detach()
  }
}

/** Whether the owner stopped the turn while it waited for the database. */
const isStop = (error: unknown) => error instanceof Interruption && error.why === 'stopped'

const isLeft = (signal: AbortSignal) => ['lost', 'draining'].includes(whyInterrupted(signal) ?? '')

async function converse(running: RunningTurn, recorder: TurnRecorder): Promise<TurnOutcome> {
  const { turn, agent, model, registry, services, controller, resumption } = running
  if (turn.attempt > 1) await recorder.tellResumed()
  if (resumption?.ended) {
    const { stopReason } = resumption.ended
    return outcomeOf(recorder, { usage: resumption.earlier.usage, stopReason, error: null })
  }
  const { signal } = controller
  const { prompt, messages, isLong } = await withPatience(
    (again) => prepareTurn(running, { again: again || turn.attempt > 1 }),
    signal,
  )
  if (isLong) running.onLongHistory()
  recorder.admit(messages)
  recorder.admit([{ role: 'user', content: resumption?.answered.map(({ result }) => result) ?? [] }])

  const result = await runTurn({
    callModel: model.callModel,
    registry,
    system: prompt.text,
    systemFixed: prompt.fixedLength,
    messages,
    answered: resumption?.answered ?? [],
    earlier: resumption?.earlier ?? null,
    ...(model.mode === 'online' ? { refuseCall: () => withPatience(running.budget.refusal, signal) } : {}),
    ctx: {
      agent,
      space_id: turn.space_id,
      view: running.asked.view,
      actor: toActor(agent, turn.space_id),
      turn: { id: turn.id, conversation_id: turn.conversation_id },
      given: recorder.given,
      signal,
      services: createPatientServices(services, signal),
    },
    onEvent: recorder.onEvent,
    onStep: recorder.onStep,
    signal,
    compact: async (tooLong) => repairHistory(tooLong.slice(-Math.max(1, Math.ceil(tooLong.length / 2)))),
  })
  if (result.error) running.logger.warn({ err: result.error, turn_id: turn.id }, 'a model call failed')
  return outcomeOf(recorder, result)
}

function outcomeOf(
  recorder: TurnRecorder,
  result: Partial<Pick<TurnResult, 'usage' | 'stopReason'>> & {
    error: { code: string; message: string; retryable: boolean } | null
  },
): TurnOutcome {
  return {
    text: recorder.text(),
    toolTrace: recorder.trace(),
    draftIds: recorder.draftIds(),
    usage: result.usage ?? null,
    stopReason: result.stopReason ?? 'error',
    citations: recorder.citations(),
    error: result.error && {
      code: result.error.code,
      message: result.error.message,
      retryable: result.error.retryable,
    },
  }
}

/** The agent, in this turn, sees this Space and no other. */
function toActor(agent: AgentRow, spaceId: string): AgentActor {
  return {
    kind: 'agent',
    agent_id: agent.id,
    slug: agent.slug,
    capabilities: agent.capabilities,
    spaces: [spaceId],
  }
}

function sourceFinder({ database, kinds, turn, controller }: RunningTurn): FindSource {
  return (source) => withPatience(() => find(source), controller.signal)

  async function find(source: Source) {
    if (source.entity_type === 'conversation') {
      const request = { space_id: turn.space_id, kind: 'conversation', id: source.entity_id }
      return await findConversation(database, request)
    }
    const kind = kinds.find(source.entity_type)
    const row = kind && (await createEntitiesRepo(database).find(kind, turn.space_id, source.entity_id))
    return row
      ? { title: titleOf(row), text: `${kind.searchText(row)}\n${textOf(row[kind.bodyField])}` }
      : null
  }
}
