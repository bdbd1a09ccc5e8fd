import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { measureZip } from '../../vault/archive.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { pictureName } from '../file/mime.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { parseHtml } from '../html/parse-html.ts'

/** A Word document is kept unchanged; its text is read as Markdown. Its pictures are imported beside it. */
export const format: Format = { extensions: ['.docx'], makes: 'source_doc', parse }

// mammoth parses all XML into a tree of about ten times its size. Pictures are read one by one.
const maxXmlMb = 50

async function parse(file: FileBytes): Promise<ParsedFile> {
  const attachment = parseAttachment(file)
  try {
    const text = await readDocx(file.bytes)
    const warnings =
      text.length > maxBodyLength ? ['it is long; only its first 2,000,000 characters can be searched'] : []
    return { ...attachment, fields: { ...attachment.fields, text: text.slice(0, maxBodyLength) }, warnings }
  } catch (error) {
    const why = cleanLine(error instanceof Error ? error.message : String(error)).slice(0, 200)
    return { ...attachment, warnings: [`its text cannot be read (${why}); stored as a file`] }
  }
}

async function readDocx(bytes: Uint8Array): Promise<string> {
  const xmlBytes = await measureZip(bytes, (name) => !name.startsWith('word/media/'))
  if (xmlBytes > maxXmlMb * 1024 * 1024) throw new Error(`its text is larger than ${maxXmlMb} MB`)
  const { default: mammoth } = await import('mammoth')
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    {
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: pictureName(await image.readAsBuffer()),
      })),
      externalFileAccess: false,
    },
  )
  const { body } = await parseHtml(value)
  return body ? htmlToMarkdown(body) : ''
}
