// A message taken apart: its headers, its attachments, and the parts that are its text, in their order. mailparser takes
// the MIME structure apart; the bytes of texts are decoded here.

import { Transform } from 'node:stream'
import type { Attachment, Headers, MailParser, ParsedMail } from 'mailparser'
import { decodePart, type PartFormat } from './decode-part.ts'
import { decodeHeaders, endOfHeaders } from './read-headers.ts'

/** A text of a message. */
type MailPart = { text: string; isHtml: boolean }

/** `embedded`: a message within it, with its own headers. */
export type BodyPart = MailPart | { embedded: ReadMail }

export type ReadMail = Pick<
  ParsedMail,
  'headers' | 'subject' | 'from' | 'to' | 'cc' | 'date' | 'attachments'
> & {
  parts: BodyPart[]
}

/** Messages in messages. */
const maxDepth = 4

/** Rejects for what is no message. */
export async function readMail(bytes: Uint8Array, depth = 0): Promise<ReadMail> {
  const { MailParser } = await import('mailparser')
  const parser = createParser(MailParser)
  const attachments: Attachment[] = []
  const headers = await new Promise<Headers>((resolve, reject) => {
    let found: Headers = new Map()
    const taken: Promise<void>[] = []
    parser.on('headers', (all: Headers) => {
      found = all
    })
    parser.on('data', (part) => {
      if (part.type === 'attachment') taken.push(takeAttachment(part, attachments))
    })
    parser.on('error', reject)
    parser.on('end', () => void Promise.all(taken).then(() => resolve(found), reject))
    parser.end(withPlainHeaders(bytes))
  })
  const get = (name: string) => headers.get(name) as never
  const embedded = depth < maxDepth ? await readEmbedded(attachments, depth) : []
  return {
    headers,
    attachments,
    ...{ subject: get('subject'), from: get('from'), to: get('to'), cc: get('cc'), date: get('date') },
    parts: [...partsOf(parser.tree), ...embedded],
  }
}

/** Headers in an encoding of their own, which no header may be in, become UTF-8. */
function withPlainHeaders(bytes: Uint8Array): Buffer {
  const end = endOfHeaders(bytes)
  const head = bytes.subarray(0, end)
  if (!head.some((byte) => byte >= 0x80)) return Buffer.from(bytes)
  return Buffer.concat([Buffer.from(decodeHeaders(head)), bytes.subarray(end)])
}

/** Messages that are forwarded as a part of their own, without being attached by name. */
async function readEmbedded(attachments: readonly Attachment[], depth: number): Promise<BodyPart[]> {
  const parts: BodyPart[] = []
  for (const { contentType, contentDisposition, content } of attachments) {
    if (contentType !== 'message/rfc822' || contentDisposition === 'attachment') continue
    const embedded = await readMail(content, depth + 1).catch(() => null)
    if (embedded) parts.push({ embedded })
  }
  return parts
}

async function takeAttachment(
  part: Attachment & { content: unknown; release(): void },
  attachments: Attachment[],
): Promise<void> {
  attachments.push(part)
  const chunks: Buffer[] = []
  for await (const chunk of part.content as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  part.content = Buffer.concat(chunks)
  part.size = part.content.length
  part.release()
}

/** What mailparser knows of a part; its own types leave it out. */
type Node = {
  node: { flowed: boolean; delSp: boolean; parentNode?: { contentType?: string | false } }
  contentType: string | false
  charset?: string
  disposition?: string
  isAttachment?: boolean
  textContent?: string
  headers: Headers
  showMeta?: boolean
  children: Node[]
}

type Inner = MailParser & {
  tree: Node
  curnode: Node
  decoder: { decodeStream(label: string): Transform }
  createNode(data: Node['node']): Node
  getTextContent(): unknown
}

/** A label that sends a text through `decodeStream`, where all bytes are decoded at once. */
const anyCharset = 'x-decoded-by-void'

function createParser(Parser: typeof MailParser): Inner {
  const parser = new Parser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  }) as Inner
  const { decodeStream } = parser.decoder
  const createNode = parser.createNode.bind(parser)
  const formats = new Map<Node, PartFormat>()
  parser.createNode = (data) => {
    const node = createNode(data)
    if (node.isAttachment || !/^(?:text\/|message\/delivery-status)/.test(node.contentType || '')) return node
    formats.set(node, {
      charset: node.charset ?? null,
      isHtml: node.contentType === 'text/html',
      flowed: data.flowed ? { delSp: data.delSp } : null,
    })
    data.flowed = false
    node.charset = anyCharset
    return node
  }
  parser.decoder = {
    decodeStream() {
      const format = formats.get(parser.curnode)!
      return collect((bytes) =>
        decodePart(bytes, format, (label) => decodeAtOnce(() => decodeStream(label), bytes)),
      )
    },
  }
  parser.getTextContent = () => ({ type: 'text' })
  return parser
}

