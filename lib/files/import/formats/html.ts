import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { originalOf } from '../file/attachment.ts'
import { decodeHtml } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { writeNote } from '../file/notebook.ts'
import { readAppPage } from '../html/app-pages.ts'
import { takePictures } from '../html/data-pictures.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import type { HtmlDocument, HtmlNode } from '../html/node.ts'
import { parseHtml } from '../html/parse-html.ts'
import { withEndTags } from '../html/parse-xml.ts'
import { applyStyleSheets } from '../html/style-sheets.ts'

/** A web page becomes a page: its article if it has one, otherwise all visible content. */
export const format: Format = { extensions: ['.html', '.htm', '.xhtml'], makes: 'page', parse }

type Article = { title: string | null; content: HtmlNode | null }

async function parse(file: FileBytes): Promise<ParsedFile> {
  const html = decodeHtml(file.bytes)
  if (html === null) throw new SkippedFile('it is not text, despite its name')

  const isXml = /^\s*<\?xml\s/.test(html)
  const { html: plain, pictures } = takePictures(isXml ? withEndTags(html) : html)
  const document = await parseHtml(plain)
  applyStyleSheets(document)
  const title = cleanLine(document.querySelector('title')?.textContent ?? '')
  const ofApp = readAppPage(document)
  const article = ofApp ?? (await readArticle(document, plain)) ?? { title: null, content: document.body }
  const text = (article.content ? htmlToMarkdown(article.content) : '').replace(
    /^(\s*(?:-|\d+\.) )([☐☑☒])\s*/gm,
    (_, mark: string, box: string) => `${mark}[${box === '☐' ? ' ' : 'x'}] `,
  )
  const body = ofApp ? writeNote(ofApp.properties, [text, ...ofApp.attached].join('\n\n')).trimEnd() : text
  if (body.trim() === '') throw new SkippedFile('it shows no text')
  if (body.length > maxBodyLength)
    throw new SkippedFile(`it has ${body.length} characters; a page holds ${maxBodyLength}`)
  const shown = pictures.filter(({ name }) => body.includes(name))
  const attached = [originalOf(file), ...shown]
  return { type: 'page', title: article.title || title || null, fields: { body }, attached, warnings: [] }
}

// Readability modifies the document, so it gets its own.
async function readArticle(document: HtmlDocument, html: string): Promise<Article | null> {
  const { Readability, isProbablyReaderable } = await import('@mozilla/readability')
  type Readable = ConstructorParameters<typeof Readability>[0]
  if (!isProbablyReaderable(document as unknown as Readable)) return null
  const own = await parseHtml(html)
  applyStyleSheets(own)
  const article = new Readability<HtmlNode>(own as unknown as Readable, {
    maxElemsToParse: 100_000,
    serializer: (node) => node as unknown as HtmlNode,
  }).parse()
  return article?.content ? { title: cleanLine(article.title ?? ''), content: article.content } : null
}
