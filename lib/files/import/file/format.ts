// A format turns one file into one entity. Adding a format is one file in formats/ that exports `format`.

import type { DocumentEntry, MailEntry } from '../../vault/manifest.ts'

export type FileBytes = { path: string; bytes: Uint8Array }

export type ParsedFile = {
  /** The kind of entity. A `page` is placed below the page of its folder, or is that page. */
  type: string
  /** `null`: named after the file, as Obsidian does. */
  title: string | null
  /** The kind's other fields. */
  fields: Record<string, unknown>
  /** Values of the kind's hidden columns. */
  hidden?: Record<string, unknown>
  /** Fields that refer to what another file became, by that file's path. */
  references?: Readonly<Record<string, string>>
  /** Other paths that links may name it by. */
  knownAs?: readonly string[]
  /** What the owner should know about a file that came in nevertheless. */
  warnings: string[]
}

export type Format = {
  /** In lower case, each with its dot. */
  extensions: readonly string[]
  /** What it makes of a file. Where that is a document, its bytes are kept even if it cannot be read. */
  makes: 'page' | 'source_doc'
  /** Bytes up to which it is parsed at once: a format that only reads text. Others go to the parser's thread. */
  atOnce?: number
  /** Throws `SkippedFile` for a file that cannot come in. Must not touch the database. */
  parse(file: FileBytes): ParsedFile | Promise<ParsedFile>
}

/** A file with its bytes. */
export type ReadFile = FileBytes & {
  /** It is a message, whatever it is called, and this is said of it. */
  mail?: MailEntry
  /** Kept as a document, whatever it is: the picture of a document never becomes a page. */
  attached?: true
  warnings?: readonly string[]
  /** What the manifest of an export says of it. */
  document?: DocumentEntry
}

/** An archive or a mailbox that lies on disk. */
type StoredContainer = { path: string; stored: string | Buffer }

/** A file on its way in, or the reason why it was not even read. */
export type SourceFile = ReadFile | StoredContainer | { path: string; skip: string }

/** A file that needs no unpacking any more. */
export type PlainFile = Exclude<SourceFile, StoredContainer>

/** A message, which goes into the mail of the Space. */
export type MessageFile = { path: string; message: Uint8Array; mail: MailEntry }
