// What the models of one glance used. Each finished call is also noted with all other usage.

import type { CallModel, Usage } from '../../../ai/model.ts'
import type { CurrentModel } from '../../../ai/models/model-provider.ts'
import type { SideModels } from '../../../ai/models/side-models.ts'
import { costOf, type Prices, priceOf } from '../../../ai/usage/prices.ts'

export type Meter = {
  measure(model: CurrentModel): CallModel
  /** `cost` in US dollars; `null` when nothing that was used has a price. */
  total(): { tokens: number; cost: number | null }
}

export function createMeter(
  { sideModels, prices }: { sideModels: Pick<SideModels, 'measured'>; prices: Prices },
  spaceId: string,
): Meter {
  const sum: { tokens: number; cost: number | null } = { tokens: 0, cost: null }
  const call = { purpose: 'glance' as const, space_id: spaceId, conversation_id: null, turn_id: null }

  return {
    measure(model) {
      const { callModel } = sideModels.measured(model, call)
      return async (request) => {
        const response = await callModel(request)
        add(model.name, response.usage)
        return response
      }
    },
    total: () => ({ ...sum }),
  }

  function add(name: string, usage: Usage): void {
    const price = priceOf(prices, name)
    sum.tokens += Object.values(usage).reduce((all, each) => all + each, 0)
    if (price) sum.cost = (sum.cost ?? 0) + costOf(price, usage)
  }
}
