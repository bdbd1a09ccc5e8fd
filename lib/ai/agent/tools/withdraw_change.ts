import { z } from 'zod'
import type { Tool } from '../registry.ts'
import { draftReceipt, draftResult, type Retracted, toRetracted } from './propose_change.ts'

/** Takes an outside agent's own draft back. */
export const withdrawChangeTool: Tool<{ id: string }, Retracted> = {
  name: 'withdraw_change',
  title: 'Withdraw a draft',
  offered: 'agents',
  description: 'Withdraw one of your pending drafts, so that the owner no longer has to decide on it.',
  input: z.object({ id: z.uuid().describe('Id of the draft, from propose_change or changes') }),
  names: { draft: 'id', pending_change_id: 'id' },
  capability: 'write',
  actionClass: 'destructive',
  async handler({ id }, ctx) {
    return toRetracted(ctx.actor, await ctx.services.retract(ctx.actor, id))
  },
  ...draftResult,
  structured: draftReceipt,
}
