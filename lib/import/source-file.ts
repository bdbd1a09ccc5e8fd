import type { DocumentEntry } from '../export/vault-manifest.ts'
import type { FileBytes } from './format.ts'

/** Bytes a file may have. */
export const largestFile = 50 * 1024 * 1024

/** Bytes of an archive or a mailbox, which is read piece by piece. */
export const largestContainer = 20 * 1024 * 1024 * 1024

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
export type StoredContainer = { path: string; stored: string | Buffer }

/** Message files that are one conversation, oldest first; `path` is the first one's. */
export type MessageFiles = { path: string; messages: Uint8Array[]; warnings: string[] }

/** A file on its way in, or the reason why it was not even read. */
export type SourceFile =
  | ReadFile
  | StoredContainer
  | MessageFiles
  | { path: string; skip: string }
  | { path: string; joined: string }

/** A file that needs no unpacking any more. */
export type PlainFile = Exclude<SourceFile, StoredContainer | MessageFiles>

const megabyte = 1024 * 1024

/** Why a file of this size stays out. */
export const tooLarge = (size: number): string =>
  `it has ${Math.ceil((size / megabyte) * 10) / 10} MB; the limit is ${largestFile / megabyte} MB`
