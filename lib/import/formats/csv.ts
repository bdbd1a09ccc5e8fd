import { parse as parseCsv } from 'csv-parse/sync'
import { parseAttachment } from '../attachment.ts'
import { decodeText } from '../decode.ts'
import { type FileBytes, type Format, type ParsedFile, SkippedFile } from '../format.ts'
import { escapeMarkdown } from '../html/escape-markdown.ts'
import { asCell, renderTable } from '../html/table.ts'

/** Rows become a page with a table. One that would be too long to read as a page stays a document. */
export const format: Format = { extensions: ['.csv', '.tsv'], makes: 'page', atOnce: 32 * 1024, parse }

const mostCharacters = 500_000
const mostColumns = 200

function parse(file: FileBytes): ParsedFile {
  const decoded = decodeText(file.bytes)
  if (!decoded) throw new SkippedFile('it is not text, whatever its name says')
  if (decoded.text.length > mostCharacters) return asDocument(file, 'it is too long for a page')

  const rows = readRows(decoded.text, file.path)
  if (rows === null) return asDocument(file, 'its rows cannot be told apart')
  const body = rows.length === 0 ? '' : `${renderTable(rows)}\n`
  const warnings = decoded.encoding === 'windows-1252' ? ['it is not UTF-8; read as Windows-1252'] : []
  return { type: 'page', title: null, fields: { body }, warnings }
}

function asDocument(file: FileBytes, why: string): ParsedFile {
  const kept = parseAttachment(file)
  return { ...kept, warnings: [`${why}; kept as a document`, ...kept.warnings] }
}

function readRows(text: string, path: string): string[][] | null {
  try {
    const rows: unknown = parseCsv(text, {
      delimiter: path.toLowerCase().endsWith('.tsv') ? '\t' : delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    if (!Array.isArray(rows)) return null
    return rows.map((row: unknown) =>
      (Array.isArray(row) ? row : []).slice(0, mostColumns).map((cell) => asCell(asText(String(cell)))),
    )
  } catch {
    return null
  }
}

// Wikilinks stay: whoever writes one into a table means it.
const asText = (cell: string) => escapeMarkdown(cell).replace(/\\\[\\\[([^[\]\n]*)\\\]\\\]/g, '[[$1]]')

const delimiters = [',', ';', '\t', '|']

/** The mark that parts the first line most often, outside of quotes. */
function delimiterOf(text: string): string {
  const head = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? ''
  const counted = delimiters.map((mark) => ({ mark, count: head.split(mark).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).mark
}
