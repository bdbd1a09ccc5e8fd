import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { isStreamed } from '../../helpers/answer-problems.ts'
import type { FuzzRequest } from './make-request.ts'

export type FuzzAnswer = {
  status: number
  /** Media type without parameters. */
  type: string
  requestId: string
  body: Buffer
  /** Whether the body is all of it. */
  isWhole: boolean
}

/** An end without an answer: `late` after `answerMs`, `broken` when the connection ended. */
export type NoAnswer = { none: 'late' | 'broken' }

const answerMs = 20_000
/** How long a stream is read: some never end. */
const streamMs = 150
const maxBytes = 24_000_000

export async function send(port: number, request: FuzzRequest, agent: Agent): Promise<FuzzAnswer | NoAnswer> {
  if (request.raw) return await sendRaw(port, request.raw)
  const first = await sendOnce(port, request, agent)
  // A connection that was kept may be closed just as it is used again.
  return 'reused' in first ? await sendOnce(port, request, agent) : first
}

async function sendOnce(
  port: number,
  { method, target, headers, body }: FuzzRequest,
  agent: Agent,
): Promise<FuzzAnswer | (NoAnswer & { reused?: true })> {
  return await new Promise((resolve) => {
    const withLength = body ? [...headers, ['Content-Length', String(body.length)]] : headers
    const options = { host: '127.0.0.1', port, method, path: target, headers: withLength.flat(), agent }
    const sending = httpRequest(options, (response) => {
      clearTimeout(late)
      resolve(readAnswer(response))
    })
    const late = setTimeout(() => {
      resolve({ none: 'late' })
      sending.destroy()
    }, answerMs)
    // A server that will not read all of a body answers and closes: the answer may be lost with what was not sent.
    sending.on('error', () => {
      clearTimeout(late)
      resolve(sending.reusedSocket ? { none: 'broken', reused: true } : { none: 'broken' })
    })
    sending.on('upgrade', (_response, socket) => socket.destroy())
    sending.end(body ?? undefined)
  })
}

async function readAnswer(response: IncomingMessage): Promise<FuzzAnswer> {
  const type = String(response.headers['content-type'] ?? '').split(';')[0]!
  const chunks: Buffer[] = []
  let size = 0
  const isWhole = await new Promise<boolean>((resolve) => {
    const limit = setTimeout(() => resolve(false), type === 'text/event-stream' ? streamMs : answerMs)
    const finish = (whole: boolean) => {
      clearTimeout(limit)
      resolve(whole)
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) finish(false)
    })
    response.on('end', () => finish(true))
    response.on('error', () => finish(false))
  })
  if (!isWhole) response.destroy()
  return {
    status: response.statusCode ?? 0,
    type,
    requestId: String(response.headers['x-request-id'] ?? ''),
    body: Buffer.concat(chunks),
    isWhole: isWhole && !isStreamed(type) && response.headers['content-encoding'] === undefined,
  }
}

/** The first answer to a message that is written as it is, and then ended. */
async function sendRaw(port: number, message: Buffer): Promise<FuzzAnswer | NoAnswer> {
  return await new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => socket.end(message))
    socket.setTimeout(2000, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text.replace(/^HTTP\/1\.1 100[^\n]*\r\n\r\n/, ''))?.[1])
      const requestId = /^x-request-id: (\S+)/im.exec(text)?.[1] ?? ''
      resolve(
        status ? { status, type: '', requestId, body: Buffer.alloc(0), isWhole: false } : { none: 'broken' },
      )
    })
  })
}
