// Expensive work on large texts runs in a thread with time and memory limits, so that no text blocks the server.

import { StoppedThread } from './limited-thread.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** An exported function of a module: it takes plain data and returns plain data, never `null`. */
export type TextTask<Input, Output> = {
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
