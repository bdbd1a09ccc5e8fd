import type { TaskStatus } from '../../lib/contract/entities/entities.ts'

/** What can be done to a task, by keys or by its buttons. */
export type TaskActions = {
  toggle(id: string): void
  setStatus(id: string, status: TaskStatus): void
  askDue(id: string): void
  raise(id: string): void
  remove(id: string): void
}
