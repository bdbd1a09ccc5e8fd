import { createTextThreads, type TextThreads, textTask } from '../../../jobs/workers/text-threads.ts'
import { createWorkerPool } from '../../../jobs/workers/worker-pool.ts'
import { type ParseOutcome, parseMessages } from './parse-messages.ts'

const parseTask = textTask(new URL('./parse-messages.ts', import.meta.url), parseMessages)

/** All at once; where that is too much, one by one, so that one hostile message costs no other. */
export async function parseInThread(
  threads: Pick<TextThreads, 'run'>,
  messages: readonly Uint8Array[],
): Promise<ParseOutcome[]> {
  const inThread = Number.POSITIVE_INFINITY
  const all = await threads.run(parseTask, { messages }, inThread)
  if (all) return all
  const each: ParseOutcome[] = []
  for (const bytes of messages) {
    const outcome = await threads.run(parseTask, { messages: [bytes] }, inThread)
    each.push(outcome?.[0] ?? null)
  }
  return each
}

/** For whole messages of any size, as files and attachments have them. */
export const createLargeMessageThreads = (): TextThreads =>
  createTextThreads(
    createWorkerPool({
      limits: { timeoutMs: 60_000, heapMb: 512, growthMb: 1024 },
      size: 1,
      maxWaiting: 100,
    }),
  )
