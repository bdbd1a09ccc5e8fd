import type { TaskPriority, TaskStatus } from '../../../lib/contract/entities/entities.ts'

export const statusNames: Record<TaskStatus, string> = {
  open: 'Open',
  in_progress: 'In progress',
  done: 'Done',
  cancelled: 'Cancelled',
}

export const statuses = Object.keys(statusNames) as TaskStatus[]

/** The least urgent first. */
export const priorityNames: Record<TaskPriority, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
}

export const priorities = Object.keys(priorityNames) as TaskPriority[]

export const isActive = (status: TaskStatus): boolean => status === 'open' || status === 'in_progress'
