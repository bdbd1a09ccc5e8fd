// Files are read in a thread of their own: what a file does there, it does to that thread. One that takes too long, or
// makes the process grow too much, is ended, and the next file gets a new one.

import { Worker } from 'node:worker_threads'
import { type ParsedFile, SkippedFile } from '../format.ts'
import { type Conversation, type ParseAnswer, type ParseRequest, parseAnswer } from './message.ts'

export type ParserLimits = {
  /** Milliseconds for one file. */
  timeoutMs: number
  /** Of the thread's own heap, in megabytes. */
  heapMb: number
  /** By which the process may grow while a file is read, in megabytes: buffers lie outside of the heap. */
  growthMb: number
}

export type Parser = {
  /** Parses a file with the format of an extension. Throws `SkippedFile`. The bytes may be gone afterwards. */
  parseFile(extension: string, file: { path: string; bytes: Uint8Array }): Promise<ParsedFile>
  /** The conversation that messages make, oldest first; `folder` is to hold its attachments. Throws `SkippedFile`. */
  readMail(messages: Uint8Array[], folder: string): Promise<Conversation>
  close(): Promise<void>
}

export const usualLimits: ParserLimits = { timeoutMs: 60_000, heapMb: 512, growthMb: 1024 }

const lookEveryMs = 100

type Question = ParseRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

const ownProgram = new URL('./parse-worker.ts', import.meta.url)

/** `program` is what the thread runs. */
export function createParser(limits: ParserLimits = usualLimits, program: URL = ownProgram): Parser {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let asked = 0

  return {
    async parseFile(extension, { path, bytes }) {
      const answer = await ask({ work: 'file', extension, path, bytes })
      if (answer.outcome !== 'file') throw new SkippedFile('it was answered with something else')
      return answer.file
    },
    async readMail(messages, folder) {
      const answer = await ask({ work: 'mail', messages, folder })
      if (answer.outcome !== 'mail') throw new SkippedFile('it was answered with something else')
      return answer.conversation
    },
    async close() {
      await last.catch(() => {})
      await worker?.terminate()
      worker = null
    },
  }

  // One after the other.
  function ask(question: Question): Promise<ParseAnswer> {
    const answer = last.then(
      () => run(question),
      () => run(question),
    )
    last = answer
    return answer
  }

  async function run(question: Question): Promise<ParseAnswer> {
    worker ??= begin()
    try {
      const answer = await converse(worker, { ...question, id: ++asked } as ParseRequest, limits)
      if (answer.outcome === 'skipped') throw new SkippedFile(answer.reason)
      return answer
    } catch (error) {
      if (error instanceof StoppedThread) {
        await worker?.terminate()
        worker = null
      }
      throw error
    }
  }

  function begin(): Worker {
    const begun = start(program, limits)
    begun.once('exit', () => {
      if (worker === begun) worker = null
    })
    return begun
  }
}

/** The thread is of no use any more. */
class StoppedThread extends SkippedFile {}

function start(program: URL, { heapMb }: ParserLimits): Worker {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  })
  // What a library says about a file is no business of the log.
  worker.stdout.resume()
  worker.stderr.resume()
  // A thread may run out of memory after its file was given up; an error that nobody hears would end the process.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

async function converse(worker: Worker, request: ParseRequest, limits: ParserLimits): Promise<ParseAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ParseAnswer>()
  const stop = (reason: string) => reject(new StoppedThread(reason))
  const before = process.memoryUsage.rss()
  const started = performance.now()
  const look = setInterval(() => {
    if (performance.now() - started > limits.timeoutMs) {
      stop(`it takes longer than ${limits.timeoutMs / 1000} seconds to read`)
    } else if (process.memoryUsage.rss() - before > limits.growthMb * 1024 * 1024) {
      stop(`it takes more than ${limits.growthMb} MB of memory to read`)
    }
  }, lookEveryMs)
  const hear = (message: unknown) => {
    const answer = parseAnswer.parse(message)
    if (answer.id === request.id) resolve(answer)
  }
  const fail = (error: Error) =>
    stop(
      Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `it takes more than ${limits.heapMb} MB of memory to read`
        : `it cannot be read: ${error.message.slice(0, 300)}`,
    )
  const end = () => stop('its reading came to an end')

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
