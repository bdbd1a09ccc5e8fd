// Files are parsed in a separate thread, to which harm is confined. A thread that takes too long or makes the process
// grow too much is terminated, and the next file gets a new one.

import type { Worker } from 'node:worker_threads'
import {
  askThread,
  StoppedThread,
  startThread,
  type ThreadLimits,
} from '../../../jobs/workers/limited-thread.ts'
import { SkippedFile } from '../../vault/paths.ts'
import type { ChatExport } from '../chats/chat.ts'
import type { ParsedFile } from '../file/format.ts'
import type { NotebookFile, UnpackedFile } from '../file/notebook.ts'
import type { MailboxMessage } from '../mail/split-mbox.ts'
import { type ParseAnswer, type ParseRequest, parseAnswer } from './message.ts'

export type Parser = {
  /** Parses a file with the format of an extension. Throws `SkippedFile`. The bytes may be detached afterwards. */
  parseFile(extension: string, file: { path: string; bytes: Uint8Array }): Promise<ParsedFile>
  /** The files of a notebook. Throws `SkippedFile`. The bytes may be detached afterwards. */
  unpackNotebook(extension: string, file: NotebookFile): Promise<UnpackedFile[]>
  /** Positions of the messages of a mailbox on disk with this many bytes. Throws `SkippedFile`. */
  readMailbox(file: string | Uint8Array, size: number): Promise<MailboxMessage[]>
  /** The conversations of a file on disk; `null` if it is no export of them. Throws `SkippedFile`. */
  readChats(file: string | Uint8Array): Promise<ChatExport | null>
  close(): Promise<void>
}

export const usualLimits: ThreadLimits = { timeoutMs: 60_000, heapMb: 512, growthMb: 1024 }

/** A large export is held several times while it is read. */
const chatLimits = { timeoutMs: 120_000, growthMb: 3072 }

/** A mailbox's timeout depends on its size: it may be larger than memory. */
const mailboxBytesPerMs = 10_000

type Question = ParseRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

const ownProgram = new URL('./parse-worker.ts', import.meta.url)

/** `program` is the thread's program. */
export function createParser(limits: ThreadLimits = usualLimits, program: URL = ownProgram): Parser {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let requests = 0

  return {
    async parseFile(extension, { path, bytes }) {
      const answer = await ask({ work: 'file', extension, path, bytes })
      if (answer.outcome !== 'file') throw new SkippedFile('the parser returned an invalid result')
      return answer.file
    },
    async unpackNotebook(extension, { path, bytes, taken }) {
      const answer = await ask({ work: 'notebook', extension, path, bytes, taken })
      if (answer.outcome !== 'notebook') throw new SkippedFile('the parser returned an invalid result')
      return answer.files
    },
    async readMailbox(file, size) {
      const timeoutMs = limits.timeoutMs + size / mailboxBytesPerMs
      const answer = await ask({ work: 'mailbox', file }, { ...limits, timeoutMs })
      if (answer.outcome !== 'mailbox') throw new SkippedFile('the parser returned an invalid result')
      return answer.messages
    },
    async readChats(file) {
      const answer = await ask({ work: 'chats', file }, { ...limits, ...chatLimits })
      if (answer.outcome !== 'chats') throw new SkippedFile('the parser returned an invalid result')
      return answer.read
    },
    async close() {
      await last.catch(() => {})
      await worker?.terminate()
      worker = null
    },
  }

  // One request at a time.
  function ask(question: Question, within = limits): Promise<ParseAnswer> {
    const answer = last.then(
      () => run(question, within),
      () => run(question, within),
    )
    last = answer
    return answer
  }

  async function run(question: Question, within: ThreadLimits): Promise<ParseAnswer> {
    worker ??= begin()
    try {
      const id = ++requests
      const answer = await askThread(worker, { ...question, id }, within, (message) => {
        const read = parseAnswer.parse(message)
        return read.id === id ? read : null
      })
      if (answer.outcome === 'skipped') throw new SkippedFile(answer.reason)
      return answer
    } catch (error) {
      if (!(error instanceof StoppedThread)) throw error
      await worker?.terminate()
      worker = null
      throw new SkippedFile(error.message)
    }
  }

  function begin(): Worker {
    const begun = startThread(program, limits)
    begun.once('exit', () => {
      if (worker === begun) worker = null
    })
    return begun
  }
}
