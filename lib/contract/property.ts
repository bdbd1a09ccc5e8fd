import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { propertyTypes } from '../core/text/properties/typed-properties.ts'
import { too_complex } from './scalars.ts'

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