/** A stream of one chunk: what `decode` makes of all bytes. */
function collect(decode: (bytes: Buffer) => string): Transform {
  const chunks: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
    flush(done) {
      this.push(Buffer.from(decode(Buffer.concat(chunks)).toWellFormed()))
      done()
    },
  })
}

/** The text by a decoder of mailparser's own, for labels that `TextDecoder` does not know; null: no more does it. */
function decodeAtOnce(createStream: () => Transform, bytes: Buffer): string | null {
  try {
    const stream = createStream()
    stream.on('error', () => {})
    stream.write(bytes)
    stream.end()
    const text: unknown = stream.read()
    return text === null ? null : String(text)
  } catch {
    return null
  }
}

/** The texts of a part and of those within it; those of a message that mailparser reads in place are that message's. */
function partsOf(node: Node): BodyPart[] {
  const parts = textsOf(node)
  if (!node.showMeta) return parts
  const get = (name: string) => node.headers.get(name) as never
  const { headers } = node
  const named = {
    subject: get('subject'),
    from: get('from'),
    to: get('to'),
    cc: get('cc'),
    date: get('date'),
  }
  return [{ embedded: { headers, attachments: [], ...named, parts } }]
}

function textsOf({ contentType, textContent, children }: Node): BodyPart[] {
  if (contentType === 'multipart/alternative') return pickAlternative(children.map(partsOf))
  const own = textContent?.trim() ? [{ text: textContent, isHtml: contentType === 'text/html' }] : []
  return [...own, ...children.flatMap(partsOf)]
}

const isRich = (part: BodyPart): boolean =>
  'embedded' in part ? part.embedded.parts.some(isRich) : part.isHtml

/** The plain one, unless it only says that there is another one. */
function pickAlternative(alternatives: readonly BodyPart[][]): BodyPart[] {
  const filled = alternatives.filter((parts) => parts.length > 0)
  const plain = filled.find((parts) => !parts.some(isRich))
  const rich = filled.findLast((parts) => parts.some(isRich))
  if (!plain || !rich) return filled.at(-1) ?? []
  const [plainLength, richLength] = [lengthOf(plain), lengthOf(rich)]
  const isShort = plainLength * minPlainShare < richLength
  return isShort || (plainLength <= richLength && !sharesWords(plain, rich)) ? rich : plain
}

/** A plain text that says something else than the rich one is a decoy for filters; readers see the rich one. */
function sharesWords(plain: readonly BodyPart[], rich: readonly BodyPart[]): boolean {
  const own = wordsOf(plain)
  const others = wordsOf(rich)
  const shared = [...own].filter((word) => others.has(word)).length
  return own.size < minCompared || shared * 2 >= own.size
}

/** Fewer different words tell nothing. */
const minCompared = 8

const wordsOf = (parts: readonly BodyPart[]): Set<string> =>
  new Set(
    parts.flatMap((part) =>
      'embedded' in part
        ? [...wordsOf(part.embedded.parts)]
        : (visibleText(part)
            .toLowerCase()
            .match(/\p{L}{3,}/gu) ?? []),
    ),
  )

/** A plain text that is this much shorter than the other one is no version of it. */
const minPlainShare = 4

/** Characters that are seen; of HTML roughly, as style sheets and tags are long. */
const lengthOf = (parts: readonly BodyPart[]): number =>
  parts.reduce(
    (sum, part) => sum + ('embedded' in part ? lengthOf(part.embedded.parts) : lengthOfText(part)),
    0,
  )

/** A notice that there is no plain version may give a long address. */
const lengthOfText = (part: MailPart): number =>
  part.isHtml ? visibleText(part).replace(/\s+/g, ' ').length : visibleText(part).length

const visibleText = ({ text, isHtml }: MailPart): string =>
  isHtml
    ? text.replace(/<(style|script|title)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*/gi, '').replace(/<[^<>]*>/g, '')
    : text.replace(/https?:\/\/\S+/g, '')
