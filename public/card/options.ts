import { projectStatusNames } from '../lists/project-words.ts'
import { statuses } from '../tasks/task-words.ts'

/** The states that a kind can be in; none for one that has no state. */
export function statusesOf(type: string): readonly string[] {
  if (type === 'task') return statuses
  return type === 'project' ? Object.keys(projectStatusNames) : []
}
