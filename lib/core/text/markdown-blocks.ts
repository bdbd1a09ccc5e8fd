// Markdown as a list of blocks, by line numbers only: enough structure to know where a text may be cut. Not a Markdown
// parser; whatever it doesn't recognize is a paragraph.

/** Lines `from` up to, not including, `to` (0-based). No block begins or ends with a blank line, but a fence may. */
export type Block =
  | { type: 'heading'; from: number; to: number; level: number; title: string }
  | { type: 'front_matter' | 'fence' | 'paragraph'; from: number; to: number }

/** In lines. */
const maxFrontMatter = 200
/** In characters: a longer line is no heading, and the rest of it is not searched for the start of a block. */
const maxHeading = 500
const atxOpening = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const underline = /^ {0,3}(=+|-{3,})[ \t]*$/
const fenceOpening = /^ {0,3}(?:[-*+] |\d+[.)] )? *(`{3,}(?=[^`]*$)|~{3,})/

/** The blocks of a text in order; the lines between them are blank. Lines have no line breaks. */
export function markdownBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let line = frontMatterEnd(lines)
  if (line > 0) blocks.push({ type: 'front_matter', from: 0, to: line })

  while (line < lines.length) {
    if (isBlank(lines[line])) {
      line += 1
      continue
    }
    const block = headingAt(lines, line) ?? fenceAt(lines, line) ?? paragraphAt(lines, line)
    blocks.push(block)
    line = block.to
  }
  return blocks
}

/** Whether a line is missing, empty or white space. */
const isBlank = (line: string | undefined) => line === undefined || line.trim() === ''

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || isBlank(lines[1])) return 0
  const end = lines.slice(1, maxFrontMatter).findIndex((line) => /^(---|\.\.\.)\s*$/.test(line))
  return end < 1 ? 0 : end + 2
}

function headingAt(lines: readonly string[], from: number): Block | null {
  const line = lines[from]!
  if (line.length > maxHeading) return null
  const marks = atxOpening.exec(line)
  if (marks) {
    const title = atxTitle(line.slice(marks[0].length))
    return { type: 'heading', from, to: from + 1, level: marks[1]!.length, title }
  }

  const below = underline.exec(lines[from + 1]?.slice(0, maxHeading) ?? '')
  const title = line.trim()
  if (!below || /^([|>*+-]|\d+[.)]|`{3}|~{3})/.test(title)) return null
  return { type: 'heading', from, to: from + 2, level: below[1]!.startsWith('=') ? 1 : 2, title }
}

/** The text after the opening marks, without the closing ones. */
function atxTitle(text: string): string {
  const title = text.trim()
  let end = title.length
  while (title[end - 1] === '#') end -= 1
  return end === 0 || /\s/.test(title[end - 1]!) ? title.slice(0, end).trimEnd() : title
}

/** A fence reaches to its closing line, or to the end of the text where there is none. */
function fenceAt(lines: readonly string[], from: number): Block | null {
  const mark = fenceOpening.exec(lines[from]!.slice(0, maxHeading))?.[1]
  if (!mark) return null

  const closing = new RegExp(`^\\s*${mark[0]}{${mark.length},}\\s*$`)
  let to = from + 1
  while (to < lines.length && !closing.test(lines[to]!)) to += 1
  return { type: 'fence', from, to: Math.min(to + 1, lines.length) }
}

function paragraphAt(lines: readonly string[], from: number): Block {
  let to = from + 1
  while (to < lines.length && !isBlank(lines[to]) && !opensBlock(lines, to)) to += 1
  return { type: 'paragraph', from, to }
}

function opensBlock(lines: readonly string[], line: number): boolean {
  const start = lines[line]!.slice(0, maxHeading)
  return fenceOpening.test(start) || (lines[line] === start && atxOpening.test(start))
}
