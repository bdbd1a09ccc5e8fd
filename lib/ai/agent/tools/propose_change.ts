import { z } from 'zod'
import type { Kind } from '../../../entities/kind.ts'
import type { ProposeResult } from '../services.ts'
import type { Tool } from '../tool.ts'

type Input = {
  entity_type: string
  action: 'create' | 'update' | 'delete' | 'retract'
  supersedes?: string | undefined
  entity_id?: string | undefined
  payload?: Record<string, unknown> | undefined
  edits?: { old_text: string; new_text: string }[] | undefined
  reason: string
}

/** Drafts a change for the owner to decide. It never applies one. */
export function createProposeChangeTool(kinds: readonly Kind[]): Tool<Input, ProposeResult> {
  const proposable = kinds.filter((kind) => kind.proposable)

  return {
    name: 'propose_change',
    description:
      'Draft a change for the owner to approve. Nothing changes until they do, so say that it is drafted, never ' +
      'that it is done. create: payload with the fields. update: entity_id and payload with only the fields that ' +
      'change; for a long text use edits instead of the whole text. delete: entity_id. A create answers with the ' +
      'entity_id the new thing will have, so that a later draft in this turn can refer to it. One draft waits for a ' +
      'thing at a time: a newer one takes the place of yours, and in one turn adds to it. To mend an earlier draft ' +
      'name it as supersedes; to withdraw it, action retract with supersedes and nothing else but a reason. Several ' +
      `calls in one turn form one changeset. Fields: ${proposable.map(describe).join('; ')}.`,
    input: z.object({
      entity_type: z.enum(proposable.map(({ type }) => type)),
      action: z.enum(['create', 'update', 'delete', 'retract']),
      entity_id: z.uuid().optional().describe('Which one to update or delete'),
      supersedes: z
        .uuid()
        .optional()
        .describe('The pending_change_id of a waiting draft of yours, which this replaces or retracts'),
      payload: z.record(z.string(), z.unknown()).optional().describe('The fields and their new values'),
      edits: z
        .array(z.object({ old_text: z.string().min(1), new_text: z.string() }))
        .max(200)
        .optional()
        .describe('Replacements in the long text; each old_text must stand there exactly once'),
      reason: z.string().trim().min(1).max(1000).describe('Why, in one plain sentence for the owner'),
    }),
    capability: 'write',
    actionClass: 'destructive',
    async handler(input, ctx) {
      if (input.action === 'retract') {
        if (!input.supersedes) return { error: 'supersedes is missing: which draft of yours?' }
        return await ctx.services.retract(ctx.actor, input.supersedes)
      }
      return await ctx.services.propose(ctx.actor, {
        space_id: ctx.space_id,
        entity_type: input.entity_type,
        action: input.action,
        ...(input.supersedes ? { supersedes: input.supersedes } : {}),
        ...(input.entity_id ? { entity_id: input.entity_id } : {}),
        ...(input.payload ? { payload: input.payload } : {}),
        ...(input.edits ? { edits: input.edits } : {}),
        reason: input.reason,
        turn: ctx.turn,
        given: ctx.given?.(),
        tool_use_id: ctx.tool_use_id ?? null,
      })
    },
    render: (result) => JSON.stringify({ ...result, note: noteOf(result) }),
    summarize: ({ summary, status }) => (status === 'retracted' ? `withdrew: ${summary}` : summary),
    target: ({ entity_type, entity_id }) => ({ entity_type, entity_id }),
    draftId: ({ pending_change_id, status }) => (status === 'retracted' ? null : pending_change_id),
  }
}

function noteOf({ status, supersedes }: ProposeResult): string {
  if (status === 'retracted') return 'Withdrawn. The owner is not asked about it any more.'
  const drafted = 'Drafted. It waits for the owner’s approval.'
  return supersedes ? `${drafted} It took the place of your draft ${supersedes}.` : drafted
}

function describe(kind: Kind): string {
  const fields = Object.entries(kind.fields.shape).map(([name, schema]) => {
    const options = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).enum
    const values = Array.isArray(options) ? ` (${options.join('|')})` : ''
    return `${name}${kind.required.includes(name) ? '*' : ''}${values}`
  })
  return `${kind.type}: ${fields.join(', ')}`
}
