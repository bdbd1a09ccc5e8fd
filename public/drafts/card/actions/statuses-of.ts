import { projectStatusNames } from '../../../ui/words/project-status.ts'
import { statuses } from '../../../ui/words/task-fields.ts'

/** The statuses of a kind; empty for one without a status. */
export function statusesOf(type: string): readonly string[] {
  if (type === 'task') return statuses
  return type === 'project' ? Object.keys(projectStatusNames) : []
}
