// Mail as the offline companion quotes it: what its sender says in it, not what others said before, under who wrote it and when.

import { type BodyLine, findRuns } from '../../core/text/mail/find-folds.ts'
import { beginsForward, readField } from '../../core/text/mail/quote-marks.ts'
import { plainName } from './plain-name.ts'

/** Who has to do with a message, in the line by which search finds it; it is no text of it. */
const people = /^([^\n]{1,4000}@[^\n]{0,4000}) → [^\n]{0,4000}$/

/** Of each block of a message what its sender says there, without the line of its people; and the sender as written in that. */
export function readLetter(blocks: readonly string[]): { said: string[]; sender: string } {
  const texts = blocks.map((block) => (people.test(block) ? '' : block))
  const sender = blocks.map((block) => people.exec(block)?.[1]).find((named) => named !== undefined) ?? ''
  const lines = texts.flatMap((text) => [...text.split('\n').map(lineOf), lineOf('')])
  const isOut = lines.map(() => false)
  for (const { kind, from, to } of findRuns(lines, false)) {
    if (kind !== 'forward') isOut.fill(true, from, to)
    else for (let at = from; at < to; at++) isOut[at] = isHeader(lines, at)
  }
  let at = 0
  const said = texts.map((text) => {
    const own = text.split('\n')
    const first = at
    at += own.length + 1
    return own.filter((_, line) => !isOut[first + line]).join('\n')
  })
  return { said, sender }
}

/** A line of a message as it is stored, in Markdown. */
function lineOf(markdown: string): BodyLine {
  const [marks = ''] = /^\s{0,3}(?:>\s?)*/.exec(markdown) ?? []
  const plain = markdown.slice(marks.length).replace(/\\(?=[^\s\p{L}\p{N}])/gu, '')
  return { markdown, plain: plain.trim(), depth: marks.replace(/\s/g, '').length, mark: null }
}

/** What a mail program puts above what it forwards: a rule, and a field beside others. */
const isHeader = (lines: readonly BodyLine[], at: number): boolean => {
  const isField = (line: BodyLine | undefined) => line !== undefined && readField(line.plain) !== null
  const { plain } = lines[at]!
  if (beginsForward(plain) || /^-{3,}/.test(plain)) return true
  return isField(lines[at]) && (isField(lines[at - 1]) || isField(lines[at + 1]))
}

export const spelled = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Who wrote a mail, when, and about what. */
export function letterHead({ title, fields }: { title: string; fields: Record<string, unknown> }): string {
  const who = fields.from_name || fields.from_address || 'Unknown sender'
  const sent = Date.parse(String(fields.sent_at))
  const day = Number.isFinite(sent) ? `, ${spelled.format(sent)}` : ''
  return `**${plainName(String(who))}**${day}, **${plainName(title)}**`
}
