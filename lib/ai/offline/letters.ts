// Mail as the offline companion quotes it: what its sender says in it, not what others said before, under who wrote it and when.

import { plainName } from './plain-name.ts'

/** Who has to do with a message, in the line by which search finds it; it is no text of it. */
const people = /^([^\n]{1,4000}@[^\n]{0,4000}) → [^\n]{0,4000}$/

/** Of each block of a message what its sender says there, without the line of its people; and the sender as written in that. */
export function readLetter(blocks: readonly string[]): { said: string[]; sender: string } {
  let sender = ''
  let isHistory = false
  const said = blocks.map((block) => {
    const named = people.exec(block)?.[1]
    if (named !== undefined) sender ||= named
    isHistory ||= isIntroduction(block.split('\n', 1)[0] ?? '') && !/\n\s{0,3}>/.test(block)
    return named !== undefined || isHistory ? '' : ownLines(block)
  })
  return { said, sender }
}

/** “On 20 November 2026, Anna (anna@example.org) wrote:” */
const isIntroduction = (line: string): boolean =>
  line.length < 500 && /[:：]\s*$/.test(line) && /\d/.test(line) && line.includes('@')

const quoted = /^\s{0,3}>/
const label = /^\p{L}[\p{L} -]{0,18}\s?[:：]\s/u
/** Lines that mail programs break an introduction into. */
const maxIntroduction = 4

/** Without quoted lines and what introduces them, and without the headers of what is forwarded. */
function ownLines(block: string): string {
  const lines = block.split('\n')
  const isOut = lines.map((line) => quoted.test(line))
  for (const [at, line] of lines.entries()) {
    if (isOut[at] && at > 0 && !isOut[at - 1]) {
      const from = Math.max(0, at - maxIntroduction, lines.lastIndexOf('', at - 1) + 1)
      const text = lines.slice(from, at).join(' ')
      if (/[:：]\s*$/.test(text) && /\d/.test(text)) isOut.fill(true, from, at)
    }
    const isHeader = label.test(line) && (label.test(lines[at - 1] ?? '') || label.test(lines[at + 1] ?? ''))
    isOut[at] ||= isHeader || /^\\?-{3,}/.test(line)
  }
  return lines.filter((_, at) => !isOut[at]).join('\n')
}

export const spelled = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Who wrote a mail, when, and about what. */
export function letterHead({ title, fields }: { title: string; fields: Record<string, unknown> }): string {
  const who = fields.from_name || fields.from_address || 'Unknown sender'
  const sent = Date.parse(String(fields.sent_at))
  const day = Number.isFinite(sent) ? `, ${spelled.format(sent)}` : ''
  return `**${plainName(String(who))}**${day}, **${plainName(title)}**`
}
