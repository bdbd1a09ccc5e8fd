import { createHash } from 'node:crypto'
import { nameAsTag } from '../../../core/text/properties/tag.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { folderOfAttached } from '../file/attachment.ts'
import { decodeText } from '../file/decode.ts'
import { pictureName } from '../file/mime.ts'
import {
  asBytes,
  createNoteNames,
  linkTo,
  type Notebook,
  type NotebookFile,
  type UnpackedFile,
  writeNote,
} from '../file/notebook.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { escapeMarkdown } from '../html/inline.ts'
import { parseXml } from '../html/parse-xml.ts'

/**
 * Evernote's export: notes with tags, dates and tasks, and the files in them.
 * https://evernote.com/blog/how-evernotes-xml-export-format-works
 */
export const notebook: Notebook = { extensions: ['.enex'], unpack }

// Stand for a task's box until the text is Markdown.
const [done, open] = ['\uE002', '\uE003']
// Stand around the number of a link to another note.
const [opening, closing] = ['\uE004', '\uE005']

async function unpack(file: NotebookFile): Promise<UnpackedFile[]> {
  const xml = decodeText(file.bytes)?.text ?? ''
  if (!/<en-export[\s>]|<note>/.test(xml.slice(0, 4000)))
    throw new SkippedFile('it is not an export of Evernote')
  const nameOf = createNoteNames(file.taken)
  const notes = [...elements(xml, 'note')].map((note) => {
    const title = titleOf(note)
    return { xml: note, title, path: nameOf('', title, '.md') }
  })
  const paths = new Map(notes.toReversed().map(({ title, path }) => [title, path]))
  const files: UnpackedFile[] = []
  for (const note of notes) files.push(...(await readNote(note, { nameOf, paths })))
  return files
}

type Note = { xml: string; title: string; path: string }

/** `paths`: those of the notes by their titles; of two the first. */
type Names = { nameOf: ReturnType<typeof createNoteNames>; paths: ReadonlyMap<string, string> }

/** It stands before the content or behind it, where a title may be that of a task. */
function titleOf(xml: string): string {
  const content = xml.indexOf('<content')
  const [before, all] = [xml.slice(0, Math.max(0, content)), xml].map((part) =>
    textOf([...elements(part, 'title')][0] ?? ''),
  )
  return (before || all || 'Untitled').replace(/\s+/g, ' ')
}

async function readNote({ xml, title, path }: Note, { nameOf, paths }: Names): Promise<UnpackedFile[]> {
  const resources = [...elements(xml, 'resource')]
  const rest = xml.replace(/<resource>[\s\S]*?<\/resource>/g, '')
  const [content = ''] = elements(rest, 'content')
  const about = rest.replace(/<content>[\s\S]*?<\/content>/, '')
  const value = (name: string) => textOf([...elements(about, name)][0] ?? '')
  const folder = folderOfAttached(path)
  const files = resources.flatMap((resource) => readResource(resource, folder, nameOf) ?? [])
  const body = await readContent(unwrap(content), new Map(files.map((file) => [file.hash, file])), paths)
  const tasks = [...elements(about, 'task')].map(readTask)
  const text = writeNote(
    {
      title: path === `${title}.md` ? null : title,
      created: asTime(value('created')),
      updated: asTime(value('updated')),
      tags: [...elements(about, 'tag')].flatMap((tag) => nameAsTag(textOf(tag)) ?? []),
      author: value('author'),
      source: value('source-url'),
      due: asTime(value('reminder-time')),
    },
    [body, tasks.join('\n')].filter((part) => part !== '').join('\n\n'),
  )
  return [
    { path, bytes: asBytes(text) },
    ...files.map(({ path, bytes }) => ({ path, bytes, attached: true })),
  ]
}

type Resource = { path: string; bytes: Uint8Array<ArrayBuffer>; hash: string; name: string }

function readResource(xml: string, folder: string, nameOf: Names['nameOf']): Resource | null {
  const data = /<data[^<>]*>([^<]*)<\/data>/.exec(xml)?.[1]
  if (data === undefined) return null
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  const own = textOf([...elements(xml, 'file-name')][0] ?? '')
  const name = own.includes('.') ? own : pictureName(bytes)
  const dot = name.lastIndexOf('.')
  const path = nameOf(folder, name.slice(0, dot), name.slice(dot))
  return { path, bytes, hash: createHash('md5').update(bytes).digest('hex'), name }
}

function readTask(xml: string): string {
  const value = (name: string) => textOf([...elements(xml, name)][0] ?? '')
  const due = asTime(value('dueDate'))
  return `- [${/completed/i.test(value('taskStatus')) ? 'x' : ' '}] ${value('title')}${due ? ` (${due.slice(0, 10)})` : ''}`
}

