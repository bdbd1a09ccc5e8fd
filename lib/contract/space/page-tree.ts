import { z } from 'zod'
import { Link } from '../entities.ts'
import { id } from '../scalars.ts'

/** A page whose text is shown within another, with its own links. */
export const EmbeddedPage = z.object({ id, title: z.string(), body: z.string(), links: z.array(Link) })
export type EmbeddedPage = z.infer<typeof EmbeddedPage>

/** A page's place in the tree. */
export const TreePage = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  position: z.int(),
  has_children: z.boolean(),
})
export type TreePage = z.infer<typeof TreePage>

const above = z.array(z.object({ id, title: z.string() })).describe('From the top')

/** A page that a title was searched for with, and the titles above it. */
export const FoundPage = TreePage.extend({ above })
export type FoundPage = z.infer<typeof FoundPage>

/** Where a page is: what is above it, and right below it. */
export const PagePlace = z.object({ above, below: z.array(TreePage) })
export type PagePlace = z.infer<typeof PagePlace>
