import { z } from 'zod'
import { TitledEntity } from './entities.ts'
import { id } from './scalars.ts'

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
