import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import type { LoadCards } from '../../changes/card/load-cards.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import type { NamedSpace } from '../../db/repos/spaces.ts'
import type { Lease } from '../../db/repos/turn_steps.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import type { RunResearch } from '../research/run-research.ts'
import type { TurnStream } from '../stream/turn-stream.ts'
import type { Resumption } from './resumption.ts'

/** The parts of Void that a running turn works with. */
export type TurnDeps = {
  database: Database
  kinds: Kinds
  threads: TextThreads
  loadCards: LoadCards
  registry: ToolRegistry
  services: ToolServices
  budget: Pick<DailyBudget, 'refusal'>
  sideModels: SideModels
  runResearch: RunResearch
  logger: Logger
  now: () => Date
}

/** A message of the conversation, by its id. */
export type StoredMessage = UserMessage & { id: string }

export type RunningTurn = {
  deps: TurnDeps
  turn: TurnRow
  lease: Lease
  space: NamedSpace
  agent: AgentRow
  model: CurrentModel
  message: StoredMessage
  stream: TurnStream
  /** What an earlier attempt has done. */
  resumption: Resumption | null
  /** Aborted with an `Interruption`. */
  controller: AbortController
}

/** The agent, in this turn, reads this Space and no other. */
export const toActor = (agent: AgentRow, spaceId: string): AgentActor => ({
  kind: 'agent',
  agent_id: agent.id,
  slug: agent.slug,
  capabilities: agent.capabilities,
  spaces: [spaceId],
})

/** The name of the model that answers in a conversation: the one chosen there, for the companion that it is with. */
export const modelNameFor = (
  agent: Pick<AgentRow, 'id' | 'model'>,
  conversation: { agent_id: string; model: string | null },
): string | null => (conversation.agent_id === agent.id ? conversation.model : null) ?? agent.model

/**
 * Why a running turn is interrupted. `stopped`: the owner stopped it. `lost`: another server has taken it over.
 * `draining`: this server goes down, and another one is to go on.
 */
export class Interruption extends Error {
  readonly why: 'stopped' | 'lost' | 'draining'

  constructor(why: 'stopped' | 'lost' | 'draining') {
    super(`the turn was interrupted: ${why}`)
    this.name = 'Interruption'
    this.why = why
  }
}

export const interruptionReason = ({ reason }: AbortSignal) =>
  reason instanceof Interruption ? reason.why : null
