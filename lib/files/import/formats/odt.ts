import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { createExpansionLimit, openArchive, readDirectory, readEntry } from '../../vault/archive.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { AttachedFile, FileBytes, Format, ParsedFile } from '../file/format.ts'
import { isPicture, pictureName } from '../file/mime.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { attribute, childrenOf, type HtmlDocument, type HtmlNode } from '../html/node.ts'
import { parseHtml } from '../html/parse-html.ts'
import { parseXml } from '../html/parse-xml.ts'

/** A text of OpenDocument is kept unchanged; its text is read as Markdown, with its pictures beside it. */
export const format: Format = { extensions: ['.odt', '.fodt'], makes: 'source_doc', parse }

const maxXmlBytes = 50 * 1024 * 1024
const maxPictures = 300
const maxFormulas = 2000
const maxFormulaBytes = 1024 * 1024
const maxPictureBytes = 200 * 1024 * 1024

async function parse(file: FileBytes): Promise<ParsedFile> {
  const attachment = parseAttachment(file)
  try {
    const { xml, pictures, formulas } = await readParts(file)
    const document = await parseXml(xml.replace(/<(\/?)office:body/g, '<$1office-body'))
    const content = document.querySelector('office-body')
    const { body } = await parseHtml(
      content ? htmlOf(content, { styles: stylesOf(document), pictures, formulas }, 0) : '',
    )
    const text = body ? htmlToMarkdown(body) : ''
    const attached = [...pictures.values()].filter(({ name }) => text.includes(name))
    const warnings =
      text.length > maxBodyLength ? ['it is long; only its first 2,000,000 characters can be searched'] : []
    return {
      ...attachment,
      fields: { ...attachment.fields, text: text.slice(0, maxBodyLength) },
      attached,
      warnings,
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error)
    return { ...attachment, warnings: [`its text cannot be read (${why}); stored as a file`] }
  }
}

type Parts = { xml: string; pictures: Map<string, AttachedFile>; formulas: Map<string, string> }

async function readParts({ path, bytes }: FileBytes): Promise<Parts> {
  if (path.toLowerCase().endsWith('.fodt'))
    return { xml: new TextDecoder().decode(bytes), pictures: new Map(), formulas: new Map() }
  const zip = await openArchive(bytes)
  const problemOf = createExpansionLimit()
  const pictures = new Map<string, AttachedFile>()
  const formulas = new Map<string, string>()
  let xml = ''
  let remaining = maxPictureBytes
  try {
    for (const entry of await readDirectory(zip)) {
      const name = entry.fileNameRaw.toString('utf8')
      if (problemOf(entry) !== null) continue
      if (name === 'content.xml') xml = (await readEntry(zip, entry, maxXmlBytes)).toString('utf8')
      const [, object] = /^([^/]+)\/content\.xml$/.exec(name) ?? []
      if (object !== undefined && formulas.size < maxFormulas) {
        const part = (await readEntry(zip, entry, maxFormulaBytes)).toString('utf8')
        formulas.set(object, /<math(?:\s[^<>]*)?>[\s\S]*<\/math>/.exec(plainNames(part))?.[0] ?? '')
      }
      if (!/^Pictures\/[^/]+$/.test(name) || pictures.size >= maxPictures || remaining <= 0) continue
      const picture = new Uint8Array(await readEntry(zip, entry, remaining))
      remaining -= picture.length
      if (isPicture(picture)) pictures.set(name, { name: pictureName(picture), bytes: picture })
    }
  } finally {
    zip.close()
  }
  if (xml === '') throw new Error('it has no text')
  return { xml, pictures, formulas }
}

/** Without prefixes, as LibreOffice writes one. */
const plainNames = (mathMl: string): string => mathMl.replace(/<(\/?)math:/g, '<$1')

type Style = { before: string; after: string; isHidden: boolean; isOrdered: boolean }

/** The document's own styles, by name: HTML around their text. */
function stylesOf(document: HtmlDocument): Map<string, Style> {
  const styles = new Map<string, Style>()
  for (const node of document.querySelectorAll('*')) {
    const name = node.nodeName.toLowerCase()
    if (name !== 'style:style' && name !== 'text:list-style') continue
    const children = childrenOf(node)
    const text = children.find((child) => child.nodeName.toLowerCase() === 'style:text-properties')
    const value = (property: string) => (text ? attribute(text, property) : '')
    const marks = [
      value('fo:font-weight') === 'bold' && 'b',
      value('fo:font-style') === 'italic' && 'i',
      /^(?!none)./.test(value('style:text-line-through-style')) && 's',
      /^(?:super|[1-9])/.test(value('style:text-position')) && 'sup',
      /^(?:sub|-)/.test(value('style:text-position')) && 'sub',
    ].filter((mark) => mark !== false)
    styles.set(attribute(node, 'style:name'), {
      before: marks.map((mark) => `<${mark}>`).join(''),
      after: marks
        .toReversed()
        .map((mark) => `</${mark}>`)
        .join(''),
      isHidden: value('text:display') === 'none',
      isOrdered: children[0]?.nodeName.toLowerCase() === 'text:list-level-style-number',
    })
  }
  return styles
}

type Context = {
  styles: ReadonlyMap<string, Style>
  pictures: ReadonlyMap<string, AttachedFile>
  /** MathML by the name of the object. */
  formulas: ReadonlyMap<string, string>
}

const maxDepth = 300

/** https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
const elements: Record<string, string> = {
  'text:p': 'p',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
}

const unread = new Set([
  'text:tracked-changes',
  'office:annotation',
  'text:hidden-text',
  'text:hidden-paragraph',
  'office:forms',
  'text:sequence-decls',
])

function htmlOf(node: HtmlNode, context: Context, depth: number): string {
  if (node.nodeType === 3) return escapeHtml(node.textContent ?? '')
  const name = node.nodeName.toLowerCase()
  const style = context.styles.get(attribute(node, 'text:style-name'))
  if (depth > maxDepth || unread.has(name) || style?.isHidden) return ''
  const inner = () =>
    childrenOf(node)
      .map((child) => htmlOf(child, context, depth + 1))
      .join('')
  if (name === 'text:s') return ' '.repeat(Math.min(100, Number(attribute(node, 'text:c')) || 1))
  if (name === 'text:tab') return ' '
  if (name === 'text:line-break') return '<br>'
  if (name === 'text:h') {
    const level = Math.min(6, Math.max(1, Number(attribute(node, 'text:outline-level')) || 1))
    return `<h${level}>${inner()}</h${level}>`
  }
  if (name === 'text:a') return `<a href="${escapeHtml(attribute(node, 'xlink:href'))}">${inner()}</a>`
  if (name === 'text:note-citation') return ''
  if (name === 'text:note')
    return ` (${inner()
      .replace(/<\/?p>/g, ' ')
      .trim()})`
  if (name === 'draw:image') {
    const picture = context.pictures.get(addressOf(node))
    return picture ? `<img src="${picture.name}">` : ''
  }
  if (name === 'draw:object') return context.formulas.get(addressOf(node)) ?? inner()
  if (name === 'text:list') return style?.isOrdered ? `<ol>${inner()}</ol>` : `<ul>${inner()}</ul>`
  const element = elements[name]
  if (element) return `<${element}>${style?.before ?? ''}${inner()}${style?.after ?? ''}</${element}>`
  return `${style?.before ?? ''}${inner()}${style?.after ?? ''}`
}

/** Within the document. */
const addressOf = (node: HtmlNode): string => attribute(node, 'xlink:href').replace(/^\.\/|\/$/g, '')

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
