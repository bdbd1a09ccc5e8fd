// Rows as the API returns them. The fields of a kind are defined once, in lib/contract/entities.

import { z } from 'zod'
import { markColors } from './companion-facts.ts'
import { type Kind, type Origin, sharedColumns } from './entities/kind.ts'
import type { kind as page } from './entities/page.ts'
import type { kind as project } from './entities/project.ts'
import type { kind as ref } from './entities/ref.ts'
import type { kind as resource } from './entities/resource.ts'
import type { kind as sourceDoc } from './entities/source_doc.ts'
import { kind as task } from './entities/task.ts'
import { id, time } from './scalars.ts'

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
