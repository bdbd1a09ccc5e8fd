import type { ProjectStatus, TaskPriority, TaskStatus } from '../../../lib/contract/entities.ts'
import type { ModelList } from '../../../lib/contract/model.ts'

/** Who did something, as a sentence has it: "you", "the companion", "an import", or the agent's own short name. */
export function actorName(actor: string): string {
  const [kind = '', name = ''] = actor.split(/:(.*)/s)
  if (kind === 'owner') return 'you'
  if (kind === 'agent') return name === 'companion' ? 'the companion' : name
  return systems[name] ?? 'Void'
}

const systems: Record<string, string> = { import: 'an import', welcome: 'Void', glance: 'the glance' }

/** Who else changed what one is at work on: for the owner that is another window of their own. */
export const otherActorName = (actor: string): string =>
  actor === 'owner' ? 'you, in another window,' : actorName(actor)

/** The same at the beginning of a sentence. */
export const actorNameFirst = (actor: string): string => capital(actorName(actor))

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

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

export const projectStatusNames: Record<ProjectStatus, string> = {
  active: 'Active',
  on_hold: 'On hold',
  done: 'Done',
  cancelled: 'Cancelled',
}

type Price = ModelList['items'][number]['price']

/** What a million tokens cost, in words; empty where that is not known. */
export const priceText = (price: Price): string => (price ? `$${price.input} in, $${price.output} out` : '')
