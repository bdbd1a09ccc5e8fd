import { z } from 'zod'
import { id } from './schemas.ts'

const titled = z.object({ entity_type: z.string(), entity_id: id, title: z.string() })
const brokenLink = titled.extend({ name: z.string() })

/** What approving would lead to. */
export const preview = z.object({
  entities: z.array(
    z.object({
      entity_type: z.string(),
      entity_id: id,
      entity: z.record(z.string(), z.unknown()).describe('Its row; in the trash, deleted_at is set'),
      links: z.array(
        z.object({
          name: z.string(),
          label: z.string().nullable(),
          heading: z.string().nullable(),
          embed: z.boolean(),
          to_type: z.string().nullable(),
          to_id: id.nullable(),
        }),
      ),
      backlinks: z.array(titled),
      tasks: z.array(
        z.object({ id, title: z.string(), status: z.string(), due_on: z.iso.date().nullable() }),
      ),
      children: z.array(z.object({ id, title: z.string() })),
    }),
  ),
  broken: z.array(brokenLink).describe('Links elsewhere that would lead nowhere'),
  mended: z.array(brokenLink).describe('Links elsewhere that lead nowhere now, and would not'),
})
