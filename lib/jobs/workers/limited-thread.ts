// A thread with limits of time and memory: what a text does there, it does to that thread, which is ended.

import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  /** Milliseconds for one request. */
  timeoutMs: number
  /** Of the thread's own heap, in megabytes. */
  heapMb: number
  /** By which the process may grow during one request, in megabytes: buffers lie outside of the heap. */
  growthMb: number
}

/** A thread that is of no use any more; the message is the reason, as the rest of a sentence. */
export class StoppedThread extends Error {}

const pollMs = 100

/** Throws nothing: a thread that fails is heard of by whoever asks it. */
export function startThread(program: URL, { heapMb }: ThreadLimits): Worker {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  })
  // What a library says about a text is no business of the log.
  worker.stdout.resume()
  worker.stderr.resume()
  // A thread may run out of memory after its request was given up; an error that nobody hears would end the process.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

/** The first message that `read` takes for the answer. Throws `StoppedThread`, after which the thread has to be ended. */
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
