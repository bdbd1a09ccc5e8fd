import type { Usage } from '../../contract/events/events.ts'
import { gradeTask } from './grade.ts'
import { runTask, type TaskOutcome, type TrialParts } from './run-task.ts'
import { type Failure, kindOf, type TaskKind, type TrialTask } from './task.ts'
import type { TrialSpace } from './trial-space.ts'

export type TaskResult = {
  id: string
  kind: TaskKind
  failures: Failure[]
  /** Calls of tools in the graded turn, and calls that failed in any turn. */
  calls: number
  failed_calls: number
  usage: Usage
  ms: number
}

/** Takes the tasks one after the other. Rejects when the signal is aborted. */
export async function* runTrial(
  parts: TrialParts,
  space: TrialSpace,
  tasks: readonly TrialTask[],
  signal: AbortSignal,
): AsyncGenerator<{ result: TaskResult; outcome: TaskOutcome }> {
  for (const task of tasks) {
    const outcome = await runTask(parts, space, task, signal)
    const { calls, failed_calls, usage, ms } = outcome
    const failures = gradeTask({ space, kinds: parts.kinds }, task, outcome)
    yield { result: { id: task.id, kind: kindOf(task), failures, calls, failed_calls, usage, ms }, outcome }
  }
}
