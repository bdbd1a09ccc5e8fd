import type { ParsedMail } from 'mailparser'
import { cleanText } from '../../../core/text/clean.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { escapeLineStart, escapeMarkdown } from '../html/inline.ts'
import { parseHtml } from '../html/parse-html.ts'

/** mailparser options that keep texts unchanged. */
export const asItCame = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  skipTextLinks: true,
} as const

/** A message's text as Markdown: its plain text, or else its HTML. Throws `SkippedFile` for HTML nested too deeply. */
export async function messageBody({ text, html }: Pick<ParsedMail, 'text' | 'html'>): Promise<string> {
  if (text?.trim()) return textToMarkdown(cleanText(text))
  if (!html) return ''
  const { body } = await parseHtml(html)
  return body ? htmlToMarkdown(body) : ''
}

/** A message's plain text as Markdown, with its line breaks. */
export function textToMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => {
      const [, marks = '', rest = ''] = /^((?:>\s?)*)(.*)$/.exec(line.trimEnd()) ?? []
      const depth = marks.replace(/\s/g, '').length
      const escaped = escapeLineStart(escapeMarkdown(rest.trim()))
      return '> '.repeat(depth) + escaped
    })
    .map((line, index, lines) => (breaks(line, lines[index + 1]) ? `${line}  ` : line.trimEnd()))
    .join('\n')
}

const breaks = (line: string, next: string | undefined) =>
  /[^\s>]/.test(line) && next !== undefined && /[^\s>]/.test(next)
