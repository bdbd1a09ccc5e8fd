// The text of a message as Markdown, whole, with the lines that are folded when it is read.

import type { MailFold } from '../../../contract/mail.ts'
import { cleanText } from '../../../core/text/clean.ts'
import { type BodyLine, findFolds, type Run } from '../../../core/text/mail/find-folds.ts'
import { forwards } from '../../../core/text/mail/quote-marks.ts'
import { escapeLineStart, escapeMarkdown } from '../html/inline.ts'
import { signatureMark } from './decode-part.ts'
import { htmlLines } from './html-lines.ts'
import type { BodyPart, ReadMail } from './read-mail.ts'

export type MessageBody = { text: string; folds: MailFold[] }

/** Throws `SkippedFile` for HTML nested too deeply. */
export async function messageBody({
  parts,
  subject = '',
}: Pick<ReadMail, 'parts'> & { subject?: string | undefined }): Promise<MessageBody> {
  const links: string[] = []
  const lines = await linesOf(parts, links)
  return assemble(lines, findFolds(lines, forwards(subject)), links)
}

/** Adds to `links` what the texts refer to by number, from 1. */
async function linesOf(parts: readonly BodyPart[], links: string[]): Promise<BodyLine[]> {
  const all: BodyLine[][] = []
  for (const part of parts) {
    if (all.length > 0) all.push([blank])
    if ('embedded' in part) {
      const { embedded } = part
      all.push(embeddedHead(embedded), [blank], await linesOf(embedded.parts, links))
    } else if (part.isHtml) {
      const read = await htmlLines(cleanText(part.text), links.length + 1)
      all.push(read.lines)
      links.push(...read.links)
    } else all.push(plainLines(cleanText(part.text)))
  }
  return all.flat()
}

const blank: BodyLine = { markdown: '', plain: '', depth: 0, mark: null }

/** What a message within another one says of itself, as mail programs write it. */
function embeddedHead({ from, to, date, subject }: ReadMail): BodyLine[] {
  const fields = [
    ['From', unquoted(from?.text ?? '')],
    [
      'To',
      [to ?? []]
        .flat()
        .map(({ text }) => unquoted(text))
        .join(', '),
    ],
    ['Date', date instanceof Date && Number.isFinite(date.getTime()) ? date.toUTCString() : ''],
    ['Subject', subject],
  ]
  const rows = fields.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`)
  const text = ['---------- Forwarded message ----------', ...rows].join('\n')
  return plainLines(cleanText(text)).map((line, at) => (at === 0 ? { ...line, mark: 'forward' } : line))
}

/** Names without the quotation marks that mailparser puts around them. */
const unquoted = (addresses: string): string => addresses.replace(/"([^"\\<>]{1,200})"(?= <)/g, '$1')

/** A message's plain text as Markdown, with its line breaks. */
export const textToMarkdown = (text: string): string =>
  assemble(plainLines(text.replace(/\r\n?/g, '\n')), [], []).text

function plainLines(text: string): BodyLine[] {
  return text.split('\n').map((line) => {
    const [, marks = '', rest = ''] = /^((?:> ?)*)(.*)$/s.exec(line) ?? []
    const depth = marks.replaceAll(' ', '').length
    const plain = rest.trim()
    return {
      markdown: '> '.repeat(depth) + escapeLineStart(escapeMarkdown(plain)),
      plain,
      depth,
      mark: depth === 0 && (line === signatureMark || isListFooter(line)) ? 'signature' : null,
    }
  })
}

/** The line above what list servers put below each message. */
const isListFooter = (line: string): boolean => /^_{40,60}$/.test(line)

/** The lines as one text. What is folded has a blank line before and behind it, as Markdown needs behind a quote. */
function assemble(lines: readonly BodyLine[], runs: readonly Run[], links: readonly string[]): MessageBody {
  const pieces: string[] = []
  const folds: MailFold[] = []
  let line = 1
  const put = (text: string, fold: Pick<MailFold, 'kind' | 'sender'> | null) => {
    if (text === '') return
    const count = text.split('\n').length
    if (fold) folds.push({ ...fold, from_line: line, to_line: line + count - 1 })
    pieces.push(text)
    line += count + 1
  }
  const add = (from: number, to: number, run: Run | null) =>
    put(joinLines(lines.slice(from, to)), run && { kind: run.kind, sender: run.sender || null })
  let at = 0
  for (const run of runs) {
    add(at, run.from, null)
    add(run.from, run.to, run)
    at = run.to
  }
  add(at, lines.length, null)
  put(links.map((address, number) => `[${number + 1}]: ${address}`).join('\n'), {
    kind: 'links',
    sender: null,
  })
  return { text: pieces.join('\n\n'), folds }
}

const joinLines = (lines: readonly BodyLine[]): string =>
  lines
    .map(({ markdown, plain, depth, isWhole }, at) => {
      if (isWhole) return markdown
      const next = lines[at + 1]
      const breaks = plain !== '' && next !== undefined && next.plain !== '' && next.depth === depth
      return breaks ? `${markdown.trimEnd()}  ` : markdown.trimEnd()
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
