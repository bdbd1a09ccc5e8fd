// Threads that compute nothing: a large text waits as long as a test wants, and is too complex in the end.

import { StoppedThread } from '../../lib/jobs/workers/limited-thread.ts'
import type { ModuleCall } from '../../lib/jobs/workers/run-module.ts'
import { createTextThreads } from '../../lib/jobs/workers/text-threads.ts'

export function createHeldThreads() {
  let door = Promise.withResolvers<void>()
  door.resolve()
  let asked = Promise.withResolvers<ModuleCall>()

  const threads = createTextThreads({
    async run(call) {
      asked.resolve(call)
      await door.promise
      throw new StoppedThread('it takes longer than 5 seconds to read')
    },
    close: async () => {},
  })
  return {
    threads,
    /** From now on nothing is answered. */
    hold() {
      door = Promise.withResolvers()
      asked = Promise.withResolvers()
    },
    /** The first call since `hold`. */
    asked: () => asked.promise,
    release: () => door.resolve(),
  }
}
