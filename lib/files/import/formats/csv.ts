import { parse as parseCsv } from 'csv-parse/sync'
import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { originalOf, parseAttachment } from '../file/attachment.ts'
import { decodeText, encodingWarnings } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { escapeMarkdown } from '../html/inline.ts'
import { asCell, minTableLength, renderTable } from '../html/table.ts'

/** Rows become a page with a table, beside which the file stays. A file too long to read as a page stays a document. */
export const format: Format = { extensions: ['.csv', '.tsv'], makes: 'page', atOnce: 32 * 1024, parse }

const maxCharacters = 500_000
const maxColumns = 200

function parse(file: FileBytes): ParsedFile {
  const decoded = decodeText(file.bytes)
  if (!decoded) throw new SkippedFile('it is not text, despite its name')
  if (decoded.text.length > maxCharacters) return asDocument(file, 'it is too long for a page')

  const rows = readRows(decoded.text, file.path)
  if (rows === null) return asDocument(file, 'its columns have no names')
  // Every row gets as many cells as the widest.
  if (minTableLength(rows) > maxBodyLength) return asDocument(file, 'its table is too large for a page')
  const body = rows.length === 0 ? '' : `${renderTable(rows)}\n`
  const warnings = encodingWarnings(decoded)
  return { type: 'page', title: null, fields: { body }, attached: [originalOf(file)], warnings }
}

function asDocument(file: FileBytes, why: string): ParsedFile {
  const attachment = parseAttachment(file)
  return { ...attachment, warnings: [`${why}; kept as a document`, ...attachment.warnings] }
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
      (Array.isArray(row) ? row : []).slice(0, maxColumns).map((cell) => asCell(asText(String(cell)))),
    )
  } catch {
    return null
  }
}

// Wikilinks stay: they are intentional in a table.
const asText = (cell: string) => escapeMarkdown(cell).replace(/\\\[\\\[([^[\]\n]*)\\\]\\\]/g, '[[$1]]')

const delimiters = [',', ';', '\t', '|']

/** The separator that splits the first line most often, outside of quotes. */
function delimiterOf(text: string): string {
  const head = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? ''
  const counted = delimiters.map((mark) => ({ mark, count: head.split(mark).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).mark
}
