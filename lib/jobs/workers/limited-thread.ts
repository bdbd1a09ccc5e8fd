// A thread with time and memory limits: a harmful text affects only that thread, which is terminated.

import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  /** Timeout of a request, in milliseconds. */
  timeoutMs: number
  /** Maximum heap of the thread, in megabytes. */
  heapMb: number
  /** Maximum growth of the process during one request, in megabytes: buffers lie outside of the heap. */
  growthMb: number
}

/** The thread can't be used any more; the message is the reason, as the rest of a sentence. */
export class StoppedThread extends Error {}

const pollMs = 100

/** Throws nothing: a thread's failure is reported to its callers. */
export function startThread(program: URL, { heapMb }: ThreadLimits): Worker {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  })
  // Libraries' messages about a text do not belong in the log.
  worker.stdout.resume()
  worker.stderr.resume()
  // A thread may run out of memory after its request was abandoned; an unhandled error would end the process.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

/** The first message that `read` accepts. Throws `StoppedThread`, after which the thread must be terminated. */
export async function askThread<Answer>(
  worker: Worker,
  request: unknown,
  limits: ThreadLimits,
  read: (message: unknown) => Answer | null,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const stop = (reason: string) => reject(new StoppedThread(reason))
  const before = process.memoryUsage.rss()
  const started = performance.now()
  const look = setInterval(() => {
    if (performance.now() - started > limits.timeoutMs) {
      stop(`it takes longer than ${limits.timeoutMs / 1000} seconds to read`)
    } else if (process.memoryUsage.rss() - before > limits.growthMb * 1024 * 1024) {
      stop(`it takes more than ${limits.growthMb} MB of memory to read`)
    }
  }, pollMs)
  const hear = (message: unknown) => {
    try {
      const answer = read(message)
      if (answer !== null) resolve(answer)
    } catch (error) {
      reject(error)
    }
  }
  const fail = (error: Error) =>
    stop(
      Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `it takes more than ${limits.heapMb} MB of memory to read`
        : `it could not be read: ${error.message.slice(0, 300)}`,
    )
  const end = () => stop('its thread stopped')

  worker.on('message', hear).on('error', fail).on('exit', end)
  worker.ref()
  worker.postMessage(request)
  try {
    return await promise
  } finally {
    clearInterval(look)
    worker.off('message', hear).off('error', fail).off('exit', end)
    worker.unref()
  }
}
