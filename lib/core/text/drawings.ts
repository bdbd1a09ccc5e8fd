// Drawings of Excalidraw: JSON in a file of its own, or in a note as Obsidian's plugin writes it
// (https://github.com/zsviczian/obsidian-excalidraw-plugin), which exports pictures of them beside it.

import { splitFrontMatter } from './markdown.ts'
import { withoutNoteExtension } from './paths.ts'

/** Whether a file is a drawing, by its name. */
export const isDrawingPath = (path: string): boolean => /\.excalidraw(?:\.md)?$/i.test(path)

/** Whether a page is a drawing, by its path or its front matter. */
export const isDrawing = ({ path, body }: { path: string | null; body: string }): boolean =>
  (path !== null && isDrawingPath(path)) ||
  /^excalidraw-plugin[ \t]*:[ \t]*["']?(?:parsed|raw)\b/m.test(splitFrontMatter(body).yaml)

/** The paths at which the plugin exports a picture of a drawing, the best first. */
export function picturePaths(path: string): string[] {
  const stem = withoutNoteExtension(path)
  return ['.svg', '.png', '.light.svg', '.light.png', '.dark.svg', '.dark.png'].map((end) => stem + end)
}

const own = /^(?:%%|#{1,2} (?:Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing))[ \t]*$/m

/** What somebody has written in the note of a drawing: the text before the plugin's own parts. `content`: without front matter. */
export function notesOfDrawing(content: string): string {
  const before = content.slice(0, own.exec(content)?.index ?? content.length)
  return before.replace(/^==⚠.*⚠==.*$/gmu, '').trim()
}

/** The note of a drawing, parted before what the plugin has written at its end. */
export function partDrawing(body: string): { notes: string; data: string } {
  const { content } = splitFrontMatter(body)
  const start = body.length - content.length
  const found = own.exec(content)
  if (!found) return { notes: body, data: '' }
  let notes = content.slice(0, found.index).trimEnd()
  const lastLine = notes.lastIndexOf('\n') + 1
  if (notes.startsWith('==⚠', lastLine)) notes = notes.slice(0, lastLine).trimEnd()
  const end = start + notes.length
  return { notes: body.slice(0, end), data: body.slice(end) }
}

/** Undoes `partDrawing`. Notes that were written since stay apart from what follows. */
export function joinDrawing(notes: string, data: string): string {
  const isApart = notes === '' || notes.endsWith('\n') || /^[^\S\n]*(?:\n|$)/.test(data)
  return isApart ? notes + data : `${notes}\n\n${data}`
}
