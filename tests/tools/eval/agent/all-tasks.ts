import { kindOf, readTasks, type TrialTask } from '../../../../lib/companion/trial/task.ts'

/** The ten of Settings, and seventy more. */
export const allTasks: readonly TrialTask[] = [
  ...readTasks(),
  ...readTasks(new URL('tasks.jsonl', import.meta.url)),
]

/** Those that a list names by id or kind. Default: all. Throws for a name that is neither. */
export function chooseTasks(list: string | undefined): readonly TrialTask[] {
  if (list === undefined) return allTasks
  const names = list.split(',').map((name) => name.trim())
  const isNamed = (task: TrialTask, name: string) => task.id === name || kindOf(task) === name
  const unknown = names.find((name) => !allTasks.some((task) => isNamed(task, name)))
  if (unknown !== undefined) throw new Error(`There is no task or kind of task named “${unknown}”.`)
  return allTasks.filter((task) => names.some((name) => isNamed(task, name)))
}
