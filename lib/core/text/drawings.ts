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

/** What somebody has written in the note of a drawing: the text before the plugin's own parts. `content`: without front matter. */
export function notesOfDrawing(content: string): string {
  const own = /^(?:%%|#{1,2} (?:Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing))[ \t]*$/m
  const before = content.slice(0, own.exec(content)?.index ?? content.length)
  return before.replace(/^==⚠.*⚠==.*$/gmu, '').trim()
}
