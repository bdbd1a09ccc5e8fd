import { z } from 'zod'
import { Links, TitledEntity } from '../entities.ts'
import { actor, fields, id, time, version } from '../scalars.ts'
import { Card, RoutineName } from './card.ts'
import { ChangeAction, ChangeStatus, Conflict, Decision, DroppedChange, succession } from './decision.ts'
import { Provenance } from './provenance.ts'

/** A pending change. */
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
  drops: z.array(DroppedChange).describe('Changes of replaced drafts that this draft does not contain'),
})

export type PendingChange = z.infer<typeof PendingChange>

export const PendingChangeWithCard = PendingChange.extend({ card: Card })

export type PendingChangeWithCard = z.infer<typeof PendingChangeWithCard>

/** Receipt for a draft by an agent without read access. Contains no content of the Space. */
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

/** A draft as visible to its agent or the owner. */
export const DraftAnswer = z.union([PendingChangeWithCard, DraftReceipt])

export type DraftAnswer = z.infer<typeof DraftAnswer>

/** Response to a decision on a draft. */
export const DecidedChange = PendingChangeWithCard.extend({
  successor: PendingChangeWithCard.nullable().describe('The draft referenced by `superseded_by`'),
})

export type DecidedChange = z.infer<typeof DecidedChange>

/** A draft of the same changeset that creates an entity this draft refers to. */
const Need = z.object({
  pending_change_id: id,
  entity_type: z.string(),
  entity_id: id,
  status: ChangeStatus.describe('Status of the draft; the dependency is met once it is approved'),
  summary: z.string().describe('One-line, server-generated description'),
})

export const ChangesetItem = PendingChangeWithCard.extend({ needs: z.array(Need) })

export type ChangesetItem = z.infer<typeof ChangesetItem>

/** The drafts of one turn or one external call, in dependency order. */
export const Changeset = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  routine: RoutineName,
  items: z.array(ChangesetItem).describe('Drafts that have not been replaced'),
})

export type Changeset = z.infer<typeof Changeset>

/** Preview of an entity. */
export const EntityPreview = Links.extend({
  entity_type: z.string(),
  entity_id: id,
  entity: fields.describe('Entity row; `deleted_at` is set if it would be in the trash'),
  tasks: z
    .array(z.object({ id, title: z.string(), status: z.string(), due_on: z.iso.date().nullable() }))
    .describe('Tasks of a project'),
  children: z.array(z.object({ id, title: z.string() })).describe('Direct children of a page'),
})

export type EntityPreview = z.infer<typeof EntityPreview>

/** An unresolved link in an entity outside the preview. */
export const BrokenLink = TitledEntity.extend({ name: z.string() })

export type BrokenLink = z.infer<typeof BrokenLink>

/** Preview of an approval. Update times are those of the preview. */
export const Preview = z.object({
  entities: z.array(EntityPreview),
  broken: z.array(BrokenLink).describe('Links in other entities that would become unresolved'),
  mended: z.array(BrokenLink).describe('Unresolved links in other entities that would be resolved'),
})

export type Preview = z.infer<typeof Preview>
