import { z } from 'zod'
import type { Tool } from '../registry.ts'
import { type Draft, draftReceipt, draftResult, edits, toDraft } from './propose_change.ts'

type Input = {
  id: string
  payload?: Record<string, unknown> | undefined
  edits: { old_text: string; new_text: string }[]
  reason?: string | undefined
}

/** Puts a newer draft in the place of an outside agent's own one. */
export const reviseChangeTool: Tool<Input, Draft> = {
  name: 'revise_change',
  title: 'Revise a draft',
  offered: 'agents',
  description: 'Replace your pending draft with a revised one; omitted fields stay as drafted.',
  input: z.object({
    id: z.uuid(),
    payload: z.record(z.string(), z.unknown()).optional().describe('The changed fields'),
    edits: edits.describe('Edits of the drafted text'),
    reason: z.string().trim().min(1).max(1000).optional(),
  }),
  capability: 'write',
  actionClass: 'destructive',
  async handler({ edits: given, ...input }, ctx) {
    const revision = { ...input, edits: given.length > 0 ? given : undefined }
    return toDraft(ctx.actor, await ctx.services.revise(ctx.actor, revision))
  },
  ...draftResult,
  structured: draftReceipt,
}
