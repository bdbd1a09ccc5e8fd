// Expensive work on large texts runs in a thread with time and memory limits, so that no text blocks the server. It is
// planned before a change's transaction begins, so that no lock and no connection waits for a thread; the transaction
// checks that the plan matches the stored state.

import { AppError } from '../../core/errors.ts'
import { StoppedThread } from './limited-thread.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** An exported function of a module: it takes plain data and returns plain data, never `null`. */
type TextTask<Input, Output> = {
  module: string
  name: string
  run: (input: Input) => Output | Promise<Output>
}

/** `module` is the file that exports the function, by its own name. */
export const textTask = <Input, Output>(
  module: URL,
  run: (input: Input) => Output | Promise<Output>,
): TextTask<Input, Output> => ({ module: module.href, name: run.name, run })

export type TextThreads = {
  /**
   * The task's result, computed on this thread if its texts are short. `null`: too complex, over a limit, or too many
   * tasks are running. Default of `length`: all texts in the input. Never await it in a transaction: locks would wait
   * with it. Throws a 503 `AppError` `shutting_down`.
   */
  run<Input, Output>(task: TextTask<Input, Output>, input: Input, length?: number): Promise<Output | null>
  /** Terminates running tasks. */
  close(): Promise<void>
}

/** Maximum characters of all texts together that are processed on the main thread. */
export const maxMainThread = 100_000

const createPool = () =>
  createWorkerPool({
    limits: { timeoutMs: 5000, heapMb: 256, growthMb: 1024 },
    size: 2,
    maxWaiting: 16,
  })

/** Threads start with the first large text. Create one per process. */
export function createTextThreads(pool: WorkerPool = createPool()): TextThreads {
  return {
    async run<Input, Output>(task: TextTask<Input, Output>, input: Input, length = textLength(input)) {
      if (length <= maxMainThread) return await task.run(input)
      const { module, name } = task
      try {
        return (await pool.run({ module, name, input })) as Output
      } catch (error) {
        if (error instanceof StoppedThread) return null
        throw error
      }
    },
    close: () => pool.close(),
  }
}

/** Characters of all texts in plain data, without keys. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  for (const item of Object.values(value)) length += textLength(item)
  return length
}

/** Maximum plans per change: the texts may be edited while they are compared. */
const maxPlans = 10

/** Thrown in a transaction that finds a different state from the planned one, so that it is rolled back. */
export class OutdatedPlan extends AppError {
  constructor() {
    super('texts_changed', 409, 'The texts changed again and again while they were compared. Try again.')
  }
}

/**
 * Runs `planAndApply`, which makes a plan and applies it in a transaction, and retries if it throws `OutdatedPlan`;
 * turns the last of these into a 409 `AppError` `texts_changed`.
 */
export async function retryOutdated<Result>(planAndApply: () => Promise<Result>): Promise<Result> {
  for (let plans = 1; ; plans++) {
    try {
      return await planAndApply()
    } catch (error) {
      if (!(error instanceof OutdatedPlan) || plans === maxPlans) throw error
    }
  }
}
