import { z } from 'zod'
import type { Outcome } from '../../../changes/outcomes.ts'
import type { Tool } from '../registry.ts'

type Input = { id?: string | undefined; after?: string | undefined }
type Result = { drafts: Outcome[]; more: boolean }

const maxListed = 20

/** Tells an agent what became of its drafts. */
export const changesTool: Tool<Input, Result> = {
  name: 'changes',
  title: 'Look up your drafts',
  offered: 'agents',
  description:
    'See what became of the changes you proposed in this Space, newest first: pending, approved, edited (with what the ' +
    'owner changed), partly_approved, rejected (with the reason), superseded, obsolete, expired, undone or retracted. Use ' +
    `it before you say that a change was made. Returns ${maxListed} at a time. Do not propose rejected or undone changes again.`,
  input: z.object({
    id: z.uuid().optional().describe('Id of one draft'),
    after: z.uuid().optional().describe('Last id of the previous list, to continue'),
  }),
  names: { draft: 'id', pending_change_id: 'id', cursor: 'after' },
  // Its own drafts are an agent's to see, also of one that may not read the Space.
  capability: 'write',
  actionClass: 'navigational',
  async handler({ id, after }, ctx) {
    const found = await ctx.services.outcomes(ctx.actor, {
      space_id: ctx.space_id,
      limit: maxListed + 1,
      ...(id ? { id } : {}),
      ...(after ? { after } : {}),
    })
    if (id && found.length === 0) return { error: `You have no draft ${id} in this Space.` }
    return { drafts: found.slice(0, maxListed), more: found.length > maxListed }
  },
  structured: {
    schema: z.object({
      drafts: z.array(z.looseObject({ draft: z.string(), outcome: z.string() })),
      more: z.boolean(),
    }),
    of: (result) => result,
  },
  given: () => [],
  summarize: ({ drafts, more }) => `${drafts.length}${more ? ' and more' : ''}`,
}
