import { runTurn, type TurnResult } from '../ai/agent/runtime.ts'
import type { AgentActor } from '../auth/actor.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import { textOf, titleOf } from '../entities/kind.ts'
import { type CitationChecker, createCitationChecker } from './citations.ts'
import type { CompanionDeps, View } from './companion.ts'
import { leaseSeconds } from './companion.ts'
import { finishTurn, type TurnOutcome } from './finish-turn.ts'
import { hearOutcomes } from './hear-outcomes.ts'
import { loadHistory } from './history.ts'
import type { CurrentModel } from './model-provider.ts'
import { leadWithBlock, toQuestion } from './outcome-block.ts'
import { systemPrompt } from './prompt.ts'
import { repairHistory } from './repair-history.ts'
import { createTurnRecorder } from './turn-recorder.ts'
import type { TurnStream } from './turn-stream.ts'

export type RunningTurn = CompanionDeps & {
  turn: TurnRow
  space: SpaceRow
  stream: TurnStream
  agent: AgentRow
  model: CurrentModel
  leaseOwner: string
  userMessageId: string
  text: string
  view: View | null
  signal: AbortSignal
}

/** Runs a stored turn to its end and stores how it ended. Never rejects: whatever fails becomes the turn's error. */
export async function runCompanionTurn(running: RunningTurn): Promise<void> {
  const { stream, turn, logger } = running
  const lease = setInterval(() => renewLease(running), (leaseSeconds * 1000) / 3)
  const citations = createCitationChecker(sourceFinder(running))
  const recorder = createTurnRecorder({ ...running, citations })

  try {
    const outcome = await converse(running, recorder, citations)
    await finishTurn(running, outcome)
  } catch (error) {
    logger.error({ err: error, turn_id: turn.id }, 'a turn failed')
    const message = 'The turn broke off on Void’s side. What was said so far is kept; try again.'
    const failure = { code: 'turn_failed', message, retryable: true }
    await finishTurn(running, outcomeOf(recorder, citations, { error: failure })).catch((cause) => {
      logger.error({ err: cause, turn_id: turn.id }, 'the end of a turn could not be stored')
      stream.emit({ type: 'error', data: failure })
    })
  } finally {
    clearInterval(lease)
  }
}

async function converse(
  running: RunningTurn,
  recorder: ReturnType<typeof createTurnRecorder>,
  citations: CitationChecker,
): Promise<TurnOutcome> {
  const { database, turn, agent, model, registry, services, signal } = running
  const history = await loadHistory(database, turn.conversation_id, running.userMessageId)
  const question = toQuestion(running.text, await hearOutcomes(running, turn))
  const messages = leadWithBlock(repairHistory([...history, question]), question)
  recorder.admit(messages)

  const result = await runTurn({
    callModel: model.callModel,
    registry,
    system: await buildPrompt(running),
    messages,
    ctx: {
      agent,
      space_id: turn.space_id,
      view: running.view,
      actor: toActor(agent, turn.space_id),
      turn: { id: turn.id, conversation_id: turn.conversation_id },
      signal,
      services,
    },
    onEvent: recorder.onEvent,
    onStep: recorder.onStep,
    signal,
    compact: async (tooLong) => repairHistory(tooLong.slice(-Math.max(1, Math.ceil(tooLong.length / 2)))),
  })
  if (result.error) running.logger.warn({ err: result.error, turn_id: turn.id }, 'a model call failed')
  return outcomeOf(recorder, citations, result)
}

function outcomeOf(
  recorder: ReturnType<typeof createTurnRecorder>,
  citations: CitationChecker,
  result: Partial<Pick<TurnResult, 'text' | 'usage' | 'draftIds' | 'stopReason'>> & {
    error: { code: string; message: string; retryable: boolean } | null
  },
): TurnOutcome {
  return {
    text: result.text ?? recorder.text(),
    toolTrace: recorder.trace,
    draftIds: result.draftIds ?? [],
    usage: result.usage ?? null,
    stopReason: result.stopReason ?? 'error',
    citations: citations.all,
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

async function buildPrompt({ database, kinds, turn, space, agent, view, now }: RunningTurn): Promise<string> {
  const entities = createEntitiesRepo(database)
  const kind = view && kinds.find(view.entityType)
  const viewed = kind && (await entities.find(kind, turn.space_id, view.entityId))

  return systemPrompt({
    companion: agent.name,
    space: { name: space.name, description: space.description },
    counts: await entities.countAll(kinds.all, turn.space_id),
    view: viewed ? { entity_type: kind.type, entity_id: viewed.id, title: titleOf(viewed) } : null,
    today: now().toISOString().slice(0, 10),
  })
}

function sourceFinder({ database, kinds, turn }: RunningTurn) {
  return async (source: { entity_type: string; entity_id: string }) => {
    const kind = kinds.find(source.entity_type)
    const row = kind && (await createEntitiesRepo(database).find(kind, turn.space_id, source.entity_id))
    return row
      ? { title: titleOf(row), text: `${kind.searchText(row)}\n${textOf(row[kind.bodyField])}` }
      : null
  }
}

async function renewLease({ database, turn, leaseOwner, logger }: RunningTurn): Promise<void> {
  try {
    await createTurnsRepo(database).renewLease(turn.id, leaseOwner, leaseSeconds)
  } catch (error) {
    logger.warn({ err: error, turn_id: turn.id }, 'the lease of a turn could not be renewed')
  }
}
