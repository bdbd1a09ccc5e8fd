// Attachments of a message, taken out of it and read as text. Takes long on a hostile one: for a thread with limits.

import { inflateSync } from 'node:zlib'
import { cleanText } from '../../../core/text/clean.ts'
import { decodeText } from '../../../files/import/file/decode.ts'
import { isTextual, mimeOf } from '../../../files/import/file/mime.ts'
import { format as docx } from '../../../files/import/formats/docx.ts'
import { format as pdf } from '../../../files/import/formats/pdf.ts'
import { messageBody } from '../../../files/import/mail/message-body.ts'
import { readMail } from '../../../files/import/mail/read-mail.ts'
import { listedAttachments } from '../message/parse-messages.ts'

const maxMessageBytes = 100_000_000
/** Characters of text that are kept. */
const maxTextLength = 500_000

/** The bytes of one, counted from 0; empty when the message has no such one. `compressed`: the message. */
export async function takeAttachment({
  compressed,
  index,
}: {
  compressed: Uint8Array
  index: number
}): Promise<{ bytes: Uint8Array | undefined }> {
  if (compressed.length === 0) return { bytes: undefined }
  const message = inflateSync(compressed, { maxOutputLength: maxMessageBytes })
  return { bytes: await attachmentOf(message, index) }
}

/** A part as a server sent it, decoded: it is put into a message of its own, so that one reader reads both. */
export async function decodePart({
  encoding,
  body,
}: {
  encoding: string
  body: Uint8Array
}): Promise<{ bytes: Uint8Array | undefined }> {
  const known = /^(?:base64|quoted-printable|7bit|8bit|binary)$/i.test(encoding) ? encoding : 'binary'
  const headers = `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: ${known}\r\n\r\n`
  return { bytes: await attachmentOf(Buffer.concat([Buffer.from(headers), body]), 0) }
}

async function attachmentOf(message: Buffer, index: number): Promise<Uint8Array | undefined> {
  const found = listedAttachments(await readMail(message))[index]
  return found && new Uint8Array(found.content)
}

export type AttachmentText = {
  text: string
  /** Why there is no text, or not all of it. */
  problem: string | null
}

/** The text of a PDF, a Word document, a web page or a text file. What kind it is, its name says before its type. */
export async function attachmentText({
  name,
  media_type,
  bytes,
}: {
  name: string
  media_type: string
  bytes: Uint8Array
}): Promise<AttachmentText> {
  const type = mimeOf(name) ?? media_type.toLowerCase()
  const read = await textOf(type, name, bytes).catch(() => unreadable)
  if (read.text.length <= maxTextLength) return read
  const problem = `It is long; only its first ${maxTextLength.toLocaleString('en')} characters are read.`
  return { text: read.text.slice(0, maxTextLength).toWellFormed(), problem }
}

const unreadable = { text: '', problem: 'Its text cannot be read.' }

async function textOf(type: string, name: string, bytes: Uint8Array): Promise<AttachmentText> {
  const format = formatOf(type)
  if (format) {
    const { fields, warnings } = await format.parse({ path: name, bytes })
    const text = cleanText(String(fields.text ?? ''))
    return { text, problem: text === '' ? sentenceOf(warnings) : null }
  }
  if (!isTextual(type)) return { text: '', problem: 'Void reads the text of PDF, Word and text files.' }
  const decoded = decodeText(bytes)
  if (!decoded) return { text: '', problem: 'It says that it is text, and is not.' }
  if (type !== 'text/html') return { text: decoded.text, problem: null }
  const { text } = await messageBody({ parts: [{ text: decoded.text, isHtml: true }] })
  return { text, problem: null }
}

const formatOf = (type: string) => {
  if (type === 'application/pdf') return pdf
  return type === 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' ? docx : null
}

/** What an import says of such a file, without what becomes of it there. */
function sentenceOf([warning = 'it has no text']: readonly string[]): string {
  const [what = ''] = warning.split(';', 1)
  return `${what.charAt(0).toUpperCase()}${what.slice(1, 300)}.`
}
