// A format turns one file into one entity. Adding a format is one file in formats/ that exports `format`.

import type { Written } from '../../../content/writes/store-entity.ts'
import type { Dates, DocumentEntry, MailEntry, NoteEntry } from '../../vault/manifest.ts'
import type { Chat } from '../chats/chat.ts'

export type FileBytes = { path: string; bytes: Uint8Array }

export type ParsedFile = {
  /** The entity type. A `page` is placed below the page of its folder, or is that page. */
  type: string
  /** `null`: named after the file, as in Obsidian. */
  title: string | null
  /** The type's other fields. */
  fields: Record<string, unknown>
  /** Values of the type's hidden columns. */
  hidden?: Record<string, unknown>
  /** When it was written, where that is known. */
  written?: Written | undefined
  /** Fields that refer to another file's entity, by that file's path. */
  references?: Readonly<Record<string, string>>
  /** The bytes of a page that its text alone does not give again. */
  exact?: Uint8Array
  /** The encoding that they were read in, where that was a guess; a label of `TextDecoder`. */
  readAs?: string
  /** The path that it gets; that of the file unless given. */
  place?: string
  /** Other paths by which links may name it. */
  knownAs?: readonly string[]
  /** Files that come with it, such as the pictures in it. They are stored beside it. */
  attached?: readonly AttachedFile[]
  /** Why it is left out, although it was read. */
  skip?: string
  /** A warning about a file that was imported nevertheless. */
  warnings: string[]
}

/** A file that comes with another: a picture in it, or its own bytes where its text is not all of it. */
export type AttachedFile = {
  /** File name, unique among those of one file. */
  name: string
  bytes: Uint8Array<ArrayBuffer>
  /** The file that a page was read from: stored unread, under the file's name. */
  original?: boolean | undefined
}

export type Format = {
  /** Lower case, with the dot. */
  extensions: readonly string[]
  /** The resulting entity type. A `source_doc` keeps its bytes even if it cannot be read. */
  makes: 'page' | 'source_doc'
  /**
   * Maximum bytes that are parsed on the main thread, for a format that only reads text. Larger files go to the
   * parser's thread.
   */
  atOnce?: number
  /** Throws `SkippedFile` for a file that it cannot read, which is then stored as a file. Must not touch the database. */
  parse(file: FileBytes): ParsedFile | Promise<ParsedFile>
}

/** A file with its bytes. */
export type ReadFile = FileBytes & {
  /** Marks a message, regardless of its name, with its manifest data. */
  mail?: MailEntry
  /** Stored as a document regardless of its format: a document's picture never becomes a page. */
  attached?: true
  warnings?: readonly string[]
  /** Its entry in an export's manifest. */
  document?: DocumentEntry
  /** What an export says of it apart from its file. */
  note?: NoteEntry
  dates?: Dates
  /** When the file was changed, as its folder, its archive or the browser says: ISO 8601. */
  modified?: string | undefined
  /** A note out of an app's export: its front matter has the app's dates. */
  dated?: true
}

/** An archive or a mailbox on disk. */
type StoredContainer = { path: string; stored: string | Buffer }

/** A conversation of an export, which becomes a thread. */
export type ChatFile = { path: string; chat: Chat }

/** A file to import, or the reason why it was not read. */
export type SourceFile = ReadFile | ChatFile | StoredContainer | { path: string; skip: string }

/** A file that needs no further unpacking. */
export type PlainFile = Exclude<SourceFile, StoredContainer>

/** A message, which is stored in the Space's mail. */
export type MessageFile = { path: string; message: Uint8Array; mail: MailEntry }
