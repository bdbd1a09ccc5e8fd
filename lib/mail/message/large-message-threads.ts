import { createTextThreads, type TextThreads } from '../../workers/text-threads.ts'
import { createWorkerPool } from '../../workers/worker-pool.ts'

/** For whole messages of any size, as files and attachments have them. */
export const createLargeMessageThreads = (): TextThreads =>
  createTextThreads(
    createWorkerPool({
      limits: { timeoutMs: 60_000, heapMb: 512, growthMb: 1024 },
      size: 1,
      maxWaiting: 100,
    }),
  )
