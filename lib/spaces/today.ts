import type { Reminders } from '../contract/space/reminders.ts'
import type { Today } from '../contract/space/today.ts'
import type { Queryable } from '../db/pool.ts'
import { createTasksRepo } from '../db/repos/tasks.ts'

const maxTasks = 100

/** What is to be done in these Spaces by a day. */
export async function loadToday(db: Queryable, spaceIds: readonly string[], day: string): Promise<Today> {
  return { day, ...(await createTasksRepo(db).listDue(spaceIds, day, maxTasks)) }
}

const maxReminders = 20

/** What the owner is to be reminded of in these Spaces by a moment. */
export const loadReminders = (db: Queryable, spaceIds: readonly string[], by: Date): Promise<Reminders> =>
  createTasksRepo(db).listReminders(spaceIds, by.toISOString(), maxReminders)
