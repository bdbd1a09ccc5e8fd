import type { DocumentEntry, MailEntry } from '../../vault/manifest.ts'
import type { FileBytes } from './format.ts'

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
