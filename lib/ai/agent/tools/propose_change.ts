import { z } from 'zod'
import { canAct } from '../../../auth/capability.ts'
import { type Edit, editForms, parseEdit } from '../../../changes/propose/apply-edits.ts'
import type { Card } from '../../../contract/changes/card.ts'
import type { PendingChangeWithCard } from '../../../contract/changes/pending-change.ts'
import { type Kind, proposalFields } from '../../../contract/entities/kind.ts'
import type { Actor } from '../../../core/actor.ts'
import { checkProposal, kindNames } from '../check-proposal.ts'
import { payloadVariants, requiredText } from '../payload-schema.ts'
import { notOffered, type Tool } from '../registry.ts'

type Input = {
  entity_type: string
  action: 'create' | 'update' | 'delete' | 'retract'
  supersedes?: string | undefined
  entity_id?: string | undefined
  version?: number | undefined
  payload?: Record<string, unknown> | undefined
  edits?: Edit[] | undefined
  reason?: string | undefined
}

/**
 * Drafts a change for the owner to decide. It never applies one. The companion's mends and withdraws its drafts as well;
 * outside agents, which draft without turns, have tools of their own for that.
 */
export function createProposeChangeTool(
  kinds: readonly Kind[],
  offered: 'companion' | 'agents',
): Tool<Input, Draft | Retracted> {
  const proposable = kinds.filter((kind) => kind.proposable)
  const inTurns = offered === 'companion'
  const input = z.object({
    entity_type: z.enum(proposable.map(({ type }) => type)).describe('Kind'),
    action: z.enum(inTurns ? [...actions, 'retract'] : actions).describe('What to draft'),
    entity_id: z.uuid().optional().describe('Id to update or delete'),
    payload: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ anyOf: payloadVariants(proposable) })
      .describe(
        `Fields of the kind: ${requiredText(proposable)}; an update only what changes, null to clear it`,
      ),
    edits,
    version: z.int().min(1).optional().describe('Version read, for line numbers'),
    reason: z.string().trim().max(1000).optional().describe('One sentence for the owner'),
  })

  return {
    name: 'propose_change',
    title: 'Propose a change',
    offered,
    description:
      'Draft a change for the owner to approve or reject; never say that it is done. create: payload. ' +
      'update: entity_id, and payload or, for part of a long text, edits. delete: entity_id. A new draft of the same ' +
      `entity builds on your pending one. ${inTurns ? inTurn : outside}` +
      'Example: {"entity_type":"task","action":"create","payload":{"title":"Call the bank"}}',
    input: inTurns ? input.extend({ supersedes }) : input,
    names: {
      ...{ kind: 'entity_type', type: 'entity_type' },
      ...{ id: 'entity_id', page_id: 'entity_id', uri: 'entity_id', page: 'path' },
      ...{ fields: 'payload', data: 'payload' },
      ...(inTurns ? { pending_change_id: 'supersedes' } : {}),
    },
    values: {
      ...kindNames,
      add: 'create',
      new: 'create',
      edit: 'update',
      change: 'update',
      remove: 'delete',
      withdraw: 'retract',
    },
    byPath: { id: 'entity_id', kind: 'entity_type' },
    within: {
      name: 'payload',
      fields: [...new Set(proposable.flatMap((kind) => Object.keys(proposalFields(kind).fields.shape)))],
    },
    check: (args, ctx) => checkProposal(proposable, args, ctx),
    capability: 'write',
    actionClass: ({ action }) => (action === 'create' || action === 'update' ? 'additive' : 'destructive'),
    async handler(input, ctx) {
      if (input.action === 'retract') {
        if (!input.supersedes) return { error: 'supersedes is missing: specify one of your drafts.' }
        return toRetracted(ctx.actor, await ctx.services.retract(ctx.actor, input.supersedes))
      }
      const { action, reason = '', edits = [], payload } = input
      const draft = await ctx.services.propose(ctx.actor, {
        ...input,
        reason,
        payload: payload && withoutSpace(payload),
        edits: edits.length > 0 ? edits : undefined,
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

/** It is that of the call, which `checkProposal` compares. */
const withoutSpace = ({ space_id: _space, ...payload }: Record<string, unknown>) => payload

const inTurn =
  'A later draft may use the entity_id that create returns. supersedes corrects a draft, retract withdraws it. ' +
  'Write a long page in parts: create it, then append. '
const outside = 'Write a long page in parts: create it, then revise_change with append. '

const supersedes = z.uuid().optional().describe('pending_change_id of your draft')

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

const text = (description: string) => z.string().optional().describe(description)

/** Described as one object with the fields of all forms, since few servers take alternatives inside a list. */
export const edits = z
  .array(
    z
      .object({
        old_text: text('Text that occurs once'),
        lines: text('Lines to replace: "12-14"'),
        new_text: text('The new text'),
        insert_after: text('Text that occurs once, or a line'),
        insert_before: text('The same'),
        text: z.string().optional().meta(notOffered),
        append: text('Text for the end'),
      })
      .transform((fields, ctx): Edit => {
        const edit = parseEdit(fields)
        if (edit) return edit
        ctx.addIssue({ code: 'custom', message: `An edit is ${editForms}` })
        return z.NEVER
      }),
  )
  .max(200)
  .optional()
  .describe('Edits, one form each')

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
