import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { parseHtml } from '../html/parse-html.ts'
import { rtfToHtml } from '../html/rtf-to-html.ts'

/** Rich Text is kept unchanged; its text is read as Markdown. */
export const format: Format = { extensions: ['.rtf'], makes: 'source_doc', parse }

async function parse(file: FileBytes): Promise<ParsedFile> {
  const attachment = parseAttachment(file)
  const rtf = Buffer.from(file.bytes).toString('latin1')
  if (!rtf.startsWith('{\\rtf'))
    return { ...attachment, warnings: ['it is not Rich Text, despite its name; stored as a file'] }
  const { body } = await parseHtml(rtfToHtml(rtf))
  const text = body ? htmlToMarkdown(body) : ''
  const warnings =
    text.length > maxBodyLength ? ['it is long; only its first 2,000,000 characters can be searched'] : []
  return { ...attachment, fields: { ...attachment.fields, text: text.slice(0, maxBodyLength) }, warnings }
}
