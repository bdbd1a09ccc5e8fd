import { longestBody } from '../../entities/fields.ts'
import { cleanLine } from '../../text/clean.ts'
import { parseAttachment } from '../attachment.ts'
import type { FileBytes, Format, ParsedFile } from '../format.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { parseHtml } from '../html/parse-html.ts'
import { pictureName } from '../picture-name.ts'
import { measureZip } from '../zip/measure-zip.ts'

/** A Word document is kept as it is; its text is read as Markdown. Its pictures come in beside it. */
export const format: Format = { extensions: ['.docx'], makes: 'source_doc', parse }

// mammoth unpacks the whole document into memory.
const mostUnpacked = 300 * 1024 * 1024

async function parse(file: FileBytes): Promise<ParsedFile> {
  const kept = parseAttachment(file)
  try {
    const text = await readDocx(file.bytes)
    const warnings =
      text.length > longestBody ? ['it is long; only its first 2,000,000 characters can be searched'] : []
    return { ...kept, fields: { ...kept.fields, text: text.slice(0, longestBody) }, warnings }
  } catch (error) {
    const why = cleanLine(error instanceof Error ? error.message : String(error)).slice(0, 200)
    return { ...kept, warnings: [`its text cannot be read (${why}); it is kept as it is`] }
  }
}

async function readDocx(bytes: Uint8Array): Promise<string> {
  if ((await measureZip(bytes)) > mostUnpacked) throw new Error('it unpacks to more than 300 MB')
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
