import { z } from 'zod'
import { Task } from '../entities.ts'
import { count } from '../scalars.ts'

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
