import type { Entry } from 'yauzl'
import { baseName, extensionOf, folderOf } from '../../../core/text/paths.ts'
import { createExpansionLimit, openArchive, readDirectory, readEntry } from '../../vault/archive.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { decodeHtml } from '../file/decode.ts'
import type { FileBytes } from '../file/format.ts'
import {
  asBytes,
  createNoteNames,
  linkTo,
  type Notebook,
  type UnpackedFile,
  writeNote,
} from '../file/notebook.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { attribute, type HtmlDocument, type HtmlNode } from '../html/node.ts'
import { parseHtml } from '../html/parse-html.ts'
import { parseXml, withEndTags } from '../html/parse-xml.ts'
import { applyStyleSheets, readStyleSheets, type SheetRules } from '../html/style-sheets.ts'

/** A book: its chapters in reading order as pages below it, with the pictures in them. https://www.w3.org/TR/epub-33/ */
export const notebook: Notebook = { extensions: ['.epub'], keepsFile: true, unpack }

const maxBytes = 200 * 1024 * 1024
const maxChapters = 2000
const maxSheets = 50
const maxSheetBytes = 512 * 1024

type Book = { read(path: string): Promise<Buffer | null>; folder: string; package: HtmlDocument }

async function unpack({ bytes }: FileBytes): Promise<UnpackedFile[]> {
  const zip = await openArchive(bytes)
  try {
    const entries = await listParts(await readDirectory(zip))
    let remaining = maxBytes
    const read = async (path: string) => {
      const entry = entries.get(path)
      if (!entry) return null
      const part = await readEntry(zip, entry, remaining)
      remaining -= part.length
      return part
    }
    return await readBook(read)
  } finally {
    zip.close()
  }
}

function listParts(directory: readonly Entry[]): Map<string, Entry> {
  const problemOf = createExpansionLimit()
  const usable = directory.filter((entry) => problemOf(entry) === null && !entry.isEncrypted())
  return new Map(usable.map((entry) => [entry.fileNameRaw.toString('utf8'), entry]))
}

async function readBook(read: Book['read']): Promise<UnpackedFile[]> {
  const container = await read('META-INF/container.xml')
  const root = attribute(
    (container && (await parseXml(String(container))).querySelector('rootfile')) ?? none,
    'full-path',
  )
  const opf = root ? await read(root) : null
  if (!opf) throw new SkippedFile('it is not a book in EPUB')
  if (await read('META-INF/rights.xml')) throw new SkippedFile('it is locked')
  const book: Book = { read, folder: folderOf(root), package: await parseXml(String(opf)) }
  const items = new Map(
    [...book.package.querySelectorAll('manifest item')].map((item) => [attribute(item, 'id'), item]),
  )
  const spine = [...book.package.querySelectorAll('spine itemref')].slice(0, maxChapters)
  const paths = spine.flatMap((itemRef) => {
    const item = items.get(attribute(itemRef, 'idref'))
    const isNav = item && /(?:^|\s)nav(?:\s|$)/.test(attribute(item, 'properties'))
    return item && !isNav ? [resolve(book.folder, attribute(item, 'href'))] : []
  })
  return await writeBook(book, [...new Set(paths)], await readTitles(book, items.values()))
}

async function writeBook(
  book: Book,
  paths: readonly string[],
  titles: ReadonlyMap<string, string>,
): Promise<UnpackedFile[]> {
  const nameOf = createNoteNames()
  const width = String(paths.length).length
  const chapters: { path: string; html: string; title: string; name: string }[] = []
  for (const path of paths) {
    const bytes = await book.read(path)
    const html = withEndTags((bytes && decodeHtml(bytes)) ?? '')
    if (html === '') continue
    const heading = (await parseHtml(html))
      .querySelector('h1, h2, title')
      ?.textContent?.replace(/\s+/g, ' ')
      .trim()
    const number = String(chapters.length + 1).padStart(width, '0')
    const title = titles.get(path) || heading || `Part ${number}`
    chapters.push({ path, html, title, name: nameOf('', `${number} ${title}`, '.md') })
  }
  const names = new Map(chapters.map(({ path, name }) => [path, name]))
  const pictures = new Map<string, UnpackedFile>()
  const files: UnpackedFile[] = []
  const sheets = await sharedRules(book)
  for (const [index, chapter] of chapters.entries()) {
    const document = await parseHtml(await relink(book, chapter, { names, pictures, nameOf }))
    applyStyleSheets(document, sheets)
    const text = document.body ? htmlToMarkdown(document.body) : ''
    const note = writeNote({ title: chapter.title }, text).replace(/^---\n/, `---\nposition: ${index + 1}\n`)
    files.push({ path: chapter.name, bytes: asBytes(note) })
  }
  const list = chapters
    .map(({ title, name }) => `- [${title.replace(/[[\]]/g, '')}](${linkTo(name)})`)
    .join('\n')
  return [
    { path: 'index.md', bytes: asBytes(writeNote(aboutOf(book.package), list)) },
    ...files,
    ...pictures.values(),
  ]
}

