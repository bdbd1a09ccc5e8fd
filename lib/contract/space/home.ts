import { z } from 'zod'
import { Card } from '../changes/card.ts'
import { Task } from '../entities.ts'
import { maxCounted } from '../limits.ts'
import { actor, count, id, time } from '../scalars.ts'

export const bounded = count.describe(`Counted up to ${maxCounted}; one more stands for more`)

/** What the home of a Space shows. */
export const SpaceOverview = z.object({
  counts: z.record(z.string(), bounded),
  recent_pages: z
    .array(z.object({ id, title: z.string(), updated_at: time, updated_by: actor }))
    .describe('Those worked on last; what an import wrote last is in `imported`'),
  imported: z
    .object({ count: bounded, at: time })
    .nullable()
    .describe('The pages that nobody has touched since they were imported, and when the last of them was'),
  thread: z
    .object({ id, title: z.string(), last_activity_at: time })
    .nullable()
    .describe('The one used last'),
  tasks: z.array(Task).describe('Open ones, by due date'),
  drafts: z.object({ count: bounded, cards: z.array(Card) }),
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

/** What a day asks for, over all Spaces. */
export const Today = z.object({
  day: z.iso.date(),
  tasks: z.array(DueTask).describe('Still to do, due on that day or before, the longest overdue first'),
  count: count.describe('How many there are in all'),
})

export type Today = z.infer<typeof Today>

/** A page that is kept at hand in the navigation. */
export const Favourite = z.object({ id, title: z.string() })

export type Favourite = z.infer<typeof Favourite>

/** What the owner is to be reminded of, over all Spaces. */
export const Reminders = z.object({
  tasks: z.array(DueTask).describe('Still to do, their reminder has come; the latest first'),
  count: count.describe('How many there are in all'),
  next_at: time.nullable().describe('When the next one comes'),
})

export type Reminders = z.infer<typeof Reminders>

/** A task as a list shows it: without its text. */
export const TaskRow = Task.omit({ body: true })

export type TaskRow = z.infer<typeof TaskRow>

/** The tasks of a Space by status; those filtered out are not counted either. */
export const TaskGroups = z.object({
  groups: z.array(
    z.object({
      status: Task.shape.status,
      count,
      items: z
        .array(TaskRow)
        .describe(
          'Open ones by due date and priority; done and cancelled ones by when they changed, the latest first',
        ),
    }),
  ),
})

export type TaskGroups = z.infer<typeof TaskGroups>
