import { z } from 'zod'
import { canAct } from '../../../auth/capability.ts'
import type { Card } from '../../../contract/changes/card.ts'
import type { PendingChangeWithCard } from '../../../contract/changes/pending-change.ts'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Tool } from '../registry.ts'

type Input = {
  entity_type: string
  action: 'create' | 'update' | 'delete' | 'retract'
  supersedes?: string | undefined
  entity_id?: string | undefined
  payload?: Record<string, unknown> | undefined
  edits: { old_text: string; new_text: string }[]
  reason: string
}

/**
 * Drafts a change for the owner to decide. It never applies one. The companion's mends and withdraws its drafts as well;
 * outside agents, which draft without turns, have tools of their own for that.
 */
export function createProposeChangeTool(
  kinds: readonly Kind[],
  offered: 'companion' | 'agents',
): Tool<Input, Draft | Retracted> {
  const proposable = kinds.filter((kind) => kind.proposable !== 'no')
  const inTurns = offered === 'companion'
  const input = z.object({
    entity_type: z.enum(proposable.map(({ type }) => type)),
    action: z.enum(inTurns ? [...actions, 'retract'] : actions),
    entity_id: z.uuid().optional(),
    payload: z.record(z.string(), z.unknown()).optional(),
    edits,
    reason: z.string().trim().min(1).max(1000).describe('Reason, in one sentence for the owner'),
  })

  return {
    name: 'propose_change',
    title: 'Propose a change',
    offered,
    description:
      'Draft a change for the owner to approve: say that it is drafted, never that it is done. create: payload with ' +
      'the fields. update: entity_id, and payload with only the changed fields; for a long text use edits instead. ' +
      'delete: entity_id. An entity has one pending draft at a time: a new one builds on yours' +
      `${inTurns ? inTurn : ''}. Fields: ${proposable.map(describe).join('; ')}.`,
    input: inTurns ? input.extend({ supersedes }) : input,
    capability: 'write',
    actionClass: ({ action }) => (action === 'create' || action === 'update' ? 'additive' : 'destructive'),
    async handler(input, ctx) {
      if (input.action === 'retract') {
        if (!input.supersedes) return { error: 'supersedes is missing: specify one of your drafts.' }
        return toRetracted(ctx.actor, await ctx.services.retract(ctx.actor, input.supersedes))
      }
      const { action } = input
      const draft = await ctx.services.propose(ctx.actor, {
        ...input,
        edits: input.edits.length > 0 ? input.edits : undefined,
        action,
        space_id: ctx.space_id,
        turn: ctx.turn,
        given: ctx.given?.(),
        tool_use_id: ctx.tool_use_id ?? null,
      })
      return toDraft(ctx.actor, draft)
    },
    ...draftResult,
  }
}

const actions = ['create', 'update', 'delete'] as const

const inTurn =
  '. create returns the entity_id of the new entity, for later drafts of this turn. ' +
  'To correct an earlier draft pass its id as supersedes; to withdraw it, use action retract with supersedes and a ' +
  'reason. The calls of one turn form one changeset'

const supersedes = z.uuid().optional().describe('pending_change_id of your pending draft')

function describe(kind: Kind): string {
  if (kind.effect?.asks) return `${kind.type}: ${kind.effect.asks}`
  const mayCreate = kind.proposable === 'yes'
  const open = Object.entries(kind.fields.shape).filter(([name]) => mayCreate || !kind.fixed.includes(name))
  const fields = open.map(([name, schema]) => {
    const options = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).enum
    const values = Array.isArray(options) ? ` (${options.join('|')})` : ''
    return `${name}${mayCreate && kind.required.includes(name) ? '*' : ''}${values}`
  })
  return `${kind.type}${mayCreate ? '' : ' (update only)'}: ${fields.join(', ')}`
}

// The common result of drafting tools: the draft as stored, never as described by the call.

export type Draft = { pending_change_id: string; card: Card; rejected_for?: string | null }
export type Retracted = { retracted_change_id: string; card: Card }

/** Id and status of an existing draft. */
export const draftReceipt = {
  schema: z.looseObject({ status: z.string(), draft: z.string() }),
  of: (result: Draft | Retracted) => toDrafted(result),
}

const drafted = z.object({
  status: z.string(),
  draft: z.string(),
  kind: z.string(),
  id: z.string(),
  summary: z.string(),
  reason: z.string().nullable().optional().describe('Reason the owner rejected this same change before'),
  left_out: z.string().optional().describe('Changes of replaced drafts that it does not contain'),
})

/** A draft as reported to an external program. */
const toDrafted = ({ card, rejected_for }: { card: Card; rejected_for?: string | null }) => ({
  status: card.status,
  draft: card.pending_change_id,
  kind: card.entity_type,
  id: card.entity_id,
  summary: card.summary,
  ...(rejected_for === undefined ? {} : { reason: rejected_for }),
  ...(leftOut(card) ? { left_out: leftOut(card) } : {}),
})

const leftOut = ({ warnings }: Card) => warnings.find(({ code }) => code === 'drops_earlier')?.message

export const edits = z
  .array(z.object({ old_text: z.string().min(1), new_text: z.string() }))
  .max(200)
  .default([])
  .describe('Edits of the long text; each old_text must occur in it exactly once')

export function toDraft(actor: Actor, { id, card, decision }: PendingChangeWithCard): Draft {
  const rejected = card.status === 'rejected' ? { rejected_for: decision?.reason ?? null } : {}
  return { pending_change_id: id, card: cardFor(actor, card), ...rejected }
}

export const toRetracted = (actor: Actor, { id, card }: PendingChangeWithCard): Retracted => ({
  retracted_change_id: id,
  card: cardFor(actor, card),
})

export const draftResult: Pick<
  Tool<unknown, Draft | Retracted>,
  'render' | 'structured' | 'given' | 'summarize' | 'target'
> = {
  render: ({ card, ...id }) => JSON.stringify({ ...id, ...facts(card), note: noteOf(card) }),
  structured: { schema: drafted, of: toDrafted },
  given: () => [],
  summarize: ({ card: { summary, status } }) => (status === 'retracted' ? `withdrew: ${summary}` : summary),
  target: ({ card: { entity_type, entity_id } }) => ({ entity_type, entity_id }),
}

/** The summary names what is changed by its title, which not every agent may read. */
const cardFor = (actor: Actor, card: Card): Card =>
  canAct(actor, 'read', card.entity_type) === 'allow' ? card : { ...card, summary: 'a draft' }

/** The result that the model gets. */
const facts = ({ entity_type, operation, entity_id, summary, status, supersedes }: Card) => ({
  entity_type,
  action: operation,
  entity_id,
  summary,
  status,
  supersedes,
})

function noteOf(card: Card): string {
  const { status, supersedes, derivation } = card
  if (status === 'rejected')
    return 'Not drafted: the owner has already rejected this same change. Propose a different change, or none.'
  if (status === 'retracted') return 'Withdrawn. The owner no longer needs to decide on it.'
  const drafted = 'Drafted. It awaits the owner’s approval.'
  if (!supersedes) return drafted
  const took =
    derivation === 'extended'
      ? `It includes the changes of your pending draft ${supersedes} and replaced it: say so.`
      : `It replaced your draft ${supersedes}.`
  return [drafted, took, leftOut(card)].filter(Boolean).join(' ')
}
