// The parser's thread: one file at a time, bytes (or a mailbox's path) in and plain data out. It has no database and no
// network, and is terminated if it takes too much time or memory.

import { readFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { SkippedFile } from '../../vault/paths.ts'
import { readChats } from '../chats/read-chats.ts'
import { readMailbox } from '../mail/split-mbox.ts'
import { ownFormats, ownNotebooks } from './formats.ts'
import type { ParseAnswer, ParseRequest } from './message.ts'

parentPort?.on('message', async (request: ParseRequest) => {
  parentPort?.postMessage(await answer(request))
})

async function answer(request: ParseRequest): Promise<ParseAnswer> {
  const { id } = request
  try {
    if (request.work === 'mailbox') {
      return { id, outcome: 'mailbox', messages: await readMailbox(request.file) }
    }
    if (request.work === 'notebook') {
      const candidates = (await ownNotebooks()).get(request.extension) ?? []
      const notebook = candidates.find(({ recognizes }) => recognizes?.(request.bytes) ?? true)
      if (!notebook) throw new SkippedFile('unknown file format')
      return { id, outcome: 'notebook', files: await notebook.unpack(request) }
    }
    if (request.work === 'chats') {
      const text = await readFile(pathOf(request.file), 'utf8')
      return { id, outcome: 'chats', read: readChats(text) }
    }
    const format = (await ownFormats()).get(request.extension)
    if (!format) throw new SkippedFile('unknown file format')
    return { id, outcome: 'file', file: await format.parse(request) }
  } catch (error) {
    return { id, outcome: 'skipped', reason: reasonOf(error) }
  }
}

const pathOf = (file: string | Uint8Array) => (typeof file === 'string' ? file : Buffer.from(file))

function reasonOf(error: unknown): string {
  if (error instanceof SkippedFile) return error.message
  if (error instanceof RangeError) return 'it is nested too deeply to be read'
  return `it could not be read: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`
}
