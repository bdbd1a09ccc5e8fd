export const priorities = ['low', 'normal', 'high', 'urgent'] as const

/** The states that a kind can be in; none for one that has no state. */
export function statusesOf(type: string): readonly string[] {
  if (type === 'task') return ['open', 'in_progress', 'done', 'cancelled']
  return type === 'project' ? ['active', 'on_hold', 'done', 'cancelled'] : []
}
