import type { Task, TaskStatus } from './entities.ts'

/** A task as a list shows it: without its text. */
export type TaskRow = Omit<Task, 'body'>

/** The tasks of a Space by status, those filtered out left out of the counts too. */
export type TaskGroups = {
  groups: {
    status: TaskStatus
    count: number
    /** Open ones by due date and priority; done and cancelled ones by when they changed, the latest first. */
    items: TaskRow[]
  }[]
}
