import { z } from 'zod'
import { count, time } from '../scalars.ts'
import { DueTask } from './today.ts'

/** What the owner is to be reminded of, over all Spaces. */
export const Reminders = z.object({
  tasks: z.array(DueTask).describe('Still to do, their reminder has come; the latest first'),
  count: count.describe('How many there are in all'),
  next_at: time.nullable().describe('When the next one comes'),
})
export type Reminders = z.infer<typeof Reminders>
