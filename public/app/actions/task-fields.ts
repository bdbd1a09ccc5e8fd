import type { Task } from '../../../lib/contract/entities.ts'
import { localDay } from '../../../lib/core/text/dates/local-day.ts'

/** Fields of a task as they are sent. A task that is marked done carries the reader's day: a recurring one moves on from it. */
export const taskFields = (fields: Partial<Task>, now: Date): Partial<Task> & { today?: string } =>
  fields.status === 'done' ? { ...fields, today: localDay(now) } : fields
