// Models for side tasks such as titles and summaries. The usage of each finished call is stored. Once the day's budget is
// used up there is no model, and the task is done by rules or skipped, as without a key.

import { v7 as uuid } from 'uuid'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createUsageRepo, type SideCall } from '../../db/repos/usage.ts'
import { noUsage } from '../model.ts'
import type { DailyBudget } from '../usage/budget.ts'
import type { CurrentModel, ModelProvider } from './model-provider.ts'

type SideCallFor = Pick<SideCall, 'purpose' | 'space_id' | 'conversation_id' | 'turn_id'> & {
  /** Default: a new id. */
  id?: string
}

export type SideModels = {
  /** The small model; `null` if there is none, or today's budget is used up. */
  small(task: SideCallFor): Promise<CurrentModel | null>
  /** The model with the usage of its finished calls stored. The usage of an interrupted call is unknown. */
  measured(model: CurrentModel, task: SideCallFor): CurrentModel
}

export type SideModelsDeps = {
  database: Database
  models: Pick<ModelProvider, 'small'>
  budget: Pick<DailyBudget, 'refusal'>
  logger: Logger
}

export function createSideModels({ database, models, budget, logger }: SideModelsDeps): SideModels {
  return {
    async small(task) {
      const model = models.small()
      if (!model || (await isBudgetSpent())) return null
      return measured(model, task)
    },
    measured,
  }

  // A side task never fails because the database is unavailable.
  async function isBudgetSpent(): Promise<boolean> {
    try {
      return (await budget.refusal()) !== null
    } catch (error) {
      logger.warn({ err: error }, 'daily budget not loaded')
      return true
    }
  }

  function measured(model: CurrentModel, task: SideCallFor): CurrentModel {
    if (model.mode === 'offline') return model
    return {
      ...model,
      async callModel(request) {
        const started = performance.now()
        const response = await model.callModel(request)
        const duration_ms = Math.round(performance.now() - started)
        const call = { id: uuid(), ...task, model: model.name, duration_ms, ...noUsage, ...response.usage }
        await createUsageRepo(database)
          .insertSideCall(call)
          .catch((error: unknown) => logger.warn({ err: error }, 'model usage not stored'))
        return response
      },
    }
  }
}
