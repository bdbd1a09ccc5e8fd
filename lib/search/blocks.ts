// Markdown as a run of blocks, by line numbers only: enough structure to know where a text may be cut. Not a parser of
// Markdown; what it doesn't recognise is a paragraph.

/** Lines `from` up to, not including, `to` (0-based). No block begins or ends with a blank line, but a fence may. */
export type Block =
  | { type: 'heading'; from: number; to: number; level: number; title: string }
  | { type: 'front_matter' | 'fence' | 'paragraph'; from: number; to: number }

const longestFrontMatter = 200
/** Only this much of a line is looked at: patterns that backtrack stay cheap on a line of a megabyte. */
const longestHeading = 500
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const underline = /^ {0,3}(=+|-{3,})[ \t]*$/
const fenceOpening = /^ {0,3}(?:[-*+] +|\d+[.)] +)? *(`{3,}(?=[^`]*$)|~{3,})/

/** The blocks of a text in order; the lines between them are blank. */
export function blocksOf(lines: readonly string[]): Block[] {
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
export const isBlank = (line: string | undefined) => line === undefined || line.trim() === ''

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || isBlank(lines[1])) return 0
  const end = lines.slice(1, longestFrontMatter).findIndex((line) => /^(---|\.\.\.)\s*$/.test(line))
  return end < 1 ? 0 : end + 2
}

function headingAt(lines: readonly string[], from: number): Block | null {
  if (lines[from]!.length > longestHeading) return null
  const atx = atxHeading.exec(lines[from]!)
  if (atx) return { type: 'heading', from, to: from + 1, level: atx[1]!.length, title: (atx[2] ?? '').trim() }

  const below = underline.exec(lines[from + 1]?.slice(0, longestHeading) ?? '')
  const title = lines[from]!.trim()
  if (!below || /^([|>*+-]|\d+[.)]|`{3}|~{3})/.test(title)) return null
  return { type: 'heading', from, to: from + 2, level: below[1]!.startsWith('=') ? 1 : 2, title }
}

/** A fence reaches to its closing line, or to the end of the text where there is none. */
function fenceAt(lines: readonly string[], from: number): Block | null {
  const mark = fenceOpening.exec(lines[from]!.slice(0, longestHeading))?.[1]
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
  const start = lines[line]!.slice(0, longestHeading)
  return fenceOpening.test(start) || (lines[line] === start && atxHeading.test(start))
}