/** All of the book, which chapters share. */
async function sharedRules(book: Book): Promise<SheetRules> {
  const sheets: string[] = []
  for (const item of book.package.querySelectorAll('manifest item')) {
    if (attribute(item, 'media-type') !== 'text/css' || sheets.length >= maxSheets) continue
    const sheet = await book.read(resolve(book.folder, attribute(item, 'href')))
    if (sheet && sheet.length <= maxSheetBytes) sheets.push(sheet.toString('utf8'))
  }
  return readStyleSheets(sheets)
}

type Links = {
  names: ReadonlyMap<string, string>
  pictures: Map<string, UnpackedFile>
  nameOf: ReturnType<typeof createNoteNames>
}

/** The chapter with addresses of the new files in place of those in the book. */
async function relink(
  book: Book,
  { path, html }: { path: string; html: string },
  { names, pictures, nameOf }: Links,
) {
  const addresses = new Map<string, string>()
  for (const [, address = ''] of html.matchAll(addressAttribute)) {
    if (addresses.has(address) || /^[a-z][a-z0-9+.-]*:/i.test(address)) continue
    const target = resolve(folderOf(path), address.split('#', 1)[0] ?? '')
    const chapter = names.get(target)
    if (chapter) addresses.set(address, linkTo(chapter))
    else if (/\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i.test(target)) {
      const known = pictures.get(target)
      const bytes = known?.bytes ?? (await book.read(target))
      if (!bytes) continue
      const file = known ?? {
        path: nameOf(
          'pictures/',
          baseName(target).slice(0, -extensionOf(target).length),
          extensionOf(target),
        ),
        bytes: new Uint8Array(bytes),
        attached: true,
      }
      pictures.set(target, file)
      addresses.set(address, linkTo(file.path))
    }
  }
  return html.replace(addressAttribute, (whole, address: string) =>
    addresses.has(address) ? whole.replace(address, () => addresses.get(address)!) : whole,
  )
}

const addressAttribute = /(?<=\s(?:src|href|xlink:href)\s*=\s*["'])([^"'<>]{1,1000})(?=["'])/gi

const none: HtmlNode = { nodeType: 8, nodeName: '', textContent: '', childNodes: [] }

/** Titles of chapters in the table of contents, of version 3 or 2. */
async function readTitles(book: Book, items: Iterable<HtmlNode>): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const item of items) {
    const isNav = /(?:^|\s)nav(?:\s|$)/.test(attribute(item, 'properties'))
    if (!isNav && attribute(item, 'media-type') !== 'application/x-dtbncx+xml') continue
    const path = resolve(book.folder, attribute(item, 'href'))
    const contents = await book.read(path)
    if (!contents) continue
    const document = await parseXml(String(contents))
    const links = isNav ? document.querySelectorAll('nav a') : document.querySelectorAll('navPoint, navpoint')
    for (const link of links) {
      const address = isNav ? attribute(link, 'href') : attribute(first(link, 'content') ?? none, 'src')
      const title = (isNav ? link : (first(link, 'text') ?? none)).textContent?.replace(/\s+/g, ' ').trim()
      const target = resolve(folderOf(path), address.split('#', 1)[0] ?? '')
      if (title && !titles.has(target)) titles.set(target, title)
    }
  }
  return titles
}

function first(node: HtmlNode, name: string): HtmlNode | null {
  for (const child of Array.from(node.childNodes)) {
    if (child.nodeName.toLowerCase() === name) return child
    const inner = child.nodeName.toLowerCase() === 'navpoint' ? null : first(child, name)
    if (inner) return inner
  }
  return null
}

function aboutOf(document: HtmlDocument): Record<string, string | string[]> {
  const values = (name: string) =>
    [...document.querySelectorAll('metadata *')]
      .filter((node) => node.nodeName.toLowerCase() === `dc:${name}`)
      .map((node) => node.textContent?.replace(/\s+/g, ' ').trim() ?? '')
      .filter((text) => text !== '')
  return {
    title: values('title')[0] ?? '',
    author: values('creator'),
    language: values('language')[0] ?? '',
    published: values('date')[0] ?? '',
  }
}

function resolve(folder: string, address: string): string {
  const segments: string[] = []
  for (const segment of (folder + decode(address)).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
