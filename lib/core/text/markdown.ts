// Markdown read by its lines and signs, without a parser: its front matter, its blocks, its code, and its text alone.

import { cleanLine } from './clean.ts'

export type FrontMatter = {
  /** The block with its fences and the line break after it; empty when there is none. */
  raw: string
  /** The lines between the fences. */
  yaml: string
  /** The text after the block. */
  content: string
}

const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?(?:\n|(?![\s\S]))/m

/** Splits a YAML front matter block off a Markdown text. Reads no YAML: that is `readProperties`. */
export function splitFrontMatter(text: string): FrontMatter {
  const match = text.startsWith('---') ? frontMatter.exec(text) : null
  if (match?.index !== 0) return { raw: '', yaml: '', content: text }
  const [raw, yaml = ''] = match
  return { raw, yaml, content: text.slice(raw.length) }
}

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

/**
 * Markdown without the signs that do not show: links keep their label, headings, lists and quotes their words, rules
 * and the fences of code and front matter go. For excerpts, so a link that is cut off keeps its label too. Lines stay.
 */
export const plainText = (markdown: string): string =>
  withoutMarks(markdown).replace(places, (place) => marks[placeOf(place)]!)

/** Markdown without its marks, as Markdown: what was escaped in it stays so. */
export const unmarked = (markdown: string): string =>
  withoutMarks(markdown).replace(places, (place) => `\\${marks[placeOf(place)]}`)

/** What a backslash before it makes a letter like others; within code it does not. */
const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const codeOrEscape = /(?<!\\)`[^`\n]{0,500}`|\\([!-/:-@[-`{-~])/g

/** As many characters, which stand for none, in place of what was escaped. */
const places = /[\u{fdd0}-\u{fdef}]/gu
const placeOf = (place: string): number => place.charCodeAt(0) - 0xfdd0
const placeFor = (mark: string): string => String.fromCharCode(0xfdd0 + marks.indexOf(mark))

function withoutMarks(markdown: string): string {
  return markdown
    .replace(codeOrEscape, (all, mark?: string) => (mark ? placeFor(mark) : all))
    .replace(
      /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g,
      (_all, target: string, label?: string) => label || target,
    )
    .replace(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\)|$)/g, '$1')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|)[ \t]+/gm, '')
    .replace(/^[ \t]*\[[ x]\][ \t]+/gim, '')
    .replace(/^[ \t]*\[![\w-]+(?:\|[^[\]\n]{0,100})?\][+-]?[ \t]*/gm, '')
    .replace(/^[-|:* \t]+$/gm, (line) => (/---|\*\*\*/.test(line) ? '' : line))
    .replace(/^[ \t]*`{3}.*$/gm, '')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1')
}

const maxPassage = 300
/** What is looked at for a line with words. */
const maxRead = 4000

/** The first line of a text that has words, as it is shown, to find that place again; `null`: it has none. */
export function passageOf(markdown: string | undefined): string | null {
  const lines = plainText((markdown ?? '').slice(0, maxRead)).split('\n')
  const line = lines.map(cleanLine).find((each) => /[\p{L}\p{N}]/u.test(each))
  return line?.slice(0, maxPassage).toWellFormed() ?? null
}
