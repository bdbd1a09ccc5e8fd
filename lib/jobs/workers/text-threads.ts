// What takes long on a large text is done in a thread, with limits of time and memory: no text keeps the server busy.

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
   * What the task makes of the input, on this thread where its texts have few characters. `null`: too complex, it
   * exceeds a limit or too much is being computed. `length` left out: of all texts in the input. Never to be awaited in
   * a transaction: locks would wait with it. Throws a 503 `AppError` `shutting_down`.
   */
  run<Input, Output>(task: TextTask<Input, Output>, input: Input, length?: number): Promise<Output | null>
  /** Ends what is running. */
  close(): Promise<void>
}

/** Characters, all texts together, that are read on the main thread. */
export const maxMainThread = 100_000

const createPool = () =>
  createWorkerPool({
    limits: { timeoutMs: 5000, heapMb: 256, growthMb: 1024 },
    size: 2,
    maxWaiting: 16,
  })

/** Threads start when the first large text comes. One of these for a process. */
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

/** Characters of the texts in plain data, keys left out. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  for (const item of Object.values(value)) length += textLength(item)
  return length
}
