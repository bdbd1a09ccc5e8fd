// The task list items of a Markdown text, `- [ ] …`, by where their marks stand.

import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { commentAt } from '../../ui/markdown/marks.ts'

export type TaskLine = {
  /** The offset of the character between the brackets. */
  at: number
  done: boolean
  /** What stands behind the mark. */
  text: string
}

/** Characters of a line in which its mark is looked for. */
const maxLead = 500

const item = /^[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(?=\S)/

const fence = /^[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/

/** In their order. What is in a block of code with fences, a comment or the front matter is none. */
export function taskLines(body: string): TaskLine[] {
  const { raw } = splitFrontMatter(body)
  const tasks: TaskLine[] = []
  let open: string | null = null
  let commentEnd = 0
  for (const { start, line } of linesFrom(body, raw.length)) {
    if (start < commentEnd) continue
    const lead = line.slice(0, maxLead)
    const marks = fence.exec(lead)?.[1] ?? null
    if (open !== null) {
      if (marks?.startsWith(open) && lead.trimEnd().endsWith(marks)) open = null
      continue
    }
    if (marks !== null) {
      open = marks
      continue
    }
    const comment = lead.includes('%%') ? commentAt(body.slice(start)) : null
    if (comment) {
      commentEnd = start + comment.raw.length
      continue
    }
    const match = item.exec(lead)
    if (!match) continue
    const at = start + match[0].indexOf('[') + 1
    tasks.push({ at, done: match[1] !== ' ', text: line.slice(match[0].length) })
  }
  return tasks
}

/** The text with one of its tasks checked, or no longer. */
export const toggleTask = (body: string, { at, done }: TaskLine): string =>
  `${body.slice(0, at)}${done ? ' ' : 'x'}${body.slice(at + 1)}`

function* linesFrom(text: string, from: number): Generator<{ start: number; line: string }> {
  const ends = /\r\n|\r|\n/g
  ends.lastIndex = from
  let start = from
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    yield { start, line: text.slice(start, end.index) }
    start = ends.lastIndex
  }
  yield { start, line: text.slice(start) }
}
