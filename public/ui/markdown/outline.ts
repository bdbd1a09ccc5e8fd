import { blocksOf } from './markdown.ts'

/** `depth` counts from 1, as in the text. */
export type Heading = { depth: number; text: string }

/** The top-level headings of a Markdown text, in order: those that are children of `.prose`. */
export function headingsOf(content: string): Heading[] {
  return blocksOf(content).flatMap((raw) => readHeading(raw) ?? [])
}

/** The text without its first heading, where that repeats the title. `blocks`: those of the text. */
export function withoutTitle(content: string, title: string, blocks = blocksOf(content)): string {
  const [first = '', second = ''] = blocks
  const isBlank = first.trim() === ''
  const heading = readHeading(isBlank ? second : first)
  if (heading?.depth !== 1 || plain(heading.text) !== plain(title)) return content
  return blocks
    .slice(isBlank ? 2 : 1)
    .join('')
    .replace(/^\n+/, '')
}

function readHeading(raw: string): Heading | null {
  const atx = /^ {0,3}(#{1,6})(?:[ \t]([^\n]*))?$/.exec(raw.trimEnd())
  if (atx) return { depth: atx[1]!.length, text: inlineText((atx[2] ?? '').replace(/(?:^|[ \t])#+$/, '')) }
  const setext = /^([^\n]+(?:\n[^\n]+)*)\n {0,3}(=+|-+)[ \t]*\n*$/.exec(raw)
  if (!setext || /^\s*([-*+>|]|\d+[.)]|```|~~~)/.test(raw) || setext[1]!.includes('|')) return null
  return { depth: setext[2]!.startsWith('=') ? 1 : 2, text: inlineText(setext[1]!) }
}

/** The plain text of a heading, or of another line. No pattern reads past the beginning of the next link. */
export const inlineText = (text: string) =>
  text
    .replace(
      /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g,
      (_all, target: string, label?: string) => label || target,
    )
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/\[\^[^\s[\]]{1,100}\]|[*_`~]|==/g, '')
    .trim()

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()
