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

const target = String.raw`\((?:[^()\n]|\([^()\n]{0,300}\)){0,2000}\)`

const image = new RegExp(String.raw`!\[[^[\]\n]{0,500}\]${target}`, 'g')

/** Markdown without what is shown rather than read: images, embedded notes, comments and HTML tags. Words stay. */
export function stripEmbeds(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]{0,2000}?-->|%%[^%]{0,2000}%%/g, '')
    .replace(/!\[\[[^[\]\n]{0,500}\]\]/g, '')
    .replace(image, '')
    .replace(/<(https?:\/\/[^\s<>]{1,2000})>/gi, '$1')
    .replace(/(?<!\\)<\/?[a-z][^<>]{0,300}>/gi, '')
}
