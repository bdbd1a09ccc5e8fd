// What is pasted, as Markdown. Each answers null where the text is best pasted as it is.

import DOMPurify from 'dompurify'
import { htmlToMarkdown } from '../../../../../lib/files/import/html/html-to-markdown.ts'
import { escapeMarkdown } from '../../../../../lib/files/import/html/inline.ts'
import { asCell, renderTable } from '../../../../../lib/files/import/html/table.ts'

/** Beyond it the plain text is pasted: converting takes time, in which nothing else happens. */
const maxHtmlLength = 2_000_000

/** What says more than the plain text does. Editors of code put each word into a `span`, and nothing of these. */
const structure =
  /<(?:h[1-6]|ul|ol|li|table|a\s[^>]{0,2000}href|b|strong|i|em|del|s|strike|code|pre|blockquote|img|hr)[\s>/]/i

/** Formatted text. */
export function markdownOfHtml(html: string): string | null {
  if (html.length > maxHtmlLength || !structure.test(html)) return null
  const body = DOMPurify.sanitize(withoutStyles(html), { RETURN_DOM: true })
  return htmlToMarkdown(body).trim() || null
}

/**
 * With styles and handlers under other names. None has an effect in a document that is only parsed, but browsers report
 * each as a violation of the page's policy. Cleaning is not done here.
 */
const withoutStyles = (html: string) =>
  html
    .replace(/<(\/?)style\b/gi, '<$1template')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(/([\s"'])style\s*=/gi, '$1data-style=').replace(/([\s"'])on[a-z]+\s*=/gi, '$1data-on='),
    )

/** Rows of a spreadsheet: lines with as many tabs in each. */
export function markdownOfRows(text: string): string | null {
  const rows = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
  const [head = []] = rows
  const isTable = rows.length > 1 && head.length > 1 && head[0] !== ''
  if (!isTable || rows.some(({ length }) => length !== head.length)) return null
  return renderTable(rows.map((row) => row.map((cell) => asCell(escapeMarkdown(cell)))))
}
