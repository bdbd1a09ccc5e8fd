// Models that are asked for something beside the answers. Each finished call is noted; when the day's budget is used up
// there is none, and whoever wanted it does without, as without a key.

import { v7 as uuid } from 'uuid'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createUsageRepo, type SideCall } from '../../db/repos/usage.ts'
import { noUsage } from '../usage/add-usage.ts'
import type { DailyBudget } from '../usage/budget.ts'
import type { CurrentModel, ModelProvider } from './model-provider.ts'

type SideCallFor = Pick<SideCall, 'purpose' | 'space_id' | 'conversation_id' | 'turn_id'> & {
  /** Left out: a new one. */
  id?: string
}

export type SideModels = {
  /** The small model; `null` where there is none, or today's budget is used up. */
  small(what: SideCallFor): Promise<CurrentModel | null>
  /** A model whose finished calls are noted. A call that was broken off says nothing of what it used. */
  measured(model: CurrentModel, what: SideCallFor): CurrentModel
}

export type SideModelsDeps = {
  database: Database
  models: Pick<ModelProvider, 'small'>
  budget: Pick<DailyBudget, 'refusal'>
  logger: Logger
}

export function createSideModels({ database, models, budget, logger }: SideModelsDeps): SideModels {
  return {
    async small(what) {
      const model = models.small()
      if (!model || (await isSpent())) return null
      return measured(model, what)
    },
    measured,
  }

  // What goes on beside the answers never fails for want of a database.
  async function isSpent(): Promise<boolean> {
    try {
      return (await budget.refusal()) !== null
    } catch (error) {
      logger.warn({ err: error }, 'daily budget not loaded')
      return true
    }
  }

  function measured(model: CurrentModel, what: SideCallFor): CurrentModel {
    if (model.mode === 'offline') return model
    return {
      ...model,
      async callModel(request) {
        const started = performance.now()
        const response = await model.callModel(request)
        const duration_ms = Math.round(performance.now() - started)
        const call = { id: uuid(), ...what, model: model.name, duration_ms, ...noUsage, ...response.usage }
        await createUsageRepo(database)
          .insertSideCall(call)
          .catch((error: unknown) => logger.warn({ err: error }, 'model usage not stored'))
        return response
      },
    }
  }
}
