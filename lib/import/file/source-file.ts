import type { DocumentEntry } from '../../vault/manifest.ts'
import type { FileBytes } from './format.ts'

/** A file with its bytes. */
export type ReadFile = FileBytes & {
  /** The extension to read it by, where it is not its own: what a mailbox holds is read as Markdown. */
  readAs?: string
  /** Where it came from, where that is no folder. */
  origin?: 'mail'
  /** Kept as a document, whatever it is: a message's attachment never becomes a page. */
  attached?: true
  warnings?: readonly string[]
  /** What the manifest of an export says of it. */
  document?: DocumentEntry
}

/** An archive or a mailbox that lies on disk. */
type StoredContainer = { path: string; stored: string | Buffer }

/** Message files that are one conversation, oldest first; `path` is the first one's. */
type MessageFiles = { path: string; messages: Uint8Array[]; warnings: string[] }

/** A file on its way in, or the reason why it was not even read. */
export type SourceFile =
  | ReadFile
  | StoredContainer
  | MessageFiles
  | { path: string; skip: string }
  | { path: string; joined: string }

/** A file that needs no unpacking any more. */
export type PlainFile = Exclude<SourceFile, StoredContainer | MessageFiles>
