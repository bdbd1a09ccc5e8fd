import { escapeLineStart, escapeMarkdown } from '../html/escape-markdown.ts'

/** The plain text of a message as Markdown, its lines kept. */
export function textToMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => {
      const [, marks = '', rest = ''] = /^((?:>\s?)*)(.*)$/.exec(line.trimEnd()) ?? []
      const depth = marks.replace(/\s/g, '').length
      const shown = escapeLineStart(escapeMarkdown(rest.trim()))
      return '> '.repeat(depth) + shown
    })
    .map((line, index, lines) => (breaks(line, lines[index + 1]) ? `${line}  ` : line.trimEnd()))
    .join('\n')
}

const breaks = (line: string, next: string | undefined) =>
  /[^\s>]/.test(line) && next !== undefined && /[^\s>]/.test(next)

/** Markdown of a message with what it quotes folded away: the lines in `>`, and all after “Original Message”. */
export function foldQuotes(markdown: string): string {
  const lines = markdown.split('\n')
  const original = lines.findIndex((line) =>
    /^\\?-{2,}\s*(original message|ursprüngliche nachricht|forwarded message)\s*-{2,}/i.test(line),
  )
  const said = original > 0 ? lines.slice(0, original) : lines
  const kept =
    original > 0 ? fold(lines.slice(original).map((line) => (line === '' ? '>' : `> ${line}`))) : []
  return [...foldRuns(said), ...kept]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function foldRuns(lines: readonly string[]): string[] {
  const folded: string[] = []
  for (let at = 0; at < lines.length; ) {
    if (!lines[at]!.startsWith('>')) {
      folded.push(lines[at]!)
      at++
      continue
    }
    let end = at
    while (
      end < lines.length &&
      (lines[end]!.startsWith('>') || (lines[end] === '' && lines[end + 1]?.startsWith('>')))
    )
      end++
    folded.push(...fold(lines.slice(at, end).map((line) => line || '>')))
    at = end
  }
  return folded
}

const fold = (quoted: readonly string[]) => [
  '',
  '<details><summary>Quoted text</summary>',
  '',
  ...quoted,
  '',
  '</details>',
  '',
]
