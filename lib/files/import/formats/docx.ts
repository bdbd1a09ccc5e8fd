import yazl from 'yazl'
import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { measureZip, openArchive, readDirectory, readEntry } from '../../vault/archive.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { pictureName } from '../file/mime.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { ommlToTex } from '../html/omml.ts'
import { parseHtml } from '../html/parse-html.ts'
import { parseXml } from '../html/parse-xml.ts'

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
  const { document, formulas } = await prepare(bytes)
  const { value } = await mammoth.convertToHtml(
    { buffer: document },
    {
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: pictureName(await image.readAsBuffer()),
      })),
      externalFileAccess: false,
    },
  )
  const { body } = await parseHtml(value)
  const text = body ? htmlToMarkdown(body) : ''
  return text.replace(/\uE000(\d+)\uE001/g, (_, index: string) => formulas[Number(index)] ?? '')
}

/** The document without its hidden text, and with marks in place of its formulas: mammoth reads neither. */
async function prepare(bytes: Uint8Array): Promise<{ document: Buffer; formulas: string[] }> {
  const zip = await openArchive(bytes)
  const formulas: string[] = []
  let isChanged = false
  const packed = new yazl.ZipFile()
  try {
    for (const entry of await readDirectory(zip)) {
      const name = entry.fileNameRaw.toString('utf8')
      if (name.endsWith('/')) continue
      const part = await readEntry(zip, entry, maxXmlMb * 1024 * 1024)
      const isText = /^word\/(?:document|footnotes|endnotes)\.xml$/.test(name)
      const xml = isText ? part.toString('utf8') : ''
      const isMarked = /<w:(?:vanish|webHidden)[\s/>]|<m:oMath[\s>]/.test(xml)
      isChanged ||= isMarked
      packed.addBuffer(isMarked ? Buffer.from(await mark(xml, formulas)) : part, name, { compress: false })
    }
  } finally {
    zip.close()
  }
  if (!isChanged) return { document: Buffer.from(bytes), formulas }
  packed.end()
  return {
    document: Buffer.concat(await Array.fromAsync(packed.outputStream, (part) => Buffer.from(part))),
    formulas,
  }
}

async function mark(xml: string, formulas: string[]): Promise<string> {
  const seen = mapElements(xml.replace(/[\uE000\uE001]/g, ''), 'w:r', (run) =>
    /<w:(?:vanish|webHidden)(?:\s*\/>|\s+w:val="(?:1|true|on)"\s*\/>)/.test(run) ? '' : run,
  )
  const formulaTexts: string[] = []
  const marked = mapElements(seen, 'm:oMath', (formula) => {
    formulaTexts.push(formula)
    return `<w:r><w:t>\uE000${formulas.length + formulaTexts.length - 1}\uE001</w:t></w:r>`
  })
  for (const text of formulaTexts) {
    const { body } = await parseXml(text)
    formulas.push(body ? `$${ommlToTex(body)}$` : '')
  }
  // What is around formulas that stand on their own is unknown to mammoth, too.
  return marked.replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara(?:\s[^<>]*)?>/g, '')
}

/** XML with each element of a name, which holds none of its own name, replaced. Takes time in proportion to it. */
function mapElements(xml: string, name: string, map: (element: string) => string): string {
  const start = new RegExp(`<${name}(?:\\s[^<>]*)?>`, 'g')
  const close = `</${name}>`
  const parts: string[] = []
  let position = 0
  for (let match = start.exec(xml); match; match = start.exec(xml)) {
    const end = xml.indexOf(close, match.index)
    if (end < 0) break
    if (match[0].endsWith('/>')) continue
    parts.push(xml.slice(position, match.index), map(xml.slice(match.index, end + close.length)))
    position = end + close.length
    start.lastIndex = position
  }
  return parts.join('') + xml.slice(position)
}
