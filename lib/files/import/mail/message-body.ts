import type { ParsedMail } from 'mailparser'
import { cleanText } from '../../../core/text/clean.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { escapeLineStart, escapeMarkdown } from '../html/inline.ts'
import { parseHtml } from '../html/parse-html.ts'

/** How mailparser is asked to leave texts as they came. */
export const asItCame = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  skipTextLinks: true,
} as const

/** What a message says, as Markdown: its plain text, or else its HTML. Throws `SkippedFile` for HTML nested too deeply. */
export async function messageBody({ text, html }: Pick<ParsedMail, 'text' | 'html'>): Promise<string> {
  if (text?.trim()) return textToMarkdown(cleanText(text))
  if (!html) return ''
  const { body } = await parseHtml(html)
  return body ? htmlToMarkdown(body) : ''
}

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
