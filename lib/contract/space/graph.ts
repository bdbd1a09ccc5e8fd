import { z } from 'zod'
import { count, id } from '../scalars.ts'

/** The pages of a Space, or those around one of them, and the links among them. */
export const Graph = z.object({
  pages: z.array(
    z.object({
      id,
      title: z.string(),
      parent_id: id.nullable(),
      tags: z.array(z.string()).describe('As written; of a nested one, each level'),
    }),
  ),
  links: z
    .array(z.tuple([count, count]))
    .describe('Indexes in `pages`, from and to; two pages are linked once in each direction at most'),
  truncated: z.boolean().describe('Whether there are more pages or links'),
})

export type Graph = z.infer<typeof Graph>
