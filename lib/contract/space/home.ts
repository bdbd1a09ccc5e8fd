import { z } from 'zod'
import { Card } from '../changes/card.ts'
import { Task } from '../entities.ts'
import { maxCounted } from '../limits.ts'
import { actor, count, id, time } from '../scalars.ts'
import { Folder } from './folder.ts'

export const bounded = count.describe(`Count up to ${maxCounted}; ${maxCounted + 1} means more`)

/** Content of a Space's home. */
export const SpaceOverview = z.object({
  counts: z.record(z.string(), bounded),
  recent_pages: z
    .array(z.object({ id, title: z.string(), updated_at: time, updated_by: actor }))
    .describe('Most recently updated pages; imported ones by the dates of their files'),
  imported: z
    .object({ source: z.string(), at: time })
    .nullable()
    .describe('Latest import, if it finished within a week'),
  thread: z
    .object({ id, title: z.string(), last_activity_at: time })
    .nullable()
    .describe('Most recently used active conversation'),
  tasks: z.array(Task).describe('Open and started tasks, by due date and priority'),
  drafts: z.object({ count: bounded, cards: z.array(Card) }),
  most_linked: z
    .array(z.object({ id, title: z.string(), count }))
    .describe('Pages with the most links to them'),
  folders: z
    .array(z.object({ id, title: z.string(), count }))
    .describe('Top-level pages with child pages, with the number of pages below them'),
  folder: Folder.pick({ state: true, problem: true, last_at: true, watched: true })
    .extend({ held: count, waiting: count })
    .nullable()
    .describe('State of the connected folder'),
  steps: z
    .object({ imported: z.boolean(), decided: z.boolean() })
    .describe('Whether an import was started and whether a draft was ever decided in this Space'),
})

export type SpaceOverview = z.infer<typeof SpaceOverview>

export const DueTask = Task.pick({
  id: true,
  space_id: true,
  version: true,
  title: true,
  status: true,
  priority: true,
  due_on: true,
  recurrence: true,
  remind_at: true,
}).extend({ space: z.object({ name: z.string(), slug: z.string() }) })

export type DueTask = z.infer<typeof DueTask>

/** Tasks due on a day, in all Spaces. */
export const Today = z.object({
  day: z.iso.date(),
  tasks: z.array(DueTask).describe('Open tasks due on or before that day, longest overdue first'),
  count: count.describe('Total number of such tasks'),
})

export type Today = z.infer<typeof Today>

/** A favourite page in the navigation. */
export const Favourite = z.object({ id, title: z.string() })

export type Favourite = z.infer<typeof Favourite>

/** Due reminders, in all Spaces. */
export const Reminders = z.object({
  tasks: z.array(DueTask).describe('Open tasks whose reminder is due, latest first'),
  count: count.describe('Total number of such tasks'),
  next_at: time.nullable().describe('Time of the next reminder'),
})

export type Reminders = z.infer<typeof Reminders>

/** A task in a list, without its text. */
export const TaskRow = Task.omit({ body: true })

export type TaskRow = z.infer<typeof TaskRow>

/** Tasks of a Space grouped by status. Counts respect the filters. */
export const TaskGroups = z.object({
  groups: z.array(
    z.object({
      status: Task.shape.status,
      count,
      items: z
        .array(TaskRow)
        .describe(
          'Open tasks by due date and priority; done and cancelled tasks by time of change, latest first',
        ),
    }),
  ),
})

export type TaskGroups = z.infer<typeof TaskGroups>
