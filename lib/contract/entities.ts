// Rows as the API returns them. The fields of a kind are defined once, in lib/contract/entities.

import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { propertyTypes } from '../core/text/properties/typed-properties.ts'
import { type Kind, type Origin, sharedColumns } from './entities/kind.ts'
import type { kind as page } from './entities/page.ts'
import type { kind as project } from './entities/project.ts'
import type { kind as ref } from './entities/ref.ts'
import type { kind as resource } from './entities/resource.ts'
import type { kind as sourceDoc } from './entities/source_doc.ts'
import { kind as task } from './entities/task.ts'
import { markColors } from './limits.ts'
import { actor, fields, id, time, too_complex, version } from './scalars.ts'

/** A row of a kind: the shared columns, its fields, its derived columns. */
export const rowOf = (kind: Kind) => sharedColumns.extend(kind.fields.shape).extend(kind.derived.shape)

/** What every row has. */
export type Entity = z.infer<typeof sharedColumns> & { title: string; origin: Origin }

export type Page = Entity & z.infer<typeof page.fields>

export const Task = sharedColumns.extend(task.fields.shape)

export type Task = z.infer<typeof Task>

export type TaskStatus = Task['status']

export type TaskPriority = Task['priority']

export type Project = Entity & z.infer<typeof project.fields>

export type ProjectStatus = Project['status']

export type Ref = Entity & z.infer<typeof ref.fields>

export type Resource = Entity & z.infer<typeof resource.fields>

export type SourceDoc = Entity & z.infer<typeof sourceDoc.fields> & z.infer<typeof sourceDoc.derived>

export const Space = sharedColumns.omit({ space_id: true }).extend({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  color: z.enum(markColors),
  emoji: z.string().describe('Shown in place of its first letter; empty: none'),
})

export type Space = z.infer<typeof Space>

/** Kept from agents and out of lists; `version` is that of the Space, which a change names. */
export const SpaceInstructions = z.object({
  instructions: z.string().describe('The owner’s words to every companion in the Space; empty: none'),
  version: z.int(),
})

export type SpaceInstructions = z.infer<typeof SpaceInstructions>

export const TitledEntity = z.object({ entity_type: z.string(), entity_id: id, title: z.string() })

export type TitledEntity = z.infer<typeof TitledEntity>

/** What can be taken out of the trash of a Space. */
export const Trash = z.object({
  days: z.int().describe('Until an item is permanently deleted'),
  items: z
    .array(
      z.object({
        entity_type: z.string(),
        id,
        title: z.string(),
        deleted_at: time,
        deleted_by: z.string(),
      }),
    )
    .describe('The latest first'),
})

export type Trash = z.infer<typeof Trash>

// What became of an entity, and what an undo answers with.

/** A row of the audit log, by its number. */
const seq = z.int().min(1)

/** What an undo made. */
export const Undone = z.object({
  entity_type: z.string(),
  entity_id: id,
  space_id: id.nullable(),
  seq: seq.nullable().describe('The audit row that the undo made; null when nothing was left to undo'),
  /** What the undo did. */
  did: z.enum(['update', 'delete', 'restore']).nullable(),
  row: fields.describe('As it is now'),
  draft: z
    .object({ pending_change_id: id, undone: z.boolean() })
    .nullable()
    .describe('The draft that the change came from, and whether it is undone now'),
})

export type Undone = z.infer<typeof Undone>

/** One field of a change that is to be undone and was changed again since. */
export const UndoField = z.object({
  name: z.string(),
  /** As the change left it. */
  base: z.unknown(),
  /** As it is now. */
  theirs: z.unknown(),
  /** As it was before the change. */
  ours: z.unknown(),
  /** Whether both go together; then `merged` is what an undo would make of it. */
  clean: z.boolean(),
  merged: z.unknown(),
  /** Of a text: the places that both changed. */
  conflicts: z.array(z.object({ base: z.string(), ours: z.string(), theirs: z.string() })),
  /** Then nothing is merged, and the whole texts are the sides. */
  too_complex,
})

export type UndoField = z.infer<typeof UndoField>

/** The `details` of a 409 `undo_conflict`. */
export const UndoConflict = z.object({
  seq,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  /** Sent back with the owner's choice. */
  version,
  action: z.enum(['update', 'delete']),
  fields: z.array(UndoField),
  since: z.array(z.object({ seq, at: time, actor, action: z.string(), fields: z.array(z.string()) })),
})

export type UndoConflict = z.infer<typeof UndoConflict>

/** How a change, or a draft that was approved, was undone. */
export const UndoMark = z.object({ seq, at: time, by: actor })

export type UndoMark = z.infer<typeof UndoMark>

/** Why a version is there, where it came from a draft. */
const VersionReason = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  note: z.string().describe('The agent’s own words, plain text'),
  conversation: z.object({ id, title: z.string() }).nullable(),
  asked: z.string().nullable().describe('What the owner had asked in the turn that made the draft'),
})

/** One version of an entity. */
export const EntityVersion = z.object({
  seq: seq.describe('Of the audit row: what an undo names'),
  version: version.nullable(),
  at: time,
  actor,
  action: z.string(),
  fields: z.array(z.string()).describe('The names of the fields that it changed'),
  undoes: z.object({ seq, since: seq }).nullable().describe('The audit rows that it undoes'),
  undone: UndoMark.nullable().describe('The undo that reverted it, unless that was undone too'),
  reason: VersionReason.nullable(),
})

export type EntityVersion = z.infer<typeof EntityVersion>

/** What differs between two versions. `null` on both sides of `deleted_at`: in neither was it in the trash. */
export const VersionDiff = z.object({
  from: version,
  to: version,
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
})

export type VersionDiff = z.infer<typeof VersionDiff>

/** A link that leaves a text. */
export const Link = z.object({
  name: z.string(),
  label: z.string().nullable(),
  heading: z.string().nullable(),
  embed: z.boolean(),
  to_type: z.string().nullable(),
  to_id: id.nullable().describe('null while nothing has that name'),
})

export type Link = z.infer<typeof Link>

/** The links that leave an entity, and what links to it. */
export const Links = z.object({ links: z.array(Link), backlinks: z.array(TitledEntity) })

export type Links = z.infer<typeof Links>

const shown = z.union([z.string(), z.number(), z.boolean()])

/** A property in the front matter of a page. */
const Property = z.object({
  name: z.string().describe('Empty for what is no property, such as YAML that cannot be read'),
  values: z.array(z.string()).describe('As they are written; nested values as one text'),
  type: z.enum(propertyTypes).nullable().describe('null for what can be changed in the text alone'),
  value: z.union([shown, z.array(shown), z.null()]),
})

export const Properties = z.object({ items: z.array(Property), too_complex })

export type Properties = z.infer<typeof Properties>

const name = z.string().overwrite(cleanLine).min(1).max(200)

const scalar = z.union([z.string().overwrite(cleanLine).max(1000), z.number(), z.boolean()])

const value = z.union([scalar, z.array(scalar).max(200), z.null()])

/** One property of a page that is added, changed, renamed or removed. */
export const PropertyChange = z.union([
  z.strictObject({ add: z.strictObject({ name, value }) }),
  z.strictObject({ set: z.strictObject({ name, value }) }),
  z.strictObject({ rename: z.strictObject({ name, to: name }) }),
  z.strictObject({ remove: z.strictObject({ name }) }),
])

export type PropertyChange = z.infer<typeof PropertyChange>
