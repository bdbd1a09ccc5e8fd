import { z } from 'zod'
import type { Edit } from '../../../changes/propose/apply-edits.ts'
import type { Tool } from '../registry.ts'
import { type Draft, draftReceipt, draftResult, edits, toDraft } from './propose_change.ts'

type Input = {
  id: string
  payload?: Record<string, unknown> | undefined
  edits?: Edit[] | undefined
  reason?: string | undefined
}

/** Puts a newer draft in the place of an outside agent's own one. */
export const reviseChangeTool: Tool<Input, Draft> = {
  name: 'revise_change',
  title: 'Revise a draft',
  offered: 'agents',
  description:
    'Replace one of your pending drafts with a corrected one. Fields that you leave out stay as drafted. To add the next ' +
    'part of a long text, send edits with append.',
  input: z.object({
    id: z.uuid().describe('Id of the draft, from propose_change or changes'),
    payload: z.record(z.string(), z.unknown()).optional().describe('The fields that differ from the draft'),
    edits,
    reason: z.string().trim().max(1000).optional().describe('One sentence for the owner'),
  }),
  names: { draft: 'id', pending_change_id: 'id', supersedes: 'id', fields: 'payload' },
  capability: 'write',
  actionClass: 'destructive',
  async handler(input, ctx) {
    return toDraft(ctx.actor, await ctx.services.revise(ctx.actor, input))
  },
  ...draftResult,
  structured: draftReceipt,
}
