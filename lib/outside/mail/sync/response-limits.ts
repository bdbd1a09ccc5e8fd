// What a mail server may send, counted before it is parsed: responses and bytes for each command, for which a server that
// sends more loses the connection, and for each second, beyond which the rest waits. What comes at once is handed on in
// small pieces, so that other work goes on between them.

import { Transform } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'

/** What a command may be answered with. */
export type Allowance = {
  /** Lines that are no part of a text. */
  responses: number
  bytes: number
  /** Bytes of one of them without the texts in it. Default: 500 kB. */
  line?: number
  /** Until the command has ended. `null`: it may wait. */
  ms: number | null
}

export type ResponseLimits = {
  /** For the client's `expungeHandler`: of a range of messages that are gone, it is told one by one. */
  onGone(message: object): Promise<void>
  /**
   * Starts to count for a command; the function returned ends it, and throws if a limit was exceeded. Commands follow
   * one another.
   */
  begin(allowance: Allowance): () => void
  /** Runs a command. Rejects as it does, and with `ResponseTooLarge` or `CommandTimeout` if it exceeded a limit. */
  within<Result>(allowance: Allowance, command: () => Promise<Result>): Promise<Result>
}

const maxPerSecond = { responses: 10_000, bytes: 32_000_000 }

const maxLine = 500_000

/** Responses that are parsed without a pause. */
const responsesAtOnce = 50

/** Throws where the client has no stream to count at. */
export function limitResponses(client: ImapFlow, first: Allowance): ResponseLimits {
  const parser = parserOf(client)
  let left = { line: maxLine, ...first, gone: maxGone }
  let failure: Error | null = null
  // What breaks rejects the command under way, often as a lost connection only.
  client.on('error', (error: Error) => {
    failure ??= error
  })
  const fail = (code: string, message: string) => {
    failure ??= Object.assign(new Error(message), { code })
    parser.destroy(failure)
  }
  countInput(client, parser, ({ bytes, responses, line }) => {
    left.responses -= responses
    left.bytes -= bytes.length
    if (left.responses < 0 || left.bytes < 0 || line > left.line) fail('ResponseTooLarge', moreThanAsked)
  })

  function begin(allowance: Allowance): () => void {
    const told = client.mailbox ? Math.min(client.mailbox.exists, maxTold) : 0
    const { responses, bytes, ms } = allowance
    left = {
      ...{ line: maxLine, ...allowance },
      ...{ responses: responses + told, bytes: bytes + told * 200, gone: maxGone },
    }
    const late = () => fail('CommandTimeout', 'the answer took too long')
    const timer = ms === null ? undefined : setTimeout(late, ms)
    return () => {
      clearTimeout(timer)
      if (failure) throw failure
    }
  }

  return {
    begin,

    async within(allowance, command) {
      const end = begin(allowance)
      try {
        return await command()
      } finally {
        // What the limit says counts for more than how the command failed for it.
        end()
      }
    },

    async onGone(message) {
      left.gone -= 1
      if (left.gone < 0) fail('ResponseTooLarge', moreThanAsked)
      client.emit('expunge', message)
      if (left.gone % goneAtOnce === 0) await nextTurn()
      // Nothing else ends the range of a connection that is closed.
      if (parser.destroyed) await new Promise(() => {})
    },
  }
}

const moreThanAsked = 'more than was asked for'

function parserOf(client: ImapFlow): Transform {
  const parser: unknown = Reflect.get(client, 'streamer')
  if (parser instanceof Transform) return parser
  throw new Error('imapflow has no stream of responses')
}

/** Hands what comes to `count`, piece by piece, and then to the parser unless that ended it. */
function countInput(client: ImapFlow, parser: Transform, count: (piece: Piece) => void): void {
  const scan = createResponseScanner()
  const pace = createPace()
  const parse = parser._transform.bind(parser)
  parser._transform = (chunk: Buffer, encoding, done) => {
    void work(chunk, encoding).then(() => done(), done)
  }

  async function work(chunk: Buffer, encoding: BufferEncoding): Promise<void> {
    // Before the sign-in nothing is divided: imapflow looks whether anything follows the answer to STARTTLS.
    for (const piece of scan(chunk, client.authenticated ? responsesAtOnce : Number.POSITIVE_INFINITY)) {
      count(piece)
      if (parser.destroyed) return
      await new Promise<void>((resolve) => parse(piece.bytes, encoding, () => resolve()))
      if (parser.destroyed) return
      await pace(piece.responses, piece.bytes.length)
    }
  }
}

/** Messages of a folder that a server may tell of unasked, beside what a command is answered with. */
const maxTold = 20_000

/** Numbers of messages that are gone. One line may name all that there can be; imapflow takes 16 million of it. */
const maxGone = 20_000_000

const goneAtOnce = 1000

type Pace = (responses: number, bytes: number) => Promise<void>

/** Lets other work go on after each piece, and waits when a second has had its share. */
function createPace(): Pace {
  let since = performance.now()
  let sum = { responses: 0, bytes: 0 }
  return async (responses, bytes) => {
    sum = { responses: sum.responses + responses, bytes: sum.bytes + bytes }
    await nextTurn()
    const passed = performance.now() - since
    const isOver = sum.responses >= maxPerSecond.responses || sum.bytes >= maxPerSecond.bytes
    if (isOver && passed < 1000) await wait(1000 - passed, undefined, { ref: false })
    if (!isOver && passed < 1000) return
    since = performance.now()
    sum = { responses: 0, bytes: 0 }
  }
}

/** `line`: bytes of the longest line that ends in it, or goes on after it, from its beginning. */
type Piece = { bytes: Buffer; responses: number; line: number }

const lineFeed = 0x0a

/** Bytes of the end of a line that may announce a text, such as `{1234}`. */
const announcementBytes = 32

/**
 * Divides what comes into pieces with so many ends of responses at most. A text that is announced has no ends, whatever is
 * in it.
 */
function createResponseScanner(): (chunk: Buffer, maxResponses: number) => Generator<Piece> {
  let lineEnd = ''
  let textLeft = 0
  let lineBytes = 0
  return function* scan(chunk, maxResponses) {
    let start = 0
    let responses = 0
    let line = 0
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(textLeft, chunk.length - at)
      textLeft -= skipped
      at += skipped
      const found = chunk.indexOf(lineFeed, at)
      const next = found === -1 ? chunk.length : found + 1
      lineEnd += chunk.toString('latin1', Math.max(at, next - announcementBytes), next)
      lineBytes += next - at
      line = Math.max(line, lineBytes)
      at = next
      if (found === -1) break
      const announced = /\{(\d+)\}\r?\n$/.exec(lineEnd)
      lineEnd = ''
      if (announced) textLeft = Number(announced[1])
      else {
        responses += 1
        lineBytes = 0
      }
      if (responses < maxResponses) continue
      yield { bytes: chunk.subarray(start, at), responses, line }
      start = at
      responses = 0
      line = 0
    }
    lineEnd = lineEnd.slice(-announcementBytes)
    if (start < chunk.length) yield { bytes: chunk.subarray(start), responses, line }
  }
}
