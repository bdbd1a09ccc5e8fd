import { z } from 'zod'
import { propertyTypes } from '../../core/text/properties/typed-properties.ts'
import { Link, labelFirst } from '../entities.ts'
import { listOf } from '../list.ts'
import { count, id, time } from '../scalars.ts'

// Page lists by tags and properties.

/** A tag of a Space, with the number of pages that have it or a nested tag. */
export const TagCount = z.object({
  tag: z.string().describe('Normalized tag, used for comparison'),
  name: z.string().describe('Tag as first written'),
  count,
})

export type TagCount = z.infer<typeof TagCount>

/** A property used by pages of a Space. */
export const KnownProperty = z.object({
  key: z.string().describe('Normalized name, used for comparison'),
  name: z.string(),
  types: z.array(z.enum(propertyTypes)).describe('Types of its values'),
  count: count.describe('Number of pages that have the property'),
})

export type KnownProperty = z.infer<typeof KnownProperty>

// biome-ignore format: a list of words
const filterOps = [
  'is', 'is_not', 'contains', 'not_contains', 'has', 'starts_with', 'ends_with', 'lt', 'lte', 'gt', 'gte', 'empty',
  'not_empty', 'exists', 'in_folder', 'links_to',
] as const

const propertyName = z.string().trim().min(1).max(200)

/** A filter condition on a property. `in_folder` and `links_to` apply to the page itself. */
const Condition = z.strictObject({
  property: propertyName,
  op: z.enum(filterOps),
  value: z.union([z.string().max(1000), z.number(), z.boolean()]).optional(),
})

export type Condition = z.infer<typeof Condition>

export type PageFilter = Condition | { and: PageFilter[] } | { or: PageFilter[] } | { not: PageFilter }

const several = z.array(z.lazy(() => PageFilter)).max(50)

export const PageFilter: z.ZodType<PageFilter> = z
  .lazy(() =>
    z.union([
      Condition,
      z.strictObject({ and: several }),
      z.strictObject({ or: several }),
      z.strictObject({ not: PageFilter }),
    ]),
  )
  // A shape within itself needs a name.
  .meta({ id: 'PageFilter' })

export const PageSort = z.strictObject({
  property: propertyName,
  direction: z.enum(['asc', 'desc']).default('asc'),
})

export type PageSort = z.infer<typeof PageSort>

export const maxColumns = 30

export const maxSorts = 5

export const PageColumns = z.array(propertyName).max(maxColumns)

export const PageSorts = z.array(PageSort).max(maxSorts)

const scalar = z.union([z.string(), z.number(), z.boolean()])

export const CellValue = z.union([scalar, z.array(scalar), z.null()])

export type CellValue = z.infer<typeof CellValue>

/** A page in a list, without its text and with the requested values. */
export const PageRow = z.object({
  id,
  title: z.string(),
  created_at: time,
  updated_at: time,
  tags: z.array(z.string()).describe('Tags as written'),
  values: z.array(CellValue).describe('Property values, in the order of the requested columns'),
  links: z
    .array(Link.pick({ form: true, target: true, name: true, to_type: true, to_id: true }))
    .describe('Links in the values'),
})

export type PageRow = z.infer<typeof PageRow>

export const PageList = listOf(PageRow).extend({
  count: count.describe('Number of pages that match the filter'),
})

export type PageList = z.infer<typeof PageList>

/** A page embedded in another page, with its own links. */
export const EmbeddedPage = z.object({
  id,
  title: z.string(),
  path: z.string().nullable(),
  body: z.string(),
  links: z.array(Link),
  label_first: labelFirst,
})

export type EmbeddedPage = z.infer<typeof EmbeddedPage>

/** A page in the page tree. */
export const TreePage = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  position: z.int(),
  has_children: z.boolean(),
})

export type TreePage = z.infer<typeof TreePage>

/** Parts of levels of the page tree. */
export const PageTree = z.object({
  items: z.array(TreePage).describe('Each level in order'),
  levels: z.array(
    z.object({
      parent_id: id.nullable().describe('null: the top level'),
      from: count.describe('Place of its first page in `items`, from 0'),
      count: count.describe('Pages of the level'),
    }),
  ),
})

export type PageTree = z.infer<typeof PageTree>

const above = z.array(z.object({ id, title: z.string() })).describe('Ancestor pages, outermost first')

/** A page found by its title, with its ancestors. */
export const FoundPage = TreePage.extend({ above })

export type FoundPage = z.infer<typeof FoundPage>

/** A page's ancestors and direct children. */
export const PagePlace = z.object({
  above,
  below: z.array(TreePage).describe('The first children'),
  below_count: z.int().min(0).describe('Number of children'),
  read_as: z
    .string()
    .nullable()
    .describe(
      'Encoding that its imported file was read in, if that was a guess and the text was not edited since',
    ),
})

export type PagePlace = z.infer<typeof PagePlace>

// Saved page lists, including those read from Obsidian `.base` files.

const viewLayouts = ['table', 'cards'] as const

export const PageView = z.object({
  name: z.string(),
  layout: z.enum(viewLayouts),
  filter: PageFilter.nullable(),
  sorts: z.array(PageSort),
  columns: z.array(z.object({ property: z.string(), label: z.string() })),
  limit: z.int().min(1).nullable().describe('Maximum number of pages to show'),
  unsupported: z.array(z.string()).describe('Unsupported parts of the view definition, as written'),
})

export type PageView = z.infer<typeof PageView>

export const PageViews = z.object({
  title: z.string(),
  views: z.array(PageView),
  problem: z.string().nullable().describe('Reason the text could not be parsed'),
})

export type PageViews = z.infer<typeof PageViews>
