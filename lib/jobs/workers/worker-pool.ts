// A few threads for expensive work on large texts. At most `size` run, as many more wait, and the rest are refused.

import type { Worker } from 'node:worker_threads'
import { shuttingDown } from '../../core/errors.ts'
import { askThread, StoppedThread, startThread, type ThreadLimits } from './limited-thread.ts'
import type { ModuleCall } from './run-module.ts'

export type WorkerPool = {
  /**
   * The function's result. Throws `StoppedThread` if it throws or exceeds a limit, or if too many wait; a 503
   * `AppError` `shutting_down` once the pool is closed.
   */
  run(call: ModuleCall): Promise<unknown>
  /** Terminates all threads, including busy ones. */
  close(): Promise<void>
}

type PoolOptions = { limits: ThreadLimits; size: number; maxWaiting: number }

const program = new URL('./run-module.ts', import.meta.url)

/** Threads start on demand. They do not keep the process alive. */
export function createWorkerPool({ limits, size, maxWaiting }: PoolOptions): WorkerPool {
  const threads = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: (() => void)[] = []
  let running = 0
  let closed = false

  return {
    async run(call) {
      if (running < size) running++
      else {
        if (waiting.length >= maxWaiting) throw new StoppedThread('too many large texts are being read')
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        if (closed) throw shuttingDown()
        return await runIn(idle.pop() ?? start(), call)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },

    async close() {
      closed = true
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }

  function start(): Worker {
    const worker = startThread(program, limits)
    threads.add(worker)
    worker.once('exit', () => {
      threads.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    return worker
  }

  async function runIn(worker: Worker, call: ModuleCall): Promise<unknown> {
    try {
      const answer = await askThread(worker, call, limits, (message) => message as Answer)
      idle.push(worker)
      if ('failed' in answer) throw new StoppedThread(answer.failed)
      return answer.value
    } catch (error) {
      if (!idle.includes(worker)) await worker.terminate()
      throw closed ? shuttingDown() : error
    }
  }
}

/** The message format of run-module.ts. */
type Answer = { value: unknown } | { failed: string }