async function readContent(
  enml: string,
  resources: ReadonlyMap<string, Resource>,
  paths: Names['paths'],
): Promise<string> {
  const links: string[] = []
  const html = enml
    .replace(/[\uE002-\uE005]/g, '')
    // A link to another note says its title.
    .replace(noteLink, (_, address: string, label: string) => {
      links.push(linkToNote(textOf(label.replace(/<[^<>]*>/g, '')).replace(/\s+/g, ' '), address, paths))
      return `${opening}${links.length - 1}${closing}`
    })
    .replace(/<en-todo([^<>]*)>(?:<\/en-todo>)?/gi, (_, attributes: string) =>
      /checked\s*=\s*["']?true/i.test(attributes) ? done : open,
    )
    .replace(
      /<li[^<>]*--en-checked:\s*(true|false)[^<>]*>/gi,
      (_, checked: string) => `<li>${checked.toLowerCase() === 'true' ? done : open}`,
    )
    .replace(/<en-media([^<>]*)>(?:<\/en-media>)?/gi, (_, attributes: string) => media(attributes, resources))
    .replace(/<en-crypt[^<>]*>[^<]*<\/en-crypt>/gi, '<em>[encrypted in Evernote]</em>')
    // The box belongs into the line that it stands before, and is not bold.
    .replace(/([\uE002\uE003])\s*((?:<(?:div|p|span)(?:\s[^<>]*)?>\s*)+)/gi, '$2$1')
    .replace(/((?:<(?:b|i|u|s|em|strong|span|font)(?:\s[^<>]*)?>\s*)+)([\uE002\uE003])/gi, '$2$1')
  const document = await parseXml(html)
  const { body } = document
  if (!body) return ''
  // What older versions show in place of tasks, which are told of apart.
  for (const group of document.querySelectorAll('div[style*="--en-task-group:true"]')) group.remove()
  const text = htmlToMarkdown(body)
    .replace(
      /^(\s*)((?:[-*]|\d+\.) )?([\uE002\uE003]) */gm,
      (_, indent: string, item = '- ', box: string) => `${indent}${item}[${box === done ? 'x' : ' '}] `,
    )
    .replace(/[\uE002\uE003]/g, '')
    .replace(/\uE004(\d+)\uE005/g, (_, index: string) => links[Number(index)] ?? '')
  // Each task is a paragraph there; here they are a list.
  const lines = text.split('\n')
  const isTask = (line: string | undefined) => /^- \[[ x]\] /.test(line ?? '')
  return lines
    .filter((line, at) => line !== '' || !isTask(lines[at - 1]) || !isTask(lines[at + 1]))
    .join('\n')
}

const noteLink = /<a\s[^<>]*href="(evernote:\/\/\/[^"<>]*)"[^<>]*>((?:[^<]|<(?!\/?a[\s>])){0,2000})<\/a>/gi

/** By its title where that is its name, as a link to a note of another notebook has to be. */
function linkToNote(title: string, address: string, paths: Names['paths']): string {
  if (title === '' || title.startsWith('evernote:')) return `\`${title || textOf(address)}\``
  const path = paths.get(title)
  const name = path?.slice(0, -'.md'.length) ?? title
  if (/[[\]|#^\\]/.test(name + title))
    return path ? `[${escapeMarkdown(title)}](${linkTo(path)})` : escapeMarkdown(title)
  return name === title ? `[[${title}]]` : `[[${name}|${title}]]`
}

function media(attributes: string, resources: ReadonlyMap<string, Resource>): string {
  const resource = resources.get(/hash\s*=\s*["']?([0-9a-f]{32})/i.exec(attributes)?.[1]?.toLowerCase() ?? '')
  if (!resource) return ''
  const address = linkTo(resource.path)
  const width = Math.round(
    Number(/\swidth\s*=\s*["']?(\d{1,4}(?:\.\d{1,20})?)(?:px)?["'\s/]/i.exec(`${attributes} `)?.[1] ?? 0),
  )
  const name = resource.name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return /type\s*=\s*["']?image\//i.test(attributes)
    ? `<img src="${address}" alt="${name}${width > 0 ? `|${width}` : ''}">`
    : `<a href="${address}">${name}</a>`
}

/** The contents of the elements of a name, none of which is in another. Takes time in proportion to the text. */
function* elements(xml: string, name: string): Generator<string> {
  const close = `</${name}>`
  const start = new RegExp(`<${name}(?:\\s[^<>]*)?>`, 'g')
  for (let match = start.exec(xml); match; match = start.exec(xml)) {
    const from = match.index + match[0].length
    const end = xml.indexOf(close, from)
    if (end < 0) return
    yield xml.slice(from, end)
    start.lastIndex = end
  }
}

/** What is in a CDATA section, or escaped without one. */
function unwrap(content: string): string {
  const [, inner] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(content) ?? []
  return inner ?? textOf(content)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const textOf = (xml: string): string =>
  xml
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
      (_, decimal?: string, hex?: string, name = '') => {
        const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
        return (
          entities[String(name).toLowerCase()] ??
          (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
        )
      },
    )
    .trim()

/** `20240102T030405Z` as ISO 8601. */
function asTime(text: string): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  return year ? `${year}-${month}-${day}T${hour}:${minute}:${second}Z` : null
}
