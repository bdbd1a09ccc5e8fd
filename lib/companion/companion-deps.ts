import type { ToolRegistry } from '../ai/agent/registry.ts'
import type { ToolServices } from '../ai/agent/services.ts'
import type { LiveEvent } from '../contract/live.ts'
import type { Database } from '../db/pool.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import type { DailyBudget } from '../usage/budget.ts'
import type { ModelProvider } from './model-provider.ts'
import type { SideModels } from './side-models.ts'

export type CompanionDeps = {
  database: Database
  kinds: Kinds
  registry: ToolRegistry
  services: ToolServices
  models: ModelProvider
  sideModels: SideModels
  budget: Pick<DailyBudget, 'refusal'>
  logger: Logger
  now: () => Date
  /** Told of turns as they begin, wait and end on this server. Must not throw. */
  onTurn?: (turn: TurnNews) => void
}

export type TurnNews = Extract<LiveEvent, { type: 'turn' }>['data']
