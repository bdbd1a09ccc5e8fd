import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'

/** A PDF is kept unchanged; its text is read page by page, under headings that a citation can name. */
export const format: Format = { extensions: ['.pdf'], makes: 'source_doc', parse }

async function parse(file: FileBytes): Promise<ParsedFile> {
  const attachment = parseAttachment(file)
  const { text, pages, warnings } = await readPdf(file.bytes)
  const metadata = { ...Object(attachment.fields.metadata), pages }
  return {
    ...attachment,
    fields: { ...attachment.fields, text: text.slice(0, maxBodyLength), metadata },
    warnings,
  }
}

async function readPdf(bytes: Uint8Array): Promise<{ text: string; pages: number; warnings: string[] }> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  try {
    // A copy: the reader detaches the buffer.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const { totalPages, text } = await extractText(document, { mergePages: false })
    const pages = text.map(readable)
    const whole = pages.map((page, index) => (page === '' ? '' : `## Page ${index + 1}\n\n${page}`))
    const joined = whole.filter((page) => page !== '').join('\n\n')
    const warnings = joined === '' ? ['it has no text, only pictures; stored, not searchable'] : []
    if (joined.length > maxBodyLength)
      warnings.push('it is long; only its first 2,000,000 characters can be searched')
    return { text: joined, pages: totalPages, warnings }
  } catch (error) {
    const why = cleanLine(error instanceof Error ? error.message : String(error)).slice(0, 200)
    return { text: '', pages: 0, warnings: [`its text cannot be read (${why}); stored as a file`] }
  }
}

const readable = (text: string) =>
  cleanText(text)
    .replace(/[^\S\n]+/g, ' ')
    .trim()
