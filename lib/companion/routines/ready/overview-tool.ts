import { z } from 'zod'
import type { Tool } from '../../../ai/agent/registry.ts'
import type { Calendar } from '../../../core/schedule/calendar.ts'
import type { Database } from '../../../db/pool.ts'
import { type OverviewName, overview } from './overviews.ts'

/**
 * What a morning brief or a weekly review is about, found by code. Offered in their runs alone. It declares no sources:
 * subjects of mail are among what it gives.
 */
export const createOverviewTool = (
  name: OverviewName,
  { database, calendar }: { database: Database; calendar: Calendar },
): Tool<object, { overview: string }> => ({
  name: 'overview',
  title: 'Overview',
  description:
    name === 'morning_brief'
      ? 'The tasks that are due, the mail that asks something, and the pages that changed since yesterday, as links. Call it first.'
      : 'The open tasks without a date, the projects without an open task, and the pages of the week, as links. Call it first.',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  handler: async (_, { space_id }) => ({
    overview: (await overview(name, { database, calendar, space_id })) || '(nothing)',
  }),
})
