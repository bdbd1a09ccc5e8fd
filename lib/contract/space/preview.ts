import { z } from 'zod'
import { Link, labelFirst } from '../entities.ts'
import { id } from '../scalars.ts'

/** The beginning of a text, for a link to it. */
export const Preview = z.object({
  entity_type: z.string(),
  id,
  title: z.string(),
  path: z.string().nullable(),
  mime: z.string().nullable().describe('Media type of a file'),
  text: z.string().describe('Markdown, at most 1,201 characters, without front matter'),
  headings: z.array(z.string()).describe('Headings above the text, outermost first'),
  links: z.array(Link).describe('The links in it, at most 100'),
  label_first: labelFirst,
})

export type Preview = z.infer<typeof Preview>
