// The head of a table that a passage begins within: without it a row says a number and not of what.

import { splitLines } from '../../../core/text/clean.ts'

const isRow = (line: string): boolean => /^\s{0,3}\|/.test(line)
const isRule = (line: string): boolean => /^\s{0,3}\|[\s:|-]*-[\s:|-]*$/.test(line)

/** Whether a passage begins with a row and has no head of its own. */
export function beginsInTable(passage: string): boolean {
  const [first = '', second = ''] = splitLines(passage.slice(0, maxHead * 2))
  return isRow(first) && !isRule(second)
}

const maxHead = 300

/** The row above the rule of the table that the passage goes on with; '' where the text has none. */
export function tableHead(text: string, passage: string): string {
  const at = text.indexOf(passage)
  if (at < 0 || !beginsInTable(passage)) return ''
  const lines = splitLines(text.slice(0, at)).slice(0, -1)
  const from = lines.findLastIndex((line) => !isRow(line)) + 1
  const rule = lines.findIndex((line, n) => n > from && isRule(line))
  return rule > 0 ? lines[rule - 1]!.trim().slice(0, maxHead).toWellFormed() : ''
}
