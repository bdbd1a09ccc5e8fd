import { z } from 'zod'
import { Links, TitledEntity } from '../entities.ts'
import { fields, id } from '../scalars.ts'

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
