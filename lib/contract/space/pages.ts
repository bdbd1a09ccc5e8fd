import { z } from 'zod'
import { propertyTypes } from '../../core/text/properties/typed-properties.ts'
import { Link } from '../entities.ts'
import { listOf } from '../list.ts'
import { count, id, time } from '../scalars.ts'

// Lists of pages by what their texts hold as data: tags and properties.

/** A tag of a Space, and how many pages have it or one nested in it. */
export const TagCount = z.object({
  tag: z.string().describe('In the form in which tags are compared'),
  name: z.string().describe('As it was written first'),
  count,
})

export type TagCount = z.infer<typeof TagCount>

/** A property that pages of a Space have. */
export const KnownProperty = z.object({
  key: z.string().describe('In the form in which names are compared'),
  name: z.string(),
  types: z.array(z.enum(propertyTypes)).describe('Those that its values have'),
  count: count.describe('Pages that have it'),
})

export type KnownProperty = z.infer<typeof KnownProperty>

// biome-ignore format: a list of words
const filterOps = [
  'is', 'is_not', 'contains', 'not_contains', 'has', 'starts_with', 'ends_with', 'lt', 'lte', 'gt', 'gte', 'empty',
  'not_empty', 'exists', 'in_folder', 'links_to',
] as const

const propertyName = z.string().trim().min(1).max(200)

/** What a property is held to. `in_folder` and `links_to` are of the page itself. */
const Condition = z.strictObject({
  property: propertyName,
  op: z.enum(filterOps),
  value: z.union([z.string().max(1000), z.number(), z.boolean()]).optional(),
})

export type Condition = z.infer<typeof Condition>

export type PageFilter = Condition | { and: PageFilter[] } | { or: PageFilter[] } | { not: PageFilter }

const several = z.array(z.lazy(() => PageFilter)).max(50)

export const PageFilter: z.ZodType<PageFilter> = z.lazy(() =>
  z.union([
    Condition,
    z.strictObject({ and: several }),
    z.strictObject({ or: several }),
    z.strictObject({ not: PageFilter }),
  ]),
)

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

/** A page in a list of pages: without its text, with the values that were asked for. */
export const PageRow = z.object({
  id,
  title: z.string(),
  created_at: time,
  updated_at: time,
  tags: z.array(z.string()).describe('As they are written'),
  values: z.array(CellValue).describe('In the order of the columns asked for'),
  links: z
    .array(Link.pick({ name: true, to_type: true, to_id: true }))
    .describe('Of the links in the values'),
})

export type PageRow = z.infer<typeof PageRow>

export const PageList = listOf(PageRow).extend({
  count: count.describe('Pages that the filter lets through'),
})

export type PageList = z.infer<typeof PageList>

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

// A list of pages as it is saved, or read from an Obsidian `.base` file.

const viewLayouts = ['table', 'cards'] as const

export const PageView = z.object({
  name: z.string(),
  layout: z.enum(viewLayouts),
  filter: PageFilter.nullable(),
  sorts: z.array(PageSort),
  columns: z.array(z.object({ property: z.string(), label: z.string() })),
  limit: z.int().min(1).nullable().describe('Pages that it shows at most'),
  unsupported: z
    .array(z.string())
    .describe('What its text asks for and Void leaves out, as it is written there'),
})

export type PageView = z.infer<typeof PageView>

export const PageViews = z.object({
  title: z.string(),
  views: z.array(PageView),
  problem: z.string().nullable().describe('Why the text could not be read'),
})

export type PageViews = z.infer<typeof PageViews>
