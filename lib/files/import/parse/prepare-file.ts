import { createHash } from 'node:crypto'
import { textOf } from '../../../contract/entities/kind.ts'
import { baseName, extensionOf, isNotePath } from '../../../core/text/paths.ts'
import type { DocumentEntry } from '../../vault/manifest.ts'
import { checkPath, maxFileBytes, nameOfUnusablePath, SkippedFile, tooLarge } from '../../vault/paths.ts'
import { folderOfAttached, parseAttachment } from '../file/attachment.ts'
import { decodeExact, restoreNote } from '../file/exported-note.ts'
import type { AttachedFile, ChatFile, MessageFile, ParsedFile, PlainFile, ReadFile } from '../file/format.ts'
import { datesIn } from '../file/note-fields.ts'
import type { Formats } from './formats.ts'
import type { Parser } from './parser.ts'

/** A file ready to import. `parse` reads it once, on demand, and throws the format's errors. */
export type PreparedFile = {
  path: string
  size: number
  sha256: string
  parse(): Promise<ParsedFile>
}

export type Prepared = PreparedFile | { path: string; skip: string; hidden?: true } | MessageFile | ChatFile

export type PrepareOptions = {
  formats: Formats
  /** Parses large or risky files; `null`: everything is parsed here. */
  parser: Parser | null
}

/** Checks path and size and computes the hash. */
export function prepareFile(options: PrepareOptions, file: PlainFile): Prepared {
  const { path, problem, hidden } = checkPath(file.path)
  if (hidden) return { path, skip: 'it is hidden', hidden: true }
  if (problem) return { path: nameOfUnusablePath(path), skip: problem }
  if ('skip' in file) return { path, skip: file.skip }
  if ('chat' in file) return { path, chat: file.chat }
  const { bytes, mail } = file
  if (bytes.length > maxFileBytes) return { path, skip: tooLarge(bytes.length) }

  if (mail || (extensionOf(path) === '.eml' && !file.attached)) {
    return { path, message: bytes, mail: mail ?? { sent: false, places: [] } }
  }

  let parsed: Promise<ParsedFile> | undefined
  return {
    path,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    parse() {
      parsed ??= parseFile(options, { ...file, path })
      return parsed
    },
  }
}

/** A parsed file, followed by those that come with it. */
export async function withAttached(file: PreparedFile): Promise<PreparedFile[]> {
  const { attached = [] } = await file.parse()
  return [file, ...attached.map((one) => prepareAttached(file.path, one))]
}

function prepareAttached(holder: string, { name, bytes, original }: AttachedFile): PreparedFile {
  const path = folderOfAttached(holder) + name
  return {
    path,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async parse() {
      const file = parseAttachment({ path, bytes })
      // Its text is the page's; what the page left out, such as hidden text, is not to be found either.
      if (!original) return file
      const metadata = {
        ...(file.fields.metadata as object),
        ...(isNotePath(holder) ? {} : { original_of: holder }),
      }
      return {
        ...file,
        title: baseName(holder),
        fields: { ...file.fields, metadata, text: '' },
        warnings: [],
      }
    },
  }
}

async function parseFile(options: PrepareOptions, file: ReadFile): Promise<ParsedFile> {
  const parsed = await parseOwn(options, file)
  if (parsed.skip !== undefined) throw new SkippedFile(parsed.skip)
  return { ...parsed, written: whenWritten(file, parsed) }
}

/** An export's dates, else of a page those that its app gave it, else the file's. */
function whenWritten({ path, dates, modified, dated }: ReadFile, { type, fields }: ParsedFile) {
  if (dates) return { created_at: dates[0], updated_at: dates[1] }
  if (type !== 'page') return undefined
  const own = dated || !isNotePath(path) ? datesIn(textOf(fields.body)) : null
  return own ?? (modified === undefined ? undefined : { created_at: modified, updated_at: modified })
}

async function parseOwn({ formats, parser }: PrepareOptions, file: ReadFile): Promise<ParsedFile> {
  const { path, bytes, warnings = [] } = file
  const extension = extensionOf(path)
  if (file.note) return restoreNote({ ...file.note, body: decodeExact(bytes) }, path)
  const format = formats.get(extension)
  const readable = format && !(file.attached && format.makes === 'page') ? format : null
  const parsed = readable
    ? await readOrStore(file, () =>
        parser && bytes.length > (readable.atOnce ?? -1)
          ? parser.parseFile(extension, { path, bytes })
          : readable.parse({ path, bytes }),
      )
    : parseAttachment({ path, bytes })
  const restored = file.document ? asDocument(parsed, file.document, bytes) : parsed
  return { ...restored, warnings: [...warnings, ...parsed.warnings] }
}

// An exported document keeps its name and type; one without an original is its text again.
function asDocument(
  parsed: ParsedFile,
  { title, mime, metadata, is_text }: DocumentEntry,
  bytes: Uint8Array,
): ParsedFile {
  // One that a page was read from lies in the export where it was, and here beside what the page shows.
  const { original_of, path } = metadata
  const place = typeof original_of === 'string' && typeof path === 'string' ? { place: path } : {}
  const document = { ...parsed, title, ...place, fields: { ...parsed.fields, mime, metadata } }
  // Its text is the page's.
  if (typeof original_of === 'string') return { ...document, fields: { ...document.fields, text: '' } }
  if (!is_text) return document
  const { hidden: _, ...plain } = document
  return {
    ...plain,
    fields: { ...document.fields, text: decodeExact(bytes) },
  }
}

// What cannot be read is still a file.
async function readOrStore(
  { path, bytes }: ReadFile,
  read: () => ParsedFile | Promise<ParsedFile>,
): Promise<ParsedFile> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SkippedFile)) throw error
    const attachment = parseAttachment({ path, bytes })
    return { ...attachment, warnings: [`${error.message}; stored as a file`, ...attachment.warnings] }
  }
}
