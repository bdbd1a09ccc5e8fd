import { cleanLine } from './clean.ts'

const maxTitleLength = 120

/**
 * A note as title and text: its first line with words is the title, without the marks of a heading or a list. One that is
 * too long for a title is cut there, and stays whole in the text. The title is empty for a note without words.
 */
export function splitNote(note: string): { title: string; body: string } {
  const trimmed = note.trim()
  const end = trimmed.indexOf('\n')
  const first = end === -1 ? trimmed : trimmed.slice(0, end)
  const line = cleanLine(first.replace(/^(?:#{1,6}|[-*+] \[[ xX]\]|[-*+>]|\d{1,9}[.)]) /, ''))
  if (line.length <= maxTitleLength) {
    return { title: line, body: end === -1 ? '' : trimmed.slice(end + 1).trim() }
  }
  const cut = line.slice(0, maxTitleLength - 1)
  const space = cut.lastIndexOf(' ')
  return {
    title: `${cut.slice(0, space > maxTitleLength / 2 ? space : undefined).toWellFormed()}…`,
    body: trimmed,
  }
}
