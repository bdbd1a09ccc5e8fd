import { z } from 'zod'
import { too_complex } from '../scalars.ts'

/** A property in the front matter of a page. */
const Property = z.object({
  name: z.string().describe('Empty for what is no property, such as YAML that cannot be read'),
  values: z.array(z.string()).describe('As they are written; nested values as one text'),
})

export const Properties = z.object({ items: z.array(Property), too_complex })
export type Properties = z.infer<typeof Properties>
