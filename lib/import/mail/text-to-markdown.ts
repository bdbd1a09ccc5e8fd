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
