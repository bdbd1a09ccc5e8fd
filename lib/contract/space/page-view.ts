// A list of pages as it is saved, or read from an Obsidian `.base` file.

import { z } from 'zod'
import { PageFilter, PageSort } from './page-list.ts'

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
