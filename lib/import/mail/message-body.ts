import type { ParsedMail } from 'mailparser'
import { cleanText } from '../../text/clean.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { parseHtml } from '../html/parse-html.ts'
import { textToMarkdown } from './text-to-markdown.ts'

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
