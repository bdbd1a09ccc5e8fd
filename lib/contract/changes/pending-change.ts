import { z } from 'zod'
import { Links, TitledEntity } from '../entities.ts'
import { actor, fields, id, time, version } from '../scalars.ts'
import { Card } from './card.ts'
import { ChangeAction, ChangeStatus, Conflict, Decision, DroppedChange, succession } from './decision.ts'
import { Provenance } from './provenance.ts'

/** A pending change as the API returns it. */
export const PendingChange = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  tool_use_id: z.string().nullable(),
  changeset_id: id,
  entity_type: z.string(),
  entity_id: id,
  action: ChangeAction,
  payload: fields,
  payload_sha256: z.string(),
  base_version: version.nullable(),
  reason: z.string(),
  status: ChangeStatus,
  created_at: time,
  decided_at: time.nullable(),
  decided_by: actor.nullable(),
  decision: Decision.nullable(),
  provenance: Provenance,
  result_version: version.nullable(),
  ...succession,
  conflicts: z.array(Conflict),
  drops: z.array(DroppedChange).describe('What drafts that it replaces would change, and it would not'),
})

export type PendingChange = z.infer<typeof PendingChange>

export const PendingChangeWithCard = PendingChange.extend({ card: Card })

export type PendingChangeWithCard = z.infer<typeof PendingChangeWithCard>

/** What an agent that may not read learns of a draft that it made: that it is stored, and none of the Space's texts. */
export const DraftReceipt = PendingChange.pick({
  id: true,
  space_id: true,
  entity_type: true,
  entity_id: true,
  action: true,
  payload_sha256: true,
  status: true,
  created_at: true,
})

/** A draft as its agent, or the owner, may see it. */
export const DraftAnswer = z.union([PendingChangeWithCard, DraftReceipt])

export type DraftAnswer = z.infer<typeof DraftAnswer>

/** What every decision on one draft answers: the draft to look at now. */
export const DecidedChange = PendingChangeWithCard.extend({
  successor: PendingChangeWithCard.nullable().describe('The one that `superseded_by` names'),
})

export type DecidedChange = z.infer<typeof DecidedChange>

/** Another draft of the changeset that makes what this one refers to. */
const Need = z.object({
  pending_change_id: id,
  entity_type: z.string(),
  entity_id: id,
  status: ChangeStatus.describe('Met once it is approved'),
  summary: z.string().describe('One plain line of it, in the server’s words'),
})

export const ChangesetItem = PendingChangeWithCard.extend({ needs: z.array(Need) })

export type ChangesetItem = z.infer<typeof ChangesetItem>

/** The drafts of one turn, or of one call from outside, in an order in which each can be applied after those before it. */
export const Changeset = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  items: z.array(ChangesetItem).describe('Without those that another one has replaced'),
})

export type Changeset = z.infer<typeof Changeset>

/** One entity as it would be. */
export const EntityPreview = Links.extend({
  entity_type: z.string(),
  entity_id: id,
  entity: fields.describe('Its row; deleted_at is set when it would be in the trash'),
  tasks: z
    .array(z.object({ id, title: z.string(), status: z.string(), due_on: z.iso.date().nullable() }))
    .describe('Of a project'),
  children: z.array(z.object({ id, title: z.string() })).describe('Of a page: those right below it'),
})

export type EntityPreview = z.infer<typeof EntityPreview>

/** A link that leads nowhere, in another entity than those previewed. */
export const BrokenLink = TitledEntity.extend({ name: z.string() })

export type BrokenLink = z.infer<typeof BrokenLink>

/** What approving would lead to. Times of change are those of the preview. */
export const Preview = z.object({
  entities: z.array(EntityPreview),
  broken: z.array(BrokenLink).describe('Links elsewhere that would lead nowhere'),
  mended: z.array(BrokenLink).describe('Links elsewhere that lead nowhere now, and would not'),
})

export type Preview = z.infer<typeof Preview>
