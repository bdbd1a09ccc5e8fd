// Rows as returned by the API. The fields of each kind are defined once, in lib/contract/entities.

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
import { markColors, maxBacklinks } from './limits.ts'
import { actor, fields, id, time, too_complex, version } from './scalars.ts'

/** Row schema of a kind: shared columns, fields and derived columns. */
export const rowOf = (kind: Kind) => sharedColumns.extend(kind.fields.shape).extend(kind.derived.shape)

/** The columns common to all rows. */
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
  emoji: z.string().describe('Icon shown in place of the first letter of the name; empty: none'),
  line_breaks: z
    .boolean()
    .nullable()
    .describe(
      'Whether single line breaks of its texts are shown as breaks; null: not chosen, so they are not',
    ),
})

export type Space = z.infer<typeof Space>

/** Not visible to agents or in lists. `version` is the Space's version, required to change them. */
export const SpaceInstructions = z.object({
  instructions: z.string().describe('The owner’s instructions to every companion in the Space; empty: none'),
  version: z.int(),
})

export type SpaceInstructions = z.infer<typeof SpaceInstructions>

export const TitledEntity = z.object({ entity_type: z.string(), entity_id: id, title: z.string() })

export type TitledEntity = z.infer<typeof TitledEntity>

/** Restorable items in the trash of a Space. */
export const Trash = z.object({
  days: z.int().describe('Number of days before an item is permanently deleted'),
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
    .describe('Most recently deleted first'),
})

export type Trash = z.infer<typeof Trash>

// Entity history and undo results.

/** Sequence number of an audit log row. */
const seq = z.int().min(1)

/** Result of an undo. */
export const Undone = z.object({
  entity_type: z.string(),
  entity_id: id,
  space_id: id.nullable(),
  seq: seq
    .nullable()
    .describe('Sequence number of the audit row created by the undo; null if there was nothing left to undo'),
  /** The action taken by the undo. */
  did: z.enum(['update', 'delete', 'restore']).nullable(),
  row: fields.describe('Current row'),
  draft: z
    .object({ pending_change_id: id, undone: z.boolean() })
    .nullable()
    .describe('The draft that the change came from; `undone` is its state after this undo'),
})

export type Undone = z.infer<typeof Undone>

/** A field of an undo that has since been changed again. */
export const UndoField = z.object({
  name: z.string(),
  /** Value set by the change being undone. */
  base: z.unknown(),
  /** Current value. */
  theirs: z.unknown(),
  /** Value before the change being undone. */
  ours: z.unknown(),
  /** `true` if both sides merge cleanly; `merged` is then the result of the undo. */
  clean: z.boolean(),
  merged: z.unknown(),
  /** For a text: the regions changed on both sides. */
  conflicts: z.array(z.object({ base: z.string(), ours: z.string(), theirs: z.string() })),
  /** If `true`, nothing is merged and the sides are whole texts. */
  too_complex,
})

export type UndoField = z.infer<typeof UndoField>

/** The `details` of a 409 `undo_conflict`. */
export const UndoConflict = z.object({
  seq,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  /** To be sent with the owner's choice. */
  version,
  action: z.enum(['update', 'delete']),
  fields: z.array(UndoField),
  since: z.array(z.object({ seq, at: time, actor, action: z.string(), fields: z.array(z.string()) })),
})

export type UndoConflict = z.infer<typeof UndoConflict>

/** The undo of a change or of an approved draft. */
export const UndoMark = z.object({ seq, at: time, by: actor })

export type UndoMark = z.infer<typeof UndoMark>

/** Origin of a version that came from a draft. */
const VersionReason = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  note: z.string().describe('The agent’s note, plain text'),
  conversation: z.object({ id, title: z.string() }).nullable(),
  asked: z.string().nullable().describe('The owner’s message in the turn that created the draft'),
})

/** One version of an entity. */
export const EntityVersion = z.object({
  seq: seq.describe('Sequence number of the audit row; used to undo it'),
  version: version.nullable(),
  at: time,
  actor,
  action: z.string(),
  fields: z.array(z.string()).describe('Names of the changed fields'),
  undoes: z.object({ seq, since: seq }).nullable().describe('Range of audit rows that this version undoes'),
  undone: UndoMark.nullable().describe('The undo that reverted it; null if that undo was itself undone'),
  reason: VersionReason.nullable(),
})

export type EntityVersion = z.infer<typeof EntityVersion>

/** Difference between two versions. `deleted_at` is `null` on both sides if neither version was in the trash. */
export const VersionDiff = z.object({
  from: version,
  to: version,
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
})

export type VersionDiff = z.infer<typeof VersionDiff>

/** An outgoing link of a text. */
export const Link = z.object({
  form: z.enum(['wiki', 'path']).describe('`wiki`: by a name; `path`: by a path from the text'),
  target: z.string().describe('Target as written, decoded, without heading'),
  name: z.string().describe('Target in the form in which names are compared'),
  label: z.string().nullable(),
  heading: z.string().nullable(),
  embed: z.boolean(),
  to_type: z.string().nullable(),
  to_id: id.nullable().describe('null if it leads nowhere'),
  to_title: z.string().nullable(),
  to_path: z.string().nullable(),
  to_picture: id.optional().describe('Of a drawing: the file with its exported picture'),
})

export type Link = z.infer<typeof Link>

/** Of a text. */
export const labelFirst = z.boolean().describe('true if its wikilinks are `[[label|target]]`, as in Dendron')

/** Outgoing links and backlinks of an entity. */
export const Links = z.object({
  links: z.array(Link),
  truncated: z.boolean().describe('true if the text has more links than are indexed'),
  label_first: labelFirst,
  backlinks: z.array(TitledEntity).max(maxBacklinks),
  picture: id.optional().describe('Of a drawing: the file with its exported picture'),
})

export type Links = z.infer<typeof Links>

const shown = z.union([z.string(), z.number(), z.boolean()])

/** A property in the front matter of a page. */
const Property = z.object({
  name: z.string().describe('Property name; empty for content that is not a property, such as invalid YAML'),
  values: z.array(z.string()).describe('Values as written; nested values as a single string'),
  type: z
    .enum(propertyTypes)
    .nullable()
    .describe('Value type; null if it can only be edited in the page text'),
  value: z.union([shown, z.array(shown), z.null()]),
})

export const Properties = z.object({ items: z.array(Property), too_complex })

export type Properties = z.infer<typeof Properties>

const name = z.string().overwrite(cleanLine).min(1).max(200)

const scalar = z.union([z.string().overwrite(cleanLine).max(1000), z.number(), z.boolean()])

const value = z.union([scalar, z.array(scalar).max(200), z.null()])

/** A change to one page property: add, set, rename or remove. */
export const PropertyChange = z.union([
  z.strictObject({ add: z.strictObject({ name, value }) }),
  z.strictObject({ set: z.strictObject({ name, value }) }),
  z.strictObject({ rename: z.strictObject({ name, to: name }) }),
  z.strictObject({ remove: z.strictObject({ name }) }),
])

export type PropertyChange = z.infer<typeof PropertyChange>
