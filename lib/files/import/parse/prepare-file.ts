import { createHash } from 'node:crypto'
import type { DocumentEntry } from '../../vault/manifest.ts'
import {
  checkPath,
  extensionOf,
  maxFileBytes,
  nameOfUnusablePath,
  SkippedFile,
  tooLarge,
} from '../../vault/paths.ts'
import { parseAttachment } from '../file/attachment.ts'
import type { Format, MessageFile, ParsedFile, PlainFile, ReadFile } from '../file/format.ts'
import type { Formats } from './formats.ts'
import type { Parser } from './parser.ts'

/** A file ready to import. `parse` reads it once, on demand, and throws the format's errors. */
export type PreparedFile = {
  path: string
  size: number
  sha256: string
  parse(): Promise<ParsedFile>
}

export type Prepared = PreparedFile | { path: string; skip: string; hidden?: true } | MessageFile

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

async function parseFile({ formats, parser }: PrepareOptions, file: ReadFile): Promise<ParsedFile> {
  const { path, bytes, warnings = [] } = file
  const extension = extensionOf(path)
  const format = formats.get(extension)
  const readable = format && !(file.attached && format.makes === 'page') ? format : null
  const parsed = readable
    ? await (parser && bytes.length > (readable.atOnce ?? -1)
        ? readApart(parser, readable, extension, file)
        : readable.parse({ path, bytes }))
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
  const document = { ...parsed, title, fields: { ...parsed.fields, mime, metadata } }
  if (!is_text) return document
  const { hidden: _, ...plain } = document
  return {
    ...plain,
    fields: { ...document.fields, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) },
  }
}

// A document without readable text is still a document.
async function readApart(
  parser: Parser,
  format: Format,
  extension: string,
  { path, bytes }: ReadFile,
): Promise<ParsedFile> {
  try {
    return await parser.parseFile(extension, { path, bytes })
  } catch (error) {
    if (!(error instanceof SkippedFile) || format.makes !== 'source_doc') throw error
    const attachment = parseAttachment({ path, bytes })
    return { ...attachment, warnings: [`${error.message}; stored as a file`, ...attachment.warnings] }
  }
}
