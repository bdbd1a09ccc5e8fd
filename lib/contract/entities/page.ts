import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { cleanTag } from '../../core/text/properties/tag.ts'
import { body, path, reference, title } from './fields.ts'
import { defineKind } from './kind.ts'

const scalar = z.union([z.string().overwrite(cleanText).max(5000), z.number(), z.boolean()])
const propertyValue = z.union([scalar, z.array(scalar).max(100), z.null()], {
  error: 'must be a text, a number, true, false, a list of these, or null',
})

export const kind = defineKind({
  type: 'page',
  table: 'pages',
  path: 'pages',
  label: 'page',
  fields: z.object({
    title: title(),
    body: body(),
    path: path(),
    parent_id: reference('parent page').nullable(),
    position: z.int().min(-1_000_000).max(1_000_000).describe('Order among sibling pages'),
  }),
  frontMatter: z.object({
    tags: z
      .array(
        z
          .string()
          .max(101)
          .refine((tag) => cleanTag(tag) !== null, 'must be a tag such as travel or travel/sea'),
      )
      .max(50)
      .describe('All its tags, without #'),
    properties: z
      .record(z.string().trim().min(1).max(100), propertyValue)
      .refine((values) => Object.keys(values).length <= 50, 'at most 50')
      .describe('Properties such as {"rating": 7}; null removes one'),
  }),
  defaults: { body: '', position: 0 },
  references: { parent_id: 'page' },
})
