import { z } from 'zod'
import { Task } from '../entities.ts'
import { count } from '../scalars.ts'

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
